"""`tf.flags`: command-line flags, implemented by absl-py.

Flags defined here and with absl-py are the same flags. `DEFINE_string`, `DEFINE_integer`, `DEFINE_float` and
`DEFINE_boolean` also accept the argument names of TensorFlow's first releases. `FLAGS` parses `sys.argv` at the first
access to a flag, unless the flags were parsed before.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from absl import flags as _absl
from absl.flags import (
    DEFINE,
    ArgumentParser,
    ArgumentSerializer,
    BaseListParser,
    BooleanFlag,
    BooleanParser,
    CantOpenFlagFileError,
    CsvListSerializer,
    DEFINE_alias,
    DEFINE_enum,
    DEFINE_enum_class,
    DEFINE_flag,
    DEFINE_list,
    DEFINE_multi,
    DEFINE_multi_enum,
    DEFINE_multi_enum_class,
    DEFINE_multi_float,
    DEFINE_multi_integer,
    DEFINE_multi_string,
    DEFINE_spaceseplist,
    DuplicateFlagError,
    EnumClassFlag,
    EnumClassListSerializer,
    EnumClassParser,
    EnumClassSerializer,
    EnumFlag,
    EnumParser,
    Error,
    Flag,
    FlagHolder,
    FlagNameConflictsWithMethodError,
    FlagValues,
    FloatParser,
    IllegalFlagValueError,
    IntegerParser,
    ListParser,
    ListSerializer,
    MultiEnumClassFlag,
    MultiFlag,
    UnparsedFlagAccessError,
    UnrecognizedFlagError,
    ValidationError,
    WhitespaceSeparatedListParser,
    adopt_module_key_flags,
    declare_key_flag,
    disclaim_key_flags,
    doc_to_help,
    flag_dict_to_args,
    get_help_width,
    mark_bool_flags_as_mutual_exclusive,
    mark_flag_as_required,
    mark_flags_as_mutual_exclusive,
    mark_flags_as_required,
    multi_flags_validator,
    override_value,
    register_multi_flags_validator,
    register_validator,
    set_default,
    text_wrap,
    validator,
)

from tinytf._src.exports import tf_export
from tinytf._src.framework.logs import tf_logging

__all__ = [
    "DEFINE",
    "FLAGS",
    "ArgumentParser",
    "ArgumentSerializer",
    "BaseListParser",
    "BooleanFlag",
    "BooleanParser",
    "CantOpenFlagFileError",
    "CsvListSerializer",
    "DEFINE_alias",
    "DEFINE_bool",
    "DEFINE_boolean",
    "DEFINE_enum",
    "DEFINE_enum_class",
    "DEFINE_flag",
    "DEFINE_float",
    "DEFINE_integer",
    "DEFINE_list",
    "DEFINE_multi",
    "DEFINE_multi_enum",
    "DEFINE_multi_enum_class",
    "DEFINE_multi_float",
    "DEFINE_multi_integer",
    "DEFINE_multi_string",
    "DEFINE_spaceseplist",
    "DEFINE_string",
    "DuplicateFlagError",
    "EnumClassFlag",
    "EnumClassListSerializer",
    "EnumClassParser",
    "EnumClassSerializer",
    "EnumFlag",
    "EnumParser",
    "Error",
    "Flag",
    "FlagHolder",
    "FlagNameConflictsWithMethodError",
    "FlagValues",
    "FloatParser",
    "IllegalFlagValueError",
    "IntegerParser",
    "ListParser",
    "ListSerializer",
    "MultiEnumClassFlag",
    "MultiFlag",
    "UnparsedFlagAccessError",
    "UnrecognizedFlagError",
    "ValidationError",
    "WhitespaceSeparatedListParser",
    "adopt_module_key_flags",
    "declare_key_flag",
    "disclaim_key_flags",
    "doc_to_help",
    "flag_dict_to_args",
    "get_help_width",
    "mark_bool_flags_as_mutual_exclusive",
    "mark_flag_as_required",
    "mark_flags_as_mutual_exclusive",
    "mark_flags_as_required",
    "multi_flags_validator",
    "override_value",
    "register_multi_flags_validator",
    "register_validator",
    "set_default",
    "text_wrap",
    "validator",
]

disclaim_key_flags()  # flags defined through this module belong to the calling module

_OLD_ARGUMENTS = {"flag_name": "name", "default_value": "default", "docstring": "help"}


def _with_old_arguments(define: Callable[..., Any]) -> Callable[..., Any]:
    """The function, also accepting deprecated argument names, about which it warns."""

    @functools.wraps(define)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        old = kwargs.keys() & _OLD_ARGUMENTS.keys()
        if old:
            tf_logging.warning(
                "Use of the keyword argument names (flag_name, default_value, docstring) is deprecated, please use "
                "(name, default, help) instead.",
                stacklevel=3,
            )
        for name in old:
            kwargs[_OLD_ARGUMENTS[name]] = kwargs.pop(name)
        return define(*args, **kwargs)

    return wrapper


DEFINE_string = _with_old_arguments(_absl.DEFINE_string)
DEFINE_boolean = DEFINE_bool = _with_old_arguments(_absl.DEFINE_boolean)
DEFINE_float = _with_old_arguments(_absl.DEFINE_float)
DEFINE_integer = _with_old_arguments(_absl.DEFINE_integer)


class _Flags:
    """Proxy of a `FlagValues`, which passes as its instance; parses `sys.argv` at the first access to a flag."""

    def __init__(self, values: FlagValues) -> None:
        object.__setattr__(self, "_values", values)

    @property
    def __class__(self) -> Any:
        return FlagValues

    @__class__.setter
    def __class__(self, cls: Any) -> None:
        raise TypeError("__class__ of flags cannot be set")

    def __getattr__(self, name: str) -> Any:
        values = self._values
        if not hasattr(type(values), name) and not values.is_parsed():
            values(sys.argv)
        return getattr(values, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._values, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._values, name)

    def __dir__(self) -> list[str]:
        return dir(self._values)

    def __getitem__(self, name: str) -> Flag[Any]:
        return self._values[name]

    def __setitem__(self, name: str, flag: Flag[Any]) -> None:
        self._values[name] = flag

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __len__(self) -> int:
        return len(self._values)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __str__(self) -> str:
        return str(self._values)

    def __call__(self, argv: Any, known_only: bool = False) -> list[str]:
        return self._values(argv, known_only)


FLAGS = _Flags(_absl.FLAGS)

tf_export("flags.*").constants(__name__, *__all__)

tf_export("flags").namespace(__doc__)
