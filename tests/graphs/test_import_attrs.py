"""Attrs of imported nodes: attrs of later releases, and errors that name the node and the attr."""

import resource

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.declarations.op_spec import op_spec
from tinytf._src.framework.graph_defs.import_attrs import _newer_attrs
from tinytf._src.tools.newer_attrs import newer_attrs


def graph_of(*nodes, producer=134):
    return protos.GraphDef(node=nodes, versions={"producer": producer})


def node(name, op, inputs=(), **attrs):
    made = protos.NodeDef(name=name, op=op, input=inputs)
    for key, (field, value) in attrs.items():
        if field in ("tensor", "shape"):
            getattr(made.attr[key], field).CopyFrom(value)
        elif field.startswith("list."):
            getattr(made.attr[key].list, field[5:]).extend(value)
        else:
            setattr(made.attr[key], field, value)
    return made


FLOAT, INT64 = ("type", 1), ("type", 9)
A, B = node("a", "Placeholder", dtype=FLOAT), node("b", "Placeholder", dtype=FLOAT)


def imported(graph_def, *names):
    return tf.import_graph_def(graph_def, return_elements=list(names), name="")


@pytest.mark.parametrize(("op", "same"), [("Equal", False), ("NotEqual", True)])
def test_equality_of_what_does_not_broadcast(op, same):
    def comparison(error):
        return node(op, op, ["a", "b"], T=FLOAT, incompatible_shape_error=("b", error))

    [strict] = imported(graph_of(A, B, comparison(True)), f"{op}:0")
    with tf.Session() as sess:
        assert sess.run(strict, {"a:0": [1.0], "b:0": [1.0]}) == [not same]
        with pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible shapes"):
            sess.run(strict, {"a:0": [1.0] * 2, "b:0": [1.0] * 3})
    with tf.Graph().as_default(), tf.Session() as sess:
        [lenient] = imported(graph_of(A, B, comparison(False)), f"{op}:0")
        assert lenient.shape.ndims is None
        assert sess.run(lenient, {"a:0": [1.0] * 2, "b:0": [1.0] * 3}) == same
        np.testing.assert_array_equal(sess.run(lenient, {"a:0": [1.0, 2.0], "b:0": [1.0]}), [not same, same])
        assert lenient.op.node_def.attr["incompatible_shape_error"].b is False


def test_attrs_of_later_releases_with_their_defaults_are_left_out():
    handle = node(
        "v", "VarHandleOp", dtype=FLOAT, shape=("shape", protos.TensorShapeProto()), debug_name=("s", b"v"),
        allowed_devices=("list.s", []),
    )  # fmt: skip
    product = node("p", "MatMul", ["a", "b"], T=FLOAT, grad_a=("b", True), grad_b=("b", False))
    top = node("t", "TopKV2", ["p", "k"], T=FLOAT, Tk=("type", 3), index_type=("type", 3))
    k = node("k", "Placeholder", dtype=("type", 3))
    product_op, top_op, _ = imported(graph_of(A, B, handle, product, k, top), "p", "t", "v")
    assert "grad_a" not in product_op.node_def.attr
    assert "index_type" not in top_op.node_def.attr


def test_other_values_of_such_attrs_are_refused():
    top = node("t", "TopKV2", ["a", "b"], T=FLOAT, index_type=INT64)
    with pytest.raises(ValueError, match=r"attr 'index_type'[\s\S]*node t[\s\S]*TensorFlow 2 added the attr"):
        imported(graph_of(A, B, top))


def test_the_table_of_later_attrs_is_about_attrs_that_are_not_declared_here():
    table = _newer_attrs()
    assert {"grad_a", "grad_b"} <= set(table["MatMul"])
    known = set(table) & set(dir(tf.raw_ops))
    assert len(known) > 30
    for op in known:
        assert not set(table[op]) & set(op_spec(op).attr_by_name), op


def test_the_table_is_what_two_op_lists_differ_in():
    def op_list(**ops):
        message = protos.OpList()
        for name, attrs in ops.items():
            op = message.op.add(name=name)
            for attr, (kind, field, default) in attrs.items():
                made = op.attr.add(name=attr, type=kind)
                if field:
                    setattr(made.default_value, field, default)
        return message

    old = op_list(A={"T": ("type", "", None)}, C={})
    new = op_list(
        A={"T": ("type", "", None), "x": ("bool", "b", False), "y": ("string", "s", b"q"), "z": ("int", "", None)},
        B={"w": ("int", "i", 1)},
        C={},
    )
    assert newer_attrs(old, new) == {"A": {"x": ["bool", False], "y": ["string", "q"]}}


@pytest.mark.parametrize(("producer", "rank"), [(21, None), (22, 0)])
def test_scalar_placeholders_of_old_producers_have_any_shape(producer, rank):
    old = node("x", "Placeholder", dtype=FLOAT, shape=("shape", protos.TensorShapeProto()))
    [x] = imported(graph_of(old, producer=producer), "x:0")
    assert x.shape.ndims == rank


def tensor(dtype=1, dims=(), **content):
    return "tensor", protos.TensorProto(dtype=dtype, tensor_shape={"dim": [{"size": d} for d in dims]}, **content)


WRONG = {
    "kind": (node("n", "Placeholder", dtype=("i", 3)), "dtype", "type 'int' when 'type' expected"),
    "list kind": (node("n", "NoOp", _class=("list.i", [3])), "_class", r"'list\(int\)' when 'list\(string\)'"),
    "no list": (node("n", "NoOp", _class=("i", 3)), "_class", r"'int' when 'list\(string\)' expected"),
    "shapes": (node("n", "Placeholder", dtype=FLOAT, _output_shapes=("i", 3)), "_output_shapes", "'int' when"),
    "text": (node("n", "NoOp", _class=("list.s", [b"loc:@\xff"])), "_class", "not UTF-8"),
    "no type": (node("n", "Placeholder", dtype=("type", 0)), "dtype", "Cannot convert value 0"),
    "types": (node("n", "FIFOQueueV2", component_types=("list.type", [1, 99])), "component_types", "value 99"),
    "content": (
        node("n", "Const", dtype=FLOAT, value=tensor(dims=[3], tensor_content=b"1")), "value", "buffer size",
    ),
    "negative": (node("n", "Const", dtype=FLOAT, value=tensor(dims=[-3], float_val=[1])), "value", "not fully defined"),
    "large": (node("n", "Const", dtype=FLOAT, value=tensor(dims=[2**40] * 2, float_val=[1])), "value", "too many"),
    "unknown": (node("n", "NoOp", zork=("i", 3)), "zork", "not in Op<name=NoOp"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_errors_name_node_and_attr(case):
    wrong, attr, text = WRONG[case]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=text) as e:
        imported(graph_of(wrong))
    assert f"'{attr}'" in str(e.value)
    assert "{{node n}}" in str(e.value)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


@pytest.mark.parametrize("count", [2**27, -1, 0])
def test_counts_are_compared_before_lists_are_made(count):
    pack = node("n", "Pack", ["a"], T=FLOAT, N=("i", count))
    with pytest.raises(ValueError) as e:
        imported(graph_of(A, pack))
    assert len(str(e.value)) < 1000
