"""`Graph`, the default-graph stack and the functions that work on the default graph."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf.framework import device as device_lib
from tinytf.framework import errors_impl
from tinytf.framework.context_stack import DefaultStack
from tinytf.framework.op_spec import OpSpec, op_spec
from tinytf.framework.operation import Operation, _line_of, creation_site
from tinytf.framework.tensor import Tensor

if TYPE_CHECKING:
    from tinytf.framework.graph_growth import Growth, GrowthReport

_VALID_OP_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\-/]*\Z")
_VALID_SCOPE_NAME = re.compile(r"[A-Za-z0-9_.\-/]*\Z")

# The version of the GraphDef format that TensorFlow 1.15 writes.
GRAPH_DEF_VERSION = 134

_default_graphs = DefaultStack()
_default_sessions = DefaultStack()


class _GlobalGraph(threading.local):
    """The graph at the bottom of each thread's stack, made when first needed."""

    graph: Graph | None = None


_global_graph = _GlobalGraph()


class _ControlDependencies:
    """One `control_dependencies` scope. A context manager, for one use at a time."""

    def __init__(self, graph: Graph, control_inputs: list[Operation] | None) -> None:
        self._graph = graph
        self._clears = control_inputs is None
        self.control_inputs = control_inputs or []
        self._seen: set[int] = set()
        self._old_stack: list[_ControlDependencies] = []
        self._old_context: Any = None

    def __enter__(self) -> None:
        graph = self._graph
        self._old_stack = graph._control_dependencies_stack
        if self._clears:
            graph._control_dependencies_stack = []
            self._old_context = graph._control_flow_context
            graph._control_flow_context = None
        else:
            graph._control_dependencies_stack = [*self._old_stack, self]

    def __exit__(self, *exc: Any) -> None:
        self._graph._control_dependencies_stack = self._old_stack
        if self._clears:
            self._graph._control_flow_context = self._old_context

    def add_op(self, op: Operation) -> None:
        self._seen.add(op._id)

    def op_in_group(self, op: Operation) -> bool:
        return op._id in self._seen


class Graph:
    """Operations and the tensors between them. Grows only; a `Session` runs parts of it.

    Building is for one thread at a time; sessions may run the graph on other threads meanwhile.
    """

    def __init__(self) -> None:
        self._core = _core.Graph()
        self._ops: list[Operation] = []
        self._name_stack = ""
        self._finalized = False
        self._seed: int | None = None
        self._collections: dict[Any, list[Any]] = {}
        self._control_dependencies_stack: list[_ControlDependencies] = []
        self._control_flow_context: Any = None
        self._device_stack: list[Any] = []
        self._colocation_stack: list[Operation] = []
        self._colocation_sites: dict[str, Any] = {}
        self._attr_scopes: dict[str, Any] = {}
        self._gradient_overrides: dict[str, str] = {}
        self._container = ""
        self._consumers: dict[int, list[Operation]] | None = None
        self._consumers_seen = 0
        self._unfeedable: set[int] = set()
        self._unfetchable: set[int] = set()
        self._mutations: list[tuple[Operation, str]] = []
        self._py_funcs_used_in_graph: list[Callable[..., Any]] = []  # that nodes call
        self._run_watermark = 0  # ids up to this one have been seen by a session
        self._generation = 0  # grows with every change that a session must see before it runs
        self._growth: Growth | None = None  # since the first run
        self._lock = threading.RLock()
        self._graph_def_versions = (
            GRAPH_DEF_VERSION,
            0,
        )  # producer and least consumer; imported graphs may narrow them

    def __repr__(self) -> str:
        ops = len(self._ops)
        return f"<tf.Graph of {ops} operation{'' if ops == 1 else 's'} at {id(self):#x}>"

    # -- Growing -----------------------------------------------------------------------------------------------------

    def create_op(
        self,
        op_type: str,
        inputs: Any,
        dtypes: Any = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: Any = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Adds an operation and returns it.

        `attrs` values: numbers, strings, DTypes, shapes, arrays, or `AttrValue` messages. `dtypes`, `input_types`,
        `op_def` and the flags are accepted for TensorFlow's sake: the declaration of the op decides. A list input is
        given as its elements in a row. ValueError if inputs or attrs do not fit the declaration.
        """
        for item in inputs:
            if not isinstance(item, Tensor):
                raise TypeError(f"Input #{len(list(inputs))} is not a tensor: {item}")
        if name is None:
            name = op_type
        name = name[:-1] if name and name[-1] == "/" else self.unique_name(name)
        if attrs:
            from tinytf.framework.attr_values import plain_attrs

            attrs = plain_attrs(op_spec(op_type), attrs)
        return self._create(op_spec(op_type), name, list(inputs), None, attrs)

    def _create(
        self, spec: OpSpec, name: str, inputs: Sequence[Tensor], groups: list[int] | None, attrs: dict[str, Any] | None
    ) -> Operation:
        """Adds a node with a final name; attrs as the core takes them."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        if not _VALID_OP_NAME.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        keys = []
        for tensor in inputs:
            if tensor._op._graph is not self:
                self._assert_same_graph(tensor)
            keys.append(tensor._key)
        if self._attr_scopes or self._gradient_overrides or (self._container and spec.has_container):
            attrs = self._scoped_attrs(spec, attrs)
        controls = None
        if self._control_dependencies_stack:
            controls = [op._id for op in self._control_dependencies_for_inputs(t._op for t in inputs)]
        try:
            id, types = self._core.add_node(spec.name, name, keys, groups, controls, attrs, "")
        except errors_impl.InvalidArgumentError as e:
            raise ValueError(e.message) from None
        op = Operation(self, id, name, spec, types, creation_site(3))
        self._ops.append(op)
        self._generation += 1
        if self._control_dependencies_stack:
            for controller in self._control_dependencies_stack:
                controller.add_op(op)
        if self._control_flow_context is not None:
            op._control_flow_context = self._control_flow_context
            self._control_flow_context.AddOp(op)
        if self._device_stack or self._colocation_stack:
            self._place(op)
        return op

    def _scoped_attrs(self, spec: OpSpec, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The given attrs with what open scopes add."""
        merged = dict(attrs or {})
        for key, value in self._attr_scopes.items():
            if key not in merged:
                scoped = value(self._fake_node_def(spec, merged)) if callable(value) else value
                if scoped is not None:
                    from tinytf.framework.attr_values import plain_attr

                    merged[key] = plain_attr(spec.attr_by_name.get(key), scoped)
        override = self._gradient_overrides.get(spec.name)
        if override is not None and "_gradient_op_type" not in merged:
            merged["_gradient_op_type"] = override
        if self._container and spec.has_container and not merged.get("container"):
            merged["container"] = self._container
        return merged

    def _fake_node_def(self, spec: OpSpec, attrs: dict[str, Any]) -> Any:
        from tinytf.interop import protos

        return protos.NodeDef(name="", op=spec.name)

    def _place(self, op: Operation) -> None:
        """Gives a new operation the device and colocation group of the open scopes."""
        if self._device_stack:
            op._device_assignments = list(self._device_stack)
            device = ""
            for scope in reversed(self._device_stack):
                if scope.function is None:
                    break
                device = scope.apply(op, device)
            self._core.set_device(op._id, device)
        if self._colocation_stack:
            groups: set[bytes] = set()
            for other in self._colocation_stack:
                groups.update(other.colocation_groups())
            device = self._colocated_device()
            if device:
                self._core.set_device(op._id, device)
            op._colocation_dict = dict(self._colocation_sites)
            self._core.set_attr(op._id, "_class", sorted(groups))

    def _colocated_device(self) -> str:
        """The device that colocation asks for: of the innermost operation that has one."""
        return next((other.device for other in reversed(self._colocation_stack) if other.device), "")

    def _control_dependencies_for_inputs(self, input_ops: Any) -> list[Operation]:
        inputs = set(input_ops)
        needed: dict[Operation, None] = {}
        for controller in self._control_dependencies_stack:
            # An input that was made inside the scope already waits for its control inputs.
            if not any(controller.op_in_group(op) for op in inputs):
                needed.update((c, None) for c in controller.control_inputs if c not in inputs)
        return list(needed)

    def _note_mutation(self, op: Operation, what: str) -> None:
        """Remembers a change of a node that a session has run: it comes too late for that session."""
        if op._id <= self._run_watermark:
            self._mutations.append((op, what))
            self._generation += 1

    # -- Names -------------------------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` under the current name scope, with `_1`, `_2`, … if it is taken. Upper and lower case are one."""
        if self._name_stack:
            name = f"{self._name_stack}/{name}"
        return self._core.unique_name(name, mark_as_used)

    def get_name_scope(self) -> str:
        """The current name scope, without a slash at its end."""
        return self._name_stack

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """A scope that prefixes the names of operations made in it; yields the scope with a slash at its end.

        None or '' leaves all scopes; a name that ends in `/` is entered as it is. ValueError for a bad name.
        """
        return _NameScope(self, self._enter_name(name))

    def _enter_name(self, name: str | None) -> str:
        """Checks and uniquifies a scope's name; without a slash at its end."""
        if not name:
            return ""
        if name[-1] == "/":
            if not _VALID_SCOPE_NAME.match(name):
                raise ValueError(f"'{name}' is not a valid scope name")
            return name[:-1]
        if not (_VALID_SCOPE_NAME if self._name_stack else _VALID_OP_NAME).match(name):
            raise ValueError(f"'{name}' is not a valid scope name")
        return self.unique_name(name)

    # -- Looking things up -------------------------------------------------------------------------------------------

    def get_operations(self) -> list[Operation]:
        """All operations in creation order."""
        return list(self._ops)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of that name. TypeError for other than str, KeyError if there is none."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor "op:index". TypeError for other than str, KeyError if there is none."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The Tensor or Operation of this graph that `obj` is, stands for, or names.

        TypeError if it is nothing of that kind, KeyError for an unknown name, ValueError for a malformed name or for an
        element of another graph.
        """
        from tinytf.framework.graph_element import as_graph_element

        return as_graph_element(self, obj, allow_tensor, allow_operation)

    def _op_by_id(self, id: int) -> Operation:
        return self._ops[id - 1]

    def _tensor_of_key(self, key: int) -> Tensor:
        return self._ops[(key >> 32) - 1]._outputs[key & 0xFFFFFFFF]

    def _find_op(self, name: str) -> Operation | None:
        id = self._core.find(name)
        return self._ops[id - 1] if id else None

    def _consumers_of(self, key: int) -> list[Operation]:
        with self._lock:
            if self._consumers is None:
                self._consumers, self._consumers_seen = {}, 0
            for op in self._ops[self._consumers_seen :]:
                for source in dict.fromkeys(self._core.input_keys(op._id)):
                    self._consumers.setdefault(source, []).append(op)
            self._consumers_seen = len(self._ops)
            return list(self._consumers.get(key, ()))

    def _assert_same_graph(self, tensor: Tensor) -> None:
        if tensor.graph is not self:
            raise ValueError(f"{tensor} must be from the same graph as {self._ops[0] if self._ops else self!r}.")

    # -- State -------------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The largest op id; 0 when empty."""
        return len(self._ops)

    @property
    def _last_id(self) -> int:
        return len(self._ops)

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def finalized(self) -> bool:
        """Whether the graph may no longer grow."""
        return self._finalized

    def finalize(self) -> None:
        """Forbids further changes: adding an operation then raises RuntimeError."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    @property
    def building_function(self) -> bool:
        """False: this is no function's body."""
        return False

    @property
    def graph_def_versions(self) -> Any:
        """The `VersionDef` of the graph's GraphDef."""
        from tinytf.interop import protos

        producer, min_consumer = self._graph_def_versions
        return protos.VersionDef(producer=producer, min_consumer=min_consumer)

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a `GraphDef` message: the operations with ids above `from_version`, or all."""
        from tinytf.framework import graph_def

        return graph_def.graph_def(self, from_version, add_shapes)

    def growth_report(self) -> GrowthReport:
        """What the graph gained since a session first ran it, by the line of the program that added it.

        Nodes that are added inside a loop stay: the report shows where, and how many in how many runs.
        """
        from tinytf.framework import graph_growth

        return graph_growth.growth_report(self)

    def _repr_html_(self) -> str:
        """What notebooks show: the operations by name scope."""
        from tinytf.framework import graph_html

        return graph_html.graph_html(self)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether a run may replace the tensor's value."""
        return tensor._key not in self._unfeedable

    def is_fetchable(self, element: Any) -> bool:
        """Whether a run may ask for the tensor or operation."""
        op = element._op if isinstance(element, Tensor) else element
        return op._id not in self._unfetchable

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Makes `is_feedable(tensor)` False."""
        self._unfeedable.add(tensor._key)

    def prevent_fetching(self, op: Operation) -> None:
        """Makes `is_fetchable` False for the operation and its outputs."""
        self._unfetchable.add(op._id)

    # -- Collections -------------------------------------------------------------------------------------------------

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends a value to a collection. RuntimeError if the graph is finalized."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends a value to each of the collections once."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The collection itself: changes to the list change it."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """The values of a collection; with `scope`, those whose `name` matches it as a regular expression."""
        values = self._collections.get(name, [])
        if scope is None:
            return list(values)
        pattern = re.compile(scope)
        return [v for v in values if hasattr(v, "name") and pattern.match(v.name)]

    def get_all_collection_keys(self) -> list[Any]:
        """Names of the collections."""
        return [key for key in self._collections if isinstance(key, str)]

    @property
    def collections(self) -> list[Any]:
        """Names of all collections."""
        return list(self._collections)

    def clear_collection(self, name: Any) -> None:
        """Empties a collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # -- Scopes ------------------------------------------------------------------------------------------------------

    def as_default(self) -> AbstractContextManager[Graph]:
        """A context manager that makes this the default graph of the calling thread."""
        return _default_graphs.entered(self)

    def control_dependencies(self, control_inputs: Any) -> _ControlDependencies:
        """Operations made in the scope run after `control_inputs` (operations or tensors). None clears the enclosing
        dependencies. TypeError for other things."""
        if control_inputs is None:
            return _ControlDependencies(self, None)
        ops = []
        for c in control_inputs:
            # An IndexedSlices stands for its values, a variable for its handle or reference.
            c = getattr(c, "values", c) if hasattr(c, "indices") and hasattr(c, "values") else c
            try:
                element = self.as_graph_element(c)
            except TypeError:
                raise TypeError(f"Control input must be Operation or Tensor: {c}") from None
            ops.append(element._op if isinstance(element, Tensor) else element)
        return _ControlDependencies(self, ops)

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Operations made in the scope ask for this device: a name, a DeviceSpec, a function of the operation, or None
        to ignore enclosing scopes. ValueError for a bad name."""
        scope = _DeviceScope(device_name_or_function)
        return self._entered_device(scope)

    @contextmanager
    def _entered_device(self, scope: _DeviceScope) -> Iterator[None]:
        self._device_stack.append(scope)
        try:
            yield
        finally:
            if not self._device_stack or self._device_stack[-1] is not scope:
                raise RuntimeError("Exiting device scope without proper scope nesting.")
            self._device_stack.pop()

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Operations made in the scope go where `op` goes; enclosing device scopes do not count inside."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        target = None if op is None else _colocation_target(op)
        saved_devices, self._device_stack = self._device_stack, []
        saved_colocation = self._colocation_stack
        saved_sites = self._colocation_sites
        self._colocation_stack = [] if ignore_existing else list(saved_colocation)
        self._colocation_sites = {} if ignore_existing else dict(saved_sites)
        if target is not None:
            self._colocation_stack.append(target)
            self._colocation_sites[target.name] = _Site(sys._getframe(2))
        try:
            yield
        finally:
            self._device_stack = saved_devices
            self._colocation_stack = saved_colocation
            self._colocation_sites = saved_sites

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Stateful operations made in the scope keep their state in this container."""
        saved, self._container = self._container, container_name
        try:
            yield container_name
        finally:
            self._container = saved

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Operations of these types made in the scope use the gradients registered under the given names."""
        if not isinstance(op_type_map, dict) or not all(
            isinstance(k, str) and isinstance(v, str) for k, v in op_type_map.items()
        ):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        saved = self._gradient_overrides
        self._gradient_overrides = {**saved, **op_type_map}
        try:
            yield
        finally:
            self._gradient_overrides = saved

    @contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Operations made in the scope get these attrs, unless they set them; None removes an enclosing one."""
        if not isinstance(attr_map, dict):
            raise TypeError("attr_map must be a dictionary mapping strings to Callable objects")
        saved = self._attr_scopes
        self._attr_scopes = {k: v for k, v in {**saved, **attr_map}.items() if v is not None}
        try:
            yield
        finally:
            self._attr_scopes = saved

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    # -- Running -----------------------------------------------------------------------------------------------------

    def _eval_session(self, session: Any, tensor: bool) -> Any:
        """The session for Tensor.eval or Operation.run; ValueError with TensorFlow's texts if there is none."""
        what = "tensor" if tensor else "operation"
        verb = "evaluate" if tensor else "execute"
        call = "eval" if tensor else "run"
        if session is None:
            session = _default_sessions.get()
            if session is None:
                raise ValueError(
                    f"Cannot {verb} {what} using `{call}()`: No default session is registered. Use `with "
                    f"sess.as_default(){'' if tensor else ':'}` or pass an explicit session to `{call}(session=sess)`"
                )
            if session.graph is not self:
                passed = "`eval(session=sess)`" if tensor else "run(session=sess)"
                raise ValueError(
                    f"Cannot use the default session to {verb} {what}: the {what}'s graph is different from the "
                    f"session's graph. Pass an explicit session to {passed}."
                )
        elif session.graph is not self:
            raise ValueError(
                f"Cannot use the given session to {verb} {what}: the {what}'s graph is different from the session's "
                "graph."
            )
        return session


class _NameScope:
    """An entered-once-at-a-time name scope of one graph."""

    __slots__ = ("_graph", "_name", "_saved")

    def __init__(self, graph: Graph, name: str) -> None:
        self._graph = graph
        self._name = name
        self._saved = ""

    def __enter__(self) -> str:
        graph = self._graph
        self._saved = graph._name_stack
        graph._name_stack = self._name
        return self._name + "/" if self._name else ""

    def __exit__(self, *exc: Any) -> None:
        self._graph._name_stack = self._saved


class _Site:
    """A place in a program, for messages: its file and line are looked up only when somebody asks."""

    __slots__ = ("_code", "_instruction")

    def __init__(self, frame: FrameType | None) -> None:
        self._code = None if frame is None else frame.f_code
        self._instruction = 0 if frame is None else frame.f_lasti

    @property
    def filename(self) -> str:
        return "" if self._code is None else self._code.co_filename

    @property
    def lineno(self) -> int:
        return 0 if self._code is None else _line_of(self._code, self._instruction)


class _DeviceScope:
    """One `device` scope: what was asked for, as a function of the device that inner scopes chose."""

    __slots__ = ("_request", "function", "_replaces", "_site")

    def __init__(self, request: Any) -> None:
        self._request = request
        self._replaces = callable(request) and not isinstance(request, device_lib.MergeDevice)
        self.function: Callable[..., Any] | None = None
        if request is not None:
            self.function = request if self._replaces else device_lib.merge_device(request)
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and frame.f_globals.get("__name__", "").startswith(("tinytf.framework.", "contextlib")):
            frame = frame.f_back
        self._site = _Site(frame)

    @property
    def obj(self) -> str:
        """What was asked for, in words: a name, or a function and where it is defined."""
        if not self._replaces:
            spec = isinstance(self._request, device_lib.DeviceSpec)
            return self._request.to_string() if spec else str(self._request)
        code = getattr(self._request, "__code__", None)
        name = getattr(self._request, "__name__", None) or str(type(self._request))
        return f"{name}<{code.co_filename}, {code.co_firstlineno}>" if code else f"{name}<unknown, -1>"

    @property
    def filename(self) -> str:
        return self._site.filename

    @property
    def lineno(self) -> int:
        return self._site.lineno

    def apply(self, op: Operation, device: str) -> str:
        if not self._replaces:
            assert isinstance(self.function, device_lib.MergeDevice)
            return device if self.function.is_null_merge else self.function.merge_name(device)
        assert self.function is not None
        op._graph._core.set_device(op._id, device)
        chosen = self.function(op)
        return device_lib.as_name(chosen)


def _colocation_target(op: Any) -> Operation:
    if isinstance(op, Operation):
        return op
    if isinstance(op, Tensor):
        return op._op
    values = getattr(op, "values", None)
    if isinstance(values, Tensor):  # IndexedSlices
        return values._op
    handle = getattr(op, "handle", None)  # a resource variable is where its handle is made
    if isinstance(handle, Tensor):
        return handle._op
    element = getattr(op, "_as_graph_element", None)
    if element is not None:
        return _colocation_target(element())
    handle = getattr(op, "op", None)
    if isinstance(handle, Operation):
        return handle
    raise TypeError(f"Cannot colocate with {op!r}")


def get_default_graph() -> Graph:
    """The innermost graph entered with `as_default` on this thread, else the thread's global graph."""
    stack = _default_graphs.stack
    if stack:
        return stack[-1]
    graph = _global_graph.graph
    if graph is None:
        graph = _global_graph.graph = Graph()
    return graph


def has_default_graph() -> bool:
    """Whether a graph was entered with `as_default` on this thread."""
    return bool(_default_graphs.stack)


def reset_default_graph() -> None:
    """Replaces the thread's global graph by an empty one. AssertionError inside `with graph.as_default()`."""
    if _default_graphs.stack:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, exit the nesting "
            "and create a new graph."
        )
    _default_graphs.reset()
    _global_graph.graph = None


def get_default_session() -> Any:
    """The innermost default session of this thread, or None."""
    return _default_sessions.get()
