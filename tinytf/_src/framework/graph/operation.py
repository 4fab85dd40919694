"""`Operation`, a node of a graph."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.declarations.op_spec import OpSpec
from tinytf._src.framework.errors import error_traceback
from tinytf._src.framework.graph.bases import BaseOperation
from tinytf._src.framework.graph.device import as_name
from tinytf._src.framework.graph.eval_session import eval_session
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.sites.call_site import Site, frames_in, line_of
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape

if TYPE_CHECKING:
    from tinytf._src.framework.graph.graph import Graph


def attr_to_python(kind: str, value: Any) -> Any:
    """An attr's value as `Operation.get_attr` returns it: types as DType, shapes as TensorShapeProto, tensors as
    TensorProto."""
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "list(type)":
        return [dtypes.as_dtype(item) for item in value]
    if kind == "shape":
        return TensorShape._from_tuple(value).as_proto()
    if kind == "list(shape)":
        return [TensorShape._from_tuple(item).as_proto() for item in value]
    if kind == "tensor":
        from tinytf._src.framework.values import tensor_util

        array, number, *shape = value
        return tensor_util.make_tensor_proto(array, dtypes.as_dtype(number), *shape)
    return value


@tf_export("Operation")
class Operation(BaseOperation):
    """A node of a graph, which consumes and produces tensors. Created by functions such as `tf.add`, and by
    `Graph.create_op`."""

    __slots__ = (
        "_graph",
        "_id",
        "_name",
        "_spec",
        "_outputs",
        "_site",
        "_original_op",
        "_control_flow_context",
        "_is_stateful_flag",
        "__weakref__",
        "__dict__",
    )

    _COPIED_AS = "Operation"

    # Returns the implementation of `__init__`, which depends on the graph's module; set by that module.
    _node_adder: Any

    def __init__(
        self,
        node_def: Any,
        g: Graph,
        inputs: Any = None,
        output_types: Any = None,
        control_inputs: Any = None,
        input_types: Any = None,
        original_op: Operation | None = None,
        op_def: Any = None,
    ) -> None:
        """Adds an operation to a graph from a `NodeDef`; open scopes are ignored.

        Args:
          node_def: `NodeDef` with name, op, attrs and device; its inputs are ignored.
          g: the Graph.
          inputs: list of Tensors, the inputs.
          output_types: ignored, like `op_def`: the op's declaration determines them.
          control_inputs: list of Operations, Tensors or IndexedSlices.
          input_types: list of types that the inputs must have; a reference type requires a reference.
          original_op: Operation from which this one originates, for messages.

        Raises:
          TypeError: for arguments of other types.
          ValueError: for an invalid or used name, and for inputs or attrs that do not fit the declaration.
          NotFoundError: if the op is not declared.
          RuntimeError: if the graph is finalized.
        """
        add_node = Operation._node_adder()
        add_node(self, node_def, g, inputs, control_inputs, input_types, original_op)

    def _become(self, graph: Graph, id: int, name: str, spec: OpSpec, output_types: Any, site: Site) -> None:
        """Initializes a new object for a node of the core."""
        self._graph = graph
        self._id = id
        self._name = name
        self._spec = spec
        self._site = site
        self._original_op: Operation | None = None
        self._control_flow_context: Any = None
        if len(output_types) == 1:
            self._outputs: list[Tensor] = [Tensor(self, 0, _DTYPES[output_types[0]])]
        else:
            self._outputs = [Tensor(self, i, _DTYPES[number]) for i, number in enumerate(output_types)]

    @property
    def name(self) -> str:
        """The full name of the operation, including name scopes."""
        return self._name

    @property
    def type(self) -> str:
        """The op's name, for example "MatMul"."""
        return self._spec.name

    @property
    def graph(self) -> Graph:
        """The Graph that contains the operation."""
        return self._graph

    @property
    def outputs(self) -> list[Tensor]:
        """The list of Tensors that the operation produces."""
        return self._outputs

    def values(self) -> tuple[Tensor, ...]:
        """The output Tensors as a tuple."""
        return tuple(self._outputs)

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tuple of Tensors that the operation consumes."""
        graph = self._graph
        return tuple(graph._nodes.tensor(key) for key in graph._core.input_keys(self._id))

    @property
    def control_inputs(self) -> list[Operation]:
        """The list of Operations that must run before this one, although it consumes none of their outputs."""
        graph = self._graph
        return [graph._nodes.by_id(i) for i in graph._core.control_input_ids(self._id)]

    @property
    def _control_outputs(self) -> list[Operation]:
        """The operations with this one as a control input, found by a scan of the graph."""
        ids = self._graph._core.control_input_ids
        return [op for op in self._graph.get_operations() if self._id in ids(op._id)]

    @property
    def _input_types(self) -> list[dtypes.DType]:
        return [t._dtype for t in self.inputs]

    @property
    def _output_types(self) -> list[int]:
        return [t._dtype.as_datatype_enum for t in self._outputs]

    @property
    def device(self) -> str:
        """The requested device, or ""."""
        return self._graph._core.device(self._id)

    @property
    def op_def(self) -> Any:
        """The op's declaration as an `OpDef` message."""
        from tinytf._src.framework.declarations import function_spec
        from tinytf._src.framework.graph import graph_def

        if self._spec.is_function:
            return function_spec.signature_of(self._graph, self._spec.name)
        return graph_def.op_def(self._spec.name)

    @property
    def node_def(self) -> Any:
        """The operation as a `NodeDef` message."""
        from tinytf._src.framework.graph import graph_def

        return graph_def.node_def(self)

    @property
    def traceback(self) -> tuple[tuple[str, int, str, str | None], ...]:
        """The stack when the operation was created: tuples (file, line, function, source line or None), outermost frame
        first."""
        return tuple(reversed([*self._frames()]))

    def _frames(self) -> Iterator[tuple[str, int, str, str | None]]:
        """Yields the frames of `traceback`, innermost first. Lazy, because looking up source lines is slow."""
        for code, instruction in frames_in(self._site):
            line = line_of(code, instruction)
            text = linecache.getline(code.co_filename, line).strip()
            yield code.co_filename, line, code.co_name, text or None

    def _files(self) -> set[str]:
        """The files of `traceback`."""
        return {code.co_filename for code, _ in frames_in(self._site)}

    @property
    def traceback_with_start_lines(self) -> tuple[tuple[str, int, str, str | None, int], ...]:
        """Like `traceback`, with the first line of each function as fifth item."""
        starts = [code.co_firstlineno for code, _ in reversed([*frames_in(self._site)])]
        return tuple((*frame, start) for frame, start in zip(self.traceback, starts, strict=True))

    def get_attr(self, name: str) -> Any:
        """The value of the attr `name`: number, bytes, DType, TensorShapeProto, TensorProto, NameAttrList, or a list.

        Raises ValueError if the operation has no such attr.
        """
        found = self._graph._core.attr(self._id, name)
        if found is None:
            raise ValueError(f"Operation '{self._name}' has no attr named '{name}'.")
        if found[0] == "func":
            from tinytf._src.framework.graph.functions import name_attr_list

            return name_attr_list(self, name)
        if found[0] == "tensor":  # serialized as in graphs
            return self.node_def.attr[name].tensor
        return attr_to_python(*found)

    def _raw_attr(self, name: str) -> Any:
        """The attr in the core's form (types as numbers, shapes as tuples), or None."""
        found = self._graph._core.attr(self._id, name)
        return None if found is None else found[1]

    def _set_attr(self, name: str, value: Any) -> None:
        if hasattr(value, "WhichOneof"):  # an AttrValue message
            from tinytf._src.framework.declarations.attr_values import plain_attr

            value = plain_attr(self._spec.attr_by_name.get(name), value)
        self._graph._core.set_attr(self._id, name, value)
        self._graph._note_mutation(self, "setting attribute")

    def _clear_attr(self, name: str) -> None:
        self._graph._core.clear_attr(self._id, name)
        self._graph._note_mutation(self, "clearing attribute")

    def _set_device(self, device: Any) -> None:
        self._graph._core.set_device(self._id, as_name(device))
        self._graph._note_mutation(self, "setting device")

    def _call_instead(self, functions: dict[str, list[str]], more: list[Tensor], inputs: Sequence[Tensor] = ()) -> None:
        """Makes a call refer to other functions, by attr, which take the additional `inputs` and return additional
        values like `more`."""
        numbers = [t.dtype.as_datatype_enum for t in more]
        shapes = [t._shape_tuple() for t in more]
        keys = [t._key for t in inputs]
        types = self._graph._core.extend_call(self._id, functions, keys, numbers, shapes)
        if inputs:
            self._graph._nodes.forget_consumers()
        first = len(self._outputs)
        self._outputs += [Tensor(self, i, _DTYPES[types[i]]) for i in range(first, len(types))]

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: list[Operation]) -> None:
        for op in ops:
            if not isinstance(op, Operation):
                raise TypeError(f"op must be an Operation: {op}")
            self._graph._core.add_control_input(self._id, op._id)
        self._graph._note_mutation(self, "adding control input")

    def _remove_all_control_inputs(self) -> None:
        self._graph._core.remove_control_inputs(self._id)
        self._graph._note_mutation(self, "removing control inputs")

    def _update_input(self, index: int, tensor: Tensor) -> None:
        """Replaces input `index`. A tensor of another type is reported by the step that runs the operation.

        Raises TypeError if `tensor` is not a Tensor, ValueError for a tensor of another graph, InvalidArgumentError for
        a shape that is incompatible with the previous one, OutOfRangeError if there is no such input.
        """
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor must be a Tensor: {tensor}")
        tensor = self._graph._own(tensor)
        self._graph._core.replace_input(self._id, index, tensor._key)
        self._note_new_input()

    def _set_input(self, index: int, tensor: Tensor) -> None:
        """Like `_update_input`, but for any shape: used for back edges, which are set after a loop is built."""
        self._graph._core.update_input(self._id, index, self._graph._own(tensor)._key)
        self._note_new_input()

    def _note_new_input(self) -> None:
        self._graph._nodes.forget_consumers()
        self._graph._note_mutation(self, "updating input tensor")

    def colocation_groups(self) -> list[bytes]:
        """The colocation groups of the operation, as a list of bytes; operations with a common group share a device."""
        return self._graph._core.colocation_groups(self._id)

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    @property
    def _is_stateful(self) -> bool:
        return self._spec.is_stateful

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Runs the operation.

        Args:
          feed_dict: dict of fed values, as for `Session.run`.
          session: Session; None means the default session.

        Raises:
          ValueError: if there is no default session, or the session has another graph.
        """
        try:
            eval_session(self._graph, session, "operation").run(self, feed_dict)
        except error_traceback.REPORTED:
            error_traceback.leave_to_user()
            raise

    def __repr__(self) -> str:
        return f"<tf.Operation '{self._name}' type={self._spec.name}>"

    def __str__(self) -> str:
        return str(self.node_def)


_DTYPES = {t.as_datatype_enum: t for t in dtypes._INTERNED.values()}
