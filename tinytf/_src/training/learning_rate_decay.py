"""Learning rates that decrease with the global step: scalar tensors in graphs, functions in eager execution."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor, convert_to_tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.ops import array_ops, math_ops
from tinytf._src.ops.random import random_ops

__all__ = [
    "cosine_decay",
    "cosine_decay_restarts",
    "exponential_decay",
    "inverse_time_decay",
    "linear_cosine_decay",
    "natural_exp_decay",
    "noisy_linear_cosine_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
]


def _of_the_step(what: str) -> Callable[[Any], Any]:
    """Decorates a decay: checks `global_step`, and in eager execution returns a function that computes the rate."""

    def decorate(decay: Any) -> Any:
        @called_by_users
        @functools.wraps(decay)
        def checked(learning_rate: Any, global_step: Any, *args: Any, **kwargs: Any) -> Any:
            if global_step is None:
                raise ValueError(f"global_step is required for {what}.")
            if executing_eagerly():
                return functools.partial(decay, learning_rate, global_step, *args, **kwargs)
            return decay(learning_rate, global_step, *args, **kwargs)

        return checked

    return decorate


@tf_export("train.exponential_decay")
@_of_the_step("exponential_decay")
def exponential_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes `learning_rate * decay_rate ** (global_step / decay_steps)`. Raises ValueError if `global_step` is None.

    Args:
      learning_rate: float scalar, which determines the dtype of the result.
      global_step: integer scalar.
      decay_steps, decay_rate: scalars.
      staircase: bool, whether the exponent is rounded down to an integer.
    """
    return _exponential_decay(learning_rate, global_step, decay_steps, decay_rate, staircase, name)


def _scope(name: Any) -> name_scope:
    if not isinstance(name, str):
        raise ValueError("name for name_scope must be a string.")
    return name_scope(name)


def _exponential_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, decay_rate: Any, staircase: bool, name: str | None
) -> Tensor:
    with _scope(name or "ExponentialDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        steps = math_ops.cast(decay_steps, initial.dtype)
        rate = math_ops.cast(decay_rate, initial.dtype)
        p = math_ops.cast(global_step, initial.dtype) / steps
        if staircase:
            p = gen_ops.floor(p)
        return gen_ops.mul(initial, math_ops.pow(rate, p), name=scope)


@tf_export("train.natural_exp_decay")
@_of_the_step("natural_exp_decay")
def natural_exp_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes `learning_rate * exp(-decay_rate * global_step / decay_steps)`; used like `exponential_decay`."""
    rate = gen_ops.exp(gen_ops.neg(decay_rate))
    return _exponential_decay(learning_rate, global_step, decay_steps, rate, staircase, name)


@tf_export("train.inverse_time_decay")
@_of_the_step("inverse_time_decay")
def inverse_time_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    decay_rate: Any,
    staircase: bool = False,
    name: str | None = None,
) -> Tensor:
    """Computes `learning_rate / (1 + decay_rate * global_step / decay_steps)`; used like `exponential_decay`."""
    with _scope(name or "InverseTimeDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        steps = math_ops.cast(decay_steps, initial.dtype)
        rate = math_ops.cast(decay_rate, initial.dtype)
        p = math_ops.cast(global_step, initial.dtype) / steps
        if staircase:
            p = gen_ops.floor(p)
        one = math_ops.cast(constant(1), initial.dtype)
        denominator = gen_ops.add(one, gen_ops.mul(rate, p))
        return math_ops.divide(initial, denominator, name=scope)


@tf_export("train.polynomial_decay")
@_of_the_step("polynomial_decay")
def polynomial_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    end_learning_rate: Any = 0.0001,
    power: Any = 1.0,
    cycle: bool = False,
    name: str | None = None,
) -> Tensor:
    """Decreases from `learning_rate` to `end_learning_rate` in `decay_steps` steps like `(1 - step / decay_steps) **
    power`.

    Args:
      cycle: bool, whether the decay restarts after each period, with a longer one; otherwise it stays at the end.
      Others: as in `exponential_decay`.
    """
    with _scope(name or "PolynomialDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        end = math_ops.cast(end_learning_rate, initial.dtype)
        power = math_ops.cast(power, initial.dtype)
        step = math_ops.cast(global_step, initial.dtype)
        steps = math_ops.cast(decay_steps, initial.dtype)
        if cycle:  # Step 0 belongs to the first cycle.
            steps = gen_ops.mul(
                steps, _cond(gen_ops.equal(step, 0), lambda: 1.0, lambda: gen_ops.ceil(step / decay_steps))
            )
        else:
            step = gen_ops.minimum(step, decay_steps)
        done = math_ops.divide(step, steps)
        span = initial - end
        return gen_ops.add(gen_ops.mul(span, math_ops.pow(1 - done, power)), end, name=scope)


@tf_export("train.piecewise_constant", "train.piecewise_constant_decay")
@called_by_users
def piecewise_constant(x: Any, boundaries: Any, values: Any, name: str | None = None) -> Any:
    """Returns `values[i]` for `boundaries[i - 1] < x <= boundaries[i]`. Raises ValueError if lengths or dtypes do not
    match.

    Args:
      x: scalar, usually the global step.
      boundaries: list of ascending numbers or scalar tensors of the dtype of `x` (int32 is allowed for int64).
      values: list of numbers or scalar tensors of one dtype, one more than `boundaries`.
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")
    if executing_eagerly():
        _piece_of(x, boundaries, values, name)  # Reports invalid arguments at the call, not at the first step.
        return functools.partial(_piece_of, x, boundaries, values, name)
    return _piece_of(x, boundaries, values, name)


def _piece_of(x: Any, boundaries: Any, values: Any, name: str | None) -> Tensor:
    limits = convert_n_to_tensor(boundaries)
    choices = convert_n_to_tensor(values)
    given, x = x, convert_to_tensor(x)
    limits = [_boundary(limit, x.dtype.base_dtype) for limit in limits]
    for choice in choices[1:]:
        if choice.dtype.base_dtype != choices[0].dtype.base_dtype:
            raise ValueError(
                "Values must have elements all with the same dtype "
                f"({choices[0].dtype.base_dtype} vs {choice.dtype.base_dtype})."
            )
    from tinytf._src.ops.control_flow.cases import (
        case,  # Imported here so that programs without branches do not load it.
    )

    with _scope(name or "PiecewiseConstant") as scope:
        x = convert_to_tensor(given)  # A constant of its own, as in TensorFlow.
        if not limits:
            return array_ops.identity(choices[0], name=scope)
        pieces = [(x <= limits[0], _always(choices[0])), (x > limits[-1], _always(choices[-1]))]
        for low, high, choice in zip(limits[:-1], limits[1:], choices[1:-1]):
            pieces.append(((x > low) & (x <= high), _always(choice)))
        return case(pieces, default=_always(choices[0]), exclusive=True)


def _always(value: Tensor) -> Callable[[], Tensor]:
    return lambda: value


def _cond(predicate: Any, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
    # Imported here so that programs without branches do not load it.
    from tinytf._src.ops.control_flow.conditional import cond

    return cond(predicate, if_true, if_false)


def _boundary(boundary: Tensor, dtype: dtypes.DType) -> Tensor:
    own = boundary.dtype.base_dtype
    if own == dtype:
        return boundary
    # Any other cast could change the result of the comparison.
    if own == dtypes.int32 and dtype == dtypes.int64:
        return math_ops.cast(boundary, dtype)
    raise ValueError(f"Boundaries ({own}) must have the same dtype as x ({dtype}).")


piecewise_constant_decay = piecewise_constant


@tf_export("train.cosine_decay")
@_of_the_step("cosine_decay")
def cosine_decay(
    learning_rate: Any, global_step: Any, decay_steps: Any, alpha: float = 0.0, name: str | None = None
) -> Tensor:
    """Decreases from `learning_rate` to `alpha * learning_rate` in `decay_steps` steps along half a cosine wave.

    Other arguments are as in `exponential_decay`.
    """
    with _scope(name or "CosineDecay"):
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        step, steps = _capped(global_step, decay_steps, initial.dtype)
        return gen_ops.mul(initial, (1 - alpha) * _half_cosine(step / steps) + alpha)


@tf_export("train.cosine_decay_restarts")
@_of_the_step("cosine decay restarts")
def cosine_decay_restarts(
    learning_rate: Any,
    global_step: Any,
    first_decay_steps: Any,
    t_mul: Any = 2.0,
    m_mul: Any = 1.0,
    alpha: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Cosine decay with restarts.

    Each period is `t_mul` times as long as the previous one and starts at `m_mul` times its rate. Other arguments are
    as in `cosine_decay`.
    """
    with _scope(name or "SGDRDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        first, alpha, longer, weaker, step = (
            math_ops.cast(value, initial.dtype) for value in (first_decay_steps, alpha, t_mul, m_mul, global_step)
        )
        completed = step / first

        def even() -> tuple[Any, Any]:
            restarts = gen_ops.floor(completed)
            return restarts, completed - restarts

        def growing() -> tuple[Any, Any]:
            restarts = gen_ops.floor(gen_ops.log(1 - completed * (1 - longer)) / gen_ops.log(longer))
            before = (1 - longer**restarts) / (1 - longer)
            return restarts, (completed - before) / longer**restarts

        restarts, fraction = _cond(gen_ops.equal(longer, 1), even, growing)
        wave = 0.5 * weaker**restarts * (1.0 + gen_ops.cos(constant(math.pi) * fraction))
        return gen_ops.mul(initial, (1 - alpha) * wave + alpha, name=scope)


@tf_export("train.linear_cosine_decay")
@_of_the_step("linear_cosine_decay")
def linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Tensor:
    """Computes `learning_rate * ((alpha + linear) * cosine + beta)`.

    `linear` falls from 1 to 0 in `decay_steps` steps, and `cosine` runs through `num_periods` periods. Other arguments
    are as in `exponential_decay`.
    """
    with _scope(name or "LinearCosineDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        steps, periods, low, least = (math_ops.cast(x, initial.dtype) for x in (decay_steps, num_periods, alpha, beta))
        step, steps = _capped(global_step, steps, initial.dtype)
        linear = (steps - step) / steps
        completed = step / steps
        fraction = 2.0 * periods * completed
        cosine = _half_cosine(fraction)
        return gen_ops.mul(initial, (low + linear) * cosine + least, name=scope)


@tf_export("train.noisy_linear_cosine_decay")
@_of_the_step("noisy_linear_cosine_decay")
def noisy_linear_cosine_decay(
    learning_rate: Any,
    global_step: Any,
    decay_steps: Any,
    initial_variance: float = 1.0,
    variance_decay: float = 0.55,
    num_periods: float = 0.5,
    alpha: float = 0.0,
    beta: float = 0.001,
    name: str | None = None,
) -> Tensor:
    """Adds noise of variance `initial_variance / (1 + step) ** variance_decay` to `linear` in `linear_cosine_decay`."""
    with _scope(name or "NoisyLinearCosineDecay") as scope:
        initial = convert_to_tensor(learning_rate, name="initial_learning_rate")
        dtype = initial.dtype
        numbers = (decay_steps, initial_variance, variance_decay, num_periods, alpha, beta)
        steps, first, decay, periods, low, least = (math_ops.cast(x, dtype) for x in numbers)
        step, steps = _capped(global_step, steps, dtype)
        linear = (steps - step) / steps
        variance = first / math_ops.pow(1.0 + step, decay)
        deviation = gen_ops.sqrt(variance)
        noisy = linear + random_ops.random_normal(linear.shape, stddev=deviation, dtype=dtype)
        completed = step / steps
        fraction = 2.0 * periods * completed
        cosine = _half_cosine(fraction)
        return gen_ops.mul(initial, (low + noisy) * cosine + least, name=scope)


def _capped(global_step: Any, decay_steps: Any, dtype: Any) -> tuple[Tensor, Tensor]:
    """Returns the step, limited to `decay_steps`, and `decay_steps`, as tensors of `dtype`."""
    steps = math_ops.cast(decay_steps, dtype)
    return gen_ops.minimum(math_ops.cast(global_step, dtype), steps), steps


def _half_cosine(fraction: Tensor) -> Tensor:
    return 0.5 * (1.0 + gen_ops.cos(constant(math.pi, dtype=fraction.dtype) * fraction))
