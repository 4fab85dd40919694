"""Type hints of the generated wrappers, as text for their stubs."""

from __future__ import annotations

from typing import Any

IMPORTS = """\
from collections.abc import Sequence
from typing import NamedTuple

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
"""

_HANDLES = (20, 21)  # resource and variant: nothing but a tensor becomes one
_ATTRS = {
    "bool": "bool",
    "float": "float",
    "func": "object",
    "int": "int",
    "shape": "ShapeLike",
    "string": "str | bytes",
    "tensor": "TensorLike",
    "type": "DTypeLike",
}
_TUPLE_METHODS = ("count", "index")


def input_hint(arg: Any) -> str:
    """The hint of a declared input."""
    _, number, _, number_attr, type_list_attr, is_ref = arg
    hint = "RefLike" if is_ref else "Tensor" if number in _HANDLES else "TensorLike"
    return f"Sequence[{hint}]" if number_attr or type_list_attr else hint


def attr_hint(kind: str) -> str:
    """The hint of an attr of this kind, `list(int)` for example."""
    return f"Sequence[{_ATTRS[kind[5:-1]]}]" if kind.startswith("list(") else _ATTRS[kind]


def optional_hint(kind: str) -> str:
    """The hint of an attr that has a default, which None stands for too."""
    return attr_hint(kind) + ("" if kind == "shape" else " | None")  # a shape may be None anyway


def result_hint(definition: dict[str, Any]) -> str:
    """The hint of what the wrapper returns; `result_class` defines it where it is a named tuple."""
    outputs = definition["outputs"]
    if not outputs:
        return "Operation"
    return _output_hint(outputs[0]) if len(outputs) == 1 else f"_{definition['name']}Outputs"


def result_class(definition: dict[str, Any]) -> str:
    """The named tuple of an op with several outputs, or ''."""
    if len(definition["outputs"]) < 2:
        return ""
    text = f"class {result_hint(definition)}(NamedTuple):\n"
    for arg in definition["outputs"]:
        hides = "  # type: ignore[assignment]" if arg[0] in _TUPLE_METHODS else ""
        text += f"    {arg[0]}: {_output_hint(arg)}{hides}\n"
    return text


def _output_hint(arg: Any) -> str:
    return "list[Tensor]" if arg[3] or arg[4] else "Tensor"
