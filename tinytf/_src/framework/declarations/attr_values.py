"""Conversion of attr values from the forms that programs use to the core's forms."""

from __future__ import annotations

from typing import Any

from tinytf import _core
from tinytf._src.framework.declarations.op_spec import AttrSpec, OpSpec
from tinytf._src.framework.values import dtypes
from tinytf._src.framework.values.numpy_compat import asarray_of
from tinytf._src.framework.values.tensor_proto import read_message
from tinytf._src.framework.values.tensor_shape import TensorShape, as_shape

Shape = "tuple[int, ...] | None"


def type_number(value: Any) -> int:
    """The core's form of a type attr: the DataType number of anything that `as_dtype` accepts, without the reference
    bit."""
    return dtypes.as_dtype(value).base_dtype.as_datatype_enum


def shape_tuple(value: Any) -> tuple[int, ...] | None:
    """The core's form of a shape attr: sizes with -1 for unknown ones, or None for unknown rank. Raises TypeError if
    the value is not a shape."""
    if value is None:
        return None
    if hasattr(value, "unknown_rank"):  # a TensorShapeProto
        return None if value.unknown_rank else tuple(d.size for d in value.dim)
    shape = value if isinstance(value, TensorShape) else as_shape(value)
    dims = shape.dims
    return None if dims is None else tuple(-1 if d.value is None else d.value for d in dims)


def _tensor_form(value: Any) -> Any:
    """A pair of an array and its type number, or the serialized TensorProto."""
    if isinstance(value, tuple):
        return value
    if hasattr(value, "tensor_shape"):  # a TensorProto
        return value.SerializeToString()
    array = asarray_of(value)
    return array, dtypes.as_dtype(array.dtype).as_datatype_enum


def func_form(value: Any) -> Any:
    """The name of a function, paired with its serialized attrs if it has any."""
    if isinstance(value, bytes):
        return value.decode()
    if not getattr(value, "attr", None):
        return getattr(value, "name", value)
    return value.name, {name: attr.SerializeToString() for name, attr in value.attr.items()}


_CONVERSIONS = {
    "type": type_number,
    "shape": shape_tuple,
    "tensor": _tensor_form,
    "func": func_form,
}


def plain_attr(attr: AttrSpec | None, value: Any) -> Any:
    """One attr in the core's form. `attr` is None for names that the declaration lacks."""
    if hasattr(value, "WhichOneof") and value.DESCRIPTOR.name == "AttrValue":
        whole = value.WhichOneof("value")
        if whole == "func" or (whole == "tensor" and attr is not None):
            value = getattr(value, whole)
    if hasattr(value, "WhichOneof") and hasattr(value, "list"):
        value = read_message(_core.attr_of_proto, value)
    if attr is None:
        return value.as_datatype_enum if isinstance(value, dtypes.DType) else value
    kind = attr.kind
    if kind.startswith("list("):
        convert = _CONVERSIONS.get(kind[5:-1])
        return [convert(item) for item in value] if convert else list(value)
    convert = _CONVERSIONS.get(kind)
    return convert(value) if convert else value


def plain_attrs(spec: OpSpec, attrs: dict[str, Any]) -> dict[str, Any]:
    """All attrs of a `create_op` call in the core's form."""
    return {name: plain_attr(spec.attr_by_name.get(name), value) for name, value in attrs.items()}
