"""Reads what functions are made of, as JSON that is the same in every process."""

import ast
import dataclasses
import dis
import functools
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from enum import Enum
from pathlib import Path, PurePath
from types import CodeType, FunctionType, MethodType, ModuleType, NoneType
from typing import Any, Final

from rankle.core.canonical import Json
from rankle.core.errors import InputError
from rankle.harness.evals.stable import stable_bytes
from rankle.harness.evals.suite import Suite

_PLAIN: Final = (str, int, float, NoneType, bytes, list, tuple, dict, set, frozenset, date, PurePath, Enum)
_CODE: Final = (FunctionType, MethodType, functools.partial, type)
_UNSEEN: Final = "unseen"
_NO_SOURCE: Final = (OSError, SyntaxError, TypeError)
"""What asking for source raises where there is none, or where it is the middle of an expression."""


class CodeReading:
    """Goes through functions and what they name; each is read once, so that circles end.

    root: the project's folder. Code below it that is in other files is not read, but `unseen` tells of it.
    """

    def __init__(self, root: Path, *, asks_objects: bool = False) -> None:
        """asks_objects: whether an object that has a method `fingerprint` is asked for it."""
        self._root = root
        self._asks_objects = asks_objects
        self._met: list[FunctionType | type] = []
        self.unseen: dict[str, None] = {}
        """Names of objects of which the class alone is seen, and of code in other files of the project."""

    def callable(self, given: Callable[..., Any]) -> Json:
        """A function, a method, a partial, a class, or an object that is called."""
        if isinstance(given, functools.partial):
            parts = [self.value(part) for part in (*given.args, given.keywords)]
            return [self.callable(given.func), *parts]
        if isinstance(given, MethodType):
            return [self.callable(given.__func__), self.value(given.__self__)]
        function = inspect.unwrap(given)
        if isinstance(function, FunctionType):
            return self._once(function, self._function)
        if isinstance(function, type):
            return self._once(function, self._class)
        if inspect.isroutine(function):
            return f"{getattr(function, '__module__', None)}.{function.__qualname__}"
        return [self._once(type(given), self._class), self.value(given)]

    def value(self, given: Any) -> Json:
        """A plain value as it is, code by its source; of anything else its class alone is seen."""
        if isinstance(given, _CODE) or inspect.isroutine(given):
            return self.callable(given)
        unseen: Json = {_UNSEEN: _full_name(type(given))}
        if self._asks_objects and (own := own_fingerprint(given)) is not None:
            return own
        if not isinstance(given, _PLAIN) and not dataclasses.is_dataclass(given):
            return unseen  # an array may be large, and an object expensive to write out
        try:
            return stable_bytes(given).decode()
        except InputError:
            return unseen

    def _once(self, code: Any, read: Callable[[Any], Json]) -> Json:
        for place, met in enumerate(self._met):
            if met is code:
                return {"again": place}
        self._met.append(code)
        return read(code)

    def _function(self, function: FunctionType) -> Json:
        return {
            "source": _source(function),
            "defaults": [self.value(one) for one in function.__defaults__ or ()],
            "keyword_defaults": self._named(function.__kwdefaults__ or {}),
            "closure": self._named(_closure(function)),
            "globals": self._named(self._own_globals(function)),
        }

    def _own_globals(self, function: FunctionType) -> dict[str, Any]:
        """What a function names of its module: code of the same file, and values."""
        found: dict[str, Any] = {}
        for name in sorted(set(_global_names(function.__code__)) & function.__globals__.keys()):
            value = function.__globals__[name]
            if callable(value):
                value = inspect.unwrap(value.task if isinstance(value, Suite) else value)
            file = _file_of_code(value)
            is_here = file == function.__code__.co_filename
            if isinstance(value, type):  # the file of a class is known by its module alone
                is_here = value.__module__ == function.__module__
            if file is None or is_here:
                found[name] = value
            elif Path(file).is_relative_to(self._root) and "site-packages" not in Path(file).parts:
                self.unseen[name] = None
        return found

    def _class(self, given: type) -> Json:
        """Its functions and plain values, and its bases of the same module; of others the names."""
        bases = [one for one in given.__bases__ if one.__module__ == given.__module__ != object.__module__]
        return {
            "class": _full_name(given),
            "members": self._named(_members(given)),
            "bases": [self.callable(one) for one in bases],
        }

    def _named(self, values: Mapping[str, Any]) -> Json:
        found = {name: self.value(values[name]) for name in sorted(values)}
        self.unseen |= {name: None for name, one in found.items() if isinstance(one, dict) and _UNSEEN in one}
        return found


def own_fingerprint(given: Any) -> str | None:
    """What an object says that it is made of, such as a knowledge base of its content, by its method
    `fingerprint`; None where it has none. Raises what the method raises."""
    ask = getattr(given, "fingerprint", None)
    found = ask() if inspect.ismethod(ask) and not inspect.signature(ask).parameters else None
    return found if isinstance(found, str) else None


def _members(given: type) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, member in vars(given).items():
        if isinstance(member, property):
            parts = (member.fget, member.fset, member.fdel)
            found |= {f"{name}.{place}": one for place, one in enumerate(parts) if one is not None}
        elif isinstance(member, staticmethod | classmethod):
            found[name] = member.__func__
        elif isinstance(member, FunctionType) or not name.startswith("__"):
            found[name] = member
    return found


def _closure(function: FunctionType) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # named, and not given a value yet
            found[name] = None
    return found


def _file_of_code(value: Any) -> str | None:
    """The file of a function, class or module; empty where it is in none, None where it is a value."""
    if isinstance(value, FunctionType):
        return value.__code__.co_filename
    if isinstance(value, type):
        value = sys.modules.get(value.__module__)
    elif inspect.isroutine(value):
        return ""
    elif not isinstance(value, ModuleType):
        return None
    return getattr(value, "__file__", None) or ""


def _global_names(code: CodeType) -> Iterator[str]:
    """Of a function and of those within it."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _global_names(constant)


def _source(function: FunctionType) -> Json:
    """The syntax of a function, without its decorators; of one without source its instructions."""
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except _NO_SOURCE:
        return _instructions(function.__code__)
    match definition:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
            name == function.__code__.co_name
        ):
            definition.decorator_list = []
            return ast.dump(definition)
    return _instructions(function.__code__)  # of a lambda: its lines hold more than itself


def _instructions(code: CodeType) -> Json:
    """What is executed, wherever its lines are."""
    names = [list(code.co_names), list(code.co_varnames), list(code.co_freevars)]
    return [code.co_code.hex(), [_constant(one) for one in code.co_consts], *names]


def _constant(given: object) -> Json:
    if isinstance(given, CodeType):
        return _instructions(given)
    if isinstance(given, frozenset):  # its members come in another order in each process
        return ["frozenset", *sorted(map(repr, given))]
    return f"{type(given).__name__} {given!r}"


def _full_name(given: type) -> str:
    return f"{given.__module__}.{given.__qualname__}"
