"""A recorded graph made such that it can run again anywhere: cut off from the world, which is fed what it gave."""

from __future__ import annotations

from typing import Any

from tinytf import _core, protos
from tinytf.framework import dtypes
from tinytf.framework.op_spec import op_spec


def make_repeatable(graph_def: Any, fed: set[str], kept: dict[str, list[Any]]) -> dict[str, Any]:
    """Cuts a graph off from the world; returns what is to be fed besides.

    A node whose outputs were kept passes on what it is fed; one that only changes the world does nothing. Both wait for
    the same nodes as before.
    """
    names = {node.name for node in graph_def.node}
    feeds: dict[str, Any] = {}
    declared = set(_core.op_names())
    for node in list(graph_def.node):
        node.device = ""
        if node.op not in declared:  # who imports it will say so
            continue
        spec = op_spec(node.op)
        is_kept = spec.reads_world and node.name in kept
        if not is_kept and (spec.outputs or not spec.writes_world):
            continue
        waits = dict.fromkeys(_control_input(text) for text in node.input if _tensor_name(text) not in fed)
        del node.input[:]
        node.attr.clear()
        node.op = "NoOp"
        if is_kept:
            node.op = "IdentityN"
            for i, value in enumerate(kept[node.name]):
                own = f"{node.name}/replayed_{i}"
                while own in names:
                    own += "_"
                names.add(own)
                dtype = _type_number(value)
                placeholder = graph_def.node.add(name=own, op="Placeholder")
                placeholder.attr["dtype"].type = dtype
                placeholder.attr["shape"].shape.CopyFrom(
                    protos.TensorShapeProto(dim=[protos.TensorShapeProto.Dim(size=size) for size in value.shape])
                )
                node.attr["T"].list.type.append(dtype)
                node.input.append(own)
                feeds[f"{own}:0"] = value
        node.input.extend(waits)
    return feeds


def _tensor_name(text: str) -> str:
    """The name of the tensor that a NodeDef's input is; of a control input, something that is none."""
    return text if text.startswith("^") or ":" in text else f"{text}:0"


def _control_input(text: str) -> str:
    return "^" + text.lstrip("^").partition(":")[0]


def _type_number(value: Any) -> int:
    return dtypes.as_dtype(value.dtype).as_datatype_enum
