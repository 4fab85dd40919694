"""Python functions as operations of a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf import _core
from tinytf.exports import tf_export
from tinytf.framework.apply_op import add_op
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.op_spec import op_spec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.ops.script import python_functions
from tinytf.ops.script.eager_functions import EagerFunction, as_types, types_of


@tf_export("py_func")
@called_by_users
def py_func(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Tensor | list[Tensor] | Operation:
    """An operation that calls a Python function with NumPy arrays each time it runs.

    Args:
      func: the function. It gets one array for each tensor of `inp`: a NumPy scalar for rank 0, bytes for text of rank 0.
        It returns one value for each type of `Tout`, in a list or tuple if there are several, or None if there are none:
        arrays, or whatever `np.asarray` takes, of exactly those types (text may be `bytes` or `str`).
      inp: a list of tensors, or of values that become tensors.
      Tout: a dtype, or a list of them.
      stateful: False says that `func` does nothing but to compute, and always the same of the same values: then it is not
        called where its values are not needed, and once in a session, not in each step, if it takes constants only and is
        outside of branches and loops.

    Returns a tensor of unknown shape, or a list of them if `Tout` is a list, or, if `Tout` is empty, the operation (an
    empty list if it is not stateful). There is no gradient: give it one with `Graph.gradient_override_map` or
    `tf.custom_gradient`.

    The function may change the arrays in place: they are the step's own memory, or copies of what others may read too. A
    function may be called by several threads at a time; it may run steps itself, of any session. The graph keeps it.

    Raises ValueError if `func` cannot be called. The step fails with what the function raises: InvalidArgumentError for
    ValueError and TypeError, OutOfRangeError for StopIteration, ResourceExhaustedError for MemoryError,
    UnimplementedError for NotImplementedError, else UnknownError; the exception itself is the error's `__cause__`. So it
    does with InvalidArgumentError if number or types of the values are not those of `Tout`, and with InternalError for
    values that no tensor can hold. KeyboardInterrupt and SystemExit come out of `Session.run` as they are.

    Where operations are executed, the function is called at once, what it raises comes out as it is, and tensors with
    the values of what it returns are the result (None if `Tout` is empty).
    """
    if executing_eagerly():
        _check_callable(func)
        types, several = types_of(Tout)
        arrays = [np.asarray(convert_to_tensor(x)) for x in inp]
        values = as_types(func, _core.call_inside(func, tuple(a[()] if a.ndim == 0 else a for a in arrays)), types)
        result: Any = (values or None) if several else values[0]
        return result
    return call_node("PyFunc" if stateful else "PyFuncStateless", func, inp, Tout, name)


@tf_export("numpy_function")
@called_by_users
def numpy_function(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    name: str | None = None,
) -> Tensor | list[Tensor] | Operation:
    """`py_func` of a function that is called each time the operation runs: see there."""
    return py_func(func, inp, Tout, True, name)


@tf_export("py_function")
@called_by_users
def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """An operation that calls a Python function with tensors that have their values, so that it can call operations.

    Args:
      func: the function. It gets a tensor for each of `inp`; what it calls is executed. It returns one value for each type
        of `Tout`, in a list or tuple if there are several: tensors, or what `tf.convert_to_tensor` takes.
      inp: a list of tensors, or of values that become tensors.
      Tout: a dtype, or a list of them.

    Returns as `py_func`. There is a gradient: it runs the function once more, recorded by a tape. Where operations are
    executed, the function is called at once. Errors as of `py_func`.
    """
    _check_callable(func)
    types, several = types_of(Tout)
    if executing_eagerly():
        result = as_types(func, _core.call_inside(func, tuple(convert_to_tensor(x) for x in inp)), types)
        return (result or None) if several else result[0]
    return call_node("EagerPyFunc", EagerFunction(func, types), inp, Tout, name)


def _check_callable(func: Any) -> None:
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")


def call_node(op: str, func: Any, inp: Any, Tout: Any, name: str | None) -> Any:
    """A node of the op PyFunc, or one like it, that calls `func`. Returns as `py_func`."""
    _check_callable(func)
    several = isinstance(Tout, (list, tuple))
    token = python_functions.register(func, get_default_graph())
    node = add_op(op_spec(op), name, (inp,), {"token": token, "Tout": list(Tout) if several else [Tout]})
    if several and not node.outputs and op == "PyFuncStateless":
        return []  # nothing that it could be called for
    return (node.outputs or node) if several else node.outputs[0]
