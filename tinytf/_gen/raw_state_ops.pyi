"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Assign(*, ref: RefLike, value: TensorLike, validate_shape: bool | None = True, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores `value` in the variable `ref` and passes the reference on. The shapes must match unless `validate_shape` is false."""

def AssignAdd(*, ref: RefLike, value: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds `value`, which has the shape of the variable, to the variable `ref` and passes the reference on."""

def AssignAddVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Adds `value`, which has the shape of the variable, to the variable."""

def AssignSub(*, ref: RefLike, value: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts `value`, which has the shape of the variable, from the variable `ref` and passes the reference on."""

def AssignSubVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Subtracts `value`, which has the shape of the variable, from the variable."""

def AssignVariableOp(*, resource: Tensor, value: TensorLike, name: str | None = None) -> Operation:
    """Stores `value`, which may have any shape, in the variable."""

def CountUpTo(*, ref: RefLike, limit: int, name: str | None = None) -> Tensor:
    """Returns the value of the scalar variable `ref` and increments the variable. Fails with OutOfRange once the value has reached `limit`."""

def DestroyResourceOp(*, resource: Tensor, ignore_lookup_error: bool | None = True, name: str | None = None) -> Operation:
    """Deletes the resource. Reading a variable afterwards fails as before its initialization. Fails with NotFound if the resource does not exist, unless `ignore_lookup_error` is true."""

def IsVariableInitialized(*, ref: RefLike, name: str | None = None) -> Tensor:
    """Tests whether the reference variable `ref` has a value."""

def ReadVariableOp(*, resource: Tensor, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Returns a snapshot of the variable's value, which later writes do not change. Fails with FailedPrecondition before the first assignment."""

def ResourceCountUpTo(*, resource: Tensor, limit: int, T: DTypeLike, name: str | None = None) -> Tensor:
    """Returns the value of the scalar variable and increments the variable. Fails with OutOfRange once the value has reached `limit`."""

def ResourceGather(*, resource: Tensor, indices: TensorLike, dtype: DTypeLike, batch_dims: int | None = 0, validate_indices: bool | None = True, name: str | None = None) -> Tensor:
    """Gathers the rows of the resource variable at `indices`."""

def ResourceGatherNd(*, resource: Tensor, indices: TensorLike, dtype: DTypeLike, name: str | None = None) -> Tensor:
    """Gathers the slices of the resource variable at the coordinates in the last dimension of `indices`."""

def ResourceScatterAdd(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Adds `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterDiv(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Divides by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterMax(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Takes the maximum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterMin(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Takes the minimum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterMul(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Multiplies by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterNdAdd(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Adds the slices `updates` at the coordinates in the last dimension of `indices` of the resource variable `ref`."""

def ResourceScatterNdSub(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Subtracts the slices `updates` at the coordinates in the last dimension of `indices` of the resource variable `ref`."""

def ResourceScatterNdUpdate(*, ref: Tensor, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Operation:
    """Stores the slices `updates` at the coordinates in the last dimension of `indices` of the resource variable `ref`."""

def ResourceScatterSub(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Subtracts `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceScatterUpdate(*, resource: Tensor, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Operation:
    """Stores `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, for each i in order."""

def ResourceStridedSliceAssign(*, ref: Tensor, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Operation:
    """Writes `value` to the elements of the resource variable `ref` that StridedSlice reads with the same arguments."""

def ScatterAdd(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterDiv(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Divides by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterMax(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Takes the maximum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterMin(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Takes the minimum with `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterMul(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Multiplies by `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterNd(*, indices: TensorLike, updates: TensorLike, shape: TensorLike, name: str | None = None) -> Tensor:
    """Adds the slices `updates` to zeros of shape `shape` at the coordinates in the last dimension of `indices`."""

def ScatterNdAdd(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Adds the slices `updates` at the coordinates in the last dimension of `indices` of the variable `ref`."""

def ScatterNdSub(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts the slices `updates` at the coordinates in the last dimension of `indices` of the variable `ref`."""

def ScatterNdUpdate(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores the slices `updates` at the coordinates in the last dimension of `indices` of the variable `ref`."""

def ScatterSub(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = False, name: str | None = None) -> Tensor:
    """Subtracts `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def ScatterUpdate(*, ref: RefLike, indices: TensorLike, updates: TensorLike, use_locking: bool | None = True, name: str | None = None) -> Tensor:
    """Stores `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. Fails with InvalidArgument, without writing anything, if an index is out of range."""

def StridedSliceAssign(*, ref: RefLike, begin: TensorLike, end: TensorLike, strides: TensorLike, value: TensorLike, begin_mask: int | None = 0, end_mask: int | None = 0, ellipsis_mask: int | None = 0, new_axis_mask: int | None = 0, shrink_axis_mask: int | None = 0, name: str | None = None) -> Tensor:
    """Writes `value` to the elements of the variable `ref` that StridedSlice reads with the same arguments, and passes the reference on."""

def TensorScatterAdd(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Copies `tensor` and stores, adds or subtracts the slices `updates` at the coordinates in `indices`."""

def TensorScatterSub(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Copies `tensor` and stores, adds or subtracts the slices `updates` at the coordinates in `indices`."""

def TensorScatterUpdate(*, tensor: TensorLike, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Tensor:
    """Copies `tensor` and stores, adds or subtracts the slices `updates` at the coordinates in `indices`."""

def VarHandleOp(*, dtype: DTypeLike, shape: ShapeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a handle to the resource variable named by `container` and `shared_name`, which defaults to the name of the node."""

def VarIsInitializedOp(*, resource: Tensor, name: str | None = None) -> Tensor:
    """Tests whether the resource variable has a value."""

def Variable(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a reference to a tensor that keeps its value between steps of a session. It is uninitialized at first."""

def VariableShape(*, input: Tensor, out_type: DTypeLike | None = _dtypes.int32, name: str | None = None) -> Tensor:
    """Returns the shape of the resource variable's value as a vector."""

def VariableV2(*, shape: ShapeLike, dtype: DTypeLike, container: str | bytes | None = '', shared_name: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Returns a reference to a tensor that keeps its value between steps of a session. It is uninitialized at first."""

def ZeroInitializer(*, ref: RefLike, name: str | None = None) -> Tensor:
    """Initializes a variable that has no value with zeros and passes the reference on. Fails with InvalidArgument if it has a value."""

def ZeroVarInitializer(*, var: Tensor, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Initializes a variable that has no value with zeros of `shape` (a scalar if its rank is unknown) and passes the handle on. Fails with InvalidArgument if it has a value."""
