"""Python functions as operations: `tf.py_func`, `tf.numpy_function` and `tf.py_function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tinytf import _core
from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.apply_op import add_op
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.script import python_functions
from tinytf._src.ops.script.eager_functions import EagerFunction, as_types, types_of


@tf_export("py_func")
@called_by_users
def py_func(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Tensor | list[Tensor] | Operation:
    """Creates an operation that calls a Python function with NumPy arrays each time it runs.

    The graph keeps the function alive. Several threads may call it concurrently, and it may run steps of any session.
    It may modify its arrays in place: they are owned by the step, or are copies. The operation has no gradient; use
    `Graph.gradient_override_map` or `tf.custom_gradient` to define one.

    If the function raises an exception, the step fails: with InvalidArgumentError for ValueError and TypeError,
    OutOfRangeError for StopIteration, ResourceExhaustedError for MemoryError, UnimplementedError for
    NotImplementedError, and otherwise UnknownError; the exception is its `__cause__`. KeyboardInterrupt and SystemExit
    propagate from `Session.run` unchanged. Values that do not match `Tout` raise InvalidArgumentError, and values that
    no tensor can hold InternalError. In eager execution exceptions propagate unchanged.

    Args:
      func: function that gets one array per input (a NumPy scalar, or bytes for a string, if its rank is 0) and returns
        one value per dtype of `Tout`, in a list or tuple if there are several: an array, or any value that `np.asarray`
        accepts, of exactly that dtype.
      inp: list of tensors or of values that are converted to tensors.
      Tout: dtype, or list of dtypes.
      stateful: bool; False declares that `func` is a pure function. It is then not called if its values are not needed,
        and only once per session if all inputs are constants and it is outside of control flow.
      name: optional name of the operation.

    Returns:
      A tensor of unknown shape, or a list of tensors if `Tout` is a list. If `Tout` is empty: the operation if
        `stateful`, otherwise an empty list, and None in eager execution.

    Raises:
      ValueError: if `func` is not callable.

    Example:
      y = tf.py_func(lambda x: np.sinh(x), [x], tf.float32)
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
    """Creates an operation that calls a Python function with NumPy arrays each time it runs.

    Args:
      func, inp, Tout, name: as in `py_func` with `stateful=True`.

    Returns:
      As in `py_func`.

    Raises:
      ValueError: if `func` is not callable.
    """
    return py_func(func, inp, Tout, True, name)


@tf_export("py_function")
@called_by_users
def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Creates an operation that calls a Python function with eager tensors, so that it can call TensorFlow operations.

    It has a gradient, which runs the function once more under a tape. Errors are as in `py_func`.

    Args:
      func: function that gets one eager tensor per input and returns one value per dtype of `Tout`, in a list or tuple
        if there are several: a tensor, or any value that `tf.convert_to_tensor` accepts.
      inp: list of tensors or of values that are converted to tensors.
      Tout: dtype, or list of dtypes.
      name: optional name of the operation.

    Returns:
      As in `py_func`. In eager execution the function is called immediately.

    Raises:
      ValueError: if `func` is not callable.
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
    """Creates a node of PyFunc or a similar op that calls `func`; returns the same as `py_func`."""
    _check_callable(func)
    several = isinstance(Tout, (list, tuple))
    token = python_functions.register(func, get_default_graph())
    node = add_op(op_spec(op), name, (inp,), {"token": token, "Tout": list(Tout) if several else [Tout]})
    if several and not node.outputs and op == "PyFuncStateless":
        return []  # Such a node would never be called.
    return (node.outputs or node) if several else node.outputs[0]
