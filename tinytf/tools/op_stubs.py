"""Stubs of the functions of ops, as text: those of a family in one file, which `gen_ops.pyi` and `raw_ops.pyi` put together.
So a change of ops changes the stubs of its family only."""

from __future__ import annotations

from typing import Any

from tinytf.tools.op_wrappers import HEADER, Op, default_text, escaped, families

_IMPORTS = """\
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


def _input_hint(arg: Any) -> str:
    """The hint of a declared input."""
    _, number, _, number_attr, type_list_attr, is_ref = arg
    hint = "RefLike" if is_ref else "Tensor" if number in _HANDLES else "TensorLike"
    return f"Sequence[{hint}]" if number_attr or type_list_attr else hint


def _attr_hint(kind: str) -> str:
    """The hint of an attr of this kind, `list(int)` for example."""
    return f"Sequence[{_ATTRS[kind[5:-1]]}]" if kind.startswith("list(") else _ATTRS[kind]


def _optional_hint(kind: str) -> str:
    """The hint of an attr that has a default, which None stands for too."""
    return _attr_hint(kind) + ("" if kind == "shape" else " | None")  # a shape may be None anyway


def _result_hint(definition: dict[str, Any]) -> str:
    """The hint of what the wrapper returns; `result_class` defines it where it is a named tuple."""
    outputs = definition["outputs"]
    if not outputs:
        return "Operation"
    return _output_hint(outputs[0]) if len(outputs) == 1 else f"_{definition['name']}Outputs"


def _result_class(definition: dict[str, Any]) -> str:
    """The named tuple of an op with several outputs, or ''."""
    if len(definition["outputs"]) < 2:
        return ""
    text = f"class {_result_hint(definition)}(NamedTuple):\n"
    for arg in definition["outputs"]:
        hides = "  # type: ignore[assignment]" if arg[0] in _TUPLE_METHODS else ""
        text += f"    {arg[0]}: {_output_hint(arg)}{hides}\n"
    return text


def _output_hint(arg: Any) -> str:
    return "list[Tensor]" if arg[3] or arg[4] else "Tensor"


def _stub(op: Op, name: str, keywords_only: bool) -> str:
    """The head of a function of the op, with its hints."""
    parts = [f"{op.parameter(arg[0])}: {_input_hint(arg)}" for arg in op.definition["inputs"]]
    parts += [f"{op.parameter(a[0])}: {_attr_hint(a[1])}" for a in op.required]
    for attr, kind, _, default, *_ in op.optional:
        parts.append(f"{op.parameter(attr)}: {_optional_hint(kind)} = {default_text(kind, default)}")
    star = "*, " if keywords_only else ""
    parts.append("name: str | None = None")
    return f"def {name}({star}{', '.join(parts)}) -> {_result_hint(op.definition)}:"


def _functions(members: list[Op]) -> str:
    return (
        _IMPORTS
        + "\n"
        + "".join(_result_class(op.definition) + _stub(op, op.function, False) + " ...\n" for op in members)
    )


def _raw(family: str, members: list[Op]) -> str:
    text = _IMPORTS.replace("from typing import NamedTuple\n", "")
    results = [_result_hint(op.definition) for op in members if len(op.definition["outputs"]) > 1]
    text += f"from tinytf._gen.{family}_ops import {', '.join(results)}\n" if results else ""
    for op in members:  # editors find no docstring in raw_ops.py, which takes them from elsewhere
        text += f'\n{_stub(op, op.raw_name, True)}\n    """{escaped(op.summary)}"""\n'
    return text


def generate(ops: list[Op]) -> dict[str, str]:
    """Texts by file name. There are no modules `raw_math_ops`: `raw_ops` makes their functions when asked for them."""
    members = families(ops)
    stubs = {f"{family}_ops.pyi": _functions(members[family]) for family in members}
    stubs |= {f"raw_{family}_ops.pyi": _raw(family, members[family]) for family in members}
    stubs["gen_ops.pyi"] = "".join(f"from tinytf._gen.{family}_ops import *\n" for family in members)
    stubs["raw_ops.pyi"] = "".join(f"from tinytf._gen.raw_{family}_ops import *\n" for family in members)
    stubs["op_functions.pyi"] = "FUNCTIONS: dict[str, str]\nFAMILIES: dict[str, str]\n"
    stubs["public_names.pyi"] = "PLACES: dict[str, str]\n"
    stubs["namespaces.pyi"] = "NAMESPACES: dict[str, str]\n"
    return {name: HEADER + "# ruff: noqa\n" + text for name, text in stubs.items()}
