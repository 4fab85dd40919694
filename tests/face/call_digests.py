"""Texts of all that a call does to a graph: operations with their inputs, attrs, devices, dtypes and static shapes,
collections, and the result. Runs on TensorFlow 1.15.5 (with Python 3.7) and on tinytf.
"""

import dis
import re
import zlib

import numpy as np

_LEFT_OUT = {"_output_shapes", "token"}  # of Python functions, numbered by all of the process


def _number(value):
    return "%.5g" % value if isinstance(value, float) else str(value)


def _values(array):
    flat = [_number(value) for value in array.ravel().tolist()]
    return "%s%s[%s]" % (array.dtype.name, list(array.shape), ",".join(flat[:6]) + ("..." if len(flat) > 6 else ""))


def _shape(shape):
    return "?" if shape.unknown_rank else "x".join(str(dim.size) for dim in shape.dim) or "()"


def _attr(tf, value):
    kind = value.WhichOneof("value")
    if kind == "list":
        [*lists] = [field for field in ("s", "i", "f", "b", "type", "shape") if len(getattr(value.list, field))]
        return "[%s]" % ",".join(_plain(tf, field, v) for field in lists for v in getattr(value.list, field))
    if kind is None:
        return ""
    return _plain(tf, kind, getattr(value, kind))


def _plain(tf, kind, value):
    if kind == "tensor":
        return _values(tf.make_ndarray(value))
    if kind == "type":
        return tf.as_dtype(value).name
    if kind == "shape":
        return _shape(value)
    if kind == "func":
        return "function"  # numbered by all functions of the process
    return _number(float(value)) if kind == "f" else str(value)


def _static(tensor):
    dims = tensor.shape.dims
    return "%s:%s" % (tensor.dtype.name, "?" if dims is None else [d.value for d in dims])


def operation(tf, op):
    """An operation with all that defines it."""
    given = [t.name for t in op.inputs] + ["^" + c.name for c in op.control_inputs]
    node = op.node_def
    attrs = ["%s=%s" % (key, _attr(tf, node.attr[key])) for key in sorted(node.attr) if key not in _LEFT_OUT]
    device = "@" + op.device if op.device else ""
    outputs = ",".join(map(_static, op.outputs))
    return "%s:%s(%s){%s}%s->%s" % (op.name, op.type, ",".join(given), ";".join(attrs), device, outputs)


def result(tf, value, depth=0):
    """What a call returns, without the names of classes, which each version may have for itself."""
    if isinstance(value, (tf.Tensor, tf.Operation)):
        return value.name
    if isinstance(value, tf.SparseTensor):
        return "sparse(%s)" % result(tf, [value.indices, value.values, value.dense_shape], depth)
    if isinstance(value, tf.Variable):
        return "variable %s" % value.name
    if isinstance(value, dict) and depth < 4:
        return "{%s}" % ",".join("%s:%s" % (k, result(tf, value[k], depth + 1)) for k in sorted(value, key=str))
    if isinstance(value, (list, tuple)) and depth < 4:
        return "[%s]" % ",".join(result(tf, v, depth + 1) for v in value)
    if isinstance(value, (np.ndarray, np.generic)):
        return _values(np.asarray(value))
    if value is None or isinstance(value, (bool, int, float, str, bytes, tf.DType, tf.TensorShape)):
        return repr(value)
    return "object"


def collections(graph):
    """The sizes of collections."""
    names = sorted(map(str, graph.get_all_collection_keys()))
    return ",".join("%s*%d" % (name, len(graph.get_collection(name))) for name in names)


def error(error):
    """The class of an error, with a question mark if it is incidental: an assertion, or an error that no statement
    raises but the interpreter, about code that its author did not mean to run.
    """
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    name = "TypeError" if isinstance(error, TypeError) else type(error).__name__
    if name == "AssertionError":
        return name + "?"
    at = last.tb_lasti
    is_raised = last.tb_frame.f_code.co_code[at : at + 1] == bytes([dis.opmap["RAISE_VARARGS"]])
    return name + ("" if is_raised else "?")


def checks(text):
    """A short form of a text for records: a checksum of four digits for each line, or the class of an error."""
    if "\n" not in text:
        return text
    return "".join("%04x" % (zlib.crc32(line.encode()) & 0xFFFF) for line in text.split("\n"))


def agree(there, here):
    """Whether an outcome of tinytf is that of TensorFlow 1.15.5, or could be any: no program relies on an incidental
    error.
    """
    return there.endswith("?") or here.rstrip("?") == there


def digest(tf, graph, count, value):
    """All that a call did to a graph that had `count` operations."""
    operations = [operation(tf, op) for op in graph.get_operations()[count:]]
    text = "\n".join([*operations, "= " + result(tf, value), "+ " + collections(graph)])
    return re.sub(" at 0x[0-9a-f]+", "", text)  # addresses of functions
