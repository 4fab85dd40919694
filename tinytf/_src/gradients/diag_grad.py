"""Gradients of ops on diagonal bands, such as MatrixDiagV2."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops as g
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.gradients.registry import gradient_of
from tinytf._src.ops import array_ops


def _align(op: Any) -> dict[str, Any]:
    align = op._raw_attr("align")
    return {} if align is None else {"align": align}


def _diag(op: Any, *arguments: Any) -> Any:
    return (g.matrix_diag_v3 if _align(op) else g.matrix_diag_v2)(*arguments, **_align(op))


def _diag_part(op: Any, matrices: Any, k: Any) -> Any:
    part = g.matrix_diag_part_v3 if _align(op) else g.matrix_diag_part_v2
    return part(matrices, k, constant(0, matrices.dtype), **_align(op))


def _set_diag(op: Any, *arguments: Any) -> Any:
    return (g.matrix_set_diag_v3 if _align(op) else g.matrix_set_diag_v2)(*arguments, **_align(op))


def _matrix_diag(op: Any, grad: Any) -> Any:
    return _diag_part(op, grad, op.inputs[1]), None, None, None, None


def _matrix_diag_part(op: Any, grad: Any) -> Any:
    matrices, k = op.inputs[0], op.inputs[1]
    dims = matrices._shape_tuple()
    if dims is not None and None not in dims[-2:]:
        return _diag(op, grad, k, dims[-2], dims[-1], constant(0, grad.dtype)), None, None
    return _set_diag(op, array_ops.zeros_like(matrices), grad, k), None, None


def _matrix_set_diag(op: Any, grad: Any) -> Any:
    diagonal, k = op.inputs[1], op.inputs[2]
    return _set_diag(op, grad, array_ops.zeros_like(diagonal), k), _diag_part(op, grad, k), None


for _version, _free in (("V2", False), ("V3", True)):
    gradient_of("MatrixDiag" + _version, free=_free)(_matrix_diag)
    gradient_of("MatrixDiagPart" + _version, free=_free)(_matrix_diag_part)
    gradient_of("MatrixSetDiag" + _version, free=_free)(_matrix_set_diag)
