"""Definitions of traced functions have the names, nodes, attrs and shapes of TensorFlow 1.15."""

import json
import pathlib

import pytest

import tinytf as tf

_RECORDED = pathlib.Path(__file__).with_name("function_definitions_of_1_15.json")

# Runs on both sides: lists the contents of each program's functions, without the numbers in function names.
_PROGRAMS = """
import re

def plain(tf):
    @tf.function
    def f(x, y):
        return x * 2.0, [y, x + y]
    f(tf.constant(1.0), tf.constant([2.0, 3.0]))

def arguments(tf):
    @tf.function
    def f(x, *rest, **named):
        return x, rest, named["q"], None, named["z"]
    z = {"k": [tf.constant(3.0), tf.constant(2.0)]}
    f(tf.constant([1.0]), tf.constant(1), tf.constant(2), q=tf.constant(4), z=z)

def input_signature(tf):
    specs = [tf.TensorSpec([None, 3], tf.float32, name="hello"), tf.TensorSpec(None, tf.int32, name="b/c")]
    @tf.function(input_signature=specs)
    def f(x, y):
        return y
    f(tf.zeros([2, 3]), tf.constant(1))

def composites(tf):
    @tf.function
    def f(x):
        one, five = tf.constant([1]), tf.constant([5])
        return tf.SparseTensor([[0, 0]], x, [3, 3]), tf.IndexedSlices(x, one), tf.IndexedSlices(x, one, five)
    f(tf.constant([1.0]))

def nothing(tf):
    @tf.function
    def f(x):
        tf.print(x)
    f(tf.constant(1.0))

def names_in_use(tf):
    @tf.function
    def f(Identity):
        return tf.identity(Identity), Identity
    f(tf.constant(1.0))

def calls(tf):
    @tf.function
    def inner(x):
        return x + 1.0
    @tf.function
    def outer(x):
        return inner(x) * 2.0
    outer(tf.constant([1.0, 2.0]))

def shapes_of(attr):
    return [[-2] if s.unknown_rank else [d.size for d in s.dim] for s in attr.list.shape]

def without_number(text):
    return re.sub(r"(__inference_[a-z]+)_[0-9]+", r"\\1", text)

def definition(function):
    attrs = {place: sorted((name, str(attr.s.decode())) for name, attr in args.attr.items())
             for place, args in function.arg_attr.items()}
    nodes = [[without_number(node.name), node.op, list(node.input), shapes_of(node.attr["_output_shapes"])]
             for node in function.node_def]
    return {
        "name": without_number(function.signature.name),
        "takes": [[arg.name, arg.type] for arg in function.signature.input_arg],
        "yields": [[arg.name, arg.type] for arg in function.signature.output_arg],
        "nodes": sorted(nodes),
        "ret": sorted(function.ret.items()),
        "runs": sorted(function.control_ret.items()),
        "input shapes": shapes_of(function.attr["_input_shapes"]),
        "attrs of arguments": sorted(attrs.items()),
    }

def definitions(tf, name):
    with tf.Graph().as_default() as graph:
        globals_of_programs[name](tf)
        library = graph.as_graph_def(add_shapes=True).library
        return sorted((definition(function) for function in library.function), key=lambda found: found["name"])

globals_of_programs = globals()
"""

_HERE: dict[str, object] = {}
exec(_PROGRAMS, _HERE)
_NAMES = ["plain", "arguments", "input_signature", "composites", "nothing", "names_in_use", "calls"]


def _as_json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", _NAMES)
def test_definitions_are_those_of_tensorflow(name):
    assert _as_json(_HERE["definitions"](tf, name)) == json.loads(_RECORDED.read_text())[name]


@pytest.mark.oracle
def test_tensorflow_has_these_definitions(oracle1):
    found = oracle1(_PROGRAMS + f"result = {{name: definitions(tf, name) for name in {_NAMES!r}}}")
    assert _as_json(found) == json.loads(_RECORDED.read_text())


def test_each_output_is_a_copy_under_a_name_of_its_own():
    @tf.function
    def f(x, y):
        return x

    concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32, name="x"), tf.TensorSpec([], tf.float32))
    operations = concrete.graph.get_operations()
    assert [op.name for op in operations] == ["x", "y", "Identity"]
    assert [op.get_attr("_user_specified_name") for op in operations[:2]] == [b"x", b"y"]
    assert [t.name for t in concrete.outputs] == ["Identity:0"]


def test_shapes_of_handles_are_open():
    v = tf.Variable([1.0, 2.0], use_resource=True)

    @tf.function
    def f(x):
        v.assign_add(x)
        return v.read_value()

    f(tf.constant([1.0, 2.0]))
    [function] = tf.get_default_graph().as_graph_def(add_shapes=True).library.function
    assert [shape.unknown_rank for shape in function.attr["_input_shapes"].list.shape] == [False, True]
    assert all("_output_shapes" in node.attr for node in function.node_def)
    [function] = tf.get_default_graph().as_graph_def().library.function
    assert "_input_shapes" not in function.attr
    assert not any("_output_shapes" in node.attr for node in function.node_def)


def test_copies_are_not_run():
    @tf.function
    def inner(x):
        return tf.exp(x), x

    @tf.function
    def outer(x):
        y, z = inner(x)
        return y * z, z

    x = tf.placeholder(tf.float32, [])
    y, z = outer(x)
    metadata = tf.RunMetadata()
    with tf.Session() as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run([y, z], {x: 1.0}, options=options, run_metadata=metadata)
    names = [stats.node_name for device in metadata.step_stats.dev_stats for stats in device.node_stats]
    assert any("Exp" in name for name in names)
    assert not [name for name in names if "Identity" in name]


def test_definitions_with_shapes_are_imported_and_differentiated():
    @tf.function
    def f(x):
        return tf.sin(x) * x

    x = tf.placeholder_with_default([1.0, 2.0], [2])
    f(x)
    definition = tf.get_default_graph().as_graph_def(add_shapes=True)
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.import_graph_def(definition, return_elements=[f"{x.op.name}:0", "PartitionedCall:0"])
        values = session.run([y, tf.gradients(y, x)[0]])
        expected = [tf.sin(x) * x, tf.cos(x) * x + tf.sin(x)]
        for value, wanted in zip(values, session.run(expected), strict=True):
            assert value == pytest.approx(wanted, rel=1e-6)
