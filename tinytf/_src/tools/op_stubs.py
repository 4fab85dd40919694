"""Generates stubs of op functions: one file per family, combined by `gen_ops.pyi` and `raw_ops.pyi`, so that a change
of an op affects the stubs of its family only."""

from __future__ import annotations

from typing import Any

from tinytf._src.tools.op_wrappers import HEADER, Op, default_text, escaped, families

_IMPORTS = """\
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
"""

_HANDLES = (20, 21)  # resource and variant: only tensors are accepted, nothing is converted
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
    """The type hint of a declared input."""
    _, number, _, number_attr, type_list_attr, is_ref = arg
    hint = "RefLike" if is_ref else "Tensor" if number in _HANDLES else "TensorLike"
    return f"Sequence[{hint}]" if number_attr or type_list_attr else hint


def _attr_hint(kind: str) -> str:
    """The type hint of an attr of this kind, for example `list(int)`."""
    return f"Sequence[{_ATTRS[kind[5:-1]]}]" if kind.startswith("list(") else _ATTRS[kind]


def _optional_hint(kind: str) -> str:
    """The type hint of an attr with a default, for which None may be passed, too."""
    return _attr_hint(kind) + ("" if kind == "shape" else " | None")  # ShapeLike includes None


def _result_hint(definition: dict[str, Any]) -> str:
    """The type hint of the wrapper's result; `_result_class` defines it if it is a named tuple."""
    outputs = definition["outputs"]
    if not outputs:
        return "Operation"
    return _output_hint(outputs[0]) if len(outputs) == 1 else f"_{definition['name']}Outputs"


def _result_class(definition: dict[str, Any]) -> str:
    """The named tuple class of an op with several outputs; '' for other ops."""
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
    """The signature line of an op function with type hints."""
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
    for op in members:  # raw_ops.py makes its functions at run time, so that editors find their docstrings only here
        text += f'\n{_stub(op, op.raw_name, True)}\n    """{escaped(op.summary)}"""\n'
    return text


def generate(ops: list[Op]) -> dict[str, str]:
    """The contents of the stub files, by file name. There are no modules `raw_math_ops` at run time: `raw_ops` makes
    their functions at first use."""
    members = families(ops)
    stubs = {f"{family}_ops.pyi": _functions(members[family]) for family in members}
    stubs |= {f"raw_{family}_ops.pyi": _raw(family, members[family]) for family in members}
    stubs["gen_ops.pyi"] = "".join(f"from tinytf._gen.{family}_ops import *\n" for family in members)
    stubs["raw_ops.pyi"] = "".join(f"from tinytf._gen.raw_{family}_ops import *\n" for family in members)
    stubs["op_functions.pyi"] = "FUNCTIONS: dict[str, str]\nFAMILIES: dict[str, str]\n"
    stubs["public_names.pyi"] = "PLACES: dict[str, str]\n"
    stubs["namespaces.pyi"] = "NAMESPACES: dict[str, str]\n"
    return {name: HEADER + "# ruff: noqa\n" + text for name, text in stubs.items()}
