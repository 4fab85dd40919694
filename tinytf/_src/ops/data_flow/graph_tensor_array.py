"""TensorArrays in graphs: a handle, and a flow tensor that orders the uses of the array."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.scopes.name_scope import colocate_with, control_dependencies, device, name_scope
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values.constant_value import constant_value
from tinytf._src.framework.values.dtypes import DType, as_dtype, int64
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape, unknown_shape
from tinytf._src.ops.array.shape_ops import shape
from tinytf._src.ops.math.casting import cast
from tinytf._src.ops.math.ranges import range as range_


class _Elements:
    """The static shape of the elements of an array and of its gradient arrays."""

    def __init__(self, shape: TensorShape, infers: bool) -> None:
        self.shape = shape
        self.infers = infers

    def learn(self, shape: TensorShape) -> None:
        """Records the shape of an element. Raises ValueError if it is incompatible."""
        if not shape.is_compatible_with(self.shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.shape} ")
        if self.infers:
            self.shape = self.shape.merge_with(shape)


class _Array:
    """The state that all flows of one array share."""

    def __init__(self, dtype: DType, elements: _Elements, grows: bool, colocates: bool) -> None:
        self.dtype = dtype
        self.handle: Any = None
        self.elements = elements
        self.grows = grows
        self.colocates = colocates
        self.beside: Any = None  # The first value written; later writes are colocated with it.

    @contextmanager
    def place(self, value: Tensor) -> Iterator[None]:
        """Context manager that colocates write operations with the first value that is written."""
        if not self.colocates:
            yield
            return
        if self.beside is None:
            self.beside = value
        with colocate_with(self.beside):
            yield


class GraphTensorArray:
    """An array after the uses that its flow represents. Methods that write return the array with the next flow."""

    __slots__ = ("_array", "flow")

    def __init__(
        self,
        dtype: Any,
        size: Any,
        dynamic_size: bool | None,
        clear_after_read: bool | None,
        tensor_array_name: str | None,
        handle: Any,
        flow: Any,
        infer_shape: bool,
        element_shape: Any,
        colocate_with_first_write_call: bool,
        name: str | None,
    ) -> None:
        if handle is None and size is None:
            raise ValueError("Size must be provided if handle is not provided")
        if handle is not None:
            _check_handle(handle, flow, tensor_array_name)
            given = {
                "size": size,
                "element_shape": element_shape,
                "dynamic_size": dynamic_size,
                "clear_after_read": clear_after_read,
            }
            for argument, value in given.items():
                if value is not None:
                    raise ValueError(f"Cannot provide both a handle and {argument} at the same time")
        dynamic_size = False if dynamic_size is None else dynamic_size
        elements = _Elements(as_shape(element_shape), infer_shape)
        self._array = array = _Array(as_dtype(dtype).base_dtype, elements, dynamic_size, colocate_with_first_write_call)
        with name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                array.handle, self.flow = handle, flow
                return

            def create() -> Any:
                return gen_ops.tensor_array_v3(
                    size,
                    dtype=dtype,
                    element_shape=element_shape,
                    identical_element_shapes=infer_shape,
                    dynamic_size=dynamic_size,
                    clear_after_read=True if clear_after_read is None else clear_after_read,
                    tensor_array_name=tensor_array_name or "",
                    name=scope,
                )

            if colocate_with_first_write_call:
                # The array is placed where the first write is.
                with device(None), colocate_with(None, ignore_existing=True):
                    array.handle, self.flow = create()
            else:
                array.handle, self.flow = create()

    def continued(self, flow: Any) -> GraphTensorArray:
        """Returns the array after `flow`. The name scope is opened because TensorFlow creates a new TensorArray here,
        which affects names.
        """
        if flow is None:
            raise ValueError("flow must not be None if handle is not None.")
        with name_scope(None, "TensorArray", [self.handle, flow]):
            return self._after(flow)

    def _after(self, flow: Any) -> GraphTensorArray:
        other = GraphTensorArray.__new__(GraphTensorArray)
        other._array, other.flow = self._array, flow
        return other

    @property
    def dtype(self) -> DType:
        return self._array.dtype

    @property
    def handle(self) -> Any:
        return self._array.handle

    @property
    def element_shape(self) -> TensorShape:
        return self._array.elements.shape

    @property
    def dynamic_size(self) -> bool:
        return self._array.grows

    @property
    def infer_shape(self) -> bool:
        return self._array.elements.infers

    def identity(self) -> GraphTensorArray:
        return self.continued(gen_ops.identity(self.flow))

    def grad(self, source: Any, flow: Any, name: str | None) -> GraphTensorArray:
        flow = self.flow if flow is None else flow
        with name_scope(name, "TensorArrayGrad", [self.handle]), colocate_with(self.handle):
            handle = gen_ops.tensor_array_grad_v3(self.handle, flow, source=source, name=name)[0]
            with control_dependencies([handle]):
                flow = gen_ops.identity(flow, name="gradient_flow")
            other = self._after(flow)
        other._array = _Array(self.dtype, self._array.elements, grows=False, colocates=False)
        other._array.handle = handle
        return other

    def read(self, index: Any, name: str | None) -> Tensor:
        value = gen_ops.tensor_array_read_v3(self.handle, index, self.flow, dtype=self.dtype, name=name)
        value.set_shape(self.element_shape)
        return value

    def write(self, index: Any, value: Any, name: str | None) -> GraphTensorArray:
        with name_scope(name, "TensorArrayWrite", [self.handle, index, value]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._array.elements.learn(value.shape)
            with self._array.place(value):
                return self._after(gen_ops.tensor_array_write_v3(self.handle, index, value, self.flow, name=name))

    def stack(self, name: str | None) -> Tensor:
        with colocate_with(self.handle), name_scope(name, "TensorArrayStack", [self.handle]):
            return self.gather(range_(0, self.size(None)), name)

    def gather(self, indices: Any, name: str | None) -> Tensor:
        element = self.element_shape
        value = gen_ops.tensor_array_gather_v3(
            self.handle, indices, self.flow, dtype=self.dtype, element_shape=element, name=name
        )
        if element.ndims is not None:
            value.set_shape(TensorShape([None]).concatenate(element))
        return value

    def concat(self, name: str | None) -> Tensor:
        element = self.element_shape
        tail = TensorShape(element.dims[1:]) if element.dims is not None else unknown_shape()
        value = gen_ops.tensor_array_concat_v3(
            self.handle, self.flow, dtype=self.dtype, element_shape_except0=tail, name=name
        )[0]
        if element.dims is not None:
            value.set_shape(TensorShape([None]).concatenate(tail))
        return value

    def unstack(self, value: Any, name: str | None) -> GraphTensorArray:
        with name_scope(name, "TensorArrayUnstack", [self.handle, value]):
            return self.scatter(range_(0, shape(value)[0]), value, name)

    def scatter(self, indices: Any, value: Any, name: str | None) -> GraphTensorArray:
        with name_scope(name, "TensorArrayScatter", [self.handle, value, indices]):
            value = convert_to_tensor(value, preferred_dtype=self.dtype, name="value")
            self._array.elements.learn(value.shape[1:])
            with self._array.place(value):
                flow = gen_ops.tensor_array_scatter_v3(self.handle, indices, value, self.flow, name=name)
            return self._after(flow)

    def split(self, value: Any, lengths: Any, name: str | None) -> GraphTensorArray:
        with name_scope(name, "TensorArraySplit", [self.handle, value, lengths]):
            value = convert_to_tensor(value, dtype=self.dtype, name="value")
            with self._array.place(value):
                lengths = cast(lengths, int64)
                known = constant_value(lengths)
                if value.shape.dims is not None and known is not None and known.shape and known.max() == known.min():
                    self._array.elements.learn(TensorShape([int(known[0])]).concatenate(value.shape[1:]))
                flow = gen_ops.tensor_array_split_v3(self.handle, value, lengths, self.flow, name=name)
            return self._after(flow)

    def size(self, name: str | None) -> Tensor:
        return gen_ops.tensor_array_size_v3(self.handle, self.flow, name=name)

    def close(self, name: str | None) -> Operation:
        return gen_ops.tensor_array_close_v3(self.handle, name=name)


def _check_handle(handle: Any, flow: Any, tensor_array_name: str | None) -> None:
    if tensor_array_name:
        raise ValueError("Cannot construct with both handle and tensor_array_name")
    if not isinstance(handle, Tensor):
        raise TypeError("Handle must be a Tensor")
    if flow is None:
        raise ValueError("flow must not be None if handle is not None.")
