"""Gradients of image ops."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.gradients.support import shape


def _attrs(op: Any) -> dict[str, Any]:
    return {name: op.get_attr(name) for name in ("align_corners", "half_pixel_centers")}


@gradient_of("ResizeBilinear")
def _resize_bilinear(op: Any, grad: Any) -> Any:
    return g.resize_bilinear_grad(grad, op.inputs[0], **_attrs(op)), None


@gradient_of("ResizeNearestNeighbor")
def _resize_nearest_neighbor(op: Any, grad: Any) -> Any:
    image = op.inputs[0]
    known = image.shape[1:3]
    size = known.as_list() if known.is_fully_defined() else shape(image)[1:3]
    return g.resize_nearest_neighbor_grad(grad, size, **_attrs(op)), None
