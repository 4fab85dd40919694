"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def einsum(inputs: Sequence[TensorLike], equation: str | bytes, name: str | None = None) -> Tensor: ...
def matrix_triangular_solve(matrix: TensorLike, rhs: TensorLike, lower: bool | None = True, adjoint: bool | None = False, name: str | None = None) -> Tensor: ...
class _QrOutputs(NamedTuple):
    q: Tensor
    r: Tensor
def qr(input: TensorLike, full_matrices: bool | None = False, name: str | None = None) -> _QrOutputs: ...
class _SvdOutputs(NamedTuple):
    s: Tensor
    u: Tensor
    v: Tensor
def svd(input: TensorLike, compute_uv: bool | None = True, full_matrices: bool | None = False, name: str | None = None) -> _SvdOutputs: ...
