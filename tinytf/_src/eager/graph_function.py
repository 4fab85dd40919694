"""`GraphFunction`: a function between tensors of a graph, run as one plan, and its derivatives."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf._gen import gen_ops
from tinytf._src.eager import calls
from tinytf._src.eager.call_gradient import CallGradients
from tinytf._src.eager.control_order import depends_on_state, has_side_effects
from tinytf._src.eager.func_graph import FuncGraph
from tinytf._src.eager.recording import active_recordings
from tinytf._src.framework.apply.apply_op import check_eager
from tinytf._src.framework.apply.random_seed import sequences
from tinytf._src.framework.composites.indexed_slices import IndexedSlices
from tinytf._src.framework.errors import error_interpolation, errors_impl
from tinytf._src.framework.errors.error_traceback import without_own_frames
from tinytf._src.framework.graph import eager_library
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes
from tinytf._src.gradients.gradients_impl import gradients
from tinytf._src.gradients.trainable import is_trainable
from tinytf._src.session.local_engine import CoreEngine

if TYPE_CHECKING:
    from tinytf._src.framework.declarations.op_spec import OpSpec
    from tinytf._src.framework.graph.graph import Graph


class GraphSession:
    """A function's graph and the engine that runs it. Shared by all functions of the graph, which own it."""

    __slots__ = ("__weakref__", "engine", "functions", "graph", "lock")

    def __init__(self, graph: FuncGraph) -> None:
        self.graph = graph
        self.engine = CoreEngine(graph, runs_function=True)
        self.lock = threading.RLock()  # guards additions to the graph
        self.functions: weakref.WeakSet[GraphFunction] = weakref.WeakSet()
        if any(op._spec.is_random for op in graph._nodes.ops):
            sequences.add(self)

    def begin_anew(self) -> None:
        """Restarts the random sequences of the functions' operations."""
        with self.lock:
            self.engine = CoreEngine(self.graph, runs_function=True)
            for function in self.functions:
                function.prepare_calls()

    def prepare(self, feeds: list[Tensor], fetches: list[Tensor], targets: list[Operation]) -> Any:
        return self.engine.prepare(feeds, [self.graph.original(t) for t in fetches], targets, None)

    def explained(self, error: errors_impl.OpError) -> Exception:
        """Returns the error with the creation lines of the nodes."""
        if error.op is not None:
            return error
        return error_interpolation.make_op_error(self.graph, error.error_code, error.message, ())


class GraphFunction:
    """`outputs` of a graph as a function of `inputs`.

    `given` are intermediate tensors that another function of the graph has computed; calls pass their values after the
    inputs.
    """

    def __init__(
        self,
        name: str,
        session: GraphSession,
        inputs: list[Tensor],
        given: list[Tensor],
        outputs: list[Tensor],
        targets: list[Operation],
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.given = given
        self.outputs = outputs
        self.derivation: Any = None  # its gradient, once derived; used where only the function's name is known
        self._session = session
        self._targets = targets
        self._recorded: Recorded | None = None
        self._recorded_anew: Recorded | None = None
        self.prepare_calls()
        session.functions.add(self)

    def prepare_calls(self) -> None:
        """Prepares calls on the current engine."""
        self._plain: Any = None if self.is_planned_late else self.prepare(self.outputs)
        for recorded in (self._recorded, self._recorded_anew):
            if recorded is not None:
                recorded.prepare()

    def prepare(self, fetches: list[Tensor]) -> Any:
        """Returns a prepared call that fetches some tensors of the graph."""
        return self._session.prepare([*self.inputs, *self.given], fetches, self._targets)

    @functools.cached_property
    def is_planned_late(self) -> bool:
        """Whether planning calls Python functions of the program, which must not happen before the first call."""
        called = self.graph._functions.values()
        return any(_calls_pure_function(op._spec) for op in self.graph._nodes.ops) or any(
            isinstance(function, GraphFunction) and function.is_planned_late for function in called
        )

    def sibling(
        self,
        name: str,
        inputs: list[Tensor],
        given: list[Tensor],
        outputs: list[Tensor],
        targets: list[Operation],
    ) -> GraphFunction:
        """Returns another function of the same graph, with the same way of being called."""
        return type(self)(name, self._session, inputs, given, outputs, targets)

    @property
    def graph(self) -> FuncGraph:
        """The graph of inputs and outputs."""
        return self._session.graph

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Guards additions to the graph."""
        return self._session.lock

    @property
    def targets(self) -> list[Operation]:
        """The operations that run even if their outputs are not needed."""
        return self._targets

    @functools.cached_property
    def is_stateful(self) -> bool:
        """Whether TensorFlow uses a stateful call operation: the graph has a stateful operation, needed or not."""
        given = {t.op for t in (*self.inputs, *self.given)}
        return any(op._is_stateful and op not in given for op in self.graph._nodes.ops)

    @functools.cached_property
    def is_impure(self) -> bool:
        """Whether it does more than compute outputs from its inputs: it has side effects or reads state."""
        inside = ancestors([*self.outputs], {t._key for t in (*self.inputs, *self.given)})
        return bool(self._targets) or any(map(depends_on_state, inside))

    @functools.cached_property
    def has_side_effects(self) -> bool:
        """Whether it has side effects outside of resources."""
        return any(map(has_side_effects, self._targets))

    def entered(self, graph: Graph) -> str:
        """Adds the function to the graph's library if needed, and returns the name by which nodes call it."""
        return self.entry.enter(graph)

    @functools.cached_property
    def entry(self) -> Entry:
        """The function as an entry of libraries."""
        return Entry(self, self.library_name(), self.outputs)

    def library_name(self) -> str:
        """Returns a new unique library name."""
        return calls.library_name(self.name)

    @functools.cached_property
    def _call_gradients(self) -> CallGradients:
        return CallGradients(self)

    def gradient_of_call(self, op: Operation, output_gradients: tuple[Any, ...]) -> list[Any]:
        """Returns the gradients of the inputs of an operation that calls the function."""
        return self._call_gradients.of(op, output_gradients)

    def input_that_is_yielded(self, place: int) -> int | None:
        """Returns the index of the input that output number `place` of calls forwards, or None. Calls may have more
        outputs than the function, for gradients."""
        return self._call_gradients.input_that_is_yielded(place)

    def yielding(self, outputs: Sequence[Tensor]) -> Entry:
        """Returns a library entry of the function that yields these tensors of the graph."""
        return Entry(self, calls.library_name(self.name, "forward"), outputs)

    def called_by_nodes(self, graph: FuncGraph, inputs: list[Tensor], targets: list[Operation]) -> GraphFunction:
        """Returns the function of another graph, with that graph's outputs."""
        return NodeFunction(graph.name, GraphSession(graph), inputs, [], graph.outputs, targets)

    def recorded(self) -> Recorded:
        """Returns the derivative, which is made if there is none yet."""
        with self._session.lock:
            if self._recorded is None:
                self._recorded = Recorded(self)
        return self._recorded

    def recorded_anew(self) -> Recorded:
        """Returns the derivative that differentiates through `given`, too, by computing them anew: for when no tape has
        recorded their computation."""
        with self._session.lock:
            if self._recorded_anew is None:
                self._recorded_anew = Recorded(self, anew=True)
        return self._recorded_anew

    def call(
        self, inputs: tuple[Any, ...], more: tuple[Any, ...], given: tuple[Any, ...] = (), anew: bool = False
    ) -> list[Any]:
        """Runs the function and returns the outputs' values. `more` are the last inputs. Tapes record the call as one
        operation; `anew`: see `recorded_anew`."""
        if not _core.any_tape():
            try:
                plain = self._plain
                if plain is None:
                    plain = self._plain = self.prepare(self.outputs)
                return _core.call_function(plain, inputs, more + given if given else more)
            except errors_impl.OpError as e:
                error = e
            except TypeError:
                check_eager(inputs + more + given)
                raise
            raise without_own_frames(self._session.explained(error)) from None
        return self._call_recorded(inputs + more, given, anew)

    def _call_recorded(self, inputs: tuple[Any, ...], given: tuple[Any, ...], anew: bool) -> list[Any]:
        recordings = active_recordings()
        first = self._recorded_anew if anew else self._recorded
        levels = [first or (self.recorded_anew() if anew else self.recorded())]
        for _ in recordings[1:]:  # each outer tape may differentiate the inner one's derivative
            if levels[-1].more:
                levels.append(levels[-1].longer().recorded())
        last = levels[-1]
        paused = _core.pause_tapes()
        try:
            values = _core.call_function(last.forward, inputs, given)
        except errors_impl.OpError as e:
            raise without_own_frames(self._session.explained(e)) from None
        except TypeError:
            check_eager(inputs + given)
            raise
        finally:
            _core.resume_tapes(paused)
        if last.derivative is not None:
            way_back = WayBack(levels, inputs, given, values, any(recording.is_kept for recording in recordings))
            _core.record_function(self.name, inputs + given, way_back.trainable, way_back)
        return values[: len(self.outputs)]


def _calls_pure_function(spec: OpSpec) -> bool:
    return spec.may_block and not spec.is_stateful and not spec.runs_functions


class NodeFunction(GraphFunction):
    """A function that is called by nodes only: no step is prepared for it."""

    def prepare(self, fetches: list[Tensor]) -> Any:
        """Returns None, as it is never run by itself."""
        return None


class Entry:
    """A function as an entry of graph libraries: a name and the tensors that it yields."""

    def __init__(self, function: GraphFunction, name: str, outputs: Sequence[Tensor]) -> None:
        self._function = function
        self.name = name
        self._outputs = [t._key for t in outputs]
        eager_library.known[name] = self

    def enter(self, graph: Graph) -> str:
        """Adds it, and the functions that it may call, to the graph's library; returns its name."""
        function = self._function
        if self.name not in graph._functions:
            inputs = [t._key for t in (*function.inputs, *function.given)]
            targets = [op._id for op in function._targets]
            graph._core.add_function(self.name, function.graph._core, inputs, self._outputs, targets)
            graph._functions[self.name] = function
        return self.name


class Recorded:
    """A function's derivative, and a plan that also yields the intermediates that the derivative takes.

    The derivative is with respect to inputs and `given`; with `anew`, with respect to the inputs only, also through
    `given`.
    """

    def __init__(self, function: GraphFunction, anew: bool = False) -> None:
        graph = function.graph
        outputs = function.outputs
        self.trainable = [i for i, y in enumerate(outputs) if is_trainable(y) and y.dtype != dtypes.resource]
        self.derivative: GraphFunction | None = None
        # for each input and `given`: number of tensors of its gradient: 0, 1, or 2 to 3 of IndexedSlices
        self.gradient_parts: list[int] = []
        saved: list[Tensor] = []
        if self.trainable:
            before = graph.version
            ys = [outputs[i] for i in self.trainable]
            with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
                seeds = [gen_ops.placeholder(y.dtype, shape=y.shape, name="output_gradient") for y in ys]
                if anew:
                    found = gradients(ys, list(function.inputs), seeds) + [None] * len(function.given)
                else:
                    found = gradients(ys, [*function.inputs, *function.given], seeds, stop_gradients=function.given)
            flat = self._flattened(found)
            if flat:
                saved = _saved(before, flat, function, ys)
                with graph.as_default(), graph.control_dependencies(None), graph.name_scope(None):
                    flat = [graph.returned(tensor) for tensor in flat]
                self.derivative = function.sibling(
                    calls.numbered(f"__backward_{function.name}"),
                    [*function.inputs, *seeds],
                    [*function.given, *saved],
                    flat,
                    [],
                )
        self.saved = saved
        have = {graph.original(y)._key: i for i, y in reversed([*enumerate(outputs)])}
        have |= {y._key: i for i, y in reversed([*enumerate(outputs)])}
        self.more = [tensor for tensor in saved if tensor._key not in have]  # saved intermediates that are not outputs
        have |= {tensor._key: len(outputs) + i for i, tensor in enumerate(self.more)}
        self.places = [have[tensor._key] for tensor in saved]  # indices among outputs and `more`
        self._fetches = [*outputs, *self.more]
        self._longer: GraphFunction | None = None
        self._function = function
        self.prepare()

    @property
    def count(self) -> int:
        """The number of outputs of the function."""
        return len(self._function.outputs)

    def longer(self) -> GraphFunction:
        """Returns the function that also yields the saved intermediates, for derivatives of the derivative."""
        function = self._function
        with function._session.lock:
            if self._longer is None:
                self._longer = function.sibling(
                    function.name, function.inputs, function.given, self._fetches, function._targets
                )
        return self._longer

    def prepare(self) -> None:
        """Prepares calls on the function's current session."""
        self.forward = self._function.prepare(self._fetches)

    def _flattened(self, found: list[Any]) -> list[Tensor]:
        flat: list[Tensor] = []
        for gradient in found:
            before = len(flat)
            if isinstance(gradient, IndexedSlices):
                flat += [gradient.values, gradient.indices]
                if gradient.dense_shape is not None:
                    flat.append(gradient.dense_shape)
            elif gradient is not None:
                flat.append(gradient)
            self.gradient_parts.append(len(flat) - before)
        return flat

    def assembled(self, flat: list[Any]) -> list[Any]:
        """Assembles the gradients of the inputs and of `given` from the derivative's outputs."""
        rest = iter(flat)
        return [_assembled([next(rest) for _ in range(count)]) for count in self.gradient_parts]


class WayBack:
    """The backward function that a tape calls with the gradients of a recorded call's trainable outputs.

    `levels[0]` belongs to the function, `levels[1]` to its extension that also yields the saved intermediates, and so
    on. `trainable` are the outputs of the last level: gradients of intermediates come from derivatives of derivatives
    only.
    """

    __slots__ = ("trainable", "_given", "_inputs", "_levels", "_may_be_anew", "_values")

    takes_missing = True  # None for a missing gradient, from which `_level` is inferred

    def __init__(
        self,
        levels: list[Recorded],
        inputs: tuple[Any, ...],
        given: tuple[Any, ...],
        values: list[Any],
        may_be_anew: bool,
    ) -> None:
        self._levels = levels
        self._inputs = inputs
        self._given = given
        self._values = values
        self._may_be_anew = may_be_anew
        self.trainable = tuple(values[i] for i in levels[-1].trainable)

    def __call__(self, *gradients_of_outputs: Any) -> list[Any]:
        """Returns the gradients of inputs and of `given`."""
        values, last = self._values, self._levels[-1]
        level = last if len(self._levels) == 1 else self._level(gradients_of_outputs)
        # Outputs of each level are a prefix of the last level's.
        dense = tuple([_seed(g, values[i]) for g, i in zip(gradients_of_outputs, level.trainable)])
        saved = tuple([values[i] for i in level.places])
        anew = self._may_be_anew and level is last
        derivative: Any = level.derivative
        return level.assembled(derivative.call(self._inputs, dense, self._given + saved, anew))

    def _level(self, gradients_of_outputs: tuple[Any, ...]) -> Recorded:
        """Returns the first level whose outputs include all that have gradients."""
        places = self._levels[-1].trainable
        end = max((i + 1 for i, g in zip(places, gradients_of_outputs) if g is not None), default=0)
        return next(level for level in self._levels if end <= level.count and level.derivative is not None)


def _seed(gradient: Any, output: Any) -> Any:
    if gradient is None:
        return gen_ops.zeros_like(output)
    return gradient if isinstance(gradient, Tensor) else _dense(gradient)


def _dense(gradient: Any) -> Any:
    from tinytf._src.framework.tensors.conversion import convert_to_tensor

    return convert_to_tensor(gradient)


def _assembled(parts: list[Any]) -> Any:
    if len(parts) > 1:
        return IndexedSlices(*parts)
    return parts[0] if parts else None


def _saved(before: int, flat: list[Tensor], function: GraphFunction, ys: list[Tensor]) -> list[Tensor]:
    """Returns the tensors that the backward operations that make `flat` (ids above `before`) take from forward
    operations. Also outputs of stateful operations that `ys` depend on, as these cannot be computed again."""
    have = {t._key for t in (*function.inputs, *function.given)}
    saved: dict[int, Tensor] = {}

    def save(tensor: Tensor) -> None:
        if tensor._key not in have and not tensor.op._spec.is_constant:
            saved[tensor._key] = tensor

    for op in ancestors(flat, have):
        if op._id <= before:
            continue
        inputs = op.inputs
        # Only the shape of the input is used: save the shape, not the tensor.
        if op._spec.is_shape_only and len(inputs) == 1 and inputs[0].op._id <= before:
            if all(waits._id <= before for waits in op.control_inputs):  # else it cannot run in the forward function
                save(op.outputs[0])
                continue
        for tensor in inputs:
            if tensor.op._id <= before:
                save(tensor)
    for tensor in flat:
        if tensor.op._id <= before:
            save(tensor)
    for op in ancestors(ys, have):
        if op._is_stateful:
            for tensor in op.outputs:
                save(tensor)
    return list(saved.values())


def ancestors(tensors: list[Tensor], stop: set[int]) -> list[Operation]:
    """Returns the operations on which the tensors depend, without going beyond tensors with keys in `stop`."""
    seen: dict[Operation, None] = {}
    pending = [t.op for t in tensors if t._key not in stop]
    while pending:
        op = pending.pop()
        if op not in seen:
            seen[op] = None
            pending.extend(t.op for t in op.inputs if t._key not in stop)
    return list(seen)
