"""Element types of tensors: `DType`, its singletons (`float32`, `int64_ref`, …) and `as_dtype`.

The numbers come from TensorFlow's `DataType` enum; a reference type has its value type's number plus 100.
`ml_dtypes` is imported only when the NumPy type of bfloat16 or of a float8 type is requested.
"""

from __future__ import annotations

import builtins
import sys
from typing import Any

import numpy as np

from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import Leaving

REF_OFFSET = 100

# All value types: (number, name, NumPy type). None: there is no NumPy type, or it is in `_ADDED` and loaded on demand.
_TABLE: tuple[tuple[int, str, Any], ...] = (
    (1, "float32", np.float32),
    (2, "float64", np.float64),
    (3, "int32", np.int32),
    (4, "uint8", np.uint8),
    (5, "int16", np.int16),
    (6, "int8", np.int8),
    (7, "string", object),
    (8, "complex64", np.complex64),
    (9, "int64", np.int64),
    (10, "bool", np.bool_),
    (11, "qint8", np.dtype([("qint8", np.int8)])),
    (12, "quint8", np.dtype([("quint8", np.uint8)])),
    (13, "qint32", np.dtype([("qint32", np.int32)])),
    (14, "bfloat16", None),
    (15, "qint16", np.dtype([("qint16", np.int16)])),
    (16, "quint16", np.dtype([("quint16", np.uint16)])),
    (17, "uint16", np.uint16),
    (18, "complex128", np.complex128),
    (19, "float16", np.float16),
    (20, "resource", None),
    (21, "variant", None),
    (22, "uint32", np.uint32),
    (23, "uint64", np.uint64),
    (24, "float8_e5m2", None),
    (25, "float8_e4m3fn", None),
    (26, "float8_e4m3fnuz", None),
    (27, "float8_e4m3b11fnuz", None),
    (28, "float8_e5m2fnuz", None),
)
_FLOAT8 = frozenset(range(24, 29))
_ADDED = _FLOAT8 | {14}  # types that ml_dtypes adds to NumPy
_FLOATING = _FLOAT8 | {1, 2, 14, 19}
_INTEGER = frozenset((3, 4, 5, 6, 9, 17, 22, 23))
_COMPLEX = {8: 1, 18: 2}  # by number: the type of the real part
_QUANTIZED = frozenset((11, 12, 13, 15, 16))
_NOT_NUMPY = frozenset((20, 21))

_INTERNED: dict[int, DType] = {}

# Element type of a NumPy array that carries a resource handle as bytes.
np_resource = np.dtype([("resource", np.ubyte)])


@tf_export("dtypes.DType", "DType")
class DType:
    """Element type of a tensor. Immutable; there is one object per type, so `is` works as well as `==`."""

    __slots__ = ("_type_enum", "_name", "_base_enum", "_numpy", "__weakref__", "__dict__")

    _type_enum: int
    _name: str
    _base_enum: int
    _numpy: Any

    def __new__(cls, type_enum: Any) -> DType:
        """The DType with a `DataType` number. Raises TypeError for unknown numbers."""
        try:
            return _INTERNED[int(type_enum)]
        except KeyError:
            raise TypeError(f"type_enum is not a valid types_pb2.DataType: {type_enum}") from None

    @property
    def _core_name(self) -> str:
        """The name in the engine's messages: "half", "float" and "double" for float16, float32 and float64."""
        return {"float16": "half", "float32": "float", "float64": "double"}.get(self._name, self._name)

    @property
    def name(self) -> str:
        """The type's name, for example "float32" or "int64_ref"."""
        return self._name

    @property
    def as_datatype_enum(self) -> int:
        """The type's number in TensorFlow's `DataType` enum."""
        return self._type_enum

    @property
    def as_numpy_dtype(self) -> Any:
        """The NumPy scalar type: `object` for strings, a struct dtype with one field for quantized types.

        Raises KeyError for resource and variant types, which have no NumPy type.
        """
        numpy_type = self._numpy
        if numpy_type is None:
            if self._base_enum not in _ADDED:
                raise KeyError(f"{self!r} has no NumPy type")
            _load_added()
            numpy_type = self._numpy
        return numpy_type

    @property
    def _is_ref_dtype(self) -> builtins.bool:
        """Whether this is a reference type, the type of references to variables."""
        return self._type_enum > REF_OFFSET

    is_ref_dtype = _is_ref_dtype

    @property
    def _as_ref(self) -> DType:
        """The reference type of this type."""
        return _INTERNED[self._base_enum + REF_OFFSET]

    @property
    def base_dtype(self) -> DType:
        """The value type: this type without the reference."""
        return _INTERNED[self._base_enum]

    @property
    def real_dtype(self) -> DType:
        """The type of the real part of a complex type; any other type itself."""
        part = _COMPLEX.get(self._base_enum)
        return self if part is None else _INTERNED[part]

    @property
    def is_numpy_compatible(self) -> builtins.bool:
        """Whether there is a NumPy type: True for all types but resource and variant."""
        return self._base_enum not in _NOT_NUMPY

    @property
    def is_bool(self) -> builtins.bool:
        """Whether this is a boolean type."""
        return self._base_enum == 10

    @property
    def is_integer(self) -> builtins.bool:
        """Whether this is an integer type, neither bool nor quantized."""
        return self._base_enum in _INTEGER

    @property
    def is_floating(self) -> builtins.bool:
        """Whether this is a real floating-point type, bfloat16 and the float8 types included."""
        return self._base_enum in _FLOATING

    @property
    def is_complex(self) -> builtins.bool:
        """Whether this is a complex type."""
        return self._base_enum in _COMPLEX

    @property
    def is_quantized(self) -> builtins.bool:
        """Whether this is a quantized type."""
        return self._base_enum in _QUANTIZED

    @property
    def is_unsigned(self) -> builtins.bool:
        """Whether this is an unsigned integer type; False for quantized types and types without an order."""
        return self._base_enum in _INTEGER and self._name.startswith("u")

    @property
    def min(self) -> Any:
        """The smallest finite value. Raises TypeError for types that are not numeric, are quantized, or have no
        order."""
        return self._limit("minimum", "min")

    @property
    def max(self) -> Any:
        """The largest finite value. Raises TypeError for types that are not numeric, are quantized, or have no
        order."""
        return self._limit("maximum", "max")

    def _limit(self, word: str, attribute: str) -> Any:
        if self._base_enum in _INTEGER:
            return getattr(np.iinfo(self._numpy), attribute)
        if self._base_enum in _ADDED:
            import ml_dtypes

            return self.as_numpy_dtype(getattr(ml_dtypes.finfo(self.as_numpy_dtype), attribute))
        if self._base_enum in _FLOATING:
            return getattr(np.finfo(self._numpy), attribute)
        raise TypeError(f"Cannot find {word} value of {self}.")

    @property
    def limits(self) -> tuple[Any, Any]:
        """Pair (0, largest intensity of an image of this type); the latter is 1 for float32 and float64, True for bool.

        Raises KeyError for other types that are not integers.
        """
        if self._base_enum == 10:
            return 0, True
        if self._base_enum in (1, 2):
            return 0, 1
        if self._base_enum in _INTEGER:
            return 0, int(np.iinfo(self._numpy).max)
        raise KeyError(self._numpy)

    @property
    def size(self) -> int:
        """The size of an element in bytes, as NumPy stores it; 1 for resource and variant."""
        return np.dtype(self.as_numpy_dtype).itemsize if self.is_numpy_compatible else 1

    def is_compatible_with(self, other: Any) -> builtins.bool:
        """Whether a tensor of type `other` is accepted for this type: the types are equal, or `other` is a reference to
        this type."""
        if other.__class__ is not DType:
            other = as_dtype(other)
        return self is other or self._type_enum == other._base_enum

    def __eq__(self, other: Any) -> builtins.bool:
        if self is other:
            return True
        if other is None or other.__class__ is DType:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: Any) -> builtins.bool:
        return not self.__eq__(other)

    def __hash__(self) -> int:
        return self._type_enum

    def __str__(self) -> str:
        return f"<dtype: {self._name!r}>"

    def __repr__(self) -> str:
        return "tf." + self._name

    def __reduce__(self) -> tuple[Any, ...]:
        return as_dtype, (self._name,)


def _intern(number: int, name: str, base: int, numpy_type: Any) -> DType:
    dtype = object.__new__(DType)
    dtype._type_enum, dtype._name, dtype._base_enum, dtype._numpy = number, name, base, numpy_type
    _INTERNED[number] = dtype
    return dtype


for _number, _name, _numpy in _TABLE:
    _intern(_number, _name, _number, _numpy)
    _intern(_number + REF_OFFSET, _name + "_ref", _number, _numpy)

float32, float64 = DType(1), DType(2)
int32, uint8, int16, int8 = DType(3), DType(4), DType(5), DType(6)
string, complex64, int64 = DType(7), DType(8), DType(9)
bool = DType(10)
qint8, quint8, qint32, bfloat16 = DType(11), DType(12), DType(13), DType(14)
qint16, quint16, uint16, complex128 = DType(15), DType(16), DType(17), DType(18)
float16, resource, variant = DType(19), DType(20), DType(21)
uint32, uint64 = DType(22), DType(23)
float8_e5m2, float8_e4m3fn, float8_e4m3fnuz = DType(24), DType(25), DType(26)
float8_e4m3b11fnuz, float8_e5m2fnuz = DType(27), DType(28)
half, double = float16, float64

float32_ref, float64_ref = DType(101), DType(102)
int32_ref, uint8_ref, int16_ref, int8_ref = DType(103), DType(104), DType(105), DType(106)
string_ref, complex64_ref, int64_ref = DType(107), DType(108), DType(109)
bool_ref = DType(110)
qint8_ref, quint8_ref, qint32_ref, bfloat16_ref = DType(111), DType(112), DType(113), DType(114)
qint16_ref, quint16_ref, uint16_ref, complex128_ref = DType(115), DType(116), DType(117), DType(118)
float16_ref, resource_ref, variant_ref = DType(119), DType(120), DType(121)
uint32_ref, uint64_ref = DType(122), DType(123)
half_ref, double_ref = float16_ref, float64_ref

_QUANTIZED_DTYPES_NO_REF = frozenset(DType(number) for number in _QUANTIZED)
QUANTIZED_DTYPES = _QUANTIZED_DTYPES_NO_REF | frozenset(DType(number + REF_OFFSET) for number in _QUANTIZED)

# All hashable values that `as_dtype` accepts. The types of `ml_dtypes` are added when it is loaded.
_ANY_TO_TF: dict[Any, DType] = {
    **_INTERNED,
    **{dtype._name: dtype for dtype in _INTERNED.values()},
    "half": float16,
    "half_ref": float16_ref,
    "float": float32,
    "float_ref": float32_ref,
    "double": float64,
    "double_ref": float64_ref,
    builtins.float: float32,
    builtins.bool: bool,
    builtins.object: string,
    np.object_: string,
    np.bytes_: string,
    np.str_: string,
}
for _numpy in (np.intc, np.uintc, np.int_, np.uint, np.longlong, np.ulonglong):
    _ANY_TO_TF[_numpy] = DType({"i4": 3, "u4": 22, "i8": 9, "u8": 23}[np.dtype(_numpy).str[1:]])
for _number, _name, _numpy in _TABLE:
    if _numpy is not None and _numpy is not object:
        _ANY_TO_TF[_numpy] = _ANY_TO_TF[np.dtype(_numpy)] = _INTERNED[_number]
_ANY_TO_TF[np.dtype(object)] = string

TF_VALUE_DTYPES = frozenset(DType(number) for number, _, _ in _TABLE if number not in _NOT_NUMPY)


def _load_added() -> None:
    import ml_dtypes

    numpy_types = {number: getattr(ml_dtypes, _INTERNED[number]._name) for number in _ADDED}
    for number, numpy_type in numpy_types.items():
        _ANY_TO_TF[numpy_type] = _ANY_TO_TF[np.dtype(numpy_type)] = _INTERNED[number]
    for number, numpy_type in numpy_types.items():  # last, because a type that is set counts as registered above
        _INTERNED[number]._numpy = _INTERNED[number + REF_OFFSET]._numpy = numpy_type


@tf_export("dtypes.as_dtype", "as_dtype")
def as_dtype(type_value: Any) -> DType:
    """Converts a value to a `DType`.

    Args:
      type_value: DType, `DataType` number, name such as "float32", NumPy dtype or scalar type, or one of the Python
        types `float` (float32), `bool` and `object` (string).

    Returns:
      DType.

    Raises:
      TypeError: for any other value, including `int`, on which NumPy and tensors disagree.
    """
    if type_value.__class__ is DType:
        return type_value
    try:
        return _ANY_TO_TF[type_value]
    except (KeyError, TypeError):  # a TypeError means that the value is not hashable
        pass
    if isinstance(type_value, np.dtype):  # strings of any length and other byte orders
        found = _ANY_TO_TF.get(type_value.type)
        if found is not None:
            return found
    if "ml_dtypes" in sys.modules and isinstance(type_value, (np.dtype, type)):
        if bfloat16._numpy is None:
            _load_added()
        if type_value in _ANY_TO_TF:  # another thread may have loaded them in the meantime
            return _ANY_TO_TF[type_value]
    with Leaving():
        raise TypeError(f"Cannot convert value {type_value!r} to a TensorFlow DType.")


tf_export("*", "dtypes.*").constants(
    __name__,
    "bfloat16",
    "bool",
    "complex128",
    "complex64",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int16",
    "int32",
    "int64",
    "int8",
    "qint16",
    "qint32",
    "qint8",
    "quint16",
    "quint8",
    "resource",
    "string",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "variant",
)
tf_export("dtypes.experimental.*").constants(
    __name__, "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"
)
tf_export("dtypes.QUANTIZED_DTYPES", "QUANTIZED_DTYPES").constant(__name__, "QUANTIZED_DTYPES")
