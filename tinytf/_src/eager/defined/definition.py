"""Writes graphs as FunctionDefs like TensorFlow's `Defun`: nodes are renamed where argument or result names collide."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos
from tinytf._src.eager.defined.definition_hash import definition_hash
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def definition_of(
    graph: Any, inputs: list[Tensor], outputs: list[Tensor], name: str, appends_hash: bool, out_names: Any
) -> Any:
    """Returns the FunctionDef with the graph's `inputs` and `outputs`. With `appends_hash` its name ends with a hash of
    its contents. ValueError if `out_names` has the wrong length or duplicates."""
    return _Definition(graph, inputs, outputs).written(name, appends_hash, out_names)


class _Names:
    """Unique names of the arguments, results and nodes of one function."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def argument(self, name: str) -> str:
        """Returns a unique name for the argument or result that a node of this name yields."""
        text = "".join(c.lower() if c.isascii() and c.isalnum() else "_" for c in name)
        first = next((i for i, c in enumerate(text) if c in _LETTERS), len(text))
        return self.unique(text[first:] or "unknown")

    def unique(self, name: str) -> str:
        found, i = name, 0
        while found in self._used:
            found, i = f"{name}_{i}", i + 1
        self._used.add(found)
        return found


class _Definition:
    def __init__(self, graph: Any, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        self._inputs = inputs
        self._outputs = outputs
        given = {t.op for t in inputs}
        self._ops = [op for op in graph.get_operations() if op not in given]
        self._arguments: dict[int, str] = {}  # names, by key of the tensor
        self._nodes: dict[Operation, str] = {}
        self._places: dict[Operation, list[str]] = {}  # references to outputs, without the node's name

    def written(self, name: str, appends_hash: bool, out_names: Any) -> Any:
        definition = protos.FunctionDef()
        signature = definition.signature
        names = _Names()
        results = self._result_names(names, out_names)
        for i, tensor in enumerate(self._inputs):
            argument = signature.input_arg.add(name=names.argument(tensor.op.name), type=_number(tensor))
            self._arguments[tensor._key] = argument.name
            definition.arg_attr[i].SetInParent()
        for result, tensor in zip(results, self._outputs, strict=True):
            signature.output_arg.add(name=result, type=_number(tensor))
        for op in self._ops:
            self._nodes[op] = names.unique(op.name)
        for op in self._ops:
            self._write_node(definition.node_def.add(), op)
            signature.is_stateful |= op._is_stateful
        for result, tensor in zip(results, self._outputs, strict=True):
            definition.ret[result] = self._value(tensor)
        signature.name = f"{name}_{definition_hash(definition)}" if appends_hash else name
        return definition

    def _result_names(self, names: _Names, given: Any) -> list[str]:
        if not given:
            return [names.argument(tensor.op.name) for tensor in self._outputs]
        if len(given) != len(self._outputs):
            raise ValueError(
                f"Expected number of output names to match number of outputs, got {len(given)} for {len(self._outputs)}"
            )
        if len(set(given)) < len(given):
            raise ValueError(f"Cannot have duplicate output names: {list(given)}")
        return [str(name) for name in given]

    def _write_node(self, node: Any, op: Operation) -> None:
        node.CopyFrom(op.node_def)
        node.name = self._nodes[op]
        del node.input[:]
        node.input.extend(self._value(tensor) for tensor in op.inputs)
        node.input.extend(sorted(f"^{self._control(control)}" for control in op.control_inputs))

    def _control(self, op: Operation) -> str:
        return self._nodes[op] if op in self._nodes else self._arguments[op.outputs[0]._key]

    def _value(self, tensor: Tensor) -> str:
        argument = self._arguments.get(tensor._key)
        if argument is not None:
            return argument
        places = self._places.get(tensor.op)
        if places is None:
            places = self._places[tensor.op] = _places(tensor.op)
        return f"{self._nodes[tensor.op]}:{places[tensor._key & 0xFFFFFFFF]}"


def _number(tensor: Tensor) -> int:
    return tensor.dtype.base_dtype.as_datatype_enum


def _places(op: Operation) -> list[str]:
    """Returns how nodes in a FunctionDef refer to the outputs of an operation, after its name."""
    places = []
    for arg in op._spec.outputs:
        count = 1
        if arg.number_attr:
            count = op._raw_attr(arg.number_attr)
        elif arg.type_list_attr:
            count = len(op._raw_attr(arg.type_list_attr))
        places += [f"{arg.name}:{i}" for i in range(count)]
    return places
