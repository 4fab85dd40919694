"""TensorFlow's protocol messages: `protos.GraphDef`, `protos.ConfigProto`, …, and enums such as `protos.DataType`.

The messages have TensorFlow's full names ("tensorflow.GraphDef") but live in a separate descriptor pool, so that
TensorFlow or TensorBoard can be imported in the same process. Exchange messages with them as bytes, because classes of
different pools do not mix. Nothing is loaded until a name is first used. Thread-safe.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Any

_PACKAGES = ("tensorflow", "tensorflow.error")


_lock = threading.RLock()  # protobuf's pure Python pools are not thread-safe
_pool: Any = None


def pool() -> Any:
    """The private `DescriptorPool` of TensorFlow's messages, which the text format needs for `Any` values."""
    global _pool
    if _pool is None:
        with _lock:
            if _pool is None:
                _pool = _load()
    return _pool


def _load() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool

    with open(os.path.join(os.path.dirname(__file__), "descriptors.binpb"), "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read())
    result = descriptor_pool.DescriptorPool()
    for descriptor in files.file:
        result.AddSerializedFile(descriptor.SerializeToString())
    return result


@functools.cache
def _class_maker() -> Any:
    """The function that returns the class of a message descriptor; it creates each class once."""
    from google.protobuf import message_factory

    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass
    return message_factory.MessageFactory(pool()).GetPrototype  # protobuf before 4.22


@functools.cache
def message_class(name: str) -> Any:
    """The class of the message with this full name, for example "tensorflow.NodeDef". Raises KeyError if there is
    none."""
    with _lock:
        found = _class_maker()(pool().FindMessageTypeByName(name))
        for nested in found.DESCRIPTOR.nested_types:
            if not hasattr(found, nested.name):  # protobuf's Python implementation sets them already
                setattr(found, nested.name, message_class(nested.full_name))
    return found


def adopt(message: Any) -> Any:
    """`message` as an instance of this package's class: itself if it is one already, else a copy by serialization, for
    example of TensorFlow's messages or of TensorBoard's, which have a package name of their own.

    Raises TypeError if `message` is not a protocol message, KeyError if this package has no such message.
    """
    descriptor = getattr(message, "DESCRIPTOR", None)
    name = getattr(descriptor, "full_name", None)
    if name is None:
        raise TypeError(f"not a protocol-buffer message: {message!r}")
    cls = message_class(_own_name(name))
    return message if isinstance(message, cls) else cls.FromString(message.SerializeToString())


def is_message(value: Any, name: str) -> bool:
    """Whether `value` is a `tensorflow.<name>` message of this package's pool or of any other; loads nothing."""
    descriptor = getattr(type(value), "DESCRIPTOR", None)
    return _own_name(getattr(descriptor, "full_name", "")) == f"tensorflow.{name}"


def _own_name(full_name: str) -> str:
    """TensorFlow's full name of a TensorBoard message; other names unchanged."""
    package, dot, name = full_name.partition(".")
    return f"tensorflow.{name}" if package == "tensorboard" and dot else full_name


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        for package in _PACKAGES:
            with _lock:
                value = _find(f"{package}.{name}")
            if value is not None:
                globals()[name] = value
                return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _find(full_name: str) -> Any:
    """The message class, or the wrapper of the enum, of this name; None if there is neither."""
    from google.protobuf.internal import enum_type_wrapper

    try:
        return message_class(full_name)
    except KeyError:
        pass
    try:
        return enum_type_wrapper.EnumTypeWrapper(pool().FindEnumTypeByName(full_name))
    except KeyError:
        return _enum_value(full_name)


def _enum_value(full_name: str) -> int | None:
    """The number of a value of an enum that is not inside a message, for example DT_FLOAT; None if there is none."""
    package, _, name = full_name.rpartition(".")
    for enum in ("DataType", "VariableSynchronization", "VariableAggregation", "Code"):
        try:
            values = pool().FindEnumTypeByName(f"{package}.{enum}").values_by_name
        except KeyError:
            continue
        if name in values:
            return values[name].number
    return None
