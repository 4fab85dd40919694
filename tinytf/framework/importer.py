"""`import_graph_def`: adds the nodes of a `GraphDef` to the default graph."""

from __future__ import annotations

import heapq
import platform
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from tinytf.framework import errors_impl
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.default_graph import get_default_graph
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.graph import Graph
from tinytf.framework.graph_names import VALID_OP_NAME
from tinytf.framework.import_arguments import (
    check_versions,
    checked_graph_def,
    checked_input_map,
    checked_names,
    parse_tensor_name,
    producer_defaults,
)
from tinytf.framework.import_attrs import node_attrs
from tinytf.framework.name_scope import name_scope
from tinytf.framework.op_spec import ArgSpec, OpSpec, op_spec
from tinytf.framework.op_summary import op_summary, type_text
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor

__all__ = ["import_graph_def"]

_COLOCATION = b"loc:@"
_LOOP_SOURCES = ("NextIteration", "RefNextIteration")
_MERGES = ("Merge", "RefMerge")


@called_by_users
def import_graph_def(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Adds the nodes of a `GraphDef` to the default graph.

    Args:
      graph_def: a `GraphDef` message, also TensorFlow's own class.
      input_map: names of tensors in `graph_def` ("op", "op:1") → tensors to use in their place; "^op" → a tensor whose
        operation takes the place of the control input.
      return_elements: names of operations and tensors in `graph_def` to return.
      name: name scope of the new operations; "import" when None, no scope when ''.
      op_dict: ignored, as in TensorFlow.
      producer_op_list: an `OpList` with the declarations that the graph was made with; attrs that are not declared
        here and have their default there are dropped.

    Returns a list of Operations and Tensors, one per entry of `return_elements`, or None without that. TypeError for
    arguments of another type; ValueError for a graph that is not valid; NotFoundError for an op that is not declared.
    """
    del op_dict
    graph_def = checked_graph_def(graph_def)
    input_map = checked_input_map(input_map)
    returned = checked_names(return_elements)
    check_versions(graph_def.versions)
    defaults = producer_defaults(producer_op_list)
    with name_scope(name, "import", list(input_map.values())) as scope:
        if not all(isinstance(v, Tensor) for v in input_map.values()):
            if not scope:
                raise ValueError(
                    "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values. Try "
                    "calling tf.convert_to_tensor() on `input_map` values before calling tf.import_graph_def()."
                )
            with name_scope("_inputs"):
                input_map = {key: convert_to_tensor(value) for key, value in input_map.items()}
        graph = get_default_graph()
        graph._check_not_finalized()
        unique = bool(scope) and not (name or "").endswith("/")
        task = _Import(graph, graph_def, input_map, scope, unique, defaults)
        task.run()
        own = graph_def.versions
        producer, min_consumer = graph._graph_def_versions
        graph._graph_def_versions = (min(producer, own.producer), max(min_consumer, own.min_consumer))
        return None if return_elements is None else [task.element(name) for name in returned]


class _Input(NamedTuple):
    """An input of a node: output `output` of the node `source`, or (None) the operation itself."""

    source: str
    output: int | None


def _parse_input(text: str) -> _Input:
    if text.startswith("^"):
        return _Input(text[1:], None)
    source, colon, index = text.rpartition(":")
    # A colon that no number follows is part of an (unknown) name.
    return _Input(source, int(index)) if colon and index.isdecimal() else _Input(text, 0)


class _Import:
    """One import: which nodes are there, in which order to add them, what became of them."""

    def __init__(
        self,
        graph: Graph,
        graph_def: Any,
        input_map: dict[str, Tensor],
        scope: str,
        unique: bool,
        defaults: dict[str, dict[str, Any]],
    ) -> None:
        self._graph = graph
        self._nodes: dict[str, Any] = {}
        self._scope = scope
        self._producer_defaults = defaults
        self._producer = graph_def.versions.producer
        self._tensors: dict[_Input, Tensor] = {}  # what input_map puts in the place of inputs
        self._names: dict[_Input, str] = {}
        for key, value in input_map.items():
            source, index = (key[1:], None) if key.startswith("^") else parse_tensor_name(key)
            self._tensors[_Input(source, index)] = value
            self._names[_Input(source, index)] = f"^{source}" if index is None else f"{source}:{index}"
        self._used: set[_Input] = set()
        self._ops: dict[str, Operation] = {}
        for node in graph_def.node:
            if not VALID_OP_NAME.match(node.name):
                raise ValueError(f"Node '{node.name}': Node name contains invalid characters")
            if node.name in self._nodes:
                raise ValueError(f"Node '{node.name}' is not unique")
            self._nodes[node.name] = node
        self._inputs = {node.name: [_parse_input(text) for text in node.input] for node in graph_def.node}
        self._new_names = self._unique_names(unique)

    def run(self) -> None:
        """Adds all nodes. ValueError if they are not a valid graph."""
        for node in self._nodes.values():
            self._check_inputs(node)
        back_edges: list[tuple[str, int, _Input]] = []
        with _no_attr_scopes(self._graph):
            for name in self._order():
                self._add(self._nodes[name], back_edges)
        for name, position, source in back_edges:
            self._ops[name]._update_input(position, self._tensor(source))
        self._place()
        self._check_unused()

    def element(self, name: str) -> Any:
        """The Operation or Tensor of the graph that a node or tensor of the GraphDef became."""
        if ":" not in name:
            if name not in self._ops:
                raise ValueError(f"Requested return node '{name}' not found in graph def")
            return self._ops[name]
        source = _Input(*parse_tensor_name(name))
        if source in self._tensors:
            return self._tensors[source]
        op = self._ops.get(source.source)
        if op is None:
            raise ValueError(f"Requested return tensor '{name}' not found in graph def")
        assert source.output is not None
        if source.output >= len(op.outputs):
            raise ValueError(
                f"Invalid return output {source.output} of node '{source.source}', which has {len(op.outputs)} output(s)"
            )
        return op.outputs[source.output]

    # -- Names and order ----------------------------------------------------------------------------------------------

    def _unique_names(self, unique: bool) -> dict[str, str]:
        """The name of each node in the graph: under the scope, changed where the graph has one like it."""
        if unique:
            return {name: self._scope + name for name in self._nodes}
        taken = set()
        for op in self._graph._ops:
            taken.add(op.name)
            parts = op.name.split("/")
            taken.update("/".join(parts[:i]) for i in range(1, len(parts)))
        names = {}
        for name in self._nodes:
            new, i = self._scope + name, 0
            while new in taken or (i > 0 and new in self._nodes):
                i += 1
                new = f"{self._scope}{name}_{i}"
            taken.add(new)
            names[name] = new
        return names

    def _is_mapped(self, source: _Input) -> bool:
        return source in self._tensors

    def _check_inputs(self, node: Any) -> None:
        for text, source in zip(node.input, self._inputs[node.name], strict=True):
            if source.source not in self._nodes and not self._is_mapped(source):
                raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")

    def _order(self) -> Iterator[str]:
        """Nodes with their sources first; of those that are ready, the first in the GraphDef.

        The inputs of a Merge that close a loop are not waited for. ValueError for any other cycle.
        """
        position = {name: i for i, name in enumerate(self._nodes)}
        consumers: dict[str, list[str]] = {}
        pending: dict[str, int] = {}
        for name, inputs in self._inputs.items():
            waits = [source for source in inputs if self._awaited(name, source)]
            pending[name] = len(waits)
            for source in waits:
                consumers.setdefault(source.source, []).append(name)
        ready = [i for name, i in position.items() if pending[name] == 0]
        heapq.heapify(ready)
        names = list(position)
        done = 0
        while ready:
            name = names[heapq.heappop(ready)]
            done += 1
            yield name
            for consumer in consumers.get(name, ()):
                pending[consumer] -= 1
                if pending[consumer] == 0:
                    heapq.heappush(ready, position[consumer])
        if done < len(names):
            raise ValueError(f"{len(names) - done} nodes in a cycle")

    def _awaited(self, name: str, source: _Input) -> bool:
        return not self._is_mapped(source) and not self._closes_loop(name, source)

    def _closes_loop(self, name: str, source: _Input) -> bool:
        return (
            source.output is not None
            and self._nodes[name].op in _MERGES
            and self._nodes[source.source].op in _LOOP_SOURCES
        )

    # -- Adding -------------------------------------------------------------------------------------------------------

    def _add(self, node: Any, back_edges: list[tuple[str, int, _Input]]) -> None:
        spec = _declaration(node.op)
        attrs = self._attrs(spec, node)
        data = [source for source in self._inputs[node.name] if source.output is not None]
        controls = [source for source in self._inputs[node.name] if source.output is None]
        tensors: list[Tensor | None] = []
        for i, source in enumerate(data):
            if not self._is_mapped(source) and self._closes_loop(node.name, source):
                back_edges.append((node.name, i, source))
                tensors.append(None)
            else:
                tensors.append(self._tensor(source, node.name))
        stand_in = next((t for t in tensors if t is not None), None)
        inputs = [t if t is not None else stand_in for t in tensors]
        name = self._new_names[node.name]
        self._graph._core.unique_name(name, True)  # operations made later must not take it
        self._check_types(spec, attrs, name, inputs)
        shapes = attrs.pop("_output_shapes", None)
        colocated = any(group.startswith(_COLOCATION) for group in attrs.get("_class", ()))
        with self._graph.device(node.device) if node.device and not colocated else nullcontext():
            op = self._graph._create(spec, name, inputs, None, attrs)  # type: ignore[arg-type]
        for source in controls:
            self._graph._core.add_control_input(op._id, self._control(source)._id)
        if shapes is not None:
            _set_shapes(op, node.name, shapes)
        self._ops[node.name] = op

    def _attrs(self, spec: OpSpec, node: Any) -> dict[str, Any]:
        """The node's attrs as the core takes them; defaults are left to the core."""
        defaults = self._producer_defaults.get(node.op, {})
        attrs = node_attrs(spec, node, self._new_names[node.name], self._producer, defaults)
        if "_class" in attrs:
            attrs["_class"] = [self._renamed_group(node.name, group) for group in attrs["_class"]]
        return attrs

    def _renamed_group(self, node: str, group: bytes) -> bytes:
        if not group.startswith(_COLOCATION):
            return group
        other = group[len(_COLOCATION) :].decode()
        if other not in self._new_names:
            raise ValueError(f"Node '{node}' expects to be colocated with unknown node '{other}'")
        return _COLOCATION + self._new_names[other].encode()

    def _tensor(self, source: _Input, node: str = "") -> Tensor:
        mapped = self._tensors.get(source)
        if mapped is not None:
            self._used.add(source)
            return mapped
        outputs = self._ops[source.source].outputs
        assert source.output is not None
        if source.output >= len(outputs):
            raise ValueError(
                f"Node '{node}': Connecting to invalid output {source.output} of source node {source.source} which has "
                f"{len(outputs)} outputs."
            )
        return outputs[source.output]

    def _control(self, source: _Input) -> Operation:
        mapped = self._tensors.get(source)
        if mapped is not None:
            self._used.add(source)
            return mapped.op
        return self._ops[source.source]

    def _check_types(self, spec: OpSpec, attrs: dict[str, Any], name: str, inputs: list[Any]) -> None:
        declared = [_types(spec, arg, attrs) for arg in spec.inputs]
        # Counts first: lists are only made when there are as many inputs.
        if sum(count for _, count in declared) != len(inputs):
            raise ValueError(
                f"NodeDef expected inputs '{_type_list(declared)}' do not match {len(inputs)} inputs specified; "
                f"{op_summary(spec.name)}; NodeDef: {{{{node {name}}}}}"
            )
        expected = [number for types, count in declared for number in (types if len(types) == count else types * count)]
        for i, (number, tensor) in enumerate(zip(expected, inputs, strict=True)):
            own = tensor.dtype.as_datatype_enum
            if own != number and own != number + 100:
                raise ValueError(
                    f"Input {i} of node {name} was passed {type_text(own)} from {tensor.name} incompatible with "
                    f"expected {type_text(number)}."
                )

    # -- Afterwards ---------------------------------------------------------------------------------------------------

    def _place(self) -> None:
        """Puts operations with colocation groups on the device of the operation that they name."""
        for name, op in self._ops.items():
            groups = [g for g in op._raw_attr("_class") or () if g.startswith(_COLOCATION)]
            if not groups:
                continue
            device = self._nodes[name].device if groups == [_COLOCATION + op.name.encode()] else ""
            for group in groups:
                other = self._graph._find_op(group[len(_COLOCATION) :].decode())
                if other is not None and other is not op and other.device:
                    device = other.device
            if device:
                op._set_device(device)

    def _check_unused(self) -> None:
        missing = [
            self._names[source]
            for source in self._tensors
            if source not in self._used
            and (
                source.source not in self._ops
                or (source.output is not None and source.output >= len(self._ops[source.source].outputs))
            )
        ]
        if missing:
            raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{', '.join(missing)}]")


def _declaration(op_type: str) -> OpSpec:
    spec = op_spec(op_type)
    try:
        spec.inputs  # noqa: B018  reads the declaration
    except RuntimeError:
        raise errors_impl.NotFoundError(
            None,
            None,
            f"Op type not registered '{op_type}' in binary running on {platform.node()}. Make sure the Op and Kernel are "
            f"registered in the binary running in this process. tinytf has no op {op_type!r}, and no import can add one: "
            "graphs that it is to run must do without.",
        ) from None
    return spec


def _types(spec: OpSpec, arg: ArgSpec, attrs: dict[str, Any]) -> tuple[list[int], int]:
    """The types of the tensors that an input takes, or the one that all have, and their number. The types are more by 100
    for references. ValueError for a number that cannot be one."""

    def value(name: str) -> Any:
        return attrs[name] if name in attrs else spec.attr_by_name[name].default

    if arg.type_list_attr:
        types = list(value(arg.type_list_attr))
        return types, len(types)
    count = value(arg.number_attr) if arg.number_attr else 1
    minimum = spec.attr_by_name[arg.number_attr].minimum or 0 if arg.number_attr else 0
    if count < minimum:
        raise ValueError(
            f"Value for attr '{arg.number_attr}' of {count} must be at least minimum {minimum}; {op_summary(spec.name)}"
        )
    return [(arg.type or value(arg.type_attr)) + (100 if arg.is_ref else 0)], count


_SHOWN = 20


def _type_list(declared: list[tuple[list[int], int]]) -> str:
    """The types of inputs in words, as many as a reader can use."""
    shown: list[str] = []
    for types, count in declared:
        shown += [type_text(types[i % len(types)]) for i in range(min(count, _SHOWN + 1 - len(shown)))]
    return ", ".join(shown[:_SHOWN]) + (", ..." if len(shown) > _SHOWN else "")


def _set_shapes(op: Operation, name: str, shapes: list[Any]) -> None:
    for i, (output, shape) in enumerate(zip(op.outputs, shapes, strict=False)):
        try:
            op.graph._core.set_shape(output._key, shape)
        except errors_impl.InvalidArgumentError as e:
            raise ValueError(
                f"Node '{name}' has an _output_shapes attribute inconsistent with the GraphDef for output "
                f"#{i}: {e.message}"
            ) from None


@contextmanager
def _no_attr_scopes(graph: Graph) -> Iterator[None]:
    """Imported nodes have the attrs that they come with: open scopes add none."""
    scopes = graph._open
    saved = scopes.attrs, scopes.gradient_overrides, scopes.container, scopes.colocation
    scopes.attrs, scopes.gradient_overrides, scopes.container, scopes.colocation = {}, {}, "", []
    try:
        yield
    finally:
        scopes.attrs, scopes.gradient_overrides, scopes.container, scopes.colocation = saved
