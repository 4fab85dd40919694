"""Products of SparseTensors and matrices."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf.exports import tf_export
from tinytf.framework.conversion import convert_to_tensor
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.name_scope import name_scope
from tinytf.framework.tensor import Tensor
from tinytf.ops.sparse.sparse_parts import converted


@tf_export("sparse.matmul", "sparse.sparse_dense_matmul", "sparse_tensor_dense_matmul")
@called_by_users
def sparse_tensor_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """The product of a SparseTensor [m, k] and a matrix [k, n] of its type: a matrix [m, n].

    Args:
      sp_a: the SparseTensor, whose indices may stand in any order; what stands at one place is added up.
      b: the matrix.
      adjoint_a: whether `sp_a` is [k, m] and transposed first. Complex numbers are taken as they are.
      adjoint_b: whether `b` is [n, k] and its conjugate transpose is taken.

    float16, bfloat16, float32, float64, int32, complex64 and complex128. InvalidArgumentError for indices beyond the shape
    and for sizes that do not fit; TypeError where `sp_a` is no SparseTensor.
    """
    sp_a = converted(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = convert_to_tensor(b, name="b")
        return gen_ops.sparse_tensor_dense_mat_mul(
            sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )
