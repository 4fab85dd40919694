"""Functions that compute gradients of Python functions, by their arguments or by the variables that they read."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.backprop import differentiate
from tinytf._src.eager.recording import Recording
from tinytf._src.framework.nest import nest
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.gradients.unconnected import UnconnectedGradients


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Any]]]]:
    """Returns a function that returns the result of `f`, and a (gradient, variable) pair for each trainable variable it
    reads.

    Variables come in the order of their creation. The function raises ValueError if `f` returns None or reads no
    trainable variable.
    """

    def grad_fn(*args: Any, **kwds: Any) -> tuple[Any, list[tuple[Any, Any]]]:
        recording = Recording(watch_accessed_variables=True)
        recording.start()
        try:
            result = _not_none(f, f(*args, **kwds))
        finally:
            recording.stop()
        variables = recording.variables()
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        targets = [convert_to_tensor(leaf) for leaf in nest.flatten(result)]
        grads = differentiate(recording, targets, list(variables), None, UnconnectedGradients.NONE, keep=False)
        return result, list(zip(grads, variables, strict=True))

    return grad_fn


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., list[tuple[Any, Any]]]:
    """Like `implicit_value_and_gradients`, but returns the pairs only."""
    both = implicit_value_and_gradients(f)

    def grad_fn(*args: Any, **kwds: Any) -> list[tuple[Any, Any]]:
        return both(*args, **kwds)[1]

    return grad_fn


def make_vjp(
    f: Callable[..., Any], params: Sequence[Any] | None = None, persistent: bool = True
) -> Callable[..., tuple[Any, Callable[..., list[Any]]]]:
    """Returns a function that returns the result of `f` and a function `vjp(dy=None)`, the vector-Jacobian product.

    Args:
      f: takes tensors, or values convertible to them, and returns a tensor or a nested structure.
      params: names or positions of the arguments to differentiate by; None: all.
      persistent: whether `vjp` may be called more than once.

    Raises:
      ValueError: for invalid `params`, and if `f` returns None; both when the function is called.
    """

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, Callable[..., list[Any]]]:
        if kwds:
            raise AssertionError("The gradient function can't take keyword arguments.")
        positions = _positions(f, params, args)
        recording = Recording(watch_accessed_variables=False)
        recording.start()
        try:
            values = list(args)
            for i in positions:  # copies, so that an argument passed twice has two gradients
                values[i] = gen_ops.identity(convert_to_tensor(args[i]))
            sources = [values[i] for i in positions]
            for source in sources:
                recording.watch(source)
            result = _not_none(f, f(*values))
            result = nest.map_structure(gen_ops.identity, result)
        finally:
            recording.stop()

        def vjp(dy: Any = None) -> list[Any]:
            targets = nest.flatten(result)
            return differentiate(recording, targets, sources, dy, UnconnectedGradients.NONE, keep=persistent)

        return result, vjp

    return decorated


def value_and_gradients_function(
    f: Callable[..., Any], params: Sequence[Any] | None = None
) -> Callable[..., tuple[Any, list[Any]]]:
    """Returns a function that returns the result of `f` and its gradients by the arguments in `params` (None: all). It
    takes the arguments of `f`, and optionally `dy`, the upstream gradient. ValueError for other keyword arguments, and
    as `make_vjp`."""

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, list[Any]]:
        dy = kwds.pop("dy", None)
        if kwds:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        value, vjp = make_vjp(f, params, persistent=False)(*args)
        return value, vjp(dy=dy)

    return decorated


def gradients_function(f: Callable[..., Any], params: Sequence[Any] | None = None) -> Callable[..., list[Any]]:
    """Like `value_and_gradients_function`, but returns the gradients only."""
    both = value_and_gradients_function(f, params)

    def decorated(*args: Any, **kwds: Any) -> list[Any]:
        return both(*args, **kwds)[1]

    return decorated


def _not_none(f: Callable[..., Any], result: Any) -> Any:
    if result is None:
        name = getattr(f, "__name__", repr(f))
        raise ValueError(
            f"Cannot differentiate a function that returns None; did you forget to return a value from {name}?"
        )
    return result


def _positions(f: Callable[..., Any], params: Sequence[Any] | None, args: Sequence[Any]) -> Sequence[int]:
    """Returns the positions of the arguments to differentiate by."""
    try:
        names = inspect.getfullargspec(f).args
    except TypeError as e:
        if params is None:
            return range(len(args))
        if all(isinstance(param, int) for param in params):
            return params
        raise ValueError(
            "Either callable provided is not a function or could not inspect its arguments by name: "
            f"{f}. Original error: {e}"
        ) from None
    if params is None:
        if not names:
            return range(len(args))
        return range(len(names) - 1 if names[0] == "self" else len(names))
    if all(isinstance(param, str) for param in params):
        return [names.index(name) for name in params]
    if all(isinstance(param, int) for param in params):
        return params
    raise ValueError(f"params must be all strings or all integers; got {params}.")
