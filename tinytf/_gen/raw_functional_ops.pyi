"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Case(*, branch_index: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], branches: Sequence[object], output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """What the function number `branch_index` yields for `input`, or the last one if there is no such number."""

def FakeParam(*, dtype: DTypeLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Zeros of a type and shape that nobody reads, 0 standing for dimensions that are not known: what a branch yields in the place of what only another one has."""

def If(*, cond: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], then_branch: object, else_branch: object, output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """What function `then_branch` yields for `input` if `cond` counts as true, else what `else_branch` does."""

def OptionalFromValue(*, components: Sequence[TensorLike], name: str | None = None) -> Tensor:
    """The tensors, as a value that could also be none."""

def OptionalGetValue(*, optional: Tensor, output_types: Sequence[DTypeLike], output_shapes: Sequence[ShapeLike], name: str | None = None) -> list[Tensor]:
    """The tensors; InvalidArgument if there are none, or others than those types and shapes say."""

def OptionalHasValue(*, optional: Tensor, name: str | None = None) -> Tensor:
    """Whether there are tensors."""

def OptionalNone(*, name: str | None = None) -> Tensor:
    """No tensors."""

def PartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """What the function `f`, which is not stateful, yields for `args`."""

def StatefulPartitionedCall(*, args: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, config: str | bytes | None = '', config_proto: str | bytes | None = '', executor_type: str | bytes | None = '', name: str | None = None) -> list[Tensor]:
    """What the function `f`, which may be stateful, yields for `args`."""

def StatelessCase(*, branch_index: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], branches: Sequence[object], output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """What the function number `branch_index` yields for `input`, or the last one if there is no such number."""

def StatelessIf(*, cond: TensorLike, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], then_branch: object, else_branch: object, output_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> list[Tensor]:
    """What function `then_branch` yields for `input` if `cond` counts as true, else what `else_branch` does."""

def StatelessWhile(*, input: Sequence[TensorLike], cond: object, body: object, output_shapes: Sequence[ShapeLike] | None = (), parallel_iterations: int | None = 10, name: str | None = None) -> list[Tensor]:
    """`input`, or what function `body` makes of it, again and again, as long as function `cond` yields what counts as true for it."""

def SymbolicGradient(*, input: Sequence[TensorLike], Tout: Sequence[DTypeLike], f: object, name: str | None = None) -> list[Tensor]:
    """The gradients of what the function `f` takes; `input`: that, then the gradients of what `f` yields."""

def ToBool(*, input: TensorLike, name: str | None = None) -> Tensor:
    """Whether a scalar is not 0 and not empty, or any other tensor has elements."""

def While(*, input: Sequence[TensorLike], cond: object, body: object, output_shapes: Sequence[ShapeLike] | None = (), parallel_iterations: int | None = 10, name: str | None = None) -> list[Tensor]:
    """`input`, or what function `body` makes of it, again and again, as long as function `cond` yields what counts as true for it."""
