"""TensorArrays in eager execution: mutable lists of tensors."""

from __future__ import annotations

from typing import Any

from tinytf._src.framework.errors.errors_impl import InvalidArgumentError, OpError, OutOfRangeError
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.dtypes import as_dtype, int32
from tinytf._src.framework.values.tensor_shape import as_shape
from tinytf._src.ops.array.constant_tensors import zeros
from tinytf._src.ops.array.joining import concat, split, unstack


class EagerTensorArray:
    """An array that writes modify in place; methods that write return the array itself."""

    def __init__(
        self,
        dtype: Any,
        size: Any,
        dynamic_size: bool | None,
        clear_after_read: bool | None,
        handle: Any,
        infer_shape: bool,
        element_shape: Any,
    ) -> None:
        if handle is not None:
            raise ValueError("TensorArray handles are not supported when eager execution is enabled.")
        if size is None:
            raise ValueError("Size must be declared for TensorArrays when eager execution is enabled.")
        self.handle = None
        self.flow = constant(0, int32)
        self.dtype = as_dtype(dtype).base_dtype
        self.element_shape = as_shape(element_shape)
        self.infer_shape = infer_shape
        self.dynamic_size = dynamic_size or False
        self._clears = True if clear_after_read is None else clear_after_read
        self._cleared: set[int] = set()
        self._elements: list[Any] = [None for _ in range(_value(size))]

    def continued(self, flow: Any) -> EagerTensorArray:
        """Returns the array itself, because eager execution is ordered."""
        return self

    def identity(self) -> EagerTensorArray:
        return self

    def grad(self, source: Any, flow: Any, name: str | None) -> EagerTensorArray:
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient implementation does not use/need"
            " this function to compute gradients of operations that use TensorArrays."
        )

    def read(self, index: Any, name: str | None) -> Tensor:
        index = _value(index)
        if index < 0:
            raise OutOfRangeError(None, None, f"Reading from negative indices (index {index}) is not allowed.")
        if index >= len(self._elements):
            raise OutOfRangeError(
                None, None, f"Tried to read from index {index} but array size is: {len(self._elements)}"
            )
        if self._elements[index] is None and index in self._cleared:
            raise InvalidArgumentError(
                None,
                None,
                f"Could not read index {index} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)",
            )
        value = self._element(index)
        if self._clears:
            self._elements[index] = None
            self._cleared.add(index)
        return value

    def write(self, index: Any, value: Any, name: str | None) -> EagerTensorArray:
        index = _value(index)
        if index < 0:
            raise OutOfRangeError(None, None, f"Writing to negative indices (index {index}) is not allowed.")
        size = len(self._elements)
        if index >= size:
            if not self.dynamic_size:
                raise OutOfRangeError(
                    None, None, f"Tried to write to index {index} but array is not resizeable and size is: {size}"
                )
            self._elements.extend(None for _ in range(index - size + 1))
        value = convert_to_tensor(value, preferred_dtype=self.dtype)
        if value.dtype != self.dtype:
            raise InvalidArgumentError(
                None,
                None,
                f"TensorArray dtype is {self.dtype.name} but Op is trying to write dtype {value.dtype.name}",
            )
        if not self.element_shape.is_compatible_with(value.shape):
            raise ValueError(f"Incompatible shape for value ({value.shape}), expected ({self.element_shape})")
        if self.infer_shape:
            self.element_shape = self.element_shape.merge_with(value.shape)
        self._elements[index] = value
        return self

    def stack(self, name: str | None) -> Tensor:
        return convert_to_tensor(self._all(), self.dtype, name)

    def gather(self, indices: Any, name: str | None) -> Tensor:
        return convert_to_tensor([self._element(index) for index in _value(indices)], self.dtype, name)

    def concat(self, name: str | None) -> Tensor:
        try:
            return concat(self._all(), 0, name=name or "concat")
        except OpError:
            for i, element in enumerate(self._elements):
                if element.shape.ndims == 0:
                    raise InvalidArgumentError(
                        None, None, f"Concat saw a scalar shape at index {i} but requires at least vectors."
                    ) from None
            raise

    def unstack(self, value: Any, name: str | None) -> EagerTensorArray:
        elements = unstack(convert_to_tensor(value, preferred_dtype=self.dtype))
        if len(elements) > len(self._elements) and not self.dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(elements)} tensors into a TensorArray of static size {len(self._elements)}"
            )
        self._elements = elements
        return self

    def scatter(self, indices: Any, value: Any, name: str | None) -> EagerTensorArray:
        elements = unstack(convert_to_tensor(value, preferred_dtype=self.dtype))
        for index, element in zip(_value(indices), elements, strict=False):
            self.write(index, element, None)
        return self

    def split(self, value: Any, lengths: Any, name: str | None) -> EagerTensorArray:
        value = convert_to_tensor(value, preferred_dtype=self.dtype)
        lengths = convert_to_tensor(lengths, preferred_dtype=int32)
        numbers = lengths.numpy()
        if numbers.ndim != 1:
            raise _invalid("Expected lengths to be a vector, received shape: ", lengths)
        if value.shape.ndims == 0:
            raise _invalid("Expected value to be at least a vector, but received shape: ", value)
        if sum(numbers.tolist()) != value.shape[0]:
            raise _invalid(
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{sum(numbers.tolist())} and value's shape is: ",
                value,
                " ",
            )
        if len(numbers) != len(self._elements) and not self.dynamic_size:
            raise InvalidArgumentError(
                None,
                None,
                f"TensorArray's size is not equal to the size of lengths ({len(self._elements)} vs. {len(numbers)}), and the "
                "TensorArray is not marked as dynamically resizeable",
            )
        self._elements = split(value, lengths, num=len(numbers)) if len(numbers) else []
        return self

    def size(self, name: str | None) -> Tensor:
        return constant(len(self._elements), int32)

    def close(self, name: str | None) -> None:
        self._elements.clear()

    def _element(self, index: int) -> Any:
        """Returns an element; an unwritten one becomes zeros. Raises ValueError if its shape is unknown."""
        if self._elements[index] is None:
            self._elements[index] = zeros(self.element_shape, self.dtype)
        return self._elements[index]

    def _all(self) -> list[Any]:
        return [self._element(index) for index in range(len(self._elements))]


def _value(number: Any) -> Any:
    """Returns the value of a tensor that is given instead of a number or a list of numbers."""
    return number.numpy() if isinstance(number, Tensor) else number


def _invalid(text: str, value: Tensor, end: str = "") -> InvalidArgumentError:
    dims = ",".join(map(str, value.shape.as_list()))
    return InvalidArgumentError(None, None, f"{text}[{dims}]{end}")
