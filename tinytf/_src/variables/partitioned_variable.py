"""`PartitionedVariable`: a variable that is stored as several variables in the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import control_dependencies, name_scope
from tinytf._src.framework.tensors import conversion
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.array.joining import concat, split
from tinytf._src.variables.support import refuse_other_dtype


class PartitionedVariable:
    """A variable that is partitioned along one axis. Created by `tf.get_variable` with a partitioner.

    Iteration yields the pieces, which are Variables. Converted to a tensor, it is their concatenation.

    Args:
      name: str, name of the whole variable.
      shape: shape of the whole variable.
      dtype: element type.
      variable_list: list or tuple of the pieces in any order, each with its save slice info.
      partitions: list or tuple of ints, the number of pieces along each axis.

    Raises:
      TypeError: if `variable_list` or `partitions` is neither a list nor a tuple.
      ValueError: if they are empty, not positive, or do not fit `shape`.
    """

    def __init__(
        self, name: str, shape: Any, dtype: Any, variable_list: Sequence[Any], partitions: Sequence[int]
    ) -> None:
        if not isinstance(variable_list, (list, tuple)):
            raise TypeError(f"variable_list is not a list or tuple: {variable_list}")
        if not isinstance(partitions, (list, tuple)):
            raise TypeError(f"partitions is not a list or tuple: {partitions}")
        if not all(count >= 1 for count in partitions):
            raise ValueError(f"partition values must be positive: {partitions}")
        if not variable_list:
            raise ValueError("variable_list may not be empty")
        infos = [piece._get_save_slice_info() for piece in variable_list]
        if any(info is None for info in infos):
            raise ValueError(f"All variables must have a save_slice_info available: {[v.name for v in variable_list]}")
        if len(shape) != len(partitions):
            raise ValueError(f"len(shape) != len(partitions): {shape} vs. {partitions}")
        wrong = [info.full_shape for info in infos if as_shape(info.full_shape) != as_shape(shape)]
        if wrong:
            raise ValueError(f"All variables' full shapes must match shape: {shape}; but full shapes were: {wrong[:1]}")
        self._variable_list = sorted(variable_list, key=lambda piece: piece._get_save_slice_info().var_offset)
        self._name = name
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._partitions = partitions

    @property
    def name(self) -> str:
        """The name of the whole variable."""
        return self._name

    @property
    def dtype(self) -> dtypes.DType:
        """The element type."""
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        """The TensorShape of the whole variable."""
        return self._shape

    def get_shape(self) -> TensorShape:
        """The TensorShape of the whole variable."""
        return self._shape

    def __iter__(self) -> Iterator[Any]:
        """Iterates over the pieces, in the order of their offsets."""
        return iter(self._variable_list)

    def __len__(self) -> int:
        """The number of pieces. Raises ValueError if it is partitioned along several axes."""
        axes = self._partition_axes()
        if len(axes) > 1:
            raise ValueError(f"Cannot get a length for {len(axes)} > 1 partition axes")
        return len(self._variable_list)

    def _get_variable_list(self) -> list[Any]:
        return self._variable_list

    def _get_partitions(self) -> Sequence[int]:
        return self._partitions

    def _partition_axes(self) -> list[int]:
        return [axis for axis, count in enumerate(self._partitions) if count > 1] or [0]

    # -- Reading ------------------------------------------------------------------------------------------------------

    def as_tensor(self) -> Tensor:
        """The value of the whole variable, read by new operations without control inputs.

        Raises NotImplementedError if it is partitioned along several axes.
        """
        with control_dependencies(None):
            if len(self._variable_list) == 1:
                whole: Any = self._variable_list[0]
            else:
                axes = self._partition_axes()
                if len(axes) > 1:
                    raise NotImplementedError(
                        f"Cannot concatenate along more than one dimension: {axes}.  Multi-axis partition concat is not "
                        "supported"
                    )
                with name_scope(self._name + "/ConcatPartitions/"):
                    whole = concat(self._variable_list, axes[0])
            with name_scope(None):
                return gen_ops.identity(whole, name=self._name)

    # -- Updates ------------------------------------------------------------------------------------------------------

    def assign(self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True) -> Any:
        """Assigns a value to all pieces.

        Args:
          value: Tensor or value of the whole shape, list with a value per piece, or PartitionedVariable.
          use_locking: bool, whether updates lock a reference variable.
          name: str, name of the operations.
          read_value: bool, whether the assignments return the new value instead of the operation.

        Returns:
          List of the pieces' results.

        Raises:
          ValueError: for a list of another length.
          NotImplementedError: if it is partitioned along several axes.
        """
        return self._changed("assign", value, use_locking, name, read_value)

    def assign_add(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Adds a value to all pieces; arguments and result as for `assign`."""
        return self._changed("assign_add", value, use_locking, name, read_value)

    def assign_sub(
        self, value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtracts a value from all pieces; arguments and result as for `assign`."""
        return self._changed("assign_sub", value, use_locking, name, read_value)

    def _changed(self, method: str, value: Any, use_locking: bool, name: str | None, read_value: bool) -> list[Any]:
        def change(piece: Any, part: Any) -> Any:
            return getattr(piece, method)(part, use_locking=use_locking, name=name, read_value=read_value)

        return self._apply_assign_fn(change, value)

    def _apply_assign_fn(self, assign_fn: Callable[[Any, Any], Any], value: Any) -> list[Any]:
        """The list of `assign_fn(piece, part of value)` for all pieces."""
        axes = self._partition_axes()
        if len(axes) > 1:
            raise NotImplementedError(
                f"Cannot do assign action along more than one dimension: {axes}.  Multi-axis partition assign action is "
                "not supported "
            )
        if isinstance(value, (list, PartitionedVariable)):
            parts = list(value)
            if len(parts) != len(self._variable_list):
                raise ValueError(f"{self._name} has {len(self._variable_list)} partitions, but got {len(parts)} values")
        else:
            parts = split(value, [piece.shape[axes[0]].value for piece in self._variable_list], axis=axes[0])
        return [assign_fn(piece, part) for piece, part in zip(self._variable_list, parts, strict=True)]


def _convert(value: PartitionedVariable, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    refuse_other_dtype(dtype, value.dtype)
    if as_ref:
        raise NotImplementedError("PartitionedVariable doesn't support being used as a reference.")
    return value.as_tensor()


conversion.register_tensor_conversion_function(PartitionedVariable, _convert)
