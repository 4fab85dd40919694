"""Custom gradients in eager mode: tapes record the call of a function as one operation."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.nest import nest
from tinytf._src.framework.resources.variable_watch import watchers
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.tape_walk import gradients_of_records


def call_recorded(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of `f(*args, **kwargs)`, where `f` is as in `custom_gradient`; active tapes record only the call."""
    variables: dict[Any, Any] = {}

    def note(variable: Any) -> None:
        if variable.trainable and all(variable is not given for given in (*args, *kwargs.values())):
            variables.setdefault(variable.handle, variable)

    inner = _core.Tape()  # records nothing, but while a tape is active, reads of variables are reported
    paused = _core.pause_tapes()
    inner.push()
    watchers.add(note)
    try:
        result, grad_fn = f(*args, **kwargs)
        # Copies, because an argument that `f` returns unchanged must be distinct from the argument.
        outputs = [gen_ops.identity(y) for y in nest.flatten(result)]
    finally:
        watchers.remove(note)
        inner.pop()
        _core.resume_tapes(paused)
    if variables and not accepts_variables(grad_fn):
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must accept a 'variables' keyword "
            "argument."
        )
    used = list(variables.values())

    def backward(*grads: Any) -> list[Any]:
        of_variables: list[Any] = []
        if used:
            of_inputs, of_variables = grad_fn(*grads, variables=used)
            of_variables = list(of_variables)
            if len(of_variables) != len(used):
                raise ValueError("Must return gradient for each variable from @custom_gradient grad_fn.")
        else:
            of_inputs = grad_fn(*grads)
        flat = nest.flatten(of_inputs)
        if len(flat) != len(args):
            raise ValueError(
                f"custom_gradient function expected to return {len(args)} gradients but returned {len(flat)} instead."
            )
        return [None if g is None else _as_gradient(g) for g in (*flat, *of_variables)]

    inputs = (*(convert_to_tensor(x) for x in args), *variables)
    _core.record_function(getattr(f, "__name__", type(f).__name__), inputs, tuple(outputs), backward)
    return nest.pack_sequence_as(result, outputs)


def _as_gradient(value: Any) -> Any:
    return value if isinstance(value, IndexedSlices) else convert_to_tensor(value)


def accepts_variables(grad_fn: Callable[..., Any]) -> bool:
    """Whether a gradient function accepts the keyword argument `variables`."""
    spec = inspect.getfullargspec(grad_fn)
    return "variables" in spec.args or "variables" in spec.kwonlyargs or spec.varkw is not None


def recomputed_gradients(f: Callable[..., Any], args: list[Any], variables: list[Any], dresult: Any) -> list[Any]:
    """Runs `f(*args)` again, and returns the gradients with respect to the arguments and the variables, given the
    gradient `dresult` of the result."""
    tape = _core.Tape()
    sources = [*args, *(variable.handle for variable in variables)]
    tape.push()
    try:
        for source in sources:
            tape.watch(source)
        result = f(*args)
    finally:
        tape.pop()
    return gradients_of_records(tape.records(), nest.flatten(result), sources, [dresult])
