"""`TensorArray`: the lists of tensors that loops read and write."""

from __future__ import annotations

from typing import Any

from tinytf.exports import tf_export
from tinytf.framework.dtypes import DType
from tinytf.framework.error_traceback import called_by_users
from tinytf.framework.execution import executing_eagerly
from tinytf.framework.operation import Operation
from tinytf.framework.should_use import should_use_result, watched
from tinytf.framework.tensor import Tensor
from tinytf.framework.tensor_shape import TensorShape
from tinytf.ops.control_flow.version import builds_nodes
from tinytf.ops.data_flow.eager_tensor_array import EagerTensorArray
from tinytf.ops.data_flow.graph_tensor_array import GraphTensorArray
from tinytf.ops.data_flow.list_tensor_array import ListTensorArray


@tf_export("TensorArray")
class TensorArray:
    """An array of tensors, each of which is written once and read once, by index. Loops collect results in one and read
    inputs from another.

    In a graph each use must follow the ones before: a method that writes returns a new TensorArray, which is the same array
    after that, and to be used from there on. The array itself lives for one step. Where loops call functions (in functions
    themselves) the flow is the list of the elements, and there is no handle. Eager arrays are lists that change, and methods
    that write return them.

    Args:
      dtype: the type of the elements.
      size: how many there are, an int32 scalar.
      dynamic_size: whether writing beyond `size` makes the array grow (False).
      clear_after_read: whether an element is given up when it is read (True); False lets it be read again.
      tensor_array_name: names the array in messages.
      handle: that of an array that is there; with its `flow`, and instead of `size` and what else describes a new one.
      flow: the flow that the uses of `handle` come after.
      infer_shape: whether all elements have one shape (True).
      element_shape: what is known of the shapes of elements. With all of it known, elements that were not written are
        zeros.
      colocate_with_first_write_call: whether the array is placed where the first value is that is written to it (True).
      name: of the operation.

    ValueError for arguments that do not go together. At the run, InvalidArgument for indices out of range, second writes
    and reads, and wrong types or shapes.
    """

    _flows_through = True  # see `is_tensor_array`

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
        if executing_eagerly():
            self._implementation = EagerTensorArray(
                dtype, size, dynamic_size, clear_after_read, handle, infer_shape, element_shape
            )
        elif builds_nodes() and handle is None:
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
        """The flow that comes after all uses so far."""
        return self._implementation.flow

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self._implementation.dtype

    @property
    def handle(self) -> Any:
        """The handle of the array; None in eager execution."""
        return self._implementation.handle

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shapes of elements."""
        return self._implementation.element_shape

    @property
    def dynamic_size(self) -> bool:
        """Whether it grows."""
        return self._implementation.dynamic_size

    @property
    def _infer_shape(self) -> bool:
        return self._implementation.infer_shape

    def _continued(self, flow: Any) -> TensorArray:
        """ValueError for None as flow."""
        return self._after(self._implementation.continued(flow))

    def _after(self, implementation: Any) -> TensorArray:
        if implementation is self._implementation:
            return self
        array = TensorArray.__new__(TensorArray)
        array._implementation = implementation
        return array

    @called_by_users
    def identity(self) -> TensorArray:
        """The array, whose later uses come after what now is to come before (control dependencies)."""
        return self._after(self._implementation.identity())

    @called_by_users
    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """The array of the gradients of the elements that `source`, a name for a computation of gradients, computes. What
        is written to an element of it is added up. NotImplementedError in eager execution, where none is needed."""
        return self._after(self._implementation.grad(source, flow, name))

    @called_by_users
    def read(self, index: Any, name: str | None = None) -> Tensor:
        """Element `index`."""
        return self._implementation.read(index, name)

    @called_by_users
    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array after `value` has become element `index`. ValueError if it has another shape than elements have."""
        array = self._after(self._implementation.write(index, value, name))
        return array if array is self else watched(array)

    @called_by_users
    def stack(self, name: str | None = None) -> Tensor:
        """All elements, stacked along a new first dimension; they must have one shape."""
        return self._implementation.stack(name)

    @called_by_users
    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements that the vector `indices` tells, stacked."""
        return self._implementation.gather(indices, name)

    @called_by_users
    def concat(self, name: str | None = None) -> Tensor:
        """All elements, one after the other along their first dimension, the others being the same."""
        return self._implementation.concat(name)

    @called_by_users
    @should_use_result
    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array after the rows of `value` have become its elements."""
        return self._after(self._implementation.unstack(value, name))

    @called_by_users
    @should_use_result
    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array after the rows of `value` have become the elements that the vector `indices` tells."""
        return self._after(self._implementation.scatter(indices, value, name))

    @called_by_users
    @should_use_result
    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array after pieces of `value` have become its elements: each has the next `lengths[i]` rows."""
        return self._after(self._implementation.split(value, lengths, name))

    @called_by_users
    def size(self, name: str | None = None) -> Tensor:
        """The number of elements, an int32 scalar."""
        return self._implementation.size(name)

    @called_by_users
    @should_use_result
    def close(self, name: str | None = None) -> Operation | None:
        """Drops the elements before the step ends; later uses are errors."""
        return self._implementation.close(name)


def build_ta_with_new_flow(old_ta: TensorArray, flow: Any) -> TensorArray:
    """The array, whose later uses come after `flow`. ValueError for None as flow."""
    return old_ta._continued(flow)
