"""Checks of the results of a row: values, dtypes, shapes, ways of execution, and the GraphDef of its nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from op_table import (
    Row,
    Shape,
    _apply,
    _array,
    _bits,
    _constant,
    _flat,
    _fully_known,
    _is_constant,
    _map,
    _placeholder,
    _wide,
    graph_of,
    inputs_of,
    is_executable,
)

from tinytf._src import protos
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.session.session import Session

TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "float32": 2e-6,
    "float64": 1e-13,
    "complex64": 4e-6,
    "complex128": 1e-12,
}


def _without_rewrites() -> Any:
    config = protos.ConfigProto()
    config.graph_options.optimizer_options.opt_level = protos.OptimizerOptions.L0
    return config


def _strided(array: np.ndarray) -> np.ndarray:
    """The same values in a non-contiguous array."""
    wider = np.empty((*array.shape, 2), array.dtype)
    wider[..., 0] = array
    return wider[..., 0]


def check_forward(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """Compares the op's result with the reference: dtypes, shapes and values.

    The op is created four times in one graph: with known shapes, partially known shapes, unknown ranks, and constants,
    which the session folds; and again in a session without rewrites. Then it is executed eagerly.
    """
    inputs = inputs_of(row, dtype, shapes)
    feeds: dict[Tensor, np.ndarray] = {}

    def fed(shape_of: Callable[[np.ndarray], Any], view: Callable[[np.ndarray], np.ndarray]) -> Callable[..., Tensor]:
        def tensor(array: np.ndarray) -> Tensor:
            made = _placeholder(array, shape_of(array))
            feeds[made] = view(array)
            return made

        return tensor

    with graph_of(row).as_default() as graph:
        known = fed(np.shape, np.asarray)
        partly = fed(lambda a: [d if i % 2 else None for i, d in enumerate(a.shape)], _strided)
        unknown = fed(lambda a: None, np.asarray)
        variants = [
            _apply(row, [_map(_constant if _is_constant(row, i) else known, v) for i, v in enumerate(inputs)]),
            _apply(row, [_map(known if i in row.sized else partly, v) for i, v in enumerate(inputs)]),
            _apply(row, [_map(known if i in row.sized else unknown, v) for i, v in enumerate(inputs)]),
            _apply(row, [_map(_constant, v) for v in inputs]),
        ]
        with Session(graph=graph) as sess:
            results = sess.run(variants, feeds)
        with Session(graph=graph, config=_without_rewrites()) as sess:
            results.append(sess.run(variants[3]))
    if is_executable(row):
        _check_eager(row, inputs, variants[3], results[-1])
    expected = _expected(row, inputs)
    for tensor, got, want in zip(variants[0], results[0], expected, strict=True):
        _check_value(_array(got), want, tensor, row.tol)
        assert row.dynamic or tensor.shape.is_fully_defined(), f"inferred shape {tensor.shape}, got {np.shape(got)}"
    for tensors, values in zip([*variants, variants[3]], results, strict=True):
        for tensor, got, first in zip(tensors, values, results[0], strict=True):
            got = _array(got)
            assert tensor.shape.is_compatible_with(got.shape), f"inferred shape {tensor.shape}, got {got.shape}"
            np.testing.assert_array_equal(_wide(got), _wide(_array(first)), "the same op, made in another way")


def _check_eager(row: Row, inputs: list[Any], tensors: list[Tensor], values: list[Any]) -> None:
    """Eager execution gives bitwise the results of a session without rewrites, and again in a second call that uses
    the cached kernel.
    """
    with eager_mode(), EagerSession(resource_cleanup_strategy=EagerSession.ResourceCleanupStrategy.ON_SAFE_POINTS):
        arguments = [_map(_constant, v) for v in inputs]
        for call in ("first", "second"):
            results = _apply(row, arguments)
            assert [r.dtype for r in results] == [t.dtype for t in tensors], f"types of the {call} eager call"
            for got, want in zip(results, values, strict=True):
                assert _bits(got.numpy()) == _bits(want), f"{call} eager call: {got.numpy()} instead of {want}"


def check_values(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """Checks only the values of the op, fed with known shapes."""
    inputs = inputs_of(row, dtype, shapes)
    with graph_of(row).as_default(), Session() as sess:
        tensors = [_map(_constant if _is_constant(row, i) else _fully_known, v) for i, v in enumerate(inputs)]
        fed = dict(zip(_flat([tensors]), _flat([inputs]), strict=True))
        outputs = _apply(row, tensors)
        results = sess.run(outputs, {t: v for t, v in fed.items() if t.op.type == "Placeholder"})
    for tensor, got, want in zip(outputs, results, _expected(row, inputs), strict=True):
        _check_value(_array(got), want, tensor, row.tol)


def check_round_trip(row: Row) -> None:
    """All cases of the row in one GraphDef of constants: after serialization and import the graph and the values
    are the same.
    """
    fetches: list[Tensor] = []
    with graph_of(row).as_default() as graph:
        for dtype, shapes in row.cases():
            fetches += _apply(row, [_map(_constant, v) for v in inputs_of(row, dtype, shapes)])
        with Session(config=_without_rewrites()) as sess:
            values = sess.run(fetches)
        written = graph.as_graph_def(add_shapes=True)
    with Graph().as_default() as graph:
        returned = [t.name for t in fetches]
        read = import_graph_def(protos.GraphDef.FromString(written.SerializeToString()), None, returned, name="")
        assert graph.as_graph_def(add_shapes=True) == written, "the imported graph, exported again, is another"
        with Session(config=_without_rewrites()) as sess:
            again = sess.run(read)
    for before, after, first, second in zip(fetches, read or (), values, again, strict=True):
        case = f"{after.name}, {before.dtype.name} {before.shape}"
        assert (after.dtype, str(after.shape)) == (before.dtype, str(before.shape)), case
        assert _bits(first) == _bits(second), f"{case}: {second} instead of {first}"


def _expected(row: Row, inputs: list[Any]) -> list[np.ndarray]:
    with np.errstate(all="ignore"):
        expected = row.ref(*(_wide(a) for a in inputs), **row.attrs)
    return [np.asarray(e) for e in (_flat(expected) if isinstance(expected, (tuple, list)) else [expected])]


def _check_value(got: np.ndarray, expected: np.ndarray, tensor: Tensor, tol: float) -> None:
    got = got.astype(object) if got.dtype.kind == "S" else got  # a scalar string is returned as bytes
    assert got.dtype == tensor.dtype.as_numpy_dtype, f"type {got.dtype}, declared {tensor.dtype.name}"
    assert got.shape == expected.shape, f"shape {got.shape}, expected {expected.shape}"
    if got.dtype.kind in "iubO":
        np.testing.assert_array_equal(got, expected.astype(got.dtype))
        return
    tolerance = TOLERANCE[got.dtype.name] * tol
    with np.errstate(all="ignore"):
        rounded = _wide(expected.astype(got.dtype))  # overflow to infinity is correct
    np.testing.assert_allclose(_wide(got), rounded, rtol=tolerance, atol=tolerance)
