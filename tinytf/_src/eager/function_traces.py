"""`FunctionTraces`: makes and keeps the traces of one function."""

from __future__ import annotations

import threading
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.eager.concrete_function import ConcreteFunction, trace
from tinytf._src.eager.function_target import FunctionTarget
from tinytf._src.eager.lifting import LATE, Creator
from tinytf._src.eager.signature import Signature, common_shape, part_shapes, without_shapes
from tinytf._src.eager.traces import Traces
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph.default_graph import graph_around
from tinytf._src.framework.logs import log
from tinytf._src.framework.scopes.init_scope import init_scope
from tinytf._src.ops.control_flow.conditional import cond

_WARN_TRACES = 5
_REMEMBERED = 1000  # bound of the keys known to fit an input signature or relaxed shapes


class FunctionTraces:
    """The traces of one function, by cache key. `traces` can be read at any time; methods that need `lock` say so.

    Args:
      target: the function to trace.
      signature: its parameters.
      relax_shapes: whether traces get unknown sizes where calls differ.
      creates_once: whether only the first trace may create variables, in which case their initial values may depend on
        the arguments of the first call.
    """

    def __init__(self, target: FunctionTarget, signature: Signature, relax_shapes: bool, creates_once: bool) -> None:
        self.lock = threading.RLock()
        self.traces = Traces()
        self._target = target
        self._signature = signature
        self._relax_shapes = relax_shapes
        self._creates_once = creates_once
        self._starting = Traces()  # traces whose variables are initialized by the first call
        # With relax_shapes, by key without shapes: (the most specific shapes that fit all calls so far, the trace for
        # them).
        self._relaxed = Traces()
        self._called = False
        self._has_variables = False  # if true, it has made its variables
        self._count = 0

    def traced_for(self, key: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        """Returns the trace for arguments with this key, which is made if there is none. Needs the lock."""
        concrete: ConcreteFunction | None = self.traces.find(key) or self._starting.find(key)
        if concrete is not None:
            return concrete
        for known in (self.traces, self._starting, self._relaxed):
            known.forget_dead()
        if self._relax_shapes and self._signature.input_signature is None:
            concrete = self._relaxed_trace(without_shapes(key), args, kwargs)
        else:
            concrete = self._new_trace(args, kwargs)
        if concrete.starts_with is not None:
            self._starting.keep(key, concrete)
        elif not self._relax_shapes or len(self.traces) < _REMEMBERED:
            self.traces.keep(key, concrete)
        return concrete

    def start(self, key: Any, concrete: ConcreteFunction, tensors: tuple[Any, ...]) -> Any:
        """Makes the first call, which initializes variables: runs the trace that created them. Needs the lock."""
        assert concrete.starts_with is not None
        result = concrete.starts_with.run(tensors)
        concrete.starts_with = None
        self.traces.keep(key, self._starting.take(key))
        return result

    def recognise(self, kinds: Any, concrete: ConcreteFunction) -> None:
        """Keeps a trace also under a second key, unless there are many."""
        if len(self.traces) < _REMEMBERED:
            self.traces[kinds] = concrete

    def nested(self, graph: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        """Returns the trace to call in `graph`; see `start_in_graph` if its `starts_with` is set. Takes no lock: another
        thread may trace, under its own function's lock, a function that calls this one."""
        args, key = self._signature.keyed(args, kwargs)
        concrete = (self.traces.find(key) if graph.building_function else None) or _nested_trace(graph, (self, key))
        if concrete is not None:
            return concrete
        concrete = self._new_trace(args, kwargs)
        home = concrete.graph.captured_from or (None if graph.building_function else graph)
        if home is not None:
            return _nested_traces(home).setdefault((self, key), concrete)
        found: ConcreteFunction = self.traces.keep_first(key, concrete)
        return found

    def start_in_graph(self, concrete: ConcreteFunction, tensors: tuple[Any, ...]) -> Any:
        """Adds the first call to the default graph, which belongs to a function that is called eagerly: if the variables
        are not initialized, it calls the trace that created them."""
        first = concrete.starts_with
        assert first is not None
        concrete.starts_with = None
        initialized = gen_ops.var_is_initialized_op(concrete.created_variables[0].handle)
        for variable in concrete.created_variables[1:]:
            initialized = gen_ops.logical_and(initialized, gen_ops.var_is_initialized_op(variable.handle))
        return cond(
            initialized,
            lambda: concrete.call_in_graph(tensors),
            lambda: first.call_in_graph(tensors),
            strict=True,
        )

    def _traced(self, args: Any, kwargs: Any, creator: Any, shapes: list[Any] | None = None) -> ConcreteFunction:
        target = self._target
        return trace(target.to_trace(), target.name, self._signature.name_of, args, kwargs, creator, shapes)

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
        creator = Creator(not self._has_variables, self._creates_once)
        concrete = self._traced(args, kwargs, creator, shapes)
        was_called, self._called = self._called, True
        if creator.made and self._creates_once:
            self._has_variables = True
            if was_called:
                raise ValueError(LATE)
            _note_initialization()
            # Trace again: the lasting trace finds its variables.
            first, concrete = concrete, self._traced(args, kwargs, Creator(False, True), shapes)
            if creator.waiting:
                concrete.starts_with = first
                first.unliftable = creator.unliftable
        concrete.created_variables = creator.made
        return concrete

    def _warn_of_traces(self) -> None:
        self._count += 1
        if self._count == _WARN_TRACES and self._creates_once:
            log.logger().warning(
                "Calls of %s have traced it %d times. Tracing is expensive: pass tensors instead of Python numbers, give an "
                "input_signature, or experimental_relax_shapes=True for tensors of many shapes.",
                self._target.name,
                self._count,
            )


def _note_initialization() -> None:
    """Adds the call that TensorFlow adds to a graph when a function has made its variables there: of a function without
    operations, as the graph's initializers do the work."""
    with init_scope():
        if not executing_eagerly():
            empty = trace(lambda: None, "initialize_variables", str, (), {}, Creator(True, False))
            empty.call_in_graph(())


def _nested_traces(graph: Any) -> dict[Any, ConcreteFunction]:
    """Returns the traces that belong to one graph because they may capture its tensors, by `FunctionTraces` and cache
    key."""
    traces: dict[Any, ConcreteFunction] = graph._functions.traces
    return traces


def _nested_trace(graph: Any, key: Any) -> ConcreteFunction | None:
    """Finds a trace in the `_nested_traces` of a graph or one around it; None if there is none."""
    while graph is not None:
        if key in _nested_traces(graph):
            return _nested_traces(graph)[key]
        graph = graph_around(graph) if graph.building_function else None
    return None
