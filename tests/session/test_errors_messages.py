"""The exception of a failed step: its attributes, its text, and pickling."""

import copy
import os
import pickle

import pytest
from places import line_here

import tinytf as tf


def _error(call, kind=tf.errors.OpError):
    with pytest.raises(kind) as caught:
        call()
    return caught.value


# -- Attributes --------------------------------------------------------------------------------------------------------


def test_attributes(sess):
    x = tf.placeholder(tf.int32, name="x")
    y = tf.gather([1, 2], x, name="y")
    e = _error(lambda: sess.run(y, {x: [5]}), tf.errors.InvalidArgumentError)
    assert e.op is y.op and e.node_def.name == "y" and e.node_def.op == "GatherV2"
    assert e.error_code == tf.errors.INVALID_ARGUMENT == 3
    assert e.args == ()
    assert isinstance(e, ValueError) and type(e) is tf.errors.InvalidArgumentError
    assert e.message.startswith("indices[0] = 5 is not in [0, 2)\n\t [[node y (defined at ")


def test_an_error_that_names_no_node_of_the_graph(sess):
    s = tf.placeholder(tf.string)
    e = _error(lambda: sess.run(tf.identity(s), {s: [1.5]}), tf.errors.InternalError)
    assert e.op is None and e.node_def is None and str(e) == e.message


def test_callables_give_the_runtimes_own_words(sess):
    x = tf.placeholder_with_default([5], [1], name="x")
    y = tf.gather([1, 2], x, name="scope/y")
    for fetches in (y, y.op, [y]):
        e = _error(sess.make_callable(fetches), tf.errors.InvalidArgumentError)
        assert e.op is None and e.node_def is None
        assert str(e) == e.message == "indices[0] = 5 is not in [0, 2)\n\t [[{{node scope/y}}]]"


def test_callables_with_feeds_go_through_run(sess):
    x = tf.placeholder(tf.int32, name="x")
    y = tf.gather([1, 2], x, name="y")
    assert _error(lambda: sess.make_callable(y, [x])([5])).op is y.op


def test_errors_travel(sess):
    x = tf.placeholder(tf.int32, name="x")
    y = tf.gather([1, 2], x, name="y")
    e = _error(lambda: sess.run(y, {x: [5]}))
    for other in (pickle.loads(pickle.dumps(e)), copy.copy(e)):
        assert type(other) is type(e) and other.message == e.message and other.error_code == e.error_code
        assert other.node_def == e.node_def and other.op is None


# -- Text --------------------------------------------------------------------------------------------------------------


def test_where_the_inputs_were_made(sess):
    x, first = tf.placeholder(tf.float32, name="x"), line_here()
    shape, second = tf.placeholder(tf.int32, name="shape"), line_here()
    y, third = tf.reshape(x, shape, name="y"), line_here()
    e = _error(lambda: sess.run(y, {x: [1.0], shape: [2]}))
    assert e.message == (
        "Input to reshape is a tensor with 1 values, but the requested shape has 2\n"
        f"\t [[node y (defined at {__file__}:{third}) ]]\n\n"
        "Errors may have originated from an input operation.\n"
        "Input Source operations connected to node y:\n"
        f" x (defined at {__file__}:{first})\t\n shape (defined at {__file__}:{second})"
    ).replace(__file__, _shown(e.message))


def _shown(message):
    """The path of this file in the message, without the directory common to all files of the stacks."""
    shown = message.split("(defined at ")[1].split(":")[0]
    assert __file__.endswith(os.sep + shown) or shown == __file__
    return shown


def test_the_stack_ends_the_text(sess):
    x = tf.placeholder(tf.int32, name="x")

    def build():
        return tf.gather([1, 2], x, name="y")

    y = build()
    e = _error(lambda: sess.run(y, {x: [5]}))
    before, stack = str(e).split("\n\nOriginal stack trace for 'y':\n")
    assert before == e.message
    assert "in build\n    return tf.gather([1, 2], x, name=" in stack
    assert "in test_the_stack_ends_the_text\n    y = build()\n" in stack
    assert stack.index("y = build()") < stack.index("return tf.gather")  # outermost frame first


def test_a_gradient_that_fails_shows_the_forward_operation(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.reshape(x, [-1], name="forward")
    gradient = tf.gradients(y, x, grad_ys=tf.placeholder_with_default([1.0, 1.0, 1.0], None))[0]
    e = _error(lambda: sess.run(gradient, {x: [1.0, 2.0]}), tf.errors.InvalidArgumentError)
    assert e.op.name.startswith("gradients/forward_grad/") and e.op._original_op is y.op
    _, stack = str(e).split(f"\n\nOriginal stack trace for '{e.op.name}':\n")
    backward, forward = stack.split("\n...which was originally created as op 'forward', defined at:\n")
    assert "gradient = tf.gradients(" in backward and "gradient = tf.gradients(" not in forward
    assert 'name="forward"' in forward and "identical lines from previous traceback]" in forward


def test_nodes_of_libraries_show_the_users_line(sess):
    line, x = line_here(), tf.placeholder(tf.float32, [None, 2], name="x")
    loss = tf.losses.sparse_softmax_cross_entropy(tf.placeholder_with_default([7], [1], name="labels"), x)
    e = _error(lambda: sess.run(loss, {x: [[1.0, 2.0]]}), tf.errors.InvalidArgumentError)
    assert f":{line + 1}) ]]" in e.message


def test_a_failing_node_that_another_stands_for(sess):
    x = tf.placeholder(tf.float32, [2], name="x")
    twins = [tf.check_numerics(tf.log(x, name=f"log{i}"), "bad", name=f"check{i}") for i in range(2)]
    e = _error(lambda: sess.run(twins, {x: [-1.0, 1.0]}), tf.errors.InvalidArgumentError)
    assert e.message.startswith("bad : Tensor had NaN values\n\t [[node check")
    assert e.op in [twin.op for twin in twins]


# -- Messages of the runtime -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "feeds", "text"),
    [
        (lambda x: x, None, "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]"),
        (
            lambda x: tf.placeholder(tf.bool, name="p"),
            None,
            "You must feed a value for placeholder tensor 'p' with dtype bool",
        ),
        (
            lambda x: tf.placeholder(tf.string, [], name="p"),
            None,
            "You must feed a value for placeholder tensor 'p' with dtype string",
        ),
        (
            lambda x: tf.placeholder(tf.int64, [4], name="p"),
            None,
            "You must feed a value for placeholder tensor 'p' with dtype int64 and shape [4]",
        ),
        (
            lambda x: tf.raw_ops.VariableV2(shape=[], dtype=tf.float32, shared_name="_v"),
            None,
            "shared_name cannot start with '_':_v",
        ),
        (
            lambda x: tf.raw_ops.VarHandleOp(shape=[], dtype=tf.float32, container="a b"),
            None,
            "container contains invalid characters: a b",
        ),
        (
            lambda x: tf.Assert(tf.less(tf.reduce_sum(x), 0.0), [tf.shape(x), "text", x], summarize=2),
            [[1.0, 2.0, 3.0]],
            "assertion failed: [1 3] [text] [[1 2...]...]",
        ),
    ],
)
def test_runtime_words(sess, make, feeds, text):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    fetch = make(x)
    e = _error(lambda: sess.run(fetch, None if feeds is None else {x: feeds}), tf.errors.InvalidArgumentError)
    assert e.message.partition("\n")[0] == text


def test_a_kernel_for_another_type(sess):
    x = tf.placeholder(tf.bfloat16, [], name="x")
    y = tf.raw_ops.LinSpace(start=x, stop=x, num=3, name="y")
    e = _error(lambda: sess.run(y, {x: 1}), tf.errors.InvalidArgumentError)
    first, devices, kernels, *listed = e.message.split("\n")
    assert first.startswith("No OpKernel was registered to support Op 'LinSpace' used by node y (defined at ")
    assert first.endswith("with these attrs: [T=DT_BFLOAT16, Tidx=DT_INT32]")
    assert (devices, kernels) == ("Registered devices: [CPU]", "Registered kernels:")
    assert any("device='CPU'" in line and "DT_FLOAT" in line for line in listed)


def test_reading_as_another_type(sess):
    v = tf.get_variable("v", initializer=1.0, use_resource=True)
    with pytest.raises(ValueError, match="Trying to read variable with wrong dtype. Expected float got int32"):
        tf.raw_ops.ReadVariableOp(resource=v.handle, dtype=tf.int32)
