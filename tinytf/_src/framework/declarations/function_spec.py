"""`FunctionSpec`: the declaration of operations that call a function by its name."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src import protos
from tinytf._src.framework.declarations.op_spec import ArgSpec, OpSpec, op_spec

_CALL = "StatefulPartitionedCall"  # template for the properties that the signature does not determine


class FunctionSpec(OpSpec):
    """Declaration of the operations in a graph that call one of its functions by name."""

    __slots__ = ()

    def __init__(self, signature: Any) -> None:
        """`signature`: the `OpDef` in a FunctionDef of the graph."""
        super().__init__(signature.name)
        like = op_spec(_CALL)
        for slot in OpSpec.__slots__[2:]:
            if slot not in ("eager", "call_eagerly"):
                setattr(self, slot, getattr(like, slot))
        self.inputs = [_arg(arg) for arg in signature.input_arg]
        self.outputs = [_arg(arg) for arg in signature.output_arg]
        self.attrs = []
        self.attr_by_name = {}
        self.inferred = set()
        self.is_stateful = signature.is_stateful
        self.is_function = True
        self.has_list_input = any(arg.is_list for arg in self.inputs)
        self.has_ref_input = any(arg.is_ref for arg in self.inputs)
        self.is_beside_references = self.has_ref_input and not self.has_list_input
        self.has_container = False
        self.doc = signature.description
        self.single_output = len(self.outputs) == 1 and not self.outputs[0].is_list
        self.result = None
        self._loaded = True


def _arg(arg: Any) -> ArgSpec:
    return ArgSpec(arg.name, arg.type, arg.type_attr, arg.number_attr, arg.type_list_attr, arg.is_ref)


def signature_of(graph: Any, name: str) -> Any:
    """The signature (`OpDef`) of a function in a graph's library; None if there is none with this name."""
    data = _core.function_def(graph._core, name)
    return None if data is None else protos.FunctionDef.FromString(data).signature
