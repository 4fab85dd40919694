"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.linalg_ops import _QrOutputs, _SvdOutputs

def Einsum(*, inputs: Sequence[TensorLike], equation: str | bytes, name: str | None = None) -> Tensor:
    """Computes the Einstein summation `equation` over one or two tensors, for example "...ab,bc->...ac". Dimensions with the same label must be equal, dimensions whose label is not in the output are summed over, and the dimensions of `...` are broadcast. A label that occurs twice in one tensor selects its diagonal."""

def MatrixTriangularSolve(*, matrix: TensorLike, rhs: TensorLike, lower: bool | None = True, adjoint: bool | None = False, name: str | None = None) -> Tensor:
    """Solves matrix x = rhs for x, returned as `output` [..., n, k], with triangular matrices [..., n, n] whose other triangle is not read. With `adjoint` it solves the equation with the conjugate transpose of `matrix`. Fails with InvalidArgument if a diagonal element is zero."""

def Qr(*, input: TensorLike, full_matrices: bool | None = False, name: str | None = None) -> _QrOutputs:
    """Computes the QR factorization input = q r of matrices [..., m, n], where `q` [..., m, p] has orthonormal columns and `r` [..., p, n] is upper triangular. p is min(m, n), or m with `full_matrices`."""

def Svd(*, input: TensorLike, compute_uv: bool | None = True, full_matrices: bool | None = False, name: str | None = None) -> _SvdOutputs:
    """Computes the singular value decomposition input = u diag(s) adjoint(v) of matrices [..., m, n]. The singular values `s` [..., p], p = min(m, n), decrease; `u` [..., m, p] and `v` [..., n, p] have orthonormal columns, m and n of them with `full_matrices`. Without `compute_uv` u and v are empty; a matrix that is not finite gives NaN."""
