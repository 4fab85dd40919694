"""The table of ops under test: the contents of a row, and the checks derived from it.

A file `rows_<family>.py` defines `ROWS`, a list of `Row`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src import protos
from tinytf._src.eager.backprop import GradientTape
from tinytf._src.eager.function import function
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.graph_def import op_def
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph_defs.importer import import_graph_def
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.ops.array_ops import identity, zeros_like
from tinytf._src.session.session import Session
from tinytf._src.testing.gradient_checker import jacobians

FLOATS = ("float16", "float32", "float64")
COMPLEXES = ("complex64", "complex128")
INTS = ("int32", "int64")
SMALL_INTS = ("int8", "int16", "uint8", "uint16")
REALS = (*FLOATS, "bfloat16", *INTS, *SMALL_INTS)
NUMBERS = (*REALS, *COMPLEXES)
ANY = (*NUMBERS, "bool", "uint32", "uint64")  # the dtypes to try for kernels without a type list

_TOLERANCE = {
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "float32": 2e-6,
    "float64": 1e-13,
    "complex64": 4e-6,
    "complex128": 1e-12,
}
_MAX_GRADIENT_ELEMENTS = 60  # larger cases take too long to differentiate numerically
_GRADIENT = {"float64": (1e-5, 1e-6), "complex128": (1e-5, 1e-6), "float32": (1e-2, 2e-2)}  # step, tolerance

Shape = Any  # a tuple of ints; a list of such tuples for an input that is a list of tensors
UNARY: tuple[tuple[Shape, ...], ...] = (((),), ((0,),), ((7,),), ((3, 0, 2),), ((5, 37),))
BROADCAST: tuple[tuple[Shape, ...], ...] = (
    ((), ()),
    ((7,), (7,)),
    ((4, 33), (33,)),
    ((33,), ()),
    ((), (2, 9)),
    ((4, 1), (1, 9)),
    ((2, 3, 5), (3, 1)),
    ((0, 3), (3,)),
    ((2, 1, 3, 1, 2), (4, 1, 2, 1)),
)


@dataclass(frozen=True)
class Row:
    """One op.

    ref: the expected output, or tuple of outputs, from arrays in wide precision (float64 or complex128 for floating
    inputs, the op's own type for others); it gets the attrs as keywords. A list input is one argument.
    shapes: input shapes, one tuple of shapes for each case.
    dtypes: types of the inputs that `fixed` does not replace; every type with a registered kernel if None.
    domain: range of the random input values, also of integers.
    fixed: input number → array, number of the case's type, or function (generator, shape, inputs so far) → array of the
    case's type, used instead of random values. Arrays become constants of the graph where shapes depend on them.
    attrs: attrs of the node that are not inferred.
    tol: factor on the tolerance of the type.
    special: whether floating inputs include NaN and infinities.
    dynamic: whether the output shape depends on values that are not `fixed`.
    grad: whether the registered gradient is compared with finite differences; if False, a comment gives the reason.
    complex_grad: the same for complex numbers.
    grad_inputs: numbers of the inputs to differentiate by; every floating one if None.
    grad_output: number of the output that is differentiated.
    """

    op: str
    ref: Callable[..., Any]
    shapes: tuple[tuple[Shape, ...], ...] = UNARY
    dtypes: tuple[str, ...] | None = None
    domain: tuple[float, float] = (-4, 4)
    fixed: dict[int, Any] = field(default_factory=dict)
    attrs: dict[str, Any] = field(default_factory=dict)
    tol: float = 1
    special: bool = False
    dynamic: bool = False
    grad: bool = True
    complex_grad: bool = True
    grad_inputs: tuple[int, ...] | None = None
    grad_output: int = 0

    def types(self) -> tuple[str, ...]:
        """The dtypes to test."""
        return registered_types(self.op) if self.dtypes is None else self.dtypes

    def cases(self) -> list[tuple[str, tuple[Shape, ...]]]:
        """Every combination of dtype and shapes."""
        return [(dtype, shapes) for dtype in self.types() for shapes in self.shapes]


def all_rows() -> Iterator[tuple[str, Row]]:
    """Yields every row with a unique name."""
    for path in sorted(Path(__file__).parent.glob("rows_*.py")):
        for number, row in enumerate(importlib.import_module(path.stem).ROWS):
            yield f"{row.op}-{number}", row


def registered_types(op: str) -> tuple[str, ...]:
    """The types with a kernel of the op, by its attr T or else its first type attr; without strings."""
    definition = _core.op_def(op)
    if definition is None:
        return ()
    arguments = [*definition["inputs"], *definition["outputs"]]
    attrs = [a[2] for a in arguments if a[2]]
    if "T" not in attrs and arguments[0][1]:  # the dtype is fixed
        return tuple(name for name in _names([arguments[0][1]]) if name != "string")
    if not attrs:
        return ("float32",)
    attr = "T" if "T" in attrs else attrs[0]
    declared = _declared(definition, attr)
    found: set[str] = set()
    for kernel in definition["kernels"]:
        found.update(set(_names(kernel[attr])) & set(declared) if attr in kernel else declared)
    return tuple(sorted(found))


def _declared(definition: dict[str, Any], attr: str | None) -> tuple[str, ...]:
    allowed = next((a[4] for a in definition["attrs"] if a[0] == attr), [])
    return tuple(name for name in _names(allowed) if name in ANY) if allowed else ANY


def _names(numbers: Any) -> list[str]:
    return [dtypes.as_dtype(n).name for n in numbers]


def numpy_type(dtype: str) -> Any:
    """The NumPy dtype for a dtype name."""
    return np.dtype(dtypes.as_dtype(dtype).as_numpy_dtype)


def _wide(value: Any) -> Any:
    """The array in the precision in which references are computed."""
    if isinstance(value, list):
        return [_wide(v) for v in value]
    if value.dtype.kind == "c":
        return value.astype(np.complex128)
    if value.dtype.kind == "f" or value.dtype.name == "bfloat16":
        return value.astype(np.float64)
    return value


def _draw(row: Row, dtype: str, shape: Shape, rng: np.random.Generator) -> np.ndarray:
    low, high = row.domain
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype == "string":
        return np.array([b"abcdefgh"[: int(n)] for n in rng.integers(0, 8, int(np.prod(shape)))], object).reshape(shape)
    kind = numpy_type(dtype)
    if kind.kind in "iu":
        low = max(low, 0) if kind.kind == "u" else low
        return rng.integers(int(np.ceil(low)), int(high) + 1, shape).astype(kind)
    values = np.asarray(rng.uniform(low, high, shape))
    if kind.kind == "c":
        return np.asarray(values + 1j * rng.uniform(low, high, shape)).astype(kind)
    if row.special and values.size > 4:
        values.flat[:3] = [np.nan, np.inf, -np.inf]
    return values.astype(kind)


def inputs_of(row: Row, dtype: str, shapes: tuple[Shape, ...], seed: int = 0) -> list[Any]:
    """The input arrays of one case; a list of arrays for a list input."""
    rng = np.random.default_rng(seed)
    arrays: list[Any] = []
    for i, shape in enumerate(shapes):
        value = row.fixed.get(i)
        if value is None:
            draw = (
                [_draw(row, dtype, s, rng) for s in shape] if isinstance(shape, list) else _draw(row, dtype, shape, rng)
            )
            arrays.append(draw)
        elif callable(value):
            arrays.append(np.asarray(value(rng, shape, arrays)).astype(numpy_type(dtype)))
        elif isinstance(value, (np.ndarray, list)):
            arrays.append(value)
        else:
            arrays.append(np.full(shape, value, numpy_type(dtype)))
    return arrays


# -- Building ----------------------------------------------------------------------------------------------------------


def _map(function: Callable[[np.ndarray], Any], value: Any) -> Any:
    return [function(v) for v in value] if isinstance(value, list) else function(value)


def _placeholder(array: np.ndarray, shape: Any) -> Tensor:
    return apply_op(op_spec("Placeholder"), None, (), {"dtype": dtypes.as_dtype(array.dtype), "shape": shape})


def _fully_known(array: np.ndarray) -> Tensor:
    return _placeholder(array, array.shape)


def _constant(array: np.ndarray) -> Tensor:
    return constant(array, dtypes.as_dtype(array.dtype))


def _is_constant(row: Row, i: int) -> bool:
    return isinstance(row.fixed.get(i), (np.ndarray, list))


def _apply(row: Row, inputs: list[Any]) -> list[Tensor]:
    outputs = apply_op(op_spec(row.op), None, tuple(inputs), dict(row.attrs))
    return _flat(outputs) if isinstance(outputs, (list, tuple)) else [outputs]


def _flat(nested: Any) -> list[Any]:
    return [x for item in nested for x in (_flat(item) if isinstance(item, (list, tuple)) else [item])]


def _without_rewrites() -> Any:
    config = protos.ConfigProto()
    config.graph_options.optimizer_options.opt_level = protos.OptimizerOptions.L0
    return config


def _strided(array: np.ndarray) -> np.ndarray:
    """The same values in a non-contiguous array."""
    wider = np.empty((*array.shape, 2), array.dtype)
    wider[..., 0] = array
    return wider[..., 0]


# -- Checks ------------------------------------------------------------------------------------------------------------


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

    with Graph().as_default() as graph:
        known = fed(np.shape, np.asarray)
        partly = fed(lambda a: [d if i % 2 else None for i, d in enumerate(a.shape)], _strided)
        unknown = fed(lambda a: None, np.asarray)
        variants = [
            _apply(row, [_map(_constant if _is_constant(row, i) else known, v) for i, v in enumerate(inputs)]),
            _apply(row, [_map(partly, v) for v in inputs]),
            _apply(row, [_map(unknown, v) for v in inputs]),
            _apply(row, [_map(_constant, v) for v in inputs]),
        ]
        with Session(graph=graph) as sess:
            results = sess.run(variants, feeds)
        with Session(graph=graph, config=_without_rewrites()) as sess:
            results.append(sess.run(variants[3]))
    if is_executable(row.op):
        _check_eager(row, inputs, variants[3], results[-1])
    expected = _expected(row, inputs)
    for tensor, got, want in zip(variants[0], results[0], expected, strict=True):
        _check_value(np.asarray(got), want, tensor, row.tol)
        assert row.dynamic or tensor.shape.is_fully_defined(), f"inferred shape {tensor.shape}, got {np.shape(got)}"
    for tensors, values in zip([*variants, variants[3]], results, strict=True):
        for tensor, got, first in zip(tensors, values, results[0], strict=True):
            got = np.asarray(got)
            assert tensor.shape.is_compatible_with(got.shape), f"inferred shape {tensor.shape}, got {got.shape}"
            np.testing.assert_array_equal(_wide(got), _wide(np.asarray(first)), "the same op, made in another way")


def is_executable(op: str) -> bool:
    """Whether the op can be executed eagerly; ops with reference arguments cannot."""
    spec = op_spec(op)
    return not any(arg.is_ref for arg in (*spec.inputs, *spec.outputs))


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
    with Graph().as_default(), Session() as sess:
        tensors = [_map(_constant if _is_constant(row, i) else _fully_known, v) for i, v in enumerate(inputs)]
        fed = dict(zip(_flat([tensors]), _flat([inputs]), strict=True))
        outputs = _apply(row, tensors)
        results = sess.run(outputs, {t: v for t, v in fed.items() if t.op.type == "Placeholder"})
    for tensor, got, want in zip(outputs, results, _expected(row, inputs), strict=True):
        _check_value(np.asarray(got), want, tensor, row.tol)


def check_round_trip(row: Row) -> None:
    """All cases of the row in one GraphDef of constants: after serialization and import the graph and the values
    are the same.
    """
    fetches: list[Tensor] = []
    with Graph().as_default() as graph:
        for dtype, shapes in row.cases():
            fetches += _apply(row, [_map(_constant, v) for v in inputs_of(row, dtype, shapes)])
        with Session(config=_without_rewrites()) as sess:
            values = sess.run(fetches)
        written = graph.as_graph_def(add_shapes=True)
    removal = op_def(row.op).deprecation.version
    if removal:  # a removed op exists only in older graphs
        written.versions.producer = removal - 1
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


def _bits(value: Any) -> tuple[tuple[int, ...], Any]:
    array = np.asarray(value)
    if array.size == 0:
        return array.shape, b""
    return array.shape, array.tolist() if array.dtype.kind in "OS" else array.tobytes()


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
    tolerance = _TOLERANCE[got.dtype.name] * tol
    with np.errstate(all="ignore"):
        rounded = _wide(expected.astype(got.dtype))  # overflow to infinity is correct
    np.testing.assert_allclose(_wide(got), rounded, rtol=tolerance, atol=tolerance)


def gradient_cases(row: Row) -> Iterator[tuple[str, tuple[Shape, ...]]]:
    """The dtypes and shapes for the gradient checks of the row; none if the op has no gradient."""
    definition = _core.op_def(row.op)
    if not row.grad or definition is None or definition["gradient"] != "registered":
        return
    types = row.types()
    chosen = ["float64"] if "float64" in types else ["float32"] if "float32" in types else []
    chosen += ["complex128"] if "complex128" in types and row.complex_grad else []
    for dtype in chosen:
        for shapes in row.shapes:
            sizes = [int(np.prod(s)) for shape in shapes for s in (shape if isinstance(shape, list) else [shape])]
            if 0 not in sizes and sum(sizes) <= _MAX_GRADIENT_ELEMENTS:
                yield dtype, shapes


def check_gradient(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """Compares the registered gradient with central differences, for every floating input without a fixed array."""
    with np.errstate(all="ignore"):
        inputs = inputs_of(row if not row.special else _plain(row), dtype, shapes)
    with Graph().as_default(), Session() as sess, sess.as_default():
        wanted = range(len(inputs)) if row.grad_inputs is None else row.grad_inputs
        constants = [_is_constant(row, i) or i not in wanted for i in range(len(inputs))]
        tensors = [_map(_constant if c else _fully_known, v) for c, v in zip(constants, inputs, strict=True)]
        xs, arrays, others = [], [], {}
        for tensor, array in zip(_flat([tensors]), _flat([inputs]), strict=True):
            if tensor.op.type != "Placeholder":
                continue
            if array.dtype.kind in "fc":
                xs.append(tensor)
                arrays.append(array)
            else:
                others[tensor] = array
        y = _apply(row, tensors)[row.grad_output]
        y_shape = np.shape(sess.run(y, {**dict(zip(xs, arrays, strict=True)), **others}))
        delta, tolerance = _GRADIENT[dtype]
        others.update(zip(xs, arrays, strict=True))
        weights = constant(1.0, y.dtype, y_shape)
        for i, (x, array, gradient) in enumerate(zip(xs, arrays, gradients(y, xs, identity(weights)), strict=True)):
            if gradient is None:  # the differences must be zero
                gradient = zeros_like(x)
            theoretical, numeric = jacobians(x, np.array(array), y, gradient, weights, delta, others)
            message = f"gradient by floating input {i}, registered against numeric"
            np.testing.assert_allclose(theoretical, numeric, tolerance * row.tol, tolerance * row.tol, err_msg=message)


def traced_gradient_cases(row: Row) -> list[tuple[str, tuple[Shape, ...]]]:
    """A few real cases of the row's gradient, preferring different input shapes that broadcast."""
    if not is_executable(row.op):
        return []
    cases = [(dtype, shapes) for dtype, shapes in gradient_cases(row) if dtype not in COMPLEXES]
    return sorted(cases, key=lambda case: -len({str(shape) for shape in case[1]}))[:2]


def check_traced_gradient(row: Row, dtype: str, shapes: tuple[Shape, ...]) -> None:
    """The gradient on a tape over a traced function equals the gradient of the graph."""
    with np.errstate(all="ignore"):
        inputs = inputs_of(row if not row.special else _plain(row), dtype, shapes)
    wanted = range(len(inputs)) if row.grad_inputs is None else row.grad_inputs
    flat = _flat([inputs])
    places = iter(range(len(flat)))
    # For each input, its indices in `flat`, nested as the inputs are; and the indices in `flat` that are arguments.
    numbered = [_map(lambda _: next(places), value) for value in inputs]
    constants = [_is_constant(row, i) or i not in wanted for i in range(len(inputs))]
    arguments = [k for c, ks in zip(constants, numbered, strict=True) for k in _flat([ks]) if not c]
    differentiable = [k for k in arguments if flat[k].dtype.kind in "fc"]

    def result(values: dict[int, Tensor]) -> Tensor:
        tensors = [_map(lambda k: values[k] if k in values else _constant(flat[k]), ks) for ks in numbered]
        y = _apply(row, tensors)[row.grad_output]
        return apply_op(op_spec("Real"), None, (y,), {"Tout": y.dtype.real_dtype}) if y.dtype.is_complex else y

    with Graph().as_default(), Session() as sess:
        fed = {k: _fully_known(flat[k]) for k in arguments}
        found = gradients(result(fed), [fed[k] for k in differentiable])
        dense = [None if g is None else convert_to_tensor(g) for g in found]
        expected = iter(sess.run([g for g in dense if g is not None], {fed[k]: flat[k] for k in arguments}))
        expected = [None if g is None else next(expected) for g in dense]
    with eager_mode(), EagerSession():
        values = {k: _constant(flat[k]) for k in arguments}
        traced = function(lambda *given: result(dict(zip(arguments, given, strict=True))))
        with GradientTape() as tape:
            tape.watch([values[k] for k in differentiable])
            y = traced(*values.values())
        for got, want in zip(tape.gradient(y, [values[k] for k in differentiable]), expected, strict=True):
            assert (got is None) == (want is None), f"{got} instead of {want}"
            if got is not None:
                tolerance = _TOLERANCE[dtype] * row.tol * 10
                np.testing.assert_allclose(convert_to_tensor(got).numpy(), want, tolerance, tolerance)


def _plain(row: Row) -> Row:
    return replace(row, special=False)
