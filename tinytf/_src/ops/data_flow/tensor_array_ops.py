"""`TensorArray`: arrays of tensors that loops read and write."""

from __future__ import annotations

from typing import Any

from tinytf._src.exports import tf_export
from tinytf._src.framework.apply.should_use import should_use_result, watched
from tinytf._src.framework.composites.type_spec import TensorSpec, TypeSpec, type_spec_from_value
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.errors.error_traceback import called_by_users
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.values.dtypes import DType, as_dtype, float32, variant
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.control_flow.version import builds_nodes
from tinytf._src.ops.data_flow import list_ops
from tinytf._src.ops.data_flow.eager_tensor_array import EagerTensorArray
from tinytf._src.ops.data_flow.graph_tensor_array import GraphTensorArray
from tinytf._src.ops.data_flow.list_tensor_array import ListTensorArray


@tf_export("TensorArray")
class TensorArray:
    """An array of tensors that are written once and, by default, read once, by index; loops use it for inputs and
    results.

    In graphs the uses are ordered by a flow tensor: a method that writes returns a new TensorArray object for the same
    array, which must be used from then on. The array lives for one step. In functions the flow is a list of all
    elements and there is no handle; so it is everywhere if `flow` is such a list. In eager execution the array is a
    mutable list, and methods that write return the object itself.

    Running an operation raises InvalidArgumentError for an index out of range, a second write or read, and a wrong
    dtype or shape.

    Args:
      dtype: dtype of the elements.
      size: int32 scalar, number of elements.
      dynamic_size: bool, whether writes beyond `size` extend the array; defaults to False.
      clear_after_read: bool, whether a read releases the element, which then cannot be read again; defaults to True.
      tensor_array_name: optional name of the array in messages.
      handle: optional handle of an existing array; requires `flow` and excludes `size` and the other properties.
      flow: optional flow tensor that orders the uses of `handle`.
      infer_shape: bool, whether all elements have the same shape.
      element_shape: optional shape of the elements. If it is fully known, unwritten elements are zeros.
      colocate_with_first_write_call: bool, whether the array is placed with the first value written to it.
      name: optional name of the operation.

    Raises:
      ValueError: if arguments are missing or exclude each other.
    """

    _flows_through = True  # See `is_tensor_array`.

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        self._implementation: Any
        is_list = getattr(flow, "dtype", None) == variant
        if executing_eagerly() and not is_list:
            self._implementation = EagerTensorArray(
                dtype, size, dynamic_size, clear_after_read, handle, infer_shape, element_shape
            )
        elif is_list or (builds_nodes() and handle is None):
            self._implementation = ListTensorArray(dtype, size, dynamic_size, flow, infer_shape, element_shape, name)
        else:
            self._implementation = GraphTensorArray(
                dtype,
                size,
                dynamic_size,
                clear_after_read,
                tensor_array_name,
                handle,
                flow,
                infer_shape,
                element_shape,
                colocate_with_first_write_call,
                name,
            )

    @property
    def flow(self) -> Any:
        """The flow tensor after all uses so far."""
        return self._implementation.flow

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._implementation.dtype

    @property
    def handle(self) -> Any:
        """The handle of the array; None in eager execution and in functions."""
        return self._implementation.handle

    @property
    def element_shape(self) -> TensorShape:
        """The static shape of the elements."""
        return self._implementation.element_shape

    @property
    def dynamic_size(self) -> bool:
        """Whether writes may extend the array."""
        return self._implementation.dynamic_size

    @property
    def _infer_shape(self) -> bool:
        return self._implementation.infer_shape

    @property
    def _type_spec(self) -> TensorArraySpec:
        return TensorArraySpec.from_value(self)

    def _continued(self, flow: Any) -> TensorArray:
        """Returns the array after `flow`. Raises ValueError if that is None."""
        return self._after(self._implementation.continued(flow))

    def _after(self, implementation: Any) -> TensorArray:
        if implementation is self._implementation:
            return self
        array = TensorArray.__new__(TensorArray)
        array._implementation = implementation
        return array

    @called_by_users
    def identity(self) -> TensorArray:
        """Returns the array with a flow that includes the current control dependencies."""
        return self._after(self._implementation.identity())

    @called_by_users
    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """Returns the array of the elements' gradients; values written to one of its elements are added up.

        Args:
          source: str that identifies the gradient computation.
          flow: optional flow tensor; defaults to that of this array.
          name: optional name of the operation.

        Returns:
          A TensorArray.

        Raises:
          NotImplementedError: in eager execution and in functions, where it is not needed.
        """
        return self._after(self._implementation.grad(source, flow, name))

    @called_by_users
    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Reads an element.

        Args:
          index: int32 scalar.
          name: optional name of the operation.

        Returns:
          A tensor of the dtype of the array.
        """
        return self._implementation.read(index, name)

    @called_by_users
    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Writes an element.

        Args:
          index: int32 scalar.
          value: tensor of the dtype of the array.
          name: optional name of the operation.

        Returns:
          The array after the write.

        Raises:
          ValueError: if the shape of `value` does not match.
        """
        array = self._after(self._implementation.write(index, value, name))
        return array if array is self else watched(array)

    @called_by_users
    def stack(self, name: str | None = None) -> Tensor:
        """Returns all elements stacked along a new first dimension; they must have one shape."""
        return self._implementation.stack(name)

    @called_by_users
    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """Reads several elements, which must have one shape.

        Args:
          indices: int32 vector.
          name: optional name of the operation.

        Returns:
          A tensor with the elements stacked along a new first dimension.
        """
        return self._implementation.gather(indices, name)

    @called_by_users
    def concat(self, name: str | None = None) -> Tensor:
        """Returns all elements concatenated along their first dimension; their other dimensions must be equal."""
        return self._implementation.concat(name)

    @called_by_users
    @should_use_result
    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Writes the rows of a tensor to the elements 0, 1 and so on.

        Args:
          value: tensor of rank 1 or more.
          name: optional name of the operation.

        Returns:
          The array after the write.
        """
        return self._after(self._implementation.unstack(value, name))

    @called_by_users
    @should_use_result
    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Writes the rows of a tensor to several elements.

        Args:
          indices: int32 vector.
          value: tensor with one row per index.
          name: optional name of the operation.

        Returns:
          The array after the write.
        """
        return self._after(self._implementation.scatter(indices, value, name))

    @called_by_users
    @should_use_result
    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Writes consecutive pieces of a tensor to the elements 0, 1 and so on.

        Args:
          value: tensor of rank 1 or more.
          lengths: integer vector; piece i has `lengths[i]` rows.
          name: optional name of the operation.

        Returns:
          The array after the write.
        """
        return self._after(self._implementation.split(value, lengths, name))

    @called_by_users
    def size(self, name: str | None = None) -> Tensor:
        """Returns the number of elements as an int32 scalar."""
        return self._implementation.size(name)

    @called_by_users
    @should_use_result
    def close(self, name: str | None = None) -> Operation | None:
        """Releases the elements before the step ends; later uses are errors. Returns an operation, or None in eager
        execution.
        """
        return self._implementation.close(name)


def build_ta_with_new_flow(old_ta: TensorArray, flow: Any) -> TensorArray:
    """Returns the array after `flow`. Raises ValueError if that is None."""
    return old_ta._continued(flow)


@tf_export("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """Describes TensorArrays by the shape and type of their elements. Immutable.

    Args:
      element_shape: TensorShape of the elements or a value that it accepts; None means any shape.
      dtype: type of the elements.
      dynamic_size: bool, whether writes may extend the array.
      infer_shape: bool, whether all elements have the same shape.

    Raises:
      TypeError: if `dtype` is not a type.
    """

    __slots__ = ("_element_shape", "_dtype", "_dynamic_size", "_infer_shape")

    def __init__(
        self, element_shape: Any = None, dtype: Any = float32, dynamic_size: bool = False, infer_shape: bool = True
    ) -> None:
        self._element_shape = as_shape(element_shape)
        self._dtype = as_dtype(dtype)
        self._dynamic_size = dynamic_size
        self._infer_shape = infer_shape

    @staticmethod
    def from_value(value: Any) -> TensorArraySpec:
        """The specification of an array.

        Args:
          value: TensorArray.

        Returns:
          TensorArraySpec.

        Raises:
          TypeError: for values of other types.
        """
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but saw: {type(value)}")
        return TensorArraySpec(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)

    @property
    def value_type(self) -> type:
        """The class TensorArray."""
        return TensorArray

    def is_compatible_with(self, other: Any) -> bool:
        """Whether an array can have both specifications; `infer_shape` does not matter.

        Args:
          other: TensorArraySpec, or a value that has a specification.

        Returns:
          bool.

        Raises:
          TypeError: if a value cannot be described.
        """
        if not isinstance(other, TypeSpec):
            other = type_spec_from_value(other)
        return (
            isinstance(other, TensorArraySpec)
            and self._dtype.is_compatible_with(other._dtype)
            and self._element_shape.is_compatible_with(other._element_shape)
            and self._dynamic_size == other._dynamic_size
        )

    def most_specific_compatible_type(self, other: Any) -> TensorArraySpec:
        """The most specific specification that is compatible with both.

        Args:
          other: TensorArraySpec.

        Returns:
          TensorArraySpec.

        Raises:
          ValueError: if there is none.
        """
        if not self.is_compatible_with(other):
            raise ValueError("Types are not compatible")
        shape = self._element_shape.most_specific_compatible_shape(other._element_shape)
        return TensorArraySpec(shape, self._dtype, self._dynamic_size, self._infer_shape and other._infer_shape)

    @property
    def _component_specs(self) -> list[TensorSpec]:
        return [TensorSpec([], variant)]

    def _to_components(self, value: Any) -> list[Any]:
        """Returns a list of one: a tensor list of all elements."""
        if not isinstance(value, TensorArray):
            raise TypeError(f"value must be a TensorArray, but saw: {type(value)}")
        if value.flow is not None and value.flow.dtype == variant:
            return [value.flow]
        with name_scope("convert_tensor_array"):
            return [list_ops.tensor_list_from_tensor(value.stack(), value.element_shape)]

    def _from_components(self, components: Any) -> TensorArray:
        """Returns the array with the elements of a tensor list."""
        return TensorArray(
            self._dtype,
            flow=components[0],
            dynamic_size=self._dynamic_size,
            infer_shape=self._infer_shape,
            element_shape=self._element_shape,
        )

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape
