"""Checks of the gradients of a row, against differences and on tapes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from op_table import (
    COMPLEXES,
    Row,
    Shape,
    _apply,
    _constant,
    _flat,
    _fully_known,
    _is_constant,
    _map,
    graph_of,
    inputs_of,
    is_executable,
)
from row_values import TOLERANCE

from tinytf import _core
from tinytf._src.eager.backprop import GradientTape
from tinytf._src.eager.function import function
from tinytf._src.eager.session import EagerSession
from tinytf._src.framework.apply.apply_op import apply_op
from tinytf._src.framework.context.execution import eager_mode
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph.graph import Graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.ops.array_ops import identity, zeros_like
from tinytf._src.session.session import Session
from tinytf._src.testing.gradient_checker import jacobians

_MAX_GRADIENT_ELEMENTS = 60  # larger cases take too long to differentiate numerically
_GRADIENT = {"float64": (1e-5, 1e-6), "complex128": (1e-5, 1e-6), "float32": (1e-2, 2e-2)}  # step, tolerance


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
    with graph_of(row).as_default(), Session() as sess, sess.as_default():
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
    if not is_executable(row):
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
                tolerance = TOLERANCE[dtype] * row.tol * 10
                np.testing.assert_allclose(convert_to_tensor(got).numpy(), want, tolerance, tolerance)


def _plain(row: Row) -> Row:
    return replace(row, special=False)
