"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.linalg_ops import _QrOutputs, _SvdOutputs

def Einsum(*, inputs: Sequence[TensorLike], equation: str | bytes, name: str | None = None) -> Tensor:
    """Einstein's summation over one or two tensors, such as "...ab,bc->...ac": dimensions with one label are equal, those whose label the result lacks are summed over, and those of `...` broadcast. A label twice in one tensor means its diagonal."""

def MatrixTriangularSolve(*, matrix: TensorLike, rhs: TensorLike, lower: bool | None = True, adjoint: bool | None = False, name: str | None = None) -> Tensor:
    """The x [..., n, k] with matrix x = rhs, for triangular matrices [..., n, n] of which the other triangle is not read; `adjoint` takes the conjugate transpose. InvalidArgument for a zero on the diagonal."""

def Qr(*, input: TensorLike, full_matrices: bool | None = False, name: str | None = None) -> _QrOutputs:
    """input = q r for matrices [..., m, n], q with orthonormal columns and r upper triangular: [..., m, p] and [..., p, n] with p = min(m, n), or p = m with `full_matrices`."""

def Svd(*, input: TensorLike, compute_uv: bool | None = True, full_matrices: bool | None = False, name: str | None = None) -> _SvdOutputs:
    """input = u diag(s) adjoint(v) for matrices [..., m, n], the singular values s [..., p], p = min(m, n), falling; u [..., m, p] and v [..., n, p] have orthonormal columns, m and n of them with `full_matrices`. Without `compute_uv` u and v are empty. A matrix that is not finite gives NaN."""
