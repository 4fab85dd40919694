"""Fake graphs, operations and tensors with just the members that the tested code reads, for tests without the
extension.
"""

from types import SimpleNamespace

from tinytf._src.framework.values import constant_conversion, dtypes, tensor_like
from tinytf._src.framework.values.tensor_shape import TensorShape


class FakeTensor:
    """An output of an operation of the given type."""

    def __init__(self, op_type, inputs=(), shape=None, dtype=dtypes.int32, **attrs):
        self.op = SimpleNamespace(
            type=op_type, inputs=tuple(inputs), _raw_attr=attrs.get, name=attrs.pop("name", op_type.lower())
        )
        self.dtype, self._shape = dtype, TensorShape(shape)
        self.fed_never = False
        self.graph = SimpleNamespace(prevent_feeding=lambda tensor: setattr(tensor, "fed_never", True))
        self.name, self.device, self.users = self.op.name + ":0", "", []

    @property
    def shape(self):
        return self._shape

    def get_shape(self):
        return self._shape

    def consumers(self):
        return self.users

    def __neg__(self):
        return FakeTensor("Neg", [self])


class FakeEagerTensor:
    """A tensor with a value."""

    def __init__(self, value):
        self.value = value

    def numpy(self):
        return self.value


tensor_like.register_tensor_type(FakeTensor)
tensor_like.register_tensor_type(FakeEagerTensor, eager=True)


def const(value, dtype=None):
    """A fake constant."""
    array = constant_conversion.to_ndarray(value, dtype)
    found = dtypes.as_dtype(array.dtype)
    return FakeTensor("Const", shape=array.shape, dtype=found, value=(array, found.as_datatype_enum))


def unknown(shape=None, dtype=dtypes.int32):
    """A fake placeholder."""
    return FakeTensor("Placeholder", shape=shape, dtype=dtype)
