"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Assign(*, ref: RefLike, value: TensorLike, validate_shape: bool | None = True, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores `value` in the variable and passes the reference on. Shapes must match unless `validate_shape` is false."""

def AssignAdd(*, ref: RefLike, value: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds `value`, of the variable's shape, to the variable and passes the reference on."""

def AssignAddVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Adds `value`, of the variable's shape, to the variable."""

def AssignSub(*, ref: RefLike, value: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts `value`, of the variable's shape, from the variable and passes the reference on."""

def AssignSubVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Subtracts `value`, of the variable's shape, from the variable."""

def AssignVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Stores `value`, of any shape, in the variable."""

def CountUpTo(*, ref: RefLike, limit: int, name: str | None = None) -> Tensor:
    """The scalar variable's value, which is then incremented; OutOfRange once it has reached `limit`."""

def DestroyResourceOp(*, resource: Tensor, ignore_lookup_error: bool | None = True, name: str | None = None) -> Operation:
    """Deletes the resource; reading a variable afterwards fails as before its initialisation. NotFound if it is not there, unless `ignore_lookup_error`."""

def IsVariableInitialized(*, ref: RefLike, name: str | None = None) -> Tensor:
    """Whether the reference variable has a value."""

def ReadVariableOp(*, resource: Tensor, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """The variable's value now; later writes do not change it. FailedPrecondition before the first assignment."""

def ResourceCountUpTo(*, resource: Tensor, limit: int, T: DTypeLike, name: str | None = None) -> Tensor:
    """The scalar variable's value, which is then incremented; OutOfRange once it has reached `limit`."""

def ResourceGather(*, resource: Tensor, indices: TensorLike, dtype: DTypeLike, batch_dims: int | None = 0, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Rows of the resource variable at `indices`."""

def ResourceGatherNd(*, resource: Tensor, indices: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Slices of the resource variable at the coordinates in the last dimension of `indices`."""

def ResourceScatterAdd(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Adds `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterDiv(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Divides by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterMax(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Takes the maximum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterMin(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Takes the minimum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterMul(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Multiplies by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterNdAdd(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Adds slices `updates` of the resource variable at the coordinates in `indices`."""

def ResourceScatterNdSub(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Subtracts slices `updates` of the resource variable at the coordinates in `indices`."""

def ResourceScatterNdUpdate(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Stores slices `updates` of the resource variable at the coordinates in `indices`."""

def ResourceScatterSub(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Subtracts `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ResourceScatterUpdate(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Stores `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable."""

def ScatterAdd(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterDiv(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Divides by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterMax(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Takes the maximum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterMin(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Takes the minimum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterMul(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Multiplies by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterNd(*, indices: TensorLike, updates: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Zeros of shape `shape` to which the slices `updates` are added at the coordinates in the last dimension of `indices`."""

def ScatterNdAdd(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds slices `updates` at the coordinates in the last dimension of `indices`."""

def ScatterNdSub(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts slices `updates` at the coordinates in the last dimension of `indices`."""

def ScatterNdUpdate(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores slices `updates` at the coordinates in the last dimension of `indices`."""

def ScatterSub(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def ScatterUpdate(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable, in order; InvalidArgument, and nothing written, if an index is out of range."""

def TensorScatterAdd(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` with the slices `updates` stored, added or subtracted at the coordinates in `indices`."""

def TensorScatterSub(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` with the slices `updates` stored, added or subtracted at the coordinates in `indices`."""

def TensorScatterUpdate(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """`tensor` with the slices `updates` stored, added or subtracted at the coordinates in `indices`."""

def VarHandleOp(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Handle to the resource variable that `container` and `shared_name` (default: the node's name) name."""

def VarIsInitializedOp(*, resource: Tensor, name: str | None = None) -> Tensor:
    """Whether the resource variable has a value."""

def Variable(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Reference to a tensor that keeps its value between steps of a session; uninitialised at first."""

def VariableShape(*, input: Tensor, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Shape of the resource variable's value, as a vector."""

def VariableV2(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Reference to a tensor that keeps its value between steps of a session; uninitialised at first."""

def ZeroInitializer(*, ref: RefLike, name: str | None = None) -> Tensor:
    """Gives a variable that has no value zeros, and passes the reference on; InvalidArgument if it has one."""

def ZeroVarInitializer(*, var: Tensor, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Gives a variable that has no value zeros of `shape`, a scalar if its rank is unknown, and passes the handle on; InvalidArgument if it has one."""
