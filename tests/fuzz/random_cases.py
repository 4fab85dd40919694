"""One random case of an op-table row: built, run in every way and checked. (row, seed, number) determine a case."""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import Any

import hostile_cases
import numpy as np
import op_table
from google.protobuf.message import DecodeError
from mutations import INTEGERS, mutated_attr, mutated_inputs
from op_table import Row

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.session.session import Session

_REFUSED = hostile_cases._NOT_BUILT
# The shapes of outputs come from an attr, which TensorFlow does not check either.
_DECLARED = frozenset(
    {"PlaceholderWithDefault", "If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile"}
)


def check_case(name: str, row: Row, seed: int, number: int, starts: Any, wrong: Any) -> None:
    """Reports each attempt to `starts` and each failure to `wrong`. Every fourth case is a damaged GraphDef."""
    text = f"{name}, seed {seed}, case {number}"
    starts(f"{text}, made")
    rng = np.random.default_rng([zlib.crc32(name.encode()), seed, number])
    cases = row.cases()
    dtype, shapes = cases[int(rng.integers(len(cases)))]
    with np.errstate(all="ignore"):
        inputs = op_table.inputs_of(row, dtype, shapes, seed=number)
        attrs = dict(row.attrs)
        if number % 4 == 3:
            _check_graph(row, inputs, rng, text, starts, wrong)
            return
        for _ in range(int(rng.integers(1, 4))):
            kinds = _free_attrs(row.op)
            if inputs and (not kinds or rng.random() < 0.7):
                inputs = mutated_inputs(rng, inputs)
            elif kinds:
                attr, kind, default = kinds[int(rng.integers(len(kinds)))]
                attrs[attr] = mutated_attr(rng, kind, attrs.get(attr, default))
    _check_op(row, inputs, attrs, bool(rng.integers(2)), text, starts, wrong)


def _free_attrs(op: str) -> list[tuple[str, str, Any]]:
    """(name, kind, default) of the attrs that are not inferred from the inputs."""
    definition = _core.op_def(op)
    assert definition is not None
    if op in _DECLARED:
        return []
    inferred = {name for argument in definition["inputs"] for name in argument[2:5] if name}
    return [(a[0], a[1], a[3]) for a in definition["attrs"] if a[0] not in inferred]


def _check_op(
    row: Row, inputs: list[Any], attrs: dict[str, Any], known: bool, text: str, starts: Any, wrong: Any
) -> None:
    found: dict[str, list[Any] | None] = {}
    with op_table.graph_of(row).as_default() as graph:
        try:
            tensors = [op_table._map(lambda a: op_table._placeholder(a, a.shape if known else None), v) for v in inputs]
            starts(f"{text}, built")
            outputs = op_table._apply(replace(row, attrs=attrs), tensors)
        except _REFUSED:
            outputs = []
        if outputs:
            feeds = dict(zip(op_table._flat([tensors]), op_table._flat([inputs]), strict=True))
            starts(f"{text}, fed")
            with Session(graph=graph) as sess:
                found["fed"] = hostile_cases._run(sess, outputs, feeds, text, wrong)
    if op_table.is_executable(row):
        starts(f"{text}, eager")
        found["eager"] = hostile_cases._execute(row, inputs, attrs, f"{text}, eager", wrong)
    hostile_cases._check_equal(row, found, text, wrong)


def _check_graph(row: Row, inputs: list[Any], rng: Any, text: str, starts: Any, wrong: Any) -> None:
    """The damaged graph of the row is either refused with one of TensorFlow's errors or runs."""
    with op_table.graph_of(row).as_default() as graph:
        tensors = [op_table._map(op_table._fully_known, v) for v in inputs]
        outputs = op_table._apply(row, tensors)
        message = protos.GraphDef.FromString(graph.as_graph_def().SerializeToString())
    feeds = dict(zip((t.name for t in op_table._flat([tensors])), op_table._flat([inputs]), strict=True))
    node = outputs[0].op.name
    for _ in range(int(rng.integers(1, 4))):
        message = _damaged(rng, message)
    starts(f"{text}, imported")
    with Graph().as_default() as graph, Session(graph=graph) as sess:
        try:
            import_graph_def(message, name="")
            fetched = list(graph.get_operation_by_name(node).outputs)
        except (*_REFUSED, KeyError):
            return
        except Exception as e:  # anything else is a finding
            wrong(f"{text}, imported: {type(e).__name__}: {e}")
            return
        names = {tensor.name for op in graph.get_operations() for tensor in op.outputs}
        fed = {graph.get_tensor_by_name(n): v for n, v in feeds.items() if n in names}
        starts(f"{text}, imported and run")
        untyped = (KeyError,) if any(not tensor.dtype.is_numpy_compatible for tensor in fed) else ()
        try:
            sess.run(fetched, fed)
        except (*_REFUSED, *untyped):
            return
        except Exception as e:  # anything else is a finding
            wrong(f"{text}, imported and run: {type(e).__name__}: {e}")


def _damaged(rng: Any, message: Any) -> Any:
    if not message.node:
        return message
    node = message.node[int(rng.integers(len(message.node)))]
    kind = int(rng.integers(8))
    names = sorted(node.attr)
    if kind == 0 and names:
        del node.attr[names[int(rng.integers(len(names)))]]
    elif kind in (1, 2) and names:
        _damage_attr(rng, node.attr[names[int(rng.integers(len(names)))]])
    elif kind == 3 and node.input:
        node.input[int(rng.integers(len(node.input)))] = str(
            rng.choice(["", "^", ":", "x:9", "^Placeholder", node.name])
        )
    elif kind == 4 and node.input:
        del node.input[int(rng.integers(len(node.input)))]
    elif kind == 5 and node.input:
        node.input.append(node.input[0])
    elif kind == 6:
        node.op = str(rng.choice(_core.op_names()))
    else:
        data = bytearray(message.SerializeToString())
        for _ in range(int(rng.integers(1, 4))):
            data[int(rng.integers(len(data)))] = int(rng.integers(256))
        try:
            return protos.GraphDef.FromString(bytes(data))
        except DecodeError:
            return message
    return message


def _damage_attr(rng: Any, attr: Any) -> None:
    kind = int(rng.integers(6))
    if kind == 0:
        attr.i = int(rng.choice(INTEGERS))
    elif kind == 1:
        attr.s = b"\xff\x00a"
    elif kind == 2:
        attr.type = int(rng.choice([0, 1, 3, 7, 9, 14, 20, 21, 99, 101, 123]))
    elif kind == 3:
        attr.list.i.append(int(rng.choice(INTEGERS)))
    elif kind == 4:
        attr.shape.dim.add(size=int(rng.choice(INTEGERS)))
    else:
        attr.tensor.dtype = int(rng.choice([1, 3, 7, 9, 99]))
        attr.tensor.tensor_shape.dim.add(size=int(rng.choice(INTEGERS)))
