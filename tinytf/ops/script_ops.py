"""Python functions as operations of a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinytf.framework.apply_op import add_op
from tinytf.framework.graph import get_default_graph
from tinytf.framework.op_spec import OpSpec, op_spec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.ops import python_functions

__all__ = ["numpy_function", "py_func"]

_PY_FUNC, _PY_FUNC_STATELESS = op_spec("PyFunc"), op_spec("PyFuncStateless")


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
        called where nobody needs what it returns.

    Returns a tensor of unknown shape, or a list of them if `Tout` is a list, or the operation if `Tout` is empty. There is
    no gradient: give it one with `Graph.gradient_override_map` or `tf.custom_gradient`.

    The arrays are the step's own memory. They are read-only while others may read them: copy one to change it. A
    function may be called by several threads at a time; it may run steps itself, of any session. The graph keeps it.

    Raises ValueError if `func` cannot be called. The step fails with what the function raises: InvalidArgumentError for
    ValueError and TypeError, OutOfRangeError for StopIteration, ResourceExhaustedError for MemoryError,
    UnimplementedError for NotImplementedError, else UnknownError; the exception itself is the error's `__cause__`. So it
    does with InvalidArgumentError if number or types of the values are not those of `Tout`, and with InternalError for
    values that no tensor can hold. KeyboardInterrupt and SystemExit come out of `Session.run` as they are.
    """
    return _add_call(_PY_FUNC if stateful else _PY_FUNC_STATELESS, func, inp, Tout, name)


def numpy_function(
    func: Callable[..., Any],
    inp: Any,
    Tout: Any,
    name: str | None = None,
) -> Tensor | list[Tensor] | Operation:
    """`py_func` of a function that is called each time the operation runs: see there."""
    return py_func(func, inp, Tout, True, name)


def _add_call(spec: OpSpec, func: Any, inp: Any, Tout: Any, name: str | None) -> Any:
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    several = isinstance(Tout, (list, tuple))
    token = python_functions.register(func, get_default_graph())
    op = add_op(spec, name, (inp,), {"token": token, "Tout": list(Tout) if several else [Tout]})
    return (op.outputs or op) if several else op.outputs[0]
