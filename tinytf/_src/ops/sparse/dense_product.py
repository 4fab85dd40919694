"""Products of SparseTensors and dense matrices."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.ops.sparse.sparse_parts import converted


@tf_export("sparse.matmul", "sparse.sparse_dense_matmul", "sparse_tensor_dense_matmul")
@called_by_users
def sparse_tensor_dense_matmul(
    sp_a: Any, b: Any, adjoint_a: bool = False, adjoint_b: bool = False, name: str | None = None
) -> Tensor:
    """Multiplies a SparseTensor by a dense matrix; indices out of range raise InvalidArgumentError at run time.

    Args:
      sp_a: SparseTensor [m, k] of dtype float16, bfloat16, float32, float64, int32, complex64 or complex128. Its
        indices may be in any order and may repeat; repeated elements are added.
      b: matrix [k, n] of the same dtype.
      adjoint_a: bool, whether `sp_a` is [k, m] and is transposed first, without conjugation.
      adjoint_b: bool, whether `b` is [n, k] and its conjugate transpose is used.
      name: optional name of the name scope.

    Returns:
      A matrix [m, n].

    Raises:
      TypeError: if `sp_a` is not a SparseTensor.
    """
    sp_a = converted(sp_a)
    with name_scope(name, "SparseTensorDenseMatMul", [sp_a.indices, sp_a.values, b]):
        b = convert_to_tensor(b, name="b")
        return gen_ops.sparse_tensor_dense_mat_mul(
            sp_a.indices, sp_a.values, sp_a.dense_shape, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b
        )
