"""Adapts graphs with savers of TensorFlow 2."""

from __future__ import annotations

from typing import Any

from tinytf._src import protos

_OTHER_STORAGE = b"^s3://.*"  # pattern matched against a checkpoint's name


def with_local_names(graph_def: Any) -> Any:
    """Replaces the nodes with which newer savers check whether a checkpoint's name is on S3, by an op that 1.15's
    savers do not need, by the constant false. Returns the GraphDef itself if it has none."""
    asking = [i for i, node in enumerate(graph_def.node) if _asks(node)]
    if not asking:
        return graph_def
    copy = protos.GraphDef()
    copy.CopyFrom(graph_def)
    for i in asking:
        node = copy.node[i]
        controls = [f"^{name.partition(':')[0].removeprefix('^')}" for name in node.input]
        answer = protos.NodeDef(name=node.name, op="Const", input=dict.fromkeys(controls), device=node.device)
        answer.attr["dtype"].type = protos.DT_BOOL
        answer.attr["value"].tensor.CopyFrom(
            protos.TensorProto(dtype=protos.DT_BOOL, tensor_shape=protos.TensorShapeProto(), bool_val=[False])
        )
        node.CopyFrom(answer)
    return copy


def _asks(node: Any) -> bool:
    return node.op == "StaticRegexFullMatch" and node.attr["pattern"].s == _OTHER_STORAGE
