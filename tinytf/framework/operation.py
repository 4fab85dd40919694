"""`Operation`: a node of a graph."""

from __future__ import annotations

import linecache
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tinytf.exports import tf_export
from tinytf.framework import dtypes, error_traceback
from tinytf.framework.call_site import Site, frames_in, line_of
from tinytf.framework.device import as_name
from tinytf.framework.eval_session import eval_session
from tinytf.framework.no_copies import NotCopied
from tinytf.framework.op_spec import OpSpec
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape

if TYPE_CHECKING:
    from tinytf.framework.graph import Graph


def attr_to_python(kind: str, value: Any) -> Any:
    """An attr as `Operation.get_attr` gives it: types as DType, shapes as TensorShapeProto, tensors as TensorProto."""
    if kind == "type":
        return dtypes.as_dtype(value)
    if kind == "list(type)":
        return [dtypes.as_dtype(item) for item in value]
    if kind == "shape":
        return TensorShape._from_tuple(value).as_proto()
    if kind == "list(shape)":
        return [TensorShape._from_tuple(item).as_proto() for item in value]
    if kind == "tensor":
        from tinytf.framework import tensor_util

        array, number, *shape = value
        return tensor_util.make_tensor_proto(array, dtypes.as_dtype(number), *shape)
    return value


@tf_export("Operation")
class Operation(NotCopied):
    """A node: takes tensors, yields tensors. Made by functions such as `tf.add`, and by `Graph.create_op`."""

    __slots__ = (
        "_graph",
        "_id",
        "_name",
        "_spec",
        "_outputs",
        "_site",
        "_original_op",
        "_control_flow_context",
        "_device_assignments",
        "_colocation_dict",
        "_is_stateful_flag",
        "__weakref__",
        "__dict__",
    )

    _COPIED_AS = "Operation"

    # Set only where a scope was open.
    _node_adder: Any  # gives the function that `__init__` calls, which knows graphs; `graph` sets it
    _device_assignments: list[Any]
    _colocation_dict: dict[str, Any]

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
        """Adds the operation that a `NodeDef` describes to the graph, whatever scopes are open.

        Args:
          node_def: name, op, attrs and device; its inputs do not count.
          g: the graph.
          inputs: the tensors that the operation takes, in a list.
          output_types: ignored, as is `op_def`: the declaration of the op decides.
          control_inputs: operations, tensors or IndexedSlices whose operations run first.
          input_types: the types that the inputs must have; a reference type asks for a reference.
          original_op: the operation that this one comes from, for messages.

        TypeError for arguments of other types; ValueError for a bad or used name, and for inputs and attrs that do not fit
        the declaration; NotFoundError for an op that is not declared; RuntimeError for a finalized graph.
        """
        add_node = Operation._node_adder()
        add_node(self, node_def, g, inputs, control_inputs, input_types, original_op)

    def _become(self, graph: Graph, id: int, name: str, spec: OpSpec, output_types: Any, site: Site) -> None:
        """Makes a new object stand for a node of the core's."""
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
        """The full name."""
        return self._name

    @property
    def type(self) -> str:
        """The op's name, for example "MatMul"."""
        return self._spec.name

    @property
    def graph(self) -> Graph:
        """The graph that holds the operation."""
        return self._graph

    @property
    def outputs(self) -> list[Tensor]:
        """The tensors that the operation yields."""
        return self._outputs

    def values(self) -> tuple[Tensor, ...]:
        """The outputs as a tuple."""
        return tuple(self._outputs)

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that the operation takes."""
        graph = self._graph
        return tuple(graph._nodes.tensor(key) for key in graph._core.input_keys(self._id))

    @property
    def control_inputs(self) -> list[Operation]:
        """Operations that run before this one though it takes nothing from them."""
        graph = self._graph
        return [graph._nodes.by_id(i) for i in graph._core.control_input_ids(self._id)]

    @property
    def _control_outputs(self) -> list[Operation]:
        """Operations that have this one among their control inputs, found by a walk over the graph."""
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
        """The device asked for, or ''."""
        return self._graph._core.device(self._id)

    @property
    def op_def(self) -> Any:
        """The declaration as an `OpDef` message."""
        from tinytf.framework import function_spec, graph_def

        if self._spec.is_function:
            return function_spec.signature_of(self._graph, self._spec.name)
        return graph_def.op_def(self._spec.name)

    @property
    def node_def(self) -> Any:
        """The node as a `NodeDef` message."""
        from tinytf.framework import graph_def

        return graph_def.node_def(self)

    @property
    def traceback(self) -> tuple[tuple[str, int, str, str | None], ...]:
        """Where the operation was made: (file, line, function, source line if there is one), outermost frame first."""
        return tuple(reversed([*self._frames()]))

    def _frames(self) -> Iterator[tuple[str, int, str, str | None]]:
        """Those of `traceback`, innermost first. Lines are looked up one by one: that takes longer than all else."""
        for code, instruction in frames_in(self._site):
            line = line_of(code, instruction)
            text = linecache.getline(code.co_filename, line).strip()
            yield code.co_filename, line, code.co_name, text or None

    def _files(self) -> set[str]:
        """The files of `traceback`."""
        return {code.co_filename for code, _ in frames_in(self._site)}

    @property
    def traceback_with_start_lines(self) -> tuple[tuple[str, int, str, str | None, int], ...]:
        """As `traceback`, with the line where each function begins at the end."""
        starts = [code.co_firstlineno for code, _ in reversed([*frames_in(self._site)])]
        return tuple((*frame, start) for frame, start in zip(self.traceback, starts, strict=True))

    def get_attr(self, name: str) -> Any:
        """The value of an attr. ValueError if the operation has none of that name."""
        found = self._graph._core.attr(self._id, name)
        if found is None:
            raise ValueError(f"Operation '{self._name}' has no attr named '{name}'.")
        if found[0] == "func":
            from tinytf.framework.graph_functions import name_attr_list

            return name_attr_list(self, name)
        if found[0] == "tensor":  # in the form in which graphs have it
            return self.node_def.attr[name].tensor
        return attr_to_python(*found)

    def _raw_attr(self, name: str) -> Any:
        """The attr as the core keeps it (types as numbers, shapes as tuples), or None."""
        found = self._graph._core.attr(self._id, name)
        return None if found is None else found[1]

    def _set_attr(self, name: str, value: Any) -> None:
        if hasattr(value, "WhichOneof"):  # an AttrValue message
            from tinytf.framework.attr_values import plain_attr

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
        """Has a call be one of other functions, by attr, which take what the first did and `inputs`, and yield what the
        first did and values like `more`."""
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
        """Takes a tensor in place of input `index`. One of another type is an error of the step that runs the operation.

        TypeError for what is no tensor; ValueError for one of another graph; InvalidArgumentError for a shape that does not
        fit those that the input had before; OutOfRangeError if there is no such input.
        """
        if not isinstance(tensor, Tensor):
            raise TypeError(f"tensor must be a Tensor: {tensor}")
        tensor = self._graph._own(tensor)
        self._graph._core.replace_input(self._id, index, tensor._key)
        self._note_new_input()

    def _set_input(self, index: int, tensor: Tensor) -> None:
        """As `_update_input`, of any shape: for loops, which are closed after they are built."""
        self._graph._core.update_input(self._id, index, self._graph._own(tensor)._key)
        self._note_new_input()

    def _note_new_input(self) -> None:
        self._graph._nodes.forget_consumers()
        self._graph._note_mutation(self, "updating input tensor")

    def colocation_groups(self) -> list[bytes]:
        """The groups of operations that this one must share a device with."""
        return self._graph._core.colocation_groups(self._id)

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, context: Any) -> None:
        self._control_flow_context = context

    @property
    def _is_stateful(self) -> bool:
        return self._spec.is_stateful

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Runs the operation in `session`, or in the default session. ValueError if there is none or it has another
        graph."""
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
