"""`EagerTensor`, a tensor of eager execution. The class is implemented by the engine; this module adds Python's
protocols."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from tinytf import _core
from tinytf._src.framework.errors.errors_impl import SessionClosedError
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.values import dtypes, tensor_like
from tinytf._src.framework.values.numpy_compat import only_element
from tinytf._src.framework.values.tensor_shape import as_shape


def _meaningless(what: str) -> property:
    def refuse(self: Any) -> NoReturn:
        raise AttributeError(f"Tensor.{what} is meaningless when eager execution is enabled.")

    return property(refuse, doc="Only for tensors in graphs. Raises AttributeError.")


# The `assign` methods of values that are slices of variables, by tensor: tensors have no attributes of their own.
_assigns: weakref.WeakKeyDictionary[Any, Callable[..., Any]] = weakref.WeakKeyDictionary()


def set_assign(tensor: Any, assign: Callable[..., Any]) -> None:
    """Gives an eager tensor the method `assign(value, name=None)`, which must not refer to the tensor."""
    _assigns[tensor] = assign


class _EagerMethods(Tensor):
    """Python protocols of eager tensors; a base class without instances."""

    __slots__ = ()

    if TYPE_CHECKING:
        _id: int
        _array: Any
        _copied_array: Any
        _dlpack: Any
        _state: Any
        _ready: Any
        _device_number: Any
        close: Any
        detach: Any

    op: Any = _meaningless("op")
    graph: Any = _meaningless("graph")
    name: Any = _meaningless("name")
    value_index: Any = _meaningless("value_index")
    _op: Any = _meaningless("op")
    _key: Any = _meaningless("op")

    @property
    def _dtype(self) -> dtypes.DType:
        return self.dtype

    @property
    def assign(self) -> Any:
        """`assign(value, name=None)` of a slice of a variable. Raises AttributeError for other tensors."""
        assign = _assigns.get(self)
        if assign is None:
            raise AttributeError("Only slices of variables support assign()")
        return assign

    @property
    def device(self) -> str:
        """The full name of the device that holds the value."""
        return f"/job:localhost/replica:0/task:0/device:CPU:{self._device_number()}"

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape_tuple() or ())

    def _rely_on_shape(self) -> None:
        pass

    def set_shape(self, shape: Any) -> None:
        """Raises ValueError unless `shape` is compatible with the value's shape."""
        if not self.shape.is_compatible_with(as_shape(shape)):
            raise ValueError(f"Tensor's shape {self.shape} is not compatible with supplied shape {shape}")

    def numpy(self, copy: bool = False) -> Any:
        """The value as a NumPy array.

        Waits for the value in asynchronous sessions. The array stays valid after the tensor or its session is closed.

        Args:
          copy: bool, whether to copy the value. False returns a read-only array that shares the tensor's memory.

        Returns:
          numpy array; a NumPy scalar for rank 0, bytes for a scalar string.

        Raises:
          SessionClosedError: if the value was freed.
        """
        if copy and self._rank():
            return self._copied_array()
        return self._array()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self._copied_array() if copy or not self._rank() else self._array()
        if dtype is None or array.dtype == dtype:
            return array
        if copy is False:
            raise ValueError(
                f"a {array.dtype} tensor cannot be converted to an array of {np.dtype(dtype)} without a copy"
            )
        return array.astype(dtype)

    def __dlpack__(
        self, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("tensors are available in CPU memory only")
        if copy:
            return self._dlpack(False)
        versioned = max_version is not None and max_version[0] >= 1
        if copy is False and not versioned:
            raise BufferError(
                "tensors are read-only, which DLPack before version 1 cannot express: the tensor must be copied"
            )
        return self._dlpack(versioned)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def cpu(self) -> Any:
        """The tensor itself: all values are in CPU memory."""
        return self

    def consumers(self) -> NoReturn:
        """Raises NotImplementedError: only tensors in graphs have consumers."""
        raise NotImplementedError(
            "eval, consumers and graph elements are not supported when eager execution is enabled"
        )

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Raises NotImplementedError: only tensors in graphs are evaluated by sessions."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're looking for?"
        )

    def __bool__(self) -> bool:
        value = self._array()
        return bool(value.size and value) if isinstance(value, np.ndarray) else bool(value)

    __nonzero__ = __bool__

    def __int__(self) -> int:
        return int(only_element(self._array()))

    def __float__(self) -> float:
        return float(only_element(self._array()))

    def __complex__(self) -> complex:
        return complex(only_element(self._array()))

    def __index__(self) -> int:
        value = self._array()
        return value.__index__() if isinstance(value, np.ndarray) else int(value)

    def __len__(self) -> int:
        shape = self._shape_tuple()
        if not shape:
            raise TypeError("Scalar tensor has no `len()`")
        return shape[0]  # type: ignore[return-value]

    def __iter__(self) -> Iterator[Any]:
        if not self._rank():
            raise TypeError("Cannot iterate over a scalar tensor.")
        for i in range(len(self)):
            yield self[i]

    def __format__(self, spec: str) -> str:
        if self._state() != "live" or self.dtype in _UNPRINTABLE:
            return format(str(self), spec)
        value = self._array()
        return format(value.item() if isinstance(value, np.generic) else value, spec)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _rebuilt, (self._copied_array(), self.dtype.as_datatype_enum)

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __repr__(self) -> str:
        if self._state() != "live":
            return f"<tf.Tensor: {self._state()}, dtype={self.dtype.name}>"
        if not self._ready():
            return f"<tf.Tensor: id={self._id}, pending, dtype={self.dtype.name}>"
        value = shown_value(self._array()) if self.dtype not in _UNPRINTABLE else "<unprintable>"
        return f"<tf.Tensor: id={self._id}, shape={self.shape}, dtype={self.dtype.name}, numpy={value}>"

    def __str__(self) -> str:
        if self._state() != "live" or not self._ready():
            return repr(self)
        value = _on_own_lines(str(self._array())) if self.dtype not in _UNPRINTABLE else "<unprintable>"
        return f"tf.Tensor({value}, shape={self.shape}, dtype={self.dtype.name})"


_UNPRINTABLE = (dtypes.resource, dtypes.variant)


def shown_value(value: Any) -> str:
    """The text of an eager value in a `repr`; a multi-line array starts on a new line."""
    return str(value) if isinstance(value, np.generic) else _on_own_lines(repr(value))


def _on_own_lines(text: str) -> str:
    return f"\n{text}" if "\n" in text else text


def _rebuilt(array: Any, number: int) -> Any:
    return _core.eager_constant(array, number)


EagerTensor: Any = _core.make_eager_tensor_type(
    _EagerMethods, {t.as_datatype_enum: t for t in dtypes._INTERNED.values()}, SessionClosedError
)
tensor_like.register_tensor_type(EagerTensor, eager=True)
EagerTensor.__module__ = __name__
EagerTensor.__doc__ = "A tensor with a value: the result of an operation that was executed eagerly. See Tensor."
