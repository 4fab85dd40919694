"""`TrainSpec` and `EvalSpec`: arguments of `train_and_evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tinytf._src.estimator.arguments import check_positive, checked_hooks
from tinytf._src.estimator.exporters import Exporter
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.training.session_run_hook import SessionRunHook


class _TrainSpec(NamedTuple):
    input_fn: Callable[..., Any]
    max_steps: int | None
    hooks: tuple[SessionRunHook, ...]


@tf_export("estimator.TrainSpec")
class TrainSpec(_TrainSpec):
    """Settings of the training in `train_and_evaluate`.

    Args:
      input_fn: builds the input; see `Estimator`.
      max_steps: int, the global step to reach; None: until the input ends.
      hooks: `SessionRunHook`s, or None.

    Raises:
      ValueError: if `max_steps` is not positive.
      TypeError: if `input_fn` is not callable, or for objects that are not hooks.
    """

    __slots__ = ()

    @called_by_users
    def __new__(cls, input_fn: Callable[..., Any], max_steps: int | None = None, hooks: Any = None) -> TrainSpec:
        _check_function(input_fn)
        check_positive(max_steps, "max_steps")
        return super().__new__(cls, input_fn, max_steps, _checked_hooks(hooks))


class _EvalSpec(NamedTuple):
    input_fn: Callable[..., Any]
    steps: int | None
    name: str | None
    hooks: tuple[SessionRunHook, ...]
    exporters: tuple[Exporter, ...]
    start_delay_secs: float
    throttle_secs: float


@tf_export("estimator.EvalSpec")
class EvalSpec(_EvalSpec):
    """Settings of the evaluations in `train_and_evaluate`.

    Args:
      input_fn: builds the input; see `Estimator`.
      steps: int, number of steps of each evaluation; None: until the input ends.
      name: str, distinguishes several kinds of evaluations, or None.
      hooks: `SessionRunHook`s, or None.
      exporters: one or several `Exporter`s with different names, or None.
      start_delay_secs: float, how long a separate evaluator process waits before it starts.
      throttle_secs: float, minimal number of seconds between evaluations.

    Raises:
      ValueError: for numbers out of range, and for exporters with missing or duplicate names.
      TypeError: for arguments of other types.
    """

    __slots__ = ()

    @called_by_users
    def __new__(
        cls,
        input_fn: Callable[..., Any],
        steps: int | None = 100,
        name: str | None = None,
        hooks: Any = None,
        exporters: Any = None,
        start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> EvalSpec:
        _check_function(input_fn)
        check_positive(steps, "steps")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks, exporters = _checked_hooks(hooks), _checked_exporters(exporters)
        for seconds, what in ((start_delay_secs, "start_delay_secs"), (throttle_secs, "throttle_secs")):
            if seconds < 0:
                raise ValueError(f"Must specify {what} >= 0, given: {seconds}")
        return super().__new__(cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs)


def _check_function(input_fn: Any) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def _checked_hooks(hooks: Any) -> tuple[SessionRunHook, ...]:
    return tuple(checked_hooks(hooks, "All hooks must be `SessionRunHook` instances"))


def _checked_exporters(exporters: Any) -> tuple[Exporter, ...]:
    if not exporters:
        return ()
    given = [exporters] if isinstance(exporters, Exporter) else exporters
    refusal = f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {given}."
    try:
        found = tuple(given)
    except TypeError:
        raise TypeError(refusal) from None
    if not all(isinstance(exporter, Exporter) for exporter in found):
        raise TypeError(refusal)
    names = [exporter.name for exporter in found]
    for i, name in enumerate(names):
        if not name:
            raise ValueError(f"An Exporter cannot have a name that is `None` or empty. All exporter names: {names}")
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
        if name in names[:i]:
            raise ValueError(
                f"`exporters` must have unique names. Such a name cannot be `None`. All exporter names: {names}"
            )
    return found
