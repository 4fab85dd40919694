"""`Graph`: operations and the tensors between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf import _core, protos
from tinytf.exports import tf_export
from tinytf.framework import errors_impl
from tinytf.framework.call_site import Site, creation_site
from tinytf.framework.default_graph import default_graphs, make_graphs_by
from tinytf.framework.graph_collections import GraphCollections
from tinytf.framework.graph_devices import GraphDevices
from tinytf.framework.graph_functions import GraphFunctions
from tinytf.framework.graph_names import GraphNames
from tinytf.framework.graph_nodes import GraphNodes
from tinytf.framework.graph_scopes import ControlDependencies, GraphScopes, operations_to_wait_for
from tinytf.framework.graph_versions import GraphVersions
from tinytf.framework.no_copies import NotCopied
from tinytf.framework.op_spec import OpSpec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.version import GRAPH_DEF_VERSION

if TYPE_CHECKING:
    from tinytf.framework.graph_growth import Growth
    from tinytf.framework.growth_report import GrowthReport

_new = Operation.__new__


@tf_export("Graph")
class Graph(NotCopied):
    """Operations and the tensors between them. Grows only; a `Session` runs parts of it.

    Several threads may build it, each in name and variable scopes of its own; other scopes are for one thread at a time
    unless `switch_to_thread_local` was called. Sessions may run the graph meanwhile.

    Its parts hold operations, give them their names, the attrs and control inputs of the scopes that are open, and their devices.
    """

    def __init__(self) -> None:
        self._core = self._new_core()
        self._functions = GraphFunctions(self._core)  # that nodes call
        self._nodes = GraphNodes(self._core, self._functions)
        self._names = GraphNames(self._core)
        self._scopes = GraphScopes()
        self._devices = GraphDevices(self._core, self._scopes)
        self._collections = GraphCollections()
        self._finalized = False
        self._seed: int | None = None
        self._building_function = False  # programs set it
        self.copies_results = False  # whether parts of branches and loops yield copies, as in traced functions
        self._mutations: list[tuple[Operation, str]] = []
        self._py_funcs_used_in_graph: list[Callable[..., Any]] = []  # that nodes call
        self._set_aside: set[int] = set()  # ids of operations
        self._run_watermark = 0  # ids up to this one have been seen by a session
        self._generation = 0  # grows with every change that a session must see before it runs
        self._growth: Growth | None = None  # since the first run
        self._graph_def_versions = GraphVersions()

    def _new_core(self) -> Any:
        core = _core.Graph()
        core.set_ops_of(GRAPH_DEF_VERSION)  # which imports lower, as they do with those of `_graph_def_versions`
        return core

    def __repr__(self) -> str:
        ops = len(self._nodes.ops)
        return f"<tf.Graph of {ops} operation{'' if ops == 1 else 's'} at {id(self):#x}>"

    def as_default(self) -> AbstractContextManager[Graph]:
        """A context manager that makes this the default graph of the calling thread."""
        return default_graphs.entered(self)

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
        given as its elements in a row. ValueError if inputs or attrs do not fit the declaration; NotFoundError for an op
        that is not declared; UnimplementedError for one that graphs of this version have no more.
        """
        for item in inputs:
            if not isinstance(item, Tensor):
                raise TypeError(f"Input #{len(list(inputs))} is not a tensor: {item}")
        inputs = [item if type(item) is Tensor else self.capture(item) for item in inputs]
        if name is None:
            name = op_type
        name = name[:-1] if name and name[-1] == "/" else self.unique_name(name)
        if attrs:
            from tinytf.framework.attr_values import plain_attrs

            attrs = plain_attrs(self._functions.spec(op_type), attrs)
        spec = self._functions.spec(op_type)
        if spec.is_removed:
            _core.check_not_removed(spec.name, self._graph_def_versions.producer)
        return self._create(spec, name, list(inputs), None, attrs)

    def _create(
        self,
        spec: OpSpec,
        name: str,
        inputs: Sequence[Tensor],
        groups: list[int] | None,
        attrs: dict[str, Any] | None,
        asks_devices: bool = True,
    ) -> Operation:
        """Adds a node with a final name; attrs as the core takes them. Functions of `device` scopes are asked where it runs,
        if so wanted."""
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        keys = []
        for tensor in inputs:
            if tensor._op._graph is not self:
                tensor = self._own(tensor)
            keys.append(tensor._key)
        scopes = self._scopes.open
        if scopes.attrs or scopes.gradient_overrides or (scopes.container and spec.has_container):
            attrs = self._scopes.attrs_for(spec, attrs)
        controls, outside = None, None
        if scopes.control_dependencies:
            waits, outside = self._scopes.parted_controls(self._scopes.controls_for(t._op for t in inputs))
            controls = [op._id for op in waits]
        op = _new(Operation)
        with self._nodes.lock:
            try:
                id, types = self._core.add_node(spec.name, name, keys, groups, controls, attrs, "")
            except errors_impl.InvalidArgumentError as e:
                raise ValueError(e.message) from None
            op._become(self, id, name, spec, types, creation_site(2))
            self._nodes.ops.append(op)
            self._generation += 1
        if scopes.control_dependencies or scopes.original_op or self._scopes.asks_context:
            self._enter(op, outside)
        if scopes.devices or scopes.colocation:
            self._devices.place(op, asks_devices)
        if spec.derives:
            self._functions.derived(op)
        return op

    def _enter(self, op: Operation, outside: list[Operation] | None) -> None:
        """Has the scopes that are open know a new operation of theirs, which is to wait for those of `outside` too: they
        are in other loops than it is."""
        self._scopes.note_seen(op)
        if self._scopes.open.original_op is not None:
            op._original_op = self._scopes.open.original_op
        if self._scopes.asks_context:
            self._scopes.enter_context(op, outside)

    def _adopt(
        self, names: list[str], op_types: list[str], output_types: list[tuple[int, ...]], site: Site
    ) -> list[Operation]:
        """New operations for the nodes that the core has made last. The lock is held."""
        ops = []
        for name, op_type, types in zip(names, op_types, output_types, strict=True):
            op = _new(Operation)
            op._become(self, len(self._nodes.ops) + 1, name, self._functions.spec_of_node(op_type), types, site)
            self._nodes.ops.append(op)
            ops.append(op)
        self._generation += 1
        return ops

    def _enter_scopes(self, ops: list[Operation]) -> None:
        """Has new operations, which others made, wait for the control inputs of the scopes that are open, and these know
        them."""
        scopes, context = self._scopes.open, self._scopes.control_flow_context
        if not (scopes.control_dependencies or scopes.original_op or self._scopes.asks_context):
            return
        for op in ops:  # they are inputs of each other, in loops those of earlier ones
            op._control_flow_context = context
        for op in ops:
            waits, outside = self._scopes.parted_controls(self._scopes.controls_for(t._op for t in op.inputs))
            for control in waits:
                self._core.add_control_input(op._id, control._id)
            self._enter(op, outside)

    def _note_mutation(self, op: Operation, what: str) -> None:
        """Remembers a change of a node that a session has run: it comes too late for that session."""
        if op._id <= self._run_watermark:
            self._mutations.append((op, what))
            self._generation += 1

    # -- Finding -----------------------------------------------------------------------------------------------------

    def get_operations(self) -> list[Operation]:
        """All operations in creation order."""
        return list(self._nodes.ops)

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

    def _own(self, tensor: Tensor) -> Tensor:
        """The tensor, or what stands here for one of another graph: only in graphs of functions, ValueError in others."""
        if tensor._op._graph is self:
            return tensor
        raise ValueError(
            f"{tensor} must be from the same graph as {self._nodes.ops[0] if self._nodes.ops else self!r}."
        )

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a run may replace the tensor's value; True for anything that nobody prevented."""
        return self._nodes.is_feedable(tensor)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a run may ask for the tensor or operation; True for anything that nobody prevented."""
        return self._nodes.is_fetchable(tensor_or_op)

    def prevent_feeding(self, tensor: Any) -> None:
        """Makes `is_feedable(tensor)` False."""
        self._nodes.prevent_feeding(tensor)

    def prevent_fetching(self, op: Any) -> None:
        """Makes `is_fetchable` False for the operation and its outputs."""
        self._nodes.prevent_fetching(op)

    # -- Names -------------------------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` under the current name scope, with `_1`, `_2`, … if it is taken. Upper and lower case are one."""
        return self._names.unique_name(name, mark_as_used)

    def get_name_scope(self) -> str:
        """The current name scope, without a slash at its end."""
        return self._names.current_scope()

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """A scope that prefixes the names of operations made in it; yields the scope with a slash at its end.

        None or '' leaves all scopes; a name that ends in `/` is entered as it is. ValueError for a bad name.
        """
        return self._names.name_scope(name)

    # -- Scopes ------------------------------------------------------------------------------------------------------

    def switch_to_thread_local(self) -> None:
        """From now on each thread has device, colocation, control-dependency and attr scopes of its own. It begins with
        those that are open now. Name scopes always are a thread's own."""
        self._scopes.switch_to_thread_local()

    def control_dependencies(self, control_inputs: Any) -> AbstractContextManager[None]:
        """Operations made in the scope run after `control_inputs` (operations or tensors), of which those count that no
        enclosing scope has. None clears the enclosing dependencies. TypeError for other things."""
        if control_inputs is None:
            return ControlDependencies(self._scopes, None)
        known = self._scopes.waited_for()
        added = dict.fromkeys(op for op in operations_to_wait_for(self, control_inputs) if op not in known)
        return ControlDependencies(self._scopes, list(added))

    def container(self, container_name: str) -> AbstractContextManager[str]:
        """Stateful operations made in the scope keep their state in this container."""
        return self._scopes.container(container_name)

    @property
    def _container(self) -> str:
        return self._scopes.open.container

    def gradient_override_map(self, op_type_map: dict[str, str]) -> AbstractContextManager[None]:
        """Operations of these types made in the scope use the gradients registered under the given names."""
        return self._scopes.gradient_override_map(op_type_map)

    def _original_op(self, op: Operation) -> AbstractContextManager[None]:
        """Operations made in the scope say that they come from `op`, for messages."""
        return self._scopes.original_op(op)

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        """Operations made in the scope get these attrs, unless they set them; None removes an enclosing one."""
        return self._scopes.attr_scope(attr_map)

    def _get_control_flow_context(self) -> Any:
        return self._scopes.control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._scopes.control_flow_context = context

    def _check_inputs_by(self, check: Callable[[Operation], None]) -> None:
        """From now on `check` is called with each new operation: it has loops, whose tensors are not for others."""
        self._scopes.check_inputs = check

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Operations made in the scope ask for this device: a name, a DeviceSpec, a function of the operation, or None
        to ignore enclosing scopes. ValueError for a bad name."""
        return self._devices.device(device_name_or_function)

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """Operations made in the scope go where `op` goes; enclosing device scopes do not count inside."""
        return self._devices.colocate_with(op, ignore_existing)

    # -- Collections -------------------------------------------------------------------------------------------------

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

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends a value to a collection. RuntimeError if the graph is finalized."""
        self._check_not_finalized()
        self._collections.add(name, value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends a value to each of the collections once."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The collection itself: changes to the list change it."""
        return self._collections.reference(name)

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """The values of a collection; with `scope`, those whose `name` matches it as a regular expression."""
        return self._collections.get(name, scope)

    def get_all_collection_keys(self) -> list[Any]:
        """Names of the collections."""
        return [key for key in self._collections.names() if isinstance(key, str)]

    @property
    def collections(self) -> list[Any]:
        """Names of all collections."""
        return self._collections.names()

    def clear_collection(self, name: Any) -> None:
        """Empties a collection."""
        self._check_not_finalized()
        self._collections.clear(name)

    # -- State -------------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The largest op id; 0 when empty."""
        return len(self._nodes.ops)

    def set_aside(self, begin: int) -> None:
        """Operations above the id `begin` were built to look at them: they are no part of the program."""
        self._set_aside.update(range(begin + 1, self.version + 1))

    def made_since(self, begin: int) -> list[Any]:
        """The program's operations above the id `begin`."""
        made = self._nodes.ops[begin:]
        return [op for op in made if op._id not in self._set_aside] if self._set_aside else made

    @property
    def _last_id(self) -> int:
        return len(self._nodes.ops)

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def building_function(self) -> bool:
        """Whether this is a function's body, out of which `tf.init_scope` leads."""
        return self._building_function

    @property
    def _name_stack(self) -> str:
        return self._names.current_scope()

    @_name_stack.setter
    def _name_stack(self, scope: str) -> None:
        self._names.set_current_scope(scope)

    def _apply_device_functions(self, op: Operation) -> None:
        if self._devices.open:
            self._devices.place_by_device(op)

    @property
    def calls_functions(self) -> bool:
        """Whether branches and loops that are built here are operations that call functions, and effects happen in the order
        of the program: so it is where a `tf.function` is traced."""
        return False

    @property
    def graph_def_versions(self) -> Any:
        """The `VersionDef` of the graph's GraphDef."""
        producer, min_consumer, bad_consumers = self._graph_def_versions
        return protos.VersionDef(producer=producer, min_consumer=min_consumer, bad_consumers=bad_consumers)

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """The tensor that stands for one that has its value. Only graphs of functions have such: RuntimeError."""
        raise errors_impl.EagerTensorInGraphError

    def _placeholder_of(self, outer: Any) -> Tensor | None:
        """The placeholder of this graph that stands for a tensor of a graph around it, or for an eager one, if there is one."""
        return None

    def _outer_of(self, tensor: Tensor) -> Any:
        """The tensor of a graph around this one, or the eager tensor, for which a placeholder of this graph stands. None for
        other tensors, and for all tensors of a graph that is no function's body."""
        return None

    def watch_variable(self, variable: Any) -> None:
        """Notes a resource variable that is read in the graph. Functions' bodies keep a list of them, other graphs do not."""

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a `GraphDef` message: the operations with ids above `from_version`, or all."""
        from tinytf.framework import graph_def

        return graph_def.graph_def(self, from_version, add_shapes)

    def growth_report(self) -> GrowthReport:
        """What the graph gained since a session first ran it, by the line of the program that added it.

        Nodes that are added inside a loop stay: the report shows where, and how many in how many runs.
        """
        from tinytf.framework import growth_report

        return growth_report.growth_report(self)

    def _repr_html_(self) -> str:
        """What notebooks show: the operations by name scope."""
        from tinytf.framework import graph_html

        return graph_html.graph_html(self)


def _node_adder() -> Callable[..., None]:
    from tinytf.framework.operation_of_node import add_node

    return add_node


make_graphs_by(Graph)
Operation._node_adder = staticmethod(_node_adder)
