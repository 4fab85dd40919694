"""TensorArrays where control flow calls functions: the flow is a tensor list with all elements."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.dtypes import DType, as_dtype, int32, int64
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape
from tinytf._src.ops.data_flow import list_ops
from tinytf._src.ops.math.casting import cast


class ListTensorArray:
    """An array after the uses that its flow represents. Methods that write return the array with the next flow."""

    __slots__ = ("_shape", "_size", "dtype", "dynamic_size", "flow", "infer_shape")

    def __init__(
        self,
        dtype: Any,
        size: Any,
        dynamic_size: bool | None,
        flow: Any,
        infer_shape: bool,
        element_shape: Any,
        name: str | None,
    ) -> None:
        if flow is None and size is None:
            raise ValueError("Size must be provided if flow is not provided")
        self.dtype: DType = as_dtype(dtype).base_dtype
        self.dynamic_size = bool(dynamic_size)
        self.infer_shape = infer_shape
        self._size = size
        # In a list of one, which all arrays derived from one array share.
        self._shape: list[TensorShape] = [as_shape(element_shape)]
        with name_scope(name, "TensorArrayV2", [size, flow]) as scope:
            if flow is not None:
                self.flow = flow
                return
            self.flow = list_ops.tensor_list_reserve(self.element_shape, size, self.dtype, name=scope)

    def _after(self, flow: Tensor) -> ListTensorArray:
        other = ListTensorArray.__new__(ListTensorArray)
        for name in self.__slots__:
            setattr(other, name, getattr(self, name))
        other.flow = flow
        return other

    def continued(self, flow: Any) -> ListTensorArray:
        return self._after(flow)

    @property
    def handle(self) -> None:
        return None

    @property
    def element_shape(self) -> TensorShape:
        return self._shape[0]

    def _learn(self, shape: TensorShape) -> None:
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError(f"Incompatible shape for value ({shape}), expected ({self.element_shape})")
        if self.infer_shape:
            self._shape[0] = self.element_shape.merge_with(shape)

    def identity(self) -> ListTensorArray:
        return self._after(gen_ops.identity(self.flow))

    def grad(self, source: Any, flow: Any, name: str | None) -> ListTensorArray:
        raise NotImplementedError(
            "TensorArrays in functions do not support grad(): use tf.gradients or a GradientTape, as for other tensors."
        )

    def read(self, index: Any, name: str | None) -> Tensor:
        with name_scope(name, "TensorArrayV2Read", [self.flow, index]):
            return list_ops.tensor_list_get_item(self.flow, index, self.dtype, self.element_shape, name)

    def write(self, index: Any, value: Any, name: str | None) -> ListTensorArray:
        with name_scope(name, "TensorArrayV2Write", [self.flow, index, value]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._check(value)
            self._learn(value.shape)
            return self._after(
                list_ops.tensor_list_set_item(
                    self.flow, index, value, resize_if_index_out_of_bounds=self.dynamic_size, name=name
                )
            )

    def _check(self, value: Tensor) -> None:
        if value.dtype.base_dtype != self.dtype:
            raise ValueError(f"Value to be written must be of type {self.dtype.name}, not {value.dtype.name}")

    def stack(self, name: str | None) -> Tensor:
        with name_scope(name, "TensorArrayV2Stack", [self.flow]):
            known = self._size if isinstance(self._size, int) and not self.dynamic_size else -1
            return list_ops.tensor_list_stack(self.flow, self.dtype, known, self.element_shape)

    def gather(self, indices: Any, name: str | None) -> Tensor:
        return list_ops.tensor_list_gather(self.flow, indices, self.dtype, self.element_shape, name)

    def concat(self, name: str | None) -> Tensor:
        shape = self.element_shape
        rows = None if shape.dims is None else TensorShape([None, *shape.dims[1:]])
        return list_ops.tensor_list_concat(self.flow, self.dtype, rows, name)

    def unstack(self, value: Any, name: str | None) -> ListTensorArray:
        with name_scope(name, "TensorArrayUnstack", [self.flow, value]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._check(value)
            self._learn(value.shape[1:])
            return self._after(list_ops.tensor_list_from_tensor(value, value.shape[1:]))

    def scatter(self, indices: Any, value: Any, name: str | None) -> ListTensorArray:
        with name_scope(name, "TensorArrayScatter", [self.flow, value, indices]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._check(value)
            self._learn(value.shape[1:])
            return self._after(list_ops.tensor_list_scatter(value, indices, self.element_shape, self.flow))

    def split(self, value: Any, lengths: Any, name: str | None) -> ListTensorArray:
        with name_scope(name, "TensorArraySplit", [self.flow, value, lengths]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._check(value)
            lengths = cast(lengths, int64)
            return self._after(list_ops.tensor_list_split(value, self.element_shape, lengths, name))

    def size(self, name: str | None) -> Tensor:
        if self._size is not None and not self.dynamic_size:
            return convert_to_tensor(self._size, int32)
        return gen_ops.tensor_list_length(self.flow, name=name)

    def close(self, name: str | None) -> Operation | None:
        return gen_ops.no_op(name=name)
