"""`Graph`: operations and the tensors between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.exports import tf_export
from tinytf._src.framework.context.context_stack import Entered
from tinytf._src.framework.context.defaults import default_graphs
from tinytf._src.framework.declarations.op_spec import OpSpec
from tinytf._src.framework.errors import errors_impl
from tinytf._src.framework.graph.bases import BaseGraph
from tinytf._src.framework.graph.collections import GraphCollections
from tinytf._src.framework.graph.devices import GraphDevices
from tinytf._src.framework.graph.functions import GraphFunctions
from tinytf._src.framework.graph.names import GraphNames
from tinytf._src.framework.graph.nodes import GraphNodes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.scopes import ControlDependencies, GraphScopes, operations_to_wait_for
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.versions import GraphVersions
from tinytf._src.framework.sites.call_site import Site, creation_site
from tinytf.version import GRAPH_DEF_VERSION

if TYPE_CHECKING:
    from tinytf._src.framework.graph.growth import Growth
    from tinytf._src.framework.graph.growth_report import GrowthReport

_new = Operation.__new__


@tf_export("Graph")
class Graph(BaseGraph):
    """A graph: operations and the tensors between them. It only grows; a `Session` runs parts of it.

    Several threads may add to a graph; each has its own name and variable scopes. Other scopes must be used by one
    thread at a time, unless `switch_to_thread_local` was called. Sessions may run the graph meanwhile.

    Helper objects hold the operations, assign names and devices, and apply the attrs and control inputs of open scopes.

    Example:
      graph = tf.Graph()
      with graph.as_default():
        total = tf.constant(1.0) + tf.constant(2.0)
      with tf.Session(graph=graph) as sess:
        print(sess.run(total))
    """

    def __init__(self) -> None:
        self._core = self._new_core()
        self._functions = GraphFunctions(self._core)  # the functions that nodes call
        self._nodes: GraphNodes[Operation, Tensor] = GraphNodes(self._core, self._functions)
        self._names = GraphNames(self._core)
        self._scopes: GraphScopes[Operation] = GraphScopes()
        self._devices = GraphDevices(self._core, self._scopes)
        self._collections = GraphCollections()
        self._finalized = False
        self._seed: int | None = None
        self.seed_used = False  # whether a random op without a seed of its own took one from the graph's
        self._building_function = False  # set by programs
        self.copies_results = False  # whether branches and loops return copies of results, as in traced functions
        self._mutations: list[tuple[Operation, str]] = []
        self._py_funcs_used_in_graph: list[Callable[..., Any]] = []  # Python functions that nodes call
        self._set_aside: set[int] = set()  # ids of operations
        self._run_watermark = 0  # ids up to this one were seen by a session
        self._generation = 0  # incremented at each change that sessions must see before a run
        self._growth: Growth | None = None  # since the first run
        self._graph_def_versions = GraphVersions()

    def _new_core(self) -> Any:
        core = _core.Graph()
        core.set_ops_of(GRAPH_DEF_VERSION)  # imports lower it, as they do the versions in `_graph_def_versions`
        return core

    def __repr__(self) -> str:
        ops = len(self._nodes.ops)
        return f"<tf.Graph of {ops} operation{'' if ops == 1 else 's'} at {id(self):#x}>"

    def as_default(self) -> AbstractContextManager[Graph]:
        """Context manager that makes this the default graph of the current thread."""
        return Entered(default_graphs, self)

    # -- Adding operations --------------------------------------------------------------------------------------------

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
        """Adds an operation.

        Args:
          op_type: str, name of the op, for example "MatMul".
          inputs: list of Tensors; the elements of a list input are given in sequence.
          dtypes, input_types, op_def, compute_shapes, compute_device: ignored; the op's declaration determines them.
          name: str, name of the operation, made unique unless it ends in "/"; None means `op_type`.
          attrs: dict of attr values: numbers, strings, DTypes, shapes, arrays or `AttrValue` messages.

        Returns:
          The Operation.

        Raises:
          TypeError: if an input is not a Tensor.
          ValueError: if inputs or attrs do not fit the declaration.
          NotFoundError: if the op is not declared.
          UnimplementedError: if the op was removed in this version of graphs.
          RuntimeError: if the graph is finalized.
        """
        for item in inputs:
            if not isinstance(item, Tensor):
                raise TypeError(f"Input #{len(list(inputs))} is not a tensor: {item}")
        inputs = [item if type(item) is Tensor else self.capture(item) for item in inputs]
        if name is None:
            name = op_type
        name = name[:-1] if name and name[-1] == "/" else self.unique_name(name)
        if attrs:
            from tinytf._src.framework.declarations.attr_values import plain_attrs

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
        """Adds a node with a final name and attrs in the core's form. `asks_devices`: whether device functions of open
        scopes are called."""
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
        """Registers a new operation with the open scopes. `outside`: operations in other loops after which it must run,
        which cannot be plain control inputs."""
        self._scopes.note_seen(op)
        if self._scopes.open.original_op is not None:
            op._original_op = self._scopes.open.original_op
        if self._scopes.asks_context:
            self._scopes.enter_context(op, outside)

    def _adopt(
        self, names: list[str], op_types: list[str], output_types: list[tuple[int, ...]], site: Site
    ) -> list[Operation]:
        """Creates Operations for the nodes that the core added last. The caller holds the lock."""
        ops = []
        for name, op_type, types in zip(names, op_types, output_types, strict=True):
            op = _new(Operation)
            op._become(self, len(self._nodes.ops) + 1, name, self._functions.spec_of_node(op_type), types, site)
            self._nodes.ops.append(op)
            ops.append(op)
        self._generation += 1
        return ops

    def _enter_scopes(self, ops: list[Operation]) -> None:
        """Applies the open scopes to new operations that an import added: adds control inputs and registers the
        operations."""
        scopes, context = self._scopes.open, self._scopes.control_flow_context
        if not (scopes.control_dependencies or scopes.original_op or self._scopes.asks_context):
            return
        for op in ops:  # first for all, because they are inputs of each other, in loops also of earlier ones
            op._control_flow_context = context
        for op in ops:
            waits, outside = self._scopes.parted_controls(self._scopes.controls_for(t._op for t in op.inputs))
            for control in waits:
                self._core.add_control_input(op._id, control._id)
            self._enter(op, outside)

    def _note_mutation(self, op: Operation, what: str) -> None:
        """Records a change of a node that a session has run already; that session ignores the change."""
        if op._id <= self._run_watermark:
            self._mutations.append((op, what))
            self._generation += 1

    # -- Lookup -------------------------------------------------------------------------------------------------------

    def get_operations(self) -> list[Operation]:
        """The list of all operations in order of creation."""
        return list(self._nodes.ops)

    def get_operation_by_name(self, name: str) -> Operation:
        """The Operation named `name`. Raises TypeError if `name` is not a string, KeyError if there is no such
        operation."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The Tensor named `name`, "op:index". Raises TypeError if it is not a string, KeyError if there is no such
        tensor."""
        if not isinstance(name, (str, bytes)):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def as_graph_element(self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True) -> Any:
        """The Tensor or Operation of this graph that an object is, represents, or names.

        Args:
          obj: Tensor, Operation, name of one ("op:index" or "op"), or an object that represents one, such as a
            variable.
          allow_tensor: bool, whether the result may be a Tensor.
          allow_operation: bool, whether the result may be an Operation.

        Returns:
          Tensor or Operation.

        Raises:
          TypeError: if `obj` is something else.
          KeyError: for an unknown name.
          ValueError: for a malformed name or an element of another graph.
        """
        from tinytf._src.framework.graph.elements import as_graph_element

        return as_graph_element(self, obj, allow_tensor, allow_operation)

    def _own(self, tensor: Tensor) -> Tensor:
        """The tensor itself; graphs of functions override this and capture tensors of other graphs. Raises ValueError
        for a tensor of another graph."""
        if tensor._op._graph is self:
            return tensor
        raise ValueError(
            f"{tensor} must be from the same graph as {self._nodes.ops[0] if self._nodes.ops else self!r}."
        )

    def is_feedable(self, tensor: Any) -> bool:
        """Whether a run may feed the tensor; True unless `prevent_feeding` was called for it."""
        return self._nodes.is_feedable(tensor)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a run may fetch the tensor or operation; True unless `prevent_fetching` was called for it."""
        return self._nodes.is_fetchable(tensor_or_op)

    def prevent_feeding(self, tensor: Any) -> None:
        """Forbids feeding `tensor`: `is_feedable` becomes False."""
        self._nodes.prevent_feeding(tensor)

    def prevent_fetching(self, op: Any) -> None:
        """Forbids fetching the operation `op` and its outputs: `is_fetchable` becomes False."""
        self._nodes.prevent_fetching(op)

    # -- Names --------------------------------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A unique operation name: `name` below the current name scope, with a suffix `_1`, `_2`, … if it is taken.

        Names that differ only in case count as equal.

        Args:
          name: str.
          mark_as_used: bool, whether the result is reserved, so that later calls return another name.

        Returns:
          str.
        """
        return self._names.unique_name(name, mark_as_used)

    def get_name_scope(self) -> str:
        """The current name scope as str, without a trailing slash; "" outside of all scopes."""
        return self._names.current_scope()

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """Context manager that prefixes the names of operations created in it; yields the scope's name with a trailing
        slash.

        Args:
          name: str, made unique below the current scope; a name with a trailing "/" is entered as it is. None or ""
            leaves all scopes.

        Raises:
          ValueError: if `name` is not a valid scope name.
        """
        return self._names.name_scope(name)

    # -- Scopes -------------------------------------------------------------------------------------------------------

    def switch_to_thread_local(self) -> None:
        """Gives each thread its own device, colocation, control-dependency and attr scopes, starting with the scopes
        that are open now. Name scopes are always thread-local."""
        self._scopes.switch_to_thread_local()

    def control_dependencies(self, control_inputs: Any) -> AbstractContextManager[None]:
        """Context manager: operations created in it run after `control_inputs`.

        Args:
          control_inputs: iterable of Operations, Tensors or objects that represent them; None clears the enclosing
            control dependencies.

        Raises:
          TypeError: if an item is neither an Operation nor a Tensor.
        """
        if control_inputs is None:
            return ControlDependencies(self._scopes, None)
        known = self._scopes.waited_for()
        added = dict.fromkeys(op for op in operations_to_wait_for(self, control_inputs) if op not in known)
        return ControlDependencies(self._scopes, list(added))

    def container(self, container_name: str) -> AbstractContextManager[str]:
        """Context manager: stateful operations created in it keep their state in the container `container_name`; yields
        the name."""
        return self._scopes.container(container_name)

    @property
    def _container(self) -> str:
        return self._scopes.open.container

    def gradient_override_map(self, op_type_map: dict[str, str]) -> AbstractContextManager[None]:
        """Context manager that overrides gradient functions of operations created in it.

        Args:
          op_type_map: dict from op names to names registered with `tf.RegisterGradient`.

        Raises:
          TypeError: if it is not a dict from str to str.
        """
        return self._scopes.gradient_override_map(op_type_map)

    def _original_op(self, op: Operation) -> AbstractContextManager[None]:
        """Context manager: operations created in it record that they originate from `op`, for error messages."""
        return self._scopes.original_op(op)

    def _attr_scope(self, attr_map: dict[str, Any]) -> AbstractContextManager[None]:
        """Context manager: operations created in it get these attrs, unless they set them; None removes the attr of an
        outer scope."""
        return self._scopes.attr_scope(attr_map)

    def _get_control_flow_context(self) -> Any:
        return self._scopes.control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._scopes.control_flow_context = context

    def _check_inputs_by(self, check: Callable[[Operation], None]) -> None:
        """Installs a check of each new operation, which rejects inputs from inside loops of this graph."""
        self._scopes.check_inputs = check

    def device(self, device_name_or_function: Any) -> AbstractContextManager[None]:
        """Context manager: requests a device for the operations created in it.

        Args:
          device_name_or_function: device name, DeviceSpec, or function from Operation to device name. Fields that are
            not set come from enclosing scopes; None ignores the enclosing scopes.

        Raises:
          ValueError: for an invalid device name.
        """
        return self._devices.device(device_name_or_function)

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
        """Context manager: places the operations created in it on the device of another one; enclosing device scopes
        are ignored.

        Args:
          op: Operation, Tensor or variable. May be None if `ignore_existing`.
          ignore_existing: bool, whether enclosing colocation scopes are ignored.

        Raises:
          ValueError: if `op` is None without `ignore_existing`.
        """
        return self._devices.colocate_with(op, ignore_existing)

    # -- Collections --------------------------------------------------------------------------------------------------

    @property
    def finalized(self) -> bool:
        """Whether the graph is finalized and rejects changes."""
        return self._finalized

    def finalize(self) -> None:
        """Makes the graph read-only: adding an operation or changing a collection then raises RuntimeError."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends `value` to the collection `name`. Raises RuntimeError if the graph is finalized."""
        self._check_not_finalized()
        self._collections.add(name, value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends `value` to each collection in `names`, a name or an iterable of names; duplicates count once."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The list that stores the collection `name`; changes to it change the collection."""
        return self._collections.reference(name)

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A list of the values in the collection `name`. With `scope`, only values whose `name` attribute matches this
        regular expression."""
        return self._collections.get(name, scope)

    def get_all_collection_keys(self) -> list[Any]:
        """The names of all collections that are str."""
        return [key for key in self._collections.names() if isinstance(key, str)]

    @property
    def collections(self) -> list[Any]:
        """The names of all collections, which may be any hashable values."""
        return self._collections.names()

    def clear_collection(self, name: Any) -> None:
        """Removes all values of the collection `name`. Raises RuntimeError if the graph is finalized."""
        self._check_not_finalized()
        self._collections.clear(name)

    # -- State --------------------------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The largest operation id, which grows with each operation; 0 for an empty graph."""
        return len(self._nodes.ops)

    def set_aside(self, begin: int) -> None:
        """Excludes the operations with ids above `begin` from the program: they were only created to inspect it, such
        as a loop's first test."""
        self._set_aside.update(range(begin + 1, self.version + 1))

    def made_since(self, begin: int) -> list[Any]:
        """The program's operations with ids above `begin`."""
        made = self._nodes.ops[begin:]
        return [op for op in made if op._id not in self._set_aside] if self._set_aside else made

    @property
    def _last_id(self) -> int:
        return len(self._nodes.ops)

    @property
    def seed(self) -> int | None:
        """The graph-level random seed: int, or None."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def building_function(self) -> bool:
        """Whether this graph is a function's body, which `tf.init_scope` leaves."""
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
        """Whether branches and loops built here become operations that call functions, with effects in program order,
        as in the graph of a traced `tf.function`."""
        return False

    @property
    def graph_def_versions(self) -> Any:
        """The `VersionDef` of the graph's GraphDef."""
        producer, min_consumer, bad_consumers = self._graph_def_versions
        return protos.VersionDef(producer=producer, min_consumer=min_consumer, bad_consumers=bad_consumers)

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """The placeholder for an eager tensor. Only graphs of functions capture tensors; others raise
        EagerTensorInGraphError, a RuntimeError."""
        raise errors_impl.EagerTensorInGraphError

    def _placeholder_of(self, outer: Any) -> Tensor | None:
        """The placeholder in this graph for a captured tensor, of an outer graph or eager; None if it was not
        captured."""
        return None

    def _outer_of(self, tensor: Tensor) -> Any:
        """The captured tensor, of an outer graph or eager, for a placeholder of this graph. None for other tensors and
        in graphs that are not function bodies."""
        return None

    def watch_variable(self, variable: Any) -> None:
        """Records a resource variable that is read in the graph. Function bodies keep a list of them; other graphs do
        nothing."""

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """Serializes the graph.

        Args:
          from_version: int, exports only operations with larger ids; None exports all.
          add_shapes: bool, whether to add the static shapes of outputs as attr `_output_shapes`.

        Returns:
          `GraphDef` message.

        Raises:
          ValueError: if the graph is too large for a message.
        """
        from tinytf._src.framework.graph import graph_def

        return graph_def.graph_def(self, from_version, add_shapes)

    def growth_report(self) -> GrowthReport:
        """A report about the nodes added since the first run by a session, with the lines of the program that added
        them.

        Use it to find loops that add nodes in each iteration.
        """
        from tinytf._src.framework.graph import growth_report

        return growth_report.growth_report(self)

    def _repr_html_(self) -> str:
        """The graph as HTML for notebooks: operations by name scope."""
        from tinytf._src.framework.graph import html as graph_html

        return graph_html.graph_html(self)


def _node_adder() -> Callable[..., None]:
    from tinytf._src.framework.graph.operation_of_node import add_node

    return add_node


Operation._node_adder = staticmethod(_node_adder)
