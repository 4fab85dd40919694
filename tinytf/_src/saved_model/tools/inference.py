"""Optimizes frozen graphs for inference: removes training nodes, folds batch normalizations into convolutions, and
fuses resizing and padding with convolutions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tinytf._src import protos
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph_defs.graph_util import remove_training_nodes
from tinytf._src.framework.logs import tf_logging
from tinytf._src.framework.values.tensor_util import MakeNdarray, make_tensor_proto
from tinytf._src.saved_model.tools.stripping import strip_unused

# For each normalization op: the input indices of mean, variance, beta and gamma, and the attr with epsilon.
_EARLY = "BatchNormWithGlobalNormalization"
_ORDERS = {
    _EARLY: ((1, 2, 3, 4), "variance_epsilon"),
    "FusedBatchNorm": ((3, 4, 2, 1), "epsilon"),
    "FusedBatchNormV2": ((3, 4, 2, 1), "epsilon"),
    "FusedBatchNormV3": ((3, 4, 2, 1), "epsilon"),
}
_CONVOLUTIONS = ("Conv2D", "DepthwiseConv2dNative")


@called_by_users
def optimize_for_inference(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
    toco_compatible: bool = False,
) -> Any:
    """Returns the part of a frozen `GraphDef` that the outputs need, without training nodes, with batch normalizations
    folded into convolutions, and resizing and padding fused with them. See `strip_unused` for the other arguments.

    Args:
      toco_compatible: whether to skip the fusing, as other converters do not know the fused ops.
    """
    ensure_graph_is_valid(input_graph_def)
    graph_def = strip_unused(input_graph_def, input_node_names, output_node_names, placeholder_type_enum)
    library, versions = graph_def.library, graph_def.versions
    graph_def = fold_batch_norms(remove_training_nodes(graph_def, output_node_names))
    if not toco_compatible:
        graph_def = fuse_resize_and_conv(graph_def, output_node_names)
    graph_def.library.CopyFrom(library)
    graph_def.versions.CopyFrom(versions)
    ensure_graph_is_valid(graph_def)
    return graph_def


def node_name_from_input(node_name: str) -> str:
    """Returns the name of the node that an input refers to."""
    return node_name.removeprefix("^").partition(":")[0]


def node_from_map(node_map: Mapping[str, Any], name: str) -> Any:
    """Returns the node that an input refers to, from a dict by name. ValueError if it is missing."""
    node = node_name_from_input(name)
    if node not in node_map:
        raise ValueError(f"No node named '{name}' found in map.")
    return node_map[node]


def values_from_const(node_def: Any) -> np.ndarray:
    """Returns the value of a constant node. ValueError for other nodes."""
    if node_def.op != "Const":
        raise ValueError(f"Node named '{node_def.name}' should be a Const op for values_from_const.")
    return MakeNdarray(node_def.attr["value"].tensor)


def ensure_graph_is_valid(graph_def: Any) -> None:
    """Raises ValueError for duplicate node names and missing inputs."""
    names: set[str] = set()
    for node in graph_def.node:
        if node.name in names:
            raise ValueError(f"Duplicate node names detected for {node.name}")
        names.add(node.name)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in names:
                raise ValueError(f"Input for {node.name} not found: {name}")


def _by_name(graph_def: Any) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for node in graph_def.node:
        if nodes.setdefault(node.name, node) is not node:
            raise ValueError(f"Duplicate node names detected for {node.name}")
    return nodes


class _Parts(NamedTuple):
    conv: Any
    weights: Any
    scaled: np.ndarray
    offset: np.ndarray


@called_by_users
def fold_batch_norms(input_graph_def: Any) -> Any:
    """Returns a `GraphDef` in which batch normalizations after convolutions are folded into weights and a bias; the new
    nodes are at the end.

    Normalizations with inputs that are not constant are kept, with a warning, as are those whose statistics are used.
    Unlike in TensorFlow 1.15, FusedBatchNormV2 and V3, which its own layers create, are folded like FusedBatchNorm.
    """
    nodes = _by_name(input_graph_def)
    statistics = {
        node_name_from_input(name) for node in input_graph_def.node for name in node.input if _is_statistic(name)
    }
    uses = Counter(node_name_from_input(name) for node in input_graph_def.node for name in node.input)
    gone: set[str] = set()
    made: list[Any] = []
    for node in input_graph_def.node:
        parts = _parts(node, nodes, uses) if node.op in _ORDERS and node.name not in statistics else None
        if parts is not None:
            made += _folded(node, parts)
            gone.update((node.name, parts.conv.name, parts.weights.name))
            gone.update(node_name_from_input(name) for name in node.input[1:] if uses[node_name_from_input(name)] == 1)
    result = protos.GraphDef()
    result.node.extend(node for node in input_graph_def.node if node.name not in gone)
    result.node.extend(made)
    return result


def _is_statistic(name: str) -> bool:
    """Returns whether an input is not output 0 of its node: for a normalization, batch statistics."""
    return name.partition(":")[2] not in ("", "0")


def _parts(node: Any, nodes: dict[str, Any], uses: Counter[str]) -> _Parts | None:
    """Returns the parts of a foldable normalization; None, after a warning, for others."""
    conv = nodes[node_name_from_input(node.input[0])]
    if conv.op not in _CONVOLUTIONS:
        tf_logging.warning("Didn't find expected Conv2D or DepthwiseConv2dNative input to '%s'", node.name)
        return None
    order, epsilon = _ORDERS[node.op]
    weights = nodes[node_name_from_input(conv.input[1])]
    numbers = [nodes[node_name_from_input(node.input[i])] for i in order]
    for what, found in zip(("weights", "mean", "variance", "beta", "gamma"), [weights, *numbers], strict=True):
        if found.op != "Const":
            tf_logging.warning(
                "Didn't find expected constant %s of '%s', found %s instead. Maybe because freeze_graph wasn't run first?",
                what,
                node.name,
                found.op,
            )
            return None
    if uses[conv.name] > 1 or uses[weights.name] > 1:
        tf_logging.warning(
            "'%s' is not folded, because other nodes use its convolution or the weights of the convolution", node.name
        )
        return None
    values = MakeNdarray(weights.attr["value"].tensor)
    channels = values.shape[3] if conv.op == "Conv2D" else values.shape[2] * values.shape[3]
    mean, variance, beta, gamma = (MakeNdarray(found.attr["value"].tensor) for found in numbers)
    if not mean.shape == variance.shape == beta.shape == gamma.shape == (channels,):
        tf_logging.warning(
            "The mean, variance, beta and gamma for %s channels have incorrect shapes, for node %s", channels, node.name
        )
        return None
    scale = 1 / np.sqrt((variance + variance.dtype.type(node.attr[epsilon].f)).astype(np.float64))
    if node.op != _EARLY or node.attr["scale_after_normalization"].b:
        scale = scale * gamma
    scaled = values * (scale if conv.op == "Conv2D" else scale.reshape(values.shape[2:]))
    return _Parts(conv, weights, scaled.astype(values.dtype), (-mean * scale + beta).astype(values.dtype))


def _folded(node: Any, parts: _Parts) -> list[Any]:
    """Returns the nodes that replace a normalization, its convolution, and the weights."""
    offset = _constant(f"{parts.conv.name}_bn_offset", parts.offset)
    bias = protos.NodeDef(name=node.name, op="BiasAdd", input=[parts.conv.name, offset.name])
    for attr in ("T", "data_format"):
        bias.attr[attr].CopyFrom(parts.conv.attr[attr])
    return [_constant(parts.weights.name, parts.scaled), parts.conv, offset, bias]


def _constant(name: str, value: np.ndarray) -> Any:
    made = protos.NodeDef(name=name, op="Const")
    made.attr["value"].tensor.CopyFrom(make_tensor_proto(value))
    made.attr["dtype"].type = made.attr["value"].tensor.dtype
    return made


@called_by_users
def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """Returns a `GraphDef` in which each Conv2D is fused with a MirrorPad, a ResizeBilinear, or both, that make its
    image; the new nodes are at the end. Nodes that become unused are removed, unless they are outputs.

    Convolutions that are dilated, channels-first or explicitly padded are kept, as are convolutions of images that are
    resized from another dtype or with `half_pixel_centers`: the fused ops do not support these. ValueError for
    duplicate node names.
    """
    nodes = _by_name(input_graph_def)
    uses = Counter(node_name_from_input(name) for node in input_graph_def.node for name in node.input)
    uses.update(output_node_names)
    made: list[Any] = []
    for node in input_graph_def.node:
        if node.op != "Conv2D":
            continue
        image = _known(nodes, node.input[0])
        pad = image if image.op == "MirrorPad" else None
        resize = image if pad is None else _known(nodes, pad.input[0])
        if resize.op != "ResizeBilinear":
            resize = None
        if not _can_fuse(node, pad, resize):
            continue
        uses[node.name] = 0
        if pad is not None:
            uses[pad.name] -= 1
        if resize is not None and (pad is None or uses[pad.name] == 0):
            uses[resize.name] -= 1
        made += _fused(node, pad, resize)
    result = protos.GraphDef()
    result.node.extend(node for node in input_graph_def.node if uses[node.name] > 0)
    result.node.extend(made)
    return result


def _can_fuse(conv: Any, pad: Any, resize: Any) -> bool:
    """Returns whether there is something to fuse, and the fused op supports it."""
    plain = (
        _attr(conv, "data_format").s in (b"", b"NHWC")
        and all(dilation == 1 for dilation in _attr(conv, "dilations").list.i)
        and _attr(conv, "padding").s != b"EXPLICIT"
    )
    if resize is None:
        return plain and pad is not None
    same = _attr(resize, "T").type == _attr(conv, "T").type
    return plain and same and not _attr(resize, "half_pixel_centers").b


def _attr(node: Any, name: str) -> Any:
    return node.attr[name] if name in node.attr else protos.AttrValue()


def _known(nodes: dict[str, Any], name: str) -> Any:
    if node_name_from_input(name) not in nodes:
        raise ValueError(f"No node named '{name}' found in map.")
    return nodes[node_name_from_input(name)]


def _fused(conv: Any, pad: Any, resize: Any) -> list[Any]:
    """Returns the nodes that replace a convolution and the others; without a `pad`, with paddings of 0."""
    made = protos.NodeDef(name=conv.name, op="FusedPadConv2D" if resize is None else "FusedResizeAndPadConv2D")
    if pad is None:
        paddings = _constant(f"{conv.name}_dummy_paddings", np.zeros((4, 2), np.int32))
        before, mode = [paddings], protos.AttrValue(s=b"REFLECT")
        padding_name = paddings.name
    else:
        before, mode, padding_name = [], pad.attr["mode"], pad.input[1]
    if resize is None:
        made.input.append(pad.input[0])
    else:
        made.input.extend(resize.input[:2])
        made.attr["resize_align_corners"].CopyFrom(resize.attr["align_corners"])
    made.input.extend((padding_name, conv.input[1]))
    made.attr["mode"].CopyFrom(mode)
    for attr in ("T", "strides", "padding"):
        made.attr[attr].CopyFrom(conv.attr[attr])
    return [*before, made]
