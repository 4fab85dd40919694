"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Case(*, branch_index: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], branches: Sequence[object], output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """Calls the function at position `branch_index` of `branches` with `input` and returns its results. If `branch_index` is out of range, it calls the last one."""

def FakeParam(*, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Returns zeros of type `dtype` and of `shape`, with 0 for unknown dimensions. Nothing reads the value: a branch returns it in place of a value that only another branch computes."""

def If(*, cond: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], then_branch: object, else_branch: object, output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """Calls the function `then_branch` with `input` if `cond` is true, else the function `else_branch`, and returns its results. `cond` is true if it is a nonzero number, a non-empty string or a non-scalar with elements."""

def OptionalFromValue(*, components: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """Wraps the tensors in `components` in an optional."""

def OptionalGetValue(*, optional: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """Returns the tensors in `optional`. Fails with InvalidArgument if it is empty or if its tensors do not match `output_types` and `output_shapes`."""

def OptionalHasValue(*, optional: Tensor, name: str | None = None) -> Tensor:
    """Tests whether `optional` has a value."""

def OptionalNone(*, name: str | None = None) -> Tensor:
    """Returns an optional without a value."""

def PartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Calls the function `f`, which must not be stateful, with `args` and returns its results."""

def RemoteCall(*, target: TensorLike, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, name: str | None = None) -> list[Tensor]:
    """Calls the function `f` with `args` on the device with the name `target`, and returns its results."""

def StatefulPartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """Calls the function `f`, which may be stateful, with `args` and returns its results."""

def StatelessCase(*, branch_index: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], branches: Sequence[object], output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """Calls the function at position `branch_index` of `branches` with `input` and returns its results. If `branch_index` is out of range, it calls the last one."""

def StatelessIf(*, cond: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], then_branch: object, else_branch: object, output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """Calls the function `then_branch` with `input` if `cond` is true, else the function `else_branch`, and returns its results. `cond` is true if it is a nonzero number, a non-empty string or a non-scalar with elements."""

def StatelessWhile(*, input: Sequence[TensorLike], cond: object, body: object, output_shapes: Sequence[ShapeLike] | None = (), parallel_iterations: int | None = 10, name: str | None = None) -> list[Tensor]:
    """Calls the function `body` repeatedly, first with `input` and then with its own results, as long as the function `cond` returns true for these values. Returns the last values."""

def SymbolicGradient(*, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, name: str | None = None) -> list[Tensor]:
    """Calls the gradient of the function `f`. `input` holds the arguments of `f` followed by the gradients of its results; `output` holds the gradients of the arguments."""

def ToBool(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Computes the truth value of `input`: a scalar is true if it is neither 0 nor an empty string, any other tensor if it has elements."""

def While(*, input: Sequence[TensorLike], cond: object, body: object, output_shapes: Sequence[ShapeLike] | None = (), parallel_iterations: int | None = 10, name: str | None = None) -> list[Tensor]:
    """Calls the function `body` repeatedly, first with `input` and then with its own results, as long as the function `cond` returns true for these values. Returns the last values."""
