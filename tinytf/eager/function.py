"""`tf.function` and `defun`: Python functions that are traced into graphs and run as single plans.

Python's own control flow happens when the function is traced: `if` and `while` on tensors are not rewritten.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

from tinytf.eager import composites
from tinytf.eager.concrete_function import ConcreteFunction, trace
from tinytf.eager.inline import call_inline
from tinytf.eager.lifting import lifted_variable
from tinytf.eager.signature import Signature, key_of, without_shapes
from tinytf.framework import log
from tinytf.framework.eager_tensor import EagerTensor
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.tensor_spec import TensorSpec

__all__ = ["defun", "function"]

_WARN_TRACES = 5


class Function:
    """A Python function of tensors. Each call with arguments of a new kind traces it into a graph; others run the graph.

    Tensors are told apart by type and shape, other arguments by value or identity, arrays are taken as tensors. Where
    operations build graphs (also within another traced function), the Python function itself is called. Thread-safe.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any,
        relax_shapes: bool,
        creates_once: bool,
        bound_to: Any = None,
    ) -> None:
        functools.update_wrapper(self, python_function, updated=())
        self._python_function = python_function
        self._name = getattr(python_function, "__name__", type(python_function).__name__)
        self._input_signature = input_signature
        self._relax_shapes = relax_shapes
        self._creates_once = creates_once
        self._bound_to: weakref.ref[Any] | None = bound_to
        self._signature = Signature(python_function, input_signature, bound_to is not None)
        self._lock = threading.RLock()
        self._traces: dict[Any, ConcreteFunction] = {}
        self._shapes: dict[Any, list[Any]] = {}  # with relax_shapes: arguments traced so far, by key without shapes
        self._methods: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()
        self._called = False  # so that variables exist
        self._trace_count = 0
        # Calls with as many tensors as parameters need no binding.
        self._plain_count = self._signature.count if input_signature is None else -1

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function that is traced."""
        return self._python_function

    @property
    def function_spec(self) -> Signature:
        """How arguments are taken."""
        return self._signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph that fits the arguments, made if there is none yet.

        Returns what the Python function returned, with values instead of the graph's tensors. TypeError and ValueError
        for arguments that do not fit the parameters or the input signature, and for what tracing finds.
        """
        if not executing_eagerly():
            return self._call_in_graph(args, kwargs)
        if len(args) == self._plain_count and not kwargs:
            key = []
            for arg in args:
                if type(arg) is not EagerTensor:
                    break
                key.append((arg.dtype, arg._shape_tuple()))
            else:
                concrete = self._traces.get(tuple(key))
                if concrete is not None:
                    return concrete.run(args)
        args, kwargs = self._signature.bind(args, kwargs)
        return self._concrete(args, kwargs).run(_tensors(args, kwargs))

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for arguments like these, in which TensorSpecs may stand for tensors; made if there is none yet.

        With an input signature, arguments may be left out.
        """
        signature = self._signature.input_signature
        if signature is not None and not args and not kwargs:
            args = signature
        elif signature is None or not all(isinstance(leaf, TensorSpec) for leaf in composites.flatten(args)):
            args, kwargs = self._signature.bind(args, kwargs)
        return self._concrete(args, kwargs)

    def _concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        signature = self._signature.input_signature
        if signature is not None:
            args = (*signature, *args[len(signature) :])
        key = key_of(args, kwargs)
        concrete = self._traces.get(key)
        if concrete is None:
            with self._lock:
                concrete = self._traces.get(key)
                if concrete is None:
                    concrete = self._new_trace(key, args, kwargs)
        return concrete

    def _new_trace(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self._relax_shapes and self._signature.input_signature is None and not kwargs:
            general = without_shapes(key)
            relaxed = self._relaxed(general, args)
            if relaxed is not None:
                concrete = self._traces.get(key_of(relaxed, kwargs)) or self._traced(relaxed, kwargs)
                self._traces[key_of(relaxed, kwargs)] = concrete
            else:
                concrete = self._traced(args, kwargs)
        else:
            concrete = self._traced(args, kwargs)
        self._traces[key] = concrete
        return concrete

    def _relaxed(self, general: Any, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The arguments with what changed between calls unknown, or None the first time."""
        shapes = [_dims(leaf) for leaf in composites.flatten(args)]
        before = self._shapes.get(general)
        if before is None:
            self._shapes[general] = shapes
            return None
        merged = [_common(a, b) for a, b in zip(before, shapes, strict=True)]
        self._shapes[general] = merged
        leaves = [
            leaf if dims is None else TensorSpec(dims, leaf.dtype)
            for leaf, dims in zip(composites.flatten(args), merged, strict=True)
        ]
        if any(composites.is_composite(leaf) for leaf in args):
            return None
        return tuple(composites.pack(args, leaves))

    def _traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        self._warn_of_traces()
        made: list[Any] = []
        may_create = not self._called or not self._creates_once

        def creator(next_creator: Callable[..., Any], **options: Any) -> Any:
            if not may_create:
                raise ValueError("tf.function-decorated function tried to create variables on non-first call.")
            variable = lifted_variable(next_creator, options)
            made.append(variable)
            return variable

        function, names = self._target(), self._signature.names
        concrete = trace(function, self._name, names, args, kwargs, creator)
        self._called = True
        if made and self._creates_once:  # the trace that stays finds its variables
            may_create = False
            concrete = trace(function, self._name, names, args, kwargs, creator)
        concrete.created_variables = made
        return concrete

    def _warn_of_traces(self) -> None:
        self._trace_count += 1
        if self._trace_count == _WARN_TRACES and self._creates_once:
            log.logger().warning(
                "%d traces of %s were made by its calls. Tracing is expensive: pass tensors instead of Python numbers, give an "
                "input_signature, or experimental_relax_shapes=True for tensors of many shapes.",
                self._trace_count,
                self._name,
            )

    def _target(self) -> Callable[..., Any]:
        if self._bound_to is None:
            return self._python_function
        instance = self._bound_to()
        if instance is None:
            raise ReferenceError(f"The object whose method {self._name} is does not exist any more")
        return functools.partial(self._python_function, instance)

    def _call_in_graph(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        args, kwargs = self._signature.bind(args, kwargs)
        called = self._called and self._creates_once
        self._called = True
        return call_inline(self._target(), args, kwargs, may_create=not called)

    # -- Methods -----------------------------------------------------------------------------------------------------

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Of an object: its method, which has traces of its own and does not keep the object alive."""
        if instance is None:
            return self
        with self._lock:
            function = self._methods.get(instance)
            if function is None:
                function = self._methods[instance] = Function(
                    self._python_function,
                    self._input_signature,
                    self._relax_shapes,
                    self._creates_once,
                    weakref.ref(instance),
                )
        return Method(function, instance)

    def __repr__(self) -> str:
        return f"<tf.function {self._name}, {len(set(self._traces.values()))} traces>"


class Method:
    """A traced function as an attribute of an object, which it keeps alive, as Python's own methods do."""

    __slots__ = ("__self__", "__func__")

    def __init__(self, function: Function, instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)


def _tensors(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    leaves = composites.flatten(args) + (composites.flatten(kwargs) if kwargs else [])
    return tuple([leaf for leaf in leaves if type(leaf) is EagerTensor])


def _dims(leaf: Any) -> Any:
    return leaf._shape_tuple() if type(leaf) is EagerTensor else None


def _common(a: Any, b: Any) -> Any:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """A function that is traced into a graph at its first call, and at calls with arguments of another kind.

    Args:
      func: the Python function; without it, returns a decorator.
      input_signature: a possibly nested sequence of TensorSpecs: tensors that fit them share one trace, others are errors.
      autograph, experimental_autograph_options, experimental_implements: accepted for TensorFlow's sake. Python's control
        flow happens at trace time: conditions on tensors are not rewritten.
      experimental_relax_shapes: trace with unknown sizes where they differ between calls.

    Variables may be made at the first call only: ValueError at others. Returns a Function. TypeError and ValueError for an
    input signature that does not fit.
    """
    return _decorated(func, input_signature, experimental_relax_shapes, creates_once=True)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """As `tf.function`, but every trace may make variables, whose initial values are computed outside the function."""
    return _decorated(func, input_signature, experimental_relax_shapes, creates_once=False)


def _decorated(func: Any, input_signature: Any, relax_shapes: bool, creates_once: bool) -> Any:
    if input_signature is not None and not isinstance(input_signature, (tuple, list)):
        raise TypeError(f"input_signature must be either a tuple or a list, received {type(input_signature)}")

    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, input_signature, relax_shapes, creates_once)

    return decorate if func is None else decorate(func)
