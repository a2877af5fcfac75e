"""The plan of a run as bytes, so that a record can be scored again without the set or the system."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from rankle.core.errors import RecordError
from rankle.core.ports import SystemDescription
from rankle.core.product import NAME
from rankle.harness.keeping import Plan
from rankle.harness.preparation import Prepared
from rankle.harness.settings import Settings


class _Description(msgspec.Struct, frozen=True):
    name: str
    method: str
    fingerprint: str
    stages: list[str]
    settings: Mapping[str, Any]
    parts: Mapping[str, str]
    notices: list[str]
    floor: float | None = None


class _Plan(msgspec.Struct, frozen=True):
    prepared: Prepared
    description: _Description
    settings: Settings


def pack_plan(plan: Plan) -> bytes:
    """MessagePack, without the folder of the set's file, which is of one machine and joins nothing more."""
    described = plan.description
    selection = plan.prepared.selection
    eval_set = replace(selection.eval_set, folder=None)
    stored = _Plan(
        replace(plan.prepared, selection=replace(selection, eval_set=eval_set)),
        _Description(
            described.name,
            described.method,
            described.fingerprint,
            list(described.stages),
            described.settings,
            described.parts,
            list(described.notices),
            described.floor,
        ),
        plan.settings,
    )
    return msgspec.msgpack.encode(stored)


def with_empty_as_nothing(plan: Plan) -> Plan:
    """The plan of the same set, read so that a query with an empty list of targets should find nothing."""
    prepared = plan.prepared
    queries = tuple(
        joined if joined.query.labels else replace(joined, query=replace(joined.query, answerable=False))
        for joined in prepared.joined.queries
    )
    eval_set = replace(prepared.selection.eval_set, queries=tuple(joined.query for joined in queries))
    return replace(
        plan,
        prepared=replace(
            prepared,
            joined=replace(prepared.joined, queries=queries),
            selection=replace(prepared.selection, eval_set=eval_set),
        ),
    )


def unpack_plan(data: bytes) -> Plan:
    """The plan that was packed. Raises RecordError where another version packed it otherwise."""
    try:
        stored = msgspec.msgpack.decode(data, type=_Plan)
    except msgspec.DecodeError as error:
        raise RecordError(
            f"this run was recorded by another version of {NAME} and can be shown, but not gone on with or "
            f"scored again ({error})"
        ) from error
    described = stored.description
    description = SystemDescription(
        described.name,
        described.method,
        described.fingerprint,
        tuple(described.stages),
        described.settings,
        described.parts,
        tuple(described.notices),
        floor=described.floor,
    )
    return Plan(stored.prepared, description, stored.settings)
