"""A graph as text, one line per node, identical for equal GraphDefs of TensorFlow and of this package.

Constants are written by their contents, so that a single repeated value and an explicit list read the same.
TensorFlow's interpreter runs this file, too: it must work on Python 3.7 and NumPy 1.18.
"""

import hashlib
import re

import numpy as np

_LONGEST = 120  # characters of an attr; longer ones are cut and end with a digest of the whole
_CONTENT = {1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 22: "<u4", 23: "<u8"}  # NumPy types
_FIELDS = ("half_val", "float_val", "double_val", "int_val", "string_val", "scomplex_val", "int64_val", "bool_val")
# Numbers counted per process instead of per graph, and random names.
_COUNTED = re.compile("(?<=CustomGradient-)\\d+|(?<=_temp_)[0-9a-f]{32}")
_FIELDS += ("dcomplex_val", "uint32_val", "uint64_val")


def _shape_text(shape):
    return "?" if shape.unknown_rank else "[" + ",".join(str(dim.size) for dim in shape.dim) + "]"


def _tensor_text(tensor):
    if tensor.tensor_content:
        values = np.frombuffer(tensor.tensor_content, _CONTENT[tensor.dtype]).tolist()
    else:
        values = [value for field in _FIELDS for value in getattr(tensor, field)]
    if len(set(map(repr, values))) == 1:
        values = values[:1]
    return f"{tensor.dtype}{_shape_text(tensor.tensor_shape)} " + " ".join(map(repr, values))


def _attr_text(value):
    kind = value.WhichOneof("value")
    if kind == "tensor":
        text = _tensor_text(value.tensor)
    elif kind == "shape":
        text = _shape_text(value.shape)
    elif kind == "list":
        members = value.list
        parts = [repr(v) for field in ("s", "i", "f", "b", "type") for v in getattr(members, field)]
        text = "[" + ", ".join(parts + [_shape_text(shape) for shape in members.shape]) + "]"
    elif kind in ("s", "i", "f", "b", "type"):
        text = f"{kind} {getattr(value, kind)!r}"
    else:
        text = " ".join(str(value).split())
    text = _COUNTED.sub("#", text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[:60]}... #{hashlib.sha1(text.encode()).hexdigest()[:12]}"


def graph_lines(graph_def):
    """Lines `name = op(inputs) @device {attrs}` in node order, with sorted attrs, after a line with the versions."""
    lines = [f"versions: producer {graph_def.versions.producer}, min_consumer {graph_def.versions.min_consumer}"]
    return lines + _node_lines(graph_def.node)


def _node_lines(nodes):
    lines = []
    for node in nodes:
        attrs = ", ".join(f"{name}: {_attr_text(node.attr[name])}" for name in sorted(node.attr))
        device = " @" + node.device if node.device else ""
        lines.append(f"{node.name} = {node.op}({', '.join(node.input)}){device} {{{attrs}}}")
    return lines


def _message_text(value):
    """A field's value, with maps in the order of their keys."""
    if hasattr(value, "ListFields"):
        return "{" + ", ".join(f"{field.name}: {_message_text(inner)}" for field, inner in value.ListFields()) + "}"
    if hasattr(value, "items"):
        return "{" + ", ".join(f"{key}: {_message_text(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, (str, bytes, int, float)):
        return str(value)
    return "[" + ", ".join(_message_text(inner) for inner in value) + "]"


def context_lines(graph):
    """A line for each control flow context of the graph, from its exported proto."""
    for key in ("cond_context", "while_context"):
        for context in graph.get_collection(key):
            yield f"{key} {_message_text(context.to_proto())}"


def function_lines(library):
    """The functions of a library, sorted by name: lines for the signature and the nodes, then for the gradients."""

    def args(args):
        return ", ".join(f"{arg.name}: {arg.type}" for arg in args)

    for function in sorted(library.function, key=lambda function: function.signature.name):
        signature = function.signature
        attrs = ", ".join(f"{name}: {_attr_text(function.attr[name])}" for name in sorted(function.attr))
        stateful = " stateful" if signature.is_stateful else ""
        yield f"function {signature.name}({args(signature.input_arg)}) -> {args(signature.output_arg)}{stateful} {{{attrs}}}"
        if signature.description:
            yield f"  {signature.description}"
        yield from ("  " + line for line in _node_lines(function.node_def))
        yield f"  ret {_message_text(function.ret)} control_ret {_message_text(function.control_ret)}"
        yield f"  arg_attr {_message_text(function.arg_attr)}"
    for gradient in sorted(library.gradient, key=lambda gradient: gradient.function_name):
        yield f"gradient {gradient.function_name}: {gradient.gradient_func}"


def built_graph(tf, program):
    """The lines of the graph built by a program, which is a function of `tf` that adds to the default graph."""
    with tf.Graph().as_default() as graph:
        program(tf)
        graph_def = graph.as_graph_def()
        return [*graph_lines(graph_def), *function_lines(graph_def.library), *context_lines(graph)]
