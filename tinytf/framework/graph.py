"""`Graph`: operations and the tensors between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from tinytf import _core, protos
from tinytf.framework import errors_impl
from tinytf.framework.call_site import Site, creation_site
from tinytf.framework.default_graph import default_graphs, make_graphs_by
from tinytf.framework.graph_collections import GraphCollections
from tinytf.framework.graph_devices import GraphDevices
from tinytf.framework.graph_lookup import GraphLookup
from tinytf.framework.graph_names import GraphNames
from tinytf.framework.graph_scopes import GraphScopes
from tinytf.framework.no_copies import NotCopied
from tinytf.framework.op_spec import OpSpec, op_spec
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import SymbolicTensor, Tensor
from tinytf.version import GRAPH_DEF_VERSION

if TYPE_CHECKING:
    from tinytf.framework.graph_growth import Growth
    from tinytf.framework.growth_report import GrowthReport

_new = Operation.__new__


class Graph(GraphLookup, GraphNames, GraphScopes, GraphDevices, GraphCollections, NotCopied):
    """Operations and the tensors between them. Grows only; a `Session` runs parts of it.

    Several threads may build it, each in name and variable scopes of its own; other scopes are for one thread at a time
    unless `switch_to_thread_local` was called. Sessions may run the graph meanwhile.
    """

    def __init__(self) -> None:
        super().__init__()
        self._core = _core.Graph()
        self._seed: int | None = None
        self._mutations: list[tuple[Operation, str]] = []
        self._py_funcs_used_in_graph: list[Callable[..., Any]] = []  # that nodes call
        self._run_watermark = 0  # ids up to this one have been seen by a session
        self._generation = 0  # grows with every change that a session must see before it runs
        self._growth: Growth | None = None  # since the first run
        self._graph_def_versions = (
            GRAPH_DEF_VERSION,
            0,
        )  # producer and least consumer; imported graphs may narrow them

    def __repr__(self) -> str:
        ops = len(self._ops)
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
        given as its elements in a row. ValueError if inputs or attrs do not fit the declaration.
        """
        for item in inputs:
            if not isinstance(item, Tensor):
                raise TypeError(f"Input #{len(list(inputs))} is not a tensor: {item}")
        inputs = [item if type(item) is SymbolicTensor else self.capture(item) for item in inputs]
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
        keys = []
        for tensor in inputs:
            if tensor._op._graph is not self:
                self._assert_same_graph(tensor)
            keys.append(tensor._key)
        scopes = self._open
        if scopes.attrs or scopes.gradient_overrides or (scopes.container and spec.has_container):
            attrs = self._scoped_attrs(spec, attrs)
        controls = None
        if scopes.control_dependencies:
            controls = [op._id for op in self._control_dependencies_for_inputs(t._op for t in inputs)]
        op = _new(Operation)
        with self._lock:  # ids are places in _ops, whichever threads build
            try:
                id, types = self._core.add_node(spec.name, name, keys, groups, controls, attrs, "")
            except errors_impl.InvalidArgumentError as e:
                raise ValueError(e.message) from None
            op._become(self, id, name, spec, types, creation_site(2))
            self._ops.append(op)
            self._generation += 1
        self._enter(op)
        if scopes.devices or scopes.colocation:
            self._place(op)
        return op

    def _enter(self, op: Operation) -> None:
        """Has the scopes that are open know a new operation of theirs."""
        scopes = self._open
        for controller in scopes.control_dependencies:
            controller.add_op(op)
        if scopes.original_op is not None:
            op._original_op = scopes.original_op
        if self._control_flow_context is not None:
            op._control_flow_context = self._control_flow_context
            self._control_flow_context.AddOp(op)

    def _adopt(
        self, names: list[str], op_types: list[str], output_types: list[tuple[int, ...]], site: Site
    ) -> list[Operation]:
        """New operations for the nodes that the core has made last. The lock is held."""
        ops = []
        for name, op_type, types in zip(names, op_types, output_types, strict=True):
            op = _new(Operation)
            op._become(self, len(self._ops) + 1, name, op_spec(op_type), types, site)
            self._ops.append(op)
            ops.append(op)
        self._generation += 1
        return ops

    def _enter_scopes(self, ops: list[Operation]) -> None:
        """Has new operations, which others made, wait for the control inputs of the scopes that are open, and these know
        them."""
        scopes = self._open
        if not (scopes.control_dependencies or scopes.original_op or self._control_flow_context):
            return
        for op in ops:
            for control in self._control_dependencies_for_inputs(tensor._op for tensor in op.inputs):
                self._core.add_control_input(op._id, control._id)
            self._enter(op)

    def _note_mutation(self, op: Operation, what: str) -> None:
        """Remembers a change of a node that a session has run: it comes too late for that session."""
        if op._id <= self._run_watermark:
            self._mutations.append((op, what))
            self._generation += 1

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
    def building_function(self) -> bool:
        """False: this is no function's body."""
        return False

    @property
    def graph_def_versions(self) -> Any:
        """The `VersionDef` of the graph's GraphDef."""
        producer, min_consumer = self._graph_def_versions
        return protos.VersionDef(producer=producer, min_consumer=min_consumer)

    def capture(self, tensor: Any, name: str | None = None) -> Tensor:
        """The tensor that stands for one that has its value. Only graphs of functions have such: RuntimeError."""
        raise errors_impl.EagerTensorInGraphError

    def watch_variable(self, variable: Any) -> None:
        """Notes a variable that has its value and is read in the graph; functions' graphs keep such."""

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
