"""Renders a graph as HTML for notebooks: operations in collapsible name scopes, without scripts or external files."""

from __future__ import annotations

from collections import Counter
from html import escape

from tinytf._src.framework.graph.bases import BaseGraph, BaseOperation, BaseTensor
from tinytf._src.framework.values.type_text import type_text

_MAX_CHARACTERS = 150_000
_MAX_DEPTH = 30  # of scopes; names of deeper ones keep their slashes
_MAX_INPUTS = 8
_SHOWN_TYPES = 4
_OPEN_UP_TO = 30  # operations: graphs up to this size are shown expanded
_NOTE_CHARACTERS = 120  # space reserved for "… and more"

_STYLE = (
    "<style>.tinytf-graph{font-size:90%}.tinytf-graph details{margin-left:1.2em}"
    ".tinytf-graph td{text-align:left;font-family:monospace;vertical-align:top;padding:0 1em 0 0}"
    ".tinytf-graph small{opacity:.7}</style>"
)


class _Scope:
    """The operations of one name scope, and the scopes in it."""

    def __init__(self) -> None:
        self.ops: list[tuple[str, BaseOperation]] = []  # with their names relative to the scope
        self.scopes: dict[str, _Scope] = {}
        self.types: Counter[str] = Counter()  # of all operations, including inner scopes
        self.count = 0

    def add(self, op: BaseOperation) -> None:
        scope = self
        *path, name = op.name.split("/", _MAX_DEPTH)
        for part in [*path, None]:
            scope.count += 1
            scope.types[op.type] += 1
            if part is not None:
                scope = scope.scopes.setdefault(part, _Scope())
        scope.ops.append((name, op))


def graph_html(graph: BaseGraph) -> str:
    """The graph as an HTML fragment of bounded size; parts that do not fit are only counted."""
    root = _Scope()
    for op in graph.get_operations():
        root.add(op)
    state = ", finalized" if graph.finalized else ""
    head = f'<div class="tinytf-graph">{_STYLE}<b>Graph</b>: {_operations(root.count)}{state}{_types(root)}'
    return f"{head}{_body(root, _MAX_CHARACTERS, root.count <= _OPEN_UP_TO)}</div>"


def _body(scope: _Scope, budget: int, is_open: bool) -> str:
    """The content of a scope in at most about `budget` characters, which are divided among its parts."""
    left = scope.count
    table = _table(scope.ops, budget * len(scope.ops) // max(left, 1))
    budget, left = budget - len(table), left - len(scope.ops)
    parts, hidden, hidden_ops = [table], 0, 0
    for name, inner in scope.scopes.items():
        share = budget * inner.count // left
        left -= inner.count
        head = f"<details{' open' if is_open else ''}><summary><b>{escape(name)}</b> {_operations(inner.count)}"
        head += f"{_types(inner)}</summary>"
        if len(head) + 2 * _NOTE_CHARACTERS > share:
            hidden += 1
            hidden_ops += inner.count
            continue
        part = f"{head}{_body(inner, share - len(head) - len('</details>'), is_open)}</details>"
        budget -= len(part)
        parts.append(part)
    if hidden:
        parts.append(f"<details><summary>… {hidden} more scopes, {_operations(hidden_ops)}</summary></details>")
    return "".join(parts)


def _table(ops: list[tuple[str, BaseOperation]], budget: int) -> str:
    if not ops:
        return ""
    rows, used = [], 0
    for shown, (name, op) in enumerate(ops):
        row = _row(name, op)
        used += len(row)
        if used + _NOTE_CHARACTERS > budget:
            rows.append(f'<tr><td colspan="4">… {len(ops) - shown} more operations</td></tr>')
            break
        rows.append(row)
    return f"<table>{''.join(rows)}</table>"


def _row(name: str, op: BaseOperation) -> str:
    inputs = [*map(_source, op.inputs), *(f"^{control.name}" for control in op.control_inputs)]
    if len(inputs) > _MAX_INPUTS:
        inputs[_MAX_INPUTS:] = [f"… {len(inputs) - _MAX_INPUTS} more"]
    outputs = "<br>".join(escape(_output(tensor)) for tensor in op.outputs[:_MAX_INPUTS])
    if len(op.outputs) > _MAX_INPUTS:
        outputs += f"<br>… {len(op.outputs) - _MAX_INPUTS} more"
    cells = (f"<b>{escape(name)}</b>", escape(op.type), outputs, escape(", ".join(inputs)))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _source(tensor: BaseTensor) -> str:
    return tensor.name if tensor.value_index else tensor.op.name


def _output(tensor: BaseTensor) -> str:
    return f"{type_text(tensor.dtype.as_datatype_enum)} {tensor.shape}"


def _operations(count: int) -> str:
    return f"<small>{count} operation{'' if count == 1 else 's'}</small>"


def _types(scope: _Scope) -> str:
    """The most frequent op types of a scope."""
    if not scope.count:
        return ""
    shown = [
        f"{escape(op)} × {count}" if count > 1 else escape(op) for op, count in scope.types.most_common(_SHOWN_TYPES)
    ]
    return f" <small>({', '.join(shown)}{', …' if len(scope.types) > _SHOWN_TYPES else ''})</small>"
