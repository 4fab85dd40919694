"""`tf.function` and `defun`: Python functions that are traced into graphs and run as single plans."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import Any

from tinytf._src.eager import composites
from tinytf._src.eager.concrete_function import ConcreteFunction
from tinytf._src.eager.function_target import FunctionTarget
from tinytf._src.eager.function_traces import FunctionTraces
from tinytf._src.eager.methods import BoundFunctions, Method
from tinytf._src.eager.signature import Signature
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.default_graph import get_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.eager_tensor import EagerTensor

__all__ = ["defun", "function"]

_runs_python = False  # see `run_functions_eagerly`


class Function:
    """A Python function of tensors that is traced into graphs. Made by `tf.function` and `defun`. Thread-safe.

    A call whose arguments have a new cache key traces the function; other calls run the existing graph. The key
    consists of dtype and shape for tensors, of value or identity for other arguments; NumPy arrays are converted to
    tensors. In graphs, including other traced functions, a call adds an operation that calls the trace.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any,
        relax_shapes: bool,
        creates_once: bool,
        autograph: bool = False,
        autograph_features: Any = None,
        bound_to: Any = None,
    ) -> None:
        functools.update_wrapper(self, python_function, updated=())
        self._target = FunctionTarget(python_function, autograph, autograph_features, bound_to)
        self._signature = Signature(python_function, input_signature, bound_to is not None)
        self._tracing = FunctionTraces(self._target, self._signature, relax_shapes, creates_once)
        self._traces = self._tracing.traces
        self._bound_to: weakref.ref[Any] | None = bound_to
        self._methods = BoundFunctions()
        # makes the function of an object's method from a reference to the object
        self._bind = functools.partial(
            Function, python_function, input_signature, relax_shapes, creates_once, autograph, autograph_features
        )
        # Calls with exactly this number of tensors need no binding of arguments.
        self._plain_count = self._signature.plain_count

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._target.function

    @property
    def function_spec(self) -> Signature:
        """The parameters and the input signature."""
        return self._signature

    @property
    def input_signature(self) -> Any:
        """The input signature, a tuple of TensorSpecs, or None."""
        return self._signature.input_signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the trace for the arguments, which is made if there is none yet.

        Returns:
          What the Python function returned, with values in place of the graph's tensors.

        Raises:
          TypeError, ValueError: for arguments that do not fit the parameters or the input signature, and if tracing
            fails.
        """
        try:
            if _runs_python or not executing_eagerly():
                return self._call_in_graph(args, kwargs)
            if len(args) == self._plain_count and not kwargs:
                key = []
                for arg in args:
                    if type(arg) is not EagerTensor:
                        break
                    key.append((arg.dtype, arg._shape_tuple()))
                else:
                    kinds = tuple(key)
                    concrete = self._traces.get(kinds)
                    if concrete is not None:
                        return concrete.run(args)
                    return self._call(args, kwargs, kinds)
            return self._call(args, kwargs, None)
        except REPORTED:
            leave_to_user()
            raise

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any], kinds: Any) -> Any:
        """Slow path of a call. `kinds` is the cache key of the arguments if all are plain tensors, else None."""
        args, kwargs = self._signature.bind(args, kwargs)
        tensors = _tensors(args, kwargs)
        args, key = self._signature.keyed(args, kwargs)
        concrete = self._traces.find(key)
        if concrete is None:
            with self._tracing.lock:
                concrete = self._tracing.traced_for(key, args, kwargs)
                if concrete.starts_with is not None:
                    return self._tracing.start(key, concrete, tensors)
        if kinds is not None and key != kinds:
            self._tracing.recognise(kinds, concrete)  # its tensors fit the input signature
        return concrete.run(tensors)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Returns the trace for arguments like these, which is made if there is none yet.

        Args:
          *args, **kwargs: as of a call; TensorSpecs may stand for tensors. With an input signature they may be omitted.

        Returns:
          A `ConcreteFunction`.

        Raises:
          ValueError: if arguments do not fit the input signature, or if variables get initial values that depend on
            arguments, which only a call has.
        """
        args, kwargs = self._signature.bind_specs(args, kwargs)
        args, key = self._signature.keyed(args, kwargs)
        with self._tracing.lock:
            concrete = self._tracing.traced_for(key, args, kwargs)
        if concrete.starts_with is not None:
            raise ValueError(concrete.starts_with.unliftable)
        return concrete

    def _call_in_graph(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _runs_python:
            return self._target.bound()(*args, **kwargs)
        args, kwargs = self._signature.bind(args, kwargs)
        concrete = self._tracing.nested(get_default_graph(), args, kwargs)
        tensors = _tensors(args, kwargs)
        if concrete.starts_with is not None:
            return self._tracing.start_in_graph(concrete, tensors)
        return concrete.call_in_graph(tensors)

    # -- Methods -----------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Returns the method of an object, which has its own traces and does not keep the object alive."""
        if instance is None:
            return self
        function = self._methods.get(id(instance))
        if function is None or function._bound_to() is not instance:
            function = self._methods.made(instance, self._bind)
        return Method(function, instance)

    def __repr__(self) -> str:
        return f"<tf.function {self._target.name}, {len(set(self._traces.all()))} traces>"


def _tensors(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    leaves = composites.flatten(args)
    if kwargs:
        leaves += composites.flatten(kwargs)
    return tuple([leaf for leaf in leaves if isinstance(leaf, Tensor)])


@tf_export("function")
@called_by_users
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
    experimental_implements: str | None = None,
) -> Any:
    """Turns a Python function into one that is traced into a graph, once for each kind of arguments, and runs as a
    single plan.

    Variables may be created in the first call only, and their initial values may depend on its arguments; creating them
    in later calls raises ValueError.

    Args:
      func: the Python function; None: returns a decorator.
      input_signature: a possibly nested list or tuple of TensorSpecs. Arguments that fit share one trace, others raise
        errors. None: any arguments, one trace for each combination of dtypes and shapes.
      autograph: bool, whether Python control flow on tensors is converted to graph control flow, in called functions,
        too; see `tf.autograph`.
      experimental_autograph_options: one or several `tf.autograph.experimental.Feature`s, or None.
      experimental_relax_shapes: bool, whether traces get unknown sizes where calls differ.
      experimental_compile, experimental_implements: ignored.

    Returns:
      A callable `Function`, or a decorator.

    Raises:
      TypeError, ValueError: for an invalid input signature, or one that does not fit the function.

    Example:
      @tf.function
      def square_sum(x):
        return tf.reduce_sum(x * x)

      square_sum(tf.constant([1.0, 2.0]))  # a tensor with the value 5.0
    """
    return _decorated(
        func, input_signature, experimental_relax_shapes, autograph, experimental_autograph_options, creates_once=True
    )


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """Like `tf.function`, but every trace may create variables, whose initial values are computed outside the
    function."""
    return _decorated(
        func, input_signature, experimental_relax_shapes, autograph, experimental_autograph_options, creates_once=False
    )


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Sets whether traced functions run as plain Python functions from now on, in the whole process."""
    global _runs_python
    _runs_python = bool(run_eagerly)


def _decorated(
    func: Any, input_signature: Any, relax_shapes: bool, autograph: bool, features: Any, creates_once: bool
) -> Any:
    if input_signature is not None and not isinstance(input_signature, (tuple, list)):
        raise TypeError(f"input_signature must be either a tuple or a list, received {type(input_signature)}")

    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, input_signature, relax_shapes, creates_once, autograph, features)

    return decorate if func is None else decorate(func)
