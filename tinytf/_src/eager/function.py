"""`tf.function` and `defun`: Python functions that are traced into graphs and run as single plans."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from tinytf._src.eager import composites
from tinytf._src.eager.concrete_function import ConcreteFunction, trace
from tinytf._src.eager.inline import call_inline
from tinytf._src.eager.lifting import NOT_FIRST, Creator, MakesVariables, NoCreator
from tinytf._src.eager.methods import Method
from tinytf._src.eager.signature import Signature, common_shape, key_of, part_shapes, without_shapes
from tinytf._src.eager.specified import arguments_of
from tinytf._src.eager.traces import Traces
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.autograph_status import Status, called_in
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import REPORTED, called_by_users, leave_to_user
from tinytf._src.framework.graph.default_graph import get_default_graph, graph_around
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.logs import log
from tinytf._src.framework.tensors.eager_tensor import EagerTensor

__all__ = ["defun", "function"]

_WARN_TRACES = 5
_runs_python = False  # see `run_functions_eagerly`
_REMEMBERED = 1000  # bound of the keys known to fit an input signature or relaxed shapes


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
        self._python_function = python_function
        self._name = getattr(python_function, "__name__", type(python_function).__name__)
        self._input_signature = input_signature
        self._relax_shapes = relax_shapes
        self._creates_once = creates_once
        self._autograph = autograph
        self._autograph_features = autograph_features
        self._bound_to: weakref.ref[Any] | None = bound_to
        self._signature = Signature(python_function, input_signature, bound_to is not None)
        self._lock = threading.RLock()
        self._traces = Traces()
        self._starting = Traces()  # traces whose variables are initialized by the first call
        # With relax_shapes, by key without shapes: (the most specific shapes that fit all calls so far, the trace for
        # them).
        self._relaxed = Traces()
        self._methods: dict[int, Function] = {}  # by id of the object, so that equal objects are distinct
        self._called = False  # if true, its variables exist
        self._trace_count = 0
        # Calls with exactly this number of tensors need no binding of arguments.
        self._plain_count = self._signature.plain_count

    @property
    def python_function(self) -> Callable[..., Any]:
        """The Python function."""
        return self._python_function

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
        args, key = self._keyed(args, kwargs)
        concrete = self._traces.find(key)
        if concrete is None:
            with self._lock:
                concrete = self._traced_for(key, args, kwargs)
                if concrete.starts_with is not None:
                    return self._start(key, concrete, tensors)
        if kinds is not None and key != kinds and len(self._traces) < _REMEMBERED:
            self._traces[kinds] = concrete  # its tensors fit the input signature
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
        signature = self._signature.input_signature
        if signature is None:
            args, kwargs = self._signature.bind(args, kwargs)
        else:
            if kwargs:
                raise ValueError(
                    "Cannot define a TensorFlow function from a Python function with keyword arguments when input_signature "
                    "is provided."
                )
            if args:
                self._signature.check_specs(args)
            args, kwargs = self._signature.arranged(signature, {})
        args, key = self._keyed(args, kwargs)
        with self._lock:
            concrete = self._traced_for(key, args, kwargs)
        if concrete.starts_with is not None:
            raise ValueError(concrete.starts_with.unliftable)
        return concrete

    def _keyed(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], Any]:
        """Returns the arguments to trace with, and the cache key of the trace."""
        signature = self._signature.input_signature
        if signature is not None:
            args = (*signature, *args[len(signature) :])
        return args, key_of(args, kwargs)

    # -- Tracing; callers hold the lock ------------------------------------------------------------------------------

    def _traced_for(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        concrete: ConcreteFunction | None = self._traces.find(key) or self._starting.find(key)
        if concrete is not None:
            return concrete
        if self._relax_shapes and self._signature.input_signature is None:
            concrete = self._relaxed_trace(without_shapes(key), args, kwargs)
        else:
            concrete = self._new_trace(args, kwargs)
        if concrete.starts_with is not None:
            self._starting.keep(key, concrete)
        elif not self._relax_shapes or len(self._traces) < _REMEMBERED:
            self._traces.keep(key, concrete)
        return concrete

    def _start(self, key: Any, concrete: ConcreteFunction, tensors: tuple[Any, ...]) -> Any:
        """Makes the first call, which initializes variables: runs the trace that created them."""
        assert concrete.starts_with is not None
        result = concrete.starts_with.run(tensors)
        concrete.starts_with = None
        self._traces.keep(key, self._starting.take(key))
        return result

    def _relaxed_trace(self, general: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        """Returns the trace with unknown sizes where calls differed; for the first shapes, the trace for exactly
        these."""
        shapes = part_shapes((args, kwargs))
        before = self._relaxed.find(general)
        if before is None:
            self._relaxed.keep(general, (shapes, None))
            return self._new_trace(args, kwargs)
        known, concrete = before
        merged = [common_shape(a, b) for a, b in zip(known, shapes, strict=True)]
        if concrete is None or merged != known:
            concrete = self._new_trace(args, kwargs, merged)
            self._relaxed.keep(general, (merged, concrete))
        return concrete

    def _new_trace(self, args: tuple[Any, ...], kwargs: dict[str, Any], shapes: list[Any] | None = None) -> Any:
        self._warn_of_traces()
        for known in (self._traces, self._starting, self._relaxed):
            known.forget_dead()
        creator = Creator(allowed=not self._called or not self._creates_once, may_wait=self._creates_once)

        def traced() -> ConcreteFunction:
            return trace(self._traced_target(), self._name, self._signature.name_of, args, kwargs, creator, shapes)

        concrete = traced()
        self._called = True
        if creator.made and self._creates_once:  # trace again: the lasting trace finds its variables
            creator.allowed = False
            first, concrete = concrete, traced()
            if creator.waiting:
                concrete.starts_with = first
                first.unliftable = creator.unliftable
        concrete.created_variables = creator.made
        return concrete

    def _warn_of_traces(self) -> None:
        self._trace_count += 1
        if self._trace_count == _WARN_TRACES and self._creates_once:
            log.logger().warning(
                "Calls of %s have traced it %d times. Tracing is expensive: pass tensors instead of Python numbers, give an "
                "input_signature, or experimental_relax_shapes=True for tensors of many shapes.",
                self._name,
                self._trace_count,
            )

    def _target(self) -> Callable[..., Any]:
        """Returns the Python function; for a method, bound to its object."""
        if self._bound_to is None:
            return self._python_function
        instance = self._bound_to()
        if instance is None:
            raise ReferenceError(f"The object that the method {self._name} is bound to no longer exists")
        return functools.partial(self._python_function, instance)

    def _traced_target(self) -> Callable[..., Any]:
        """Returns the function to trace: `_target` converted by AutoGraph if that is enabled."""
        if not self._autograph:
            return called_in(Status.DISABLED, self._target())
        from tinytf._src.autograph.api import traced

        return traced(self._target(), self._autograph_features)

    def _call_in_graph(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _runs_python:
            return self._target()(*args, **kwargs)
        args, kwargs = self._signature.bind(args, kwargs)
        graph = get_default_graph()
        try:
            concrete = self._nested_trace(graph, args, kwargs)
        except MakesVariables:
            pass  # the enclosing function's variables, too
        else:
            return concrete.call_in_graph(_tensors(args, kwargs))
        called = self._called and self._creates_once
        self._called = True
        args = self._signature.specified(args)
        return arguments_of(call_inline(self._traced_target(), args, kwargs, may_create=not called))

    def _nested_trace(self, graph: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        """Returns the trace to call in `graph`. Raises MakesVariables if the function, not called before, would create
        its variables. Takes no lock: another thread may trace, under its own function's lock, a function that calls
        this one."""
        args, key = self._keyed(args, kwargs)
        concrete = (self._traces.find(key) if graph.building_function else None) or nested_trace(graph, (self, key))
        if concrete is not None:
            return concrete
        creator: Creator | NoCreator
        if self._creates_once:
            creator = NoCreator(NOT_FIRST if self._called else None)
        else:
            creator = Creator(allowed=True, may_wait=False)
        self._warn_of_traces()
        concrete = trace(self._traced_target(), self._name, self._signature.name_of, args, kwargs, creator)
        concrete.created_variables = creator.made
        self._called = True
        home = concrete.graph.captured_from or (None if graph.building_function else graph)
        if home is not None:
            return nested_traces(home).setdefault((self, key), concrete)
        return self._traces.keep_first(key, concrete)

    # -- Methods -----------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Returns the method of an object, which has its own traces and does not keep the object alive."""
        if instance is None:
            return self
        function = self._methods.get(id(instance))
        if function is None or function._bound_to() is not instance:  # type: ignore[misc]
            with self._lock:
                function = self._methods.get(id(instance))
                if function is None or function._bound_to() is not instance:  # type: ignore[misc]
                    function = self._methods[id(instance)] = self._bound(instance)
        return Method(function, instance)

    def _bound(self, instance: Any) -> Function:
        this = weakref.ref(self)

        def forget(_: Any, key: int = id(instance)) -> None:
            function = this()
            if function is not None:
                function._methods.pop(key, None)

        return Function(
            self._python_function,
            self._input_signature,
            self._relax_shapes,
            self._creates_once,
            self._autograph,
            self._autograph_features,
            weakref.ref(instance, forget),
        )

    def __repr__(self) -> str:
        return f"<tf.function {self._name}, {len(set(self._traces.all()))} traces>"


def nested_traces(graph: Any) -> dict[Any, ConcreteFunction]:
    """Returns the traces that belong to one graph because they may capture its tensors, by function and cache key."""
    traces: dict[Any, ConcreteFunction] = graph._functions.traces
    return traces


def nested_trace(graph: Any, key: Any) -> ConcreteFunction | None:
    """Finds a trace in the `nested_traces` of a graph or an enclosing function; None if there is none."""
    while graph is not None:
        if key in nested_traces(graph):
            return nested_traces(graph)[key]
        around = graph_around(graph) if graph.building_function else None
        graph = around if around is not None and around.building_function else None
    return None


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
