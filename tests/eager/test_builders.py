"""Operation builders: inputs, devices, attrs of every kind, and errors."""

import numpy as np
import pytest
from watched_sessions import Strategy

import tinytf as tf

SessionClosedError = tf.eager.SessionClosedError
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


def constant(session, value, dtype=tf.float32):
    return session.op_builder("Const", "c").set_attr("dtype", dtype).set_attr("value", value).build().output(0)


@pytest.mark.acceptance
def test_no_builder_of_a_closed_session(options):
    session = tf.EagerSession(**options)
    session.close()
    with pytest.raises(SessionClosedError):
        session.op_builder("NoOp", "nothing")


@pytest.mark.acceptance
def test_setters_of_a_closed_session_raise(options):
    with tf.EagerSession(**options) as session:
        x = constant(session, 1.0)
        builder = session.op_builder("AddN", "sum")
    for setter in (
        lambda: builder.add_input(x),
        lambda: builder.add_input_list([x]),
        lambda: builder.add_control_input(None),
        lambda: builder.set_device(CPU),
        lambda: builder.set_attr("N", 1),
        builder.build,
    ):
        with pytest.raises(SessionClosedError, match="session has been closed"):
            setter()


@pytest.mark.acceptance
def test_an_input_a_list_and_a_control_input(session):
    said = session.op_builder("NoOp", "before").build()
    op = (
        session.op_builder("Assert", "assert")
        .add_input(constant(session, True, tf.bool))
        .add_input_list([constant(session, -1.0)])
        .add_control_input(said)
        .build()
    )
    assert op.num_outputs == 0
    session.synchronize()


@pytest.mark.acceptance
def test_a_device(session):
    x = constant(session, 2.0)
    op = session.op_builder("Add", "sum").add_input(x).add_input(x).set_device(CPU).build()
    assert op.tensor(0).numpy() == 4.0
    assert op.output(0).device == CPU
    for name in ("/job:localhost/replica:0/task:0/device:CPU:7", "/device:GPU:0", "no device"):
        with pytest.raises(tf.errors.InvalidArgumentError):
            session.op_builder("Add", "sum").set_device(name)


def _build(session, type, attrs, inputs=()):
    builder = session.op_builder(type, "op")
    for value in inputs:
        builder = builder.add_input_list(value) if isinstance(value, list) else builder.add_input(value)
    for name, value in attrs.items():
        builder.set_attr(name, value)
    return builder.build()


@pytest.mark.acceptance
def test_attrs_of_each_kind(session):
    """A type with a tensor, int, ints with a string, floats, a shape, shapes, a bool, a float, strings and types
    can be set.
    """
    build = lambda *args: _build(session, *args)  # noqa: E731
    seven = build("Const", {"dtype": tf.int32, "value": 7}).output(0)
    assert seven.numpy() == 7
    assert build("Const", {"dtype": tf.int32, "value": seven}).tensor(0).numpy() == 7  # a tensor attr given as a tensor
    assert build("Cast", {"DstT": tf.float64}, [seven]).dtype(0) == tf.float64

    x = constant(session, np.arange(6, dtype=np.float32).reshape(2, 3))
    zero = constant(session, 0, tf.int32)
    assert build("Split", {"num_split": 2}, [zero, x]).num_outputs == 2

    image = constant(session, np.ones([1, 4, 4, 1], np.float32))
    pooled = build("MaxPool", {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}, [image])
    assert pooled.shape(0).as_list() == [1, 2, 2, 1]
    assert (
        build("MaxPool", {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": b"VALID"}, [image]).num_outputs
        == 1
    )

    queue = build(
        "FIFOQueueV2", {"component_types": [tf.float32, tf.int32], "shapes": [[2], []], "capacity": 3}
    ).output(0)
    build("QueueEnqueueV2", {}, [queue, [constant(session, [1.0, 2.0]), seven]])
    assert build("QueueSizeV2", {}, [queue]).tensor(0).numpy() == 1

    summed = build("MatMul", {"transpose_b": True}, [x, x]).tensor(0)
    assert summed.shape.as_list() == [2, 2]
    assert build("LeakyRelu", {"alpha": 0.5}, [constant(session, -2.0)]).tensor(0).numpy() == -1.0

    buckets = build("Bucketize", {"boundaries": [0.5, 3.5]}, [x])
    assert buckets.tensor(0).numpy().tolist() == [[0, 1, 1], [1, 2, 2]]

    handle = build("VarHandleOp", {"dtype": tf.float32, "shape": [2, 3], "shared_name": "v"}).output(0)
    build("AssignVariableOp", {"dtype": tf.float32}, [handle, x])
    read = build("ReadVariableOp", {"dtype": tf.float32}, [handle]).tensor(0)
    assert read.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]


def test_attrs_that_do_not_fit(session):
    builder = session.op_builder("MatMul", "product")
    with pytest.raises(tf.errors.InvalidArgumentError, match="no attr 'transposed'"):
        builder.set_attr("transposed", True)
    with pytest.raises(TypeError, match="transpose_a"):
        builder.set_attr("transpose_a", 1)
    with pytest.raises((TypeError, ValueError)):
        session.op_builder("Split", "parts").set_attr("num_split", "two")
    with pytest.raises(ValueError, match="padding"):
        session.op_builder("MaxPool", "pool").set_attr("padding", "WIDE")


def test_number_and_kind_of_inputs(session):
    x = constant(session, 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="takes 2 inputs, 1 were added"):
        session.op_builder("Add", "sum").add_input(x).build()
    with pytest.raises(tf.errors.InvalidArgumentError):
        session.op_builder("Add", "sum").add_input_list([x, x]).add_input(x).build()
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be a tensor"):
        session.op_builder("Add", "sum").add_input(1.0)


def test_no_such_op(session):
    with pytest.raises(tf.errors.InvalidArgumentError, match="no op of type 'NoSuchOp'"):
        session.op_builder("NoSuchOp", "n")


@pytest.mark.parametrize("type", ["Placeholder", "VariableV2", "Assign", "AssignAdd"])
def test_ops_of_graphs_only(session, type):
    with pytest.raises(tf.errors.UnimplementedError, match=f"'{type}' can only be used in graphs"):
        session.op_builder(type, "n")
    with pytest.raises(NotImplementedError):  # UnimplementedError is a NotImplementedError
        session.op_builder(type, "n")


def test_lists_of_tensors_as_attrs(session):
    builder = session.op_builder("Const", "c")
    from tinytf._src.framework.declarations.op_spec import AttrSpec

    builder._spec.attr_by_name["tensors"] = AttrSpec("tensors", "list(tensor)", False, None, [], [], None)
    try:
        with pytest.raises(NotImplementedError, match="lists of tensors"):
            builder.set_attr("tensors", [1.0])
    finally:
        del builder._spec.attr_by_name["tensors"]


def test_a_builder_that_is_dropped_leaves_nothing(watch):
    watched = watch(resource_cleanup_strategy=Strategy.ON_SAFE_POINTS)
    x = constant(watched.session, 1.0)
    builder = watched.session.op_builder("Neg", "n").add_input(x)
    del builder, x
    watched.session.collect()
    stats = watched.session.stats()
    assert stats.live == 0 and stats.active_ops == 0
