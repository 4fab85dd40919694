"""What TensorFlow 1 has as `tf.contrib.eager`, as far as it is about gradients and where operations run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf.eager.backprop import GradientTape, differentiate
from tinytf.eager.function import defun
from tinytf.eager.recording import Recording
from tinytf.framework import nest
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.execution import executing_eagerly
from tinytf.gradients.custom_gradient import custom_gradient
from tinytf.gradients.unconnected import UnconnectedGradients
from tinytf.variables import template
from tinytf.variables.resource_variable import ResourceVariable as Variable

__all__ = [
    "GradientTape",
    "Variable",
    "custom_gradient",
    "defun",
    "executing_eagerly",
    "get_optimizer_variables",
    "gradients_function",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "in_eager_mode",
    "in_graph_mode",
    "list_devices",
    "make_template",
    "make_vjp",
    "num_gpus",
    "value_and_gradients_function",
]

in_eager_mode = executing_eagerly


def in_graph_mode() -> bool:
    """Whether operations build graphs."""
    return not executing_eagerly()


def num_gpus() -> int:
    """0: there is no other kind of device than the CPU."""
    return 0


def list_devices() -> list[str]:
    """Full names of the devices that operations can run on."""
    from tinytf.eager.session import EagerSession

    count = EagerSession.get_default()._core.cpu_devices
    return [f"/job:localhost/replica:0/task:0/device:CPU:{i}" for i in range(count)]


def get_optimizer_variables(optimizer: Any) -> list[Any]:
    """The variables of an optimizer of its own."""
    return optimizer.variables()


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Any:
    """As `tf.make_template`. With `create_graph_function_`, `func_` is traced as by `defun`."""
    if create_graph_function_:
        func_ = defun(func_)
    return template.make_template(
        name_, func_, create_scope_now_, unique_name_, custom_getter_=custom_getter_, **kwargs
    )


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., tuple[Any, list[tuple[Any, Any]]]]:
    """A function that returns what `f` returns, and a (gradient, variable) pair for each trainable variable it reads.

    Variables come in the order in which they were made. Calling it raises ValueError if `f` returns None or reads no
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
    """As `implicit_value_and_gradients`, without what `f` returns."""
    both = implicit_value_and_gradients(f)

    def grad_fn(*args: Any, **kwds: Any) -> list[tuple[Any, Any]]:
        return both(*args, **kwds)[1]

    return grad_fn


def make_vjp(
    f: Callable[..., Any], params: Sequence[Any] | None = None, persistent: bool = True
) -> Callable[..., tuple[Any, Callable[..., list[Any]]]]:
    """A function that returns what `f` returns and a function `vjp(dy=None)`, which gives the derivatives of that by the
    arguments that `params` names, multiplied by `dy`.

    Args:
      f: takes tensors, or what can be converted to them, and returns a tensor or a nested structure.
      params: names or positions of the arguments to derive by; None means all.
      persistent: whether `vjp` may be called more than once.

    ValueError for `params` that do not fit; calling the function raises ValueError if `f` returns None.
    """

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, Callable[..., list[Any]]]:
        if kwds:
            raise AssertionError("The gradient function can't take keyword arguments.")
        positions = _positions(f, params, args)
        recording = Recording(watch_accessed_variables=False)
        recording.start()
        try:
            values = list(args)
            for i in positions:  # an object of its own each, so that equal arguments have gradients of their own
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
    """A function that returns what `f` returns and its derivatives by the arguments that `params` names (None: all). Takes
    the arguments of `f`, and `dy` to multiply the derivatives by. ValueError for other keyword arguments, and as of
    `make_vjp`."""

    def decorated(*args: Any, **kwds: Any) -> tuple[Any, list[Any]]:
        dy = kwds.pop("dy", None)
        if kwds:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        value, vjp = make_vjp(f, params, persistent=False)(*args)
        return value, vjp(dy=dy)

    return decorated


def gradients_function(f: Callable[..., Any], params: Sequence[Any] | None = None) -> Callable[..., list[Any]]:
    """As `value_and_gradients_function`, without what `f` returns."""
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
    """The positions of the arguments to derive by."""
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
