"""Generates the op functions (`tinytf._gen.math_ops` and so on) from the op declarations of the engine."""

from __future__ import annotations

import keyword
import textwrap
from collections import defaultdict
from typing import Any

from tinytf._src.framework.declarations.snake_case import snake_case
from tinytf._src.framework.values import dtypes

HEADER = '"""Written from the declarations of ops. Do not edit."""\n\n'
_LINE = 120
_IMPORTS = """\
from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.apply.apply_op import apply_op as _apply
from tinytf._src.framework.errors.error_traceback import REPORTED as _REPORTED, leave_to_user as _leave
from tinytf._src.framework.declarations.op_spec import op_spec as _spec
"""


def _parameter(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def default_text(kind: str, value: Any) -> str:
    """The default of an attr of this kind, as a Python expression."""
    if kind == "type":
        return f"_dtypes.{_type_name(value)}"
    if kind == "list(type)":
        return "(" + "".join(f"_dtypes.{_type_name(v)}, " for v in value) + ")"
    if kind == "tensor":
        return "None"
    if isinstance(value, bytes):
        return repr(value.decode())
    if isinstance(value, float):
        return f"{value:.7g}" if value == value and abs(value) != float("inf") else repr(str(value))
    if isinstance(value, list):
        return "(" + "".join(default_text(kind[5:-1], v) + ", " for v in value) + ")"
    return repr(value)


def _type_name(number: int) -> str:
    return dtypes.as_dtype(number).name


class Op:
    """The text forms of one op's declaration."""

    def __init__(self, definition: Any) -> None:
        self.definition = definition
        self.name: str = definition["name"]
        self.raw_name = _parameter(self.name)
        self.function = _parameter(snake_case(self.name))
        self.family: str = definition["family"]
        self.summary: str = definition["doc"] or f"Adds a {self.name} op."
        self.inputs = [arg[0] for arg in definition["inputs"]]
        inferred = {name for arg in definition["inputs"] for name in arg[2:5] if name}
        attrs = [a for a in definition["attrs"] if a[0] not in inferred]
        self.renamed = definition["parameters"]
        self.required = [a for a in attrs if not a[2]]
        self.optional = [a for a in attrs if a[2]]

    def parameter(self, name: str) -> str:
        """The wrapper's parameter name for an input or attr."""
        return _parameter(self.renamed.get(name, name))

    def _signature(self) -> str:
        parts = [self.parameter(n) for n in self.inputs] + [self.parameter(a[0]) for a in self.required]
        parts += [f"{self.parameter(a[0])}={default_text(a[1], a[3])}" for a in self.optional]
        return ", ".join([*parts, "name=None"])

    def _docstring(self) -> str:
        lines = textwrap.wrap(self.summary, _LINE - 8)
        arguments = []
        for arg in self.definition["inputs"]:
            arguments.append(f"{self.parameter(arg[0])}: {_argument_text(arg, self.definition)}.")
        for attr in [*self.required, *self.optional]:
            arguments.append(f"{self.parameter(attr[0])}: {_attr_text(attr)}.")
        text = "\n".join("    " + line if line else "" for line in lines).strip()
        if arguments:
            text += "\n\n    Args:\n"
            for argument in arguments:
                text += textwrap.fill(argument, _LINE, initial_indent=" " * 6, subsequent_indent=" " * 8) + "\n"
        outputs = [_argument_text(arg, self.definition) for arg in self.definition["outputs"]]
        if not outputs:
            result = "the Operation"
        elif len(outputs) == 1:
            result = outputs[0]
        else:
            names = [arg[0] for arg in self.definition["outputs"]]
            result = "a named tuple: " + ", ".join(f"{n} ({t})" for n, t in zip(names, outputs))
        text += "\n" if not arguments else ""
        text += "\n" + textwrap.fill(f"Returns {result}.", _LINE, initial_indent=" " * 4, subsequent_indent=" " * 4)
        return escaped(text)

    def _body(self) -> str:
        inputs = "(" + "".join(self.parameter(n) + ", " for n in self.inputs).strip() + ")"
        if len(self.inputs) > 1:
            inputs = inputs.replace(",)", ")")
        attrs = ", ".join(f'"{a[0]}": {self.parameter(a[0])}' for a in [*self.required, *self.optional])
        return f"_apply(_{self.name}, name, {inputs}, {'{' + attrs + '}' if attrs else None})"

    def text(self) -> str:
        """The source of the op's wrapper function."""
        text = f'\n_{self.name} = _spec("{self.name}")\n\n\ndef {self.function}({self._signature()}):\n'
        text += f'    """{self._docstring()}\n    """\n    try:\n        return {self._body()}\n'
        return text + "    except _REPORTED:\n        _leave()\n        raise\n"


def escaped(docstring: str) -> str:
    """The text, escaped for a docstring in triple quotes."""
    return docstring.replace("\\", "\\\\").replace('"""', "'''")


def _types_text(attr: Any) -> str:
    return ", ".join(_type_name(t) for t in attr[4] if not 11 <= t <= 16 or t == 14)


def _argument_text(arg: Any, definition: dict[str, Any]) -> str:
    _, number, type_attr, number_attr, type_list_attr, is_ref = arg
    if type_list_attr:
        return "a list of tensors"
    what = "a mutable tensor" if is_ref else "a tensor"
    if number_attr:
        what = "a list of tensors" if not is_ref else "a list of mutable tensors"
    if number:
        return f"{what} of type {_type_name(number)}"
    attr = next(a for a in definition["attrs"] if a[0] == type_attr)
    types = _types_text(attr)
    return f"{what} of type {type_attr}" + (f" ({types})" if types and len(types) < 90 else "")


def _attr_text(attr: Any) -> str:
    name, kind, has_default, default, types, strings, minimum = attr
    text = {"type": "a DType", "shape": "a shape", "tensor": "an array", "func": "a function"}.get(kind, kind)
    if strings:
        text = " or ".join(repr(s) for s in strings)
    if types:
        text += f" ({_types_text(attr)})"
    if minimum is not None:
        text += f", at least {minimum}"
    return text


def families(ops: list[Op]) -> dict[str, list[Op]]:
    """The ops by family, in their given order; families are sorted."""
    found = defaultdict(list)
    for op in ops:
        found[op.family].append(op)
    return dict(sorted(found.items()))


def generate(ops: list[Op]) -> dict[str, str]:
    """The contents of the files, by file name: a module per family, and the tables by which `gen_ops` and `raw_ops`
    find their functions."""
    files = {
        f"{family}_ops.py": HEADER + _IMPORTS + "".join(op.text() for op in members)
        for family, members in families(ops).items()
    }
    functions = sorted((op.raw_name, op.function) for op in ops)
    homes = sorted((op.function, op.family) for op in ops)
    files["op_functions.py"] = (
        HEADER + _table("Op → function.", "FUNCTIONS", functions) + _table("Function → family.", "FAMILIES", homes)
    )
    return files


def _table(comment: str, name: str, entries: list[tuple[str, str]]) -> str:
    return f"# {comment}\n{name} = {{\n" + "".join(f'    "{a}": "{b}",\n' for a, b in entries) + "}\n"


def endpoints(ops: list[Op]) -> dict[str, str]:
    """The location of each op function that is public without a hand-written wrapper, by public name."""
    return {name: f"._gen.{op.family}_ops:{op.function}" for op in ops for name in op.definition["endpoints"]}
