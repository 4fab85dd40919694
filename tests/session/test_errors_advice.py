"""Errors of a run add to TensorFlow's message where objects were created and what would help."""

import pickle
import threading

import numpy as np
import pytest
from places import place_here

import tinytf as tf


def _error(sess, kind, fetches, feeds=None):
    with pytest.raises(kind) as caught:
        sess.run(fetches, feeds)
    return getattr(caught.value, "message", None) or str(caught.value)


# -- Variables without a value -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("resource", [False, True])
def test_a_global_variable_without_a_value(sess, resource):
    v, line = tf.get_variable("v", [2], use_resource=resource), place_here()
    advice = (
        f"\n\nVariable 'v', created at {line}, has no value in this session yet: run its initializer first, e.g. "
        "sess.run(v.initializer) or sess.run(tf.global_variables_initializer())."
    )
    assert _error(sess, tf.errors.FailedPreconditionError, v + 1).endswith(advice)
    assert _error(sess, tf.errors.FailedPreconditionError, v).endswith(advice)
    update = v.assign_add([1.0, 1.0])
    kind = tf.errors.NotFoundError if resource else tf.errors.FailedPreconditionError
    assert _error(sess, kind, update).endswith(advice)
    sess.run(v.initializer)
    sess.run(update)


@pytest.mark.parametrize("resource", [False, True])
def test_a_local_variable_without_a_value(sess, resource):
    v = tf.get_variable("scope/v", [2], use_resource=resource, collections=[tf.GraphKeys.LOCAL_VARIABLES])
    assert _error(sess, tf.errors.FailedPreconditionError, v + 1).endswith(
        "e.g. sess.run(variable.initializer) or sess.run(tf.local_variables_initializer())."
    )


@pytest.mark.parametrize("resource", [False, True])
def test_a_variable_of_no_collection(sess, resource):
    v = tf.get_variable("v", [2], use_resource=resource, trainable=False, collections=[])
    assert _error(sess, tf.errors.FailedPreconditionError, v + 1).endswith(
        "run its initializer first (the variable is in no collection of variables)."
    )


def test_an_initializer_that_was_made_too_early(sess):
    tf.get_variable("u", [2])
    init, line = tf.global_variables_initializer(), place_here()
    v = tf.get_variable("v", [2])
    sess.run(init)
    assert _error(sess, tf.errors.FailedPreconditionError, v + 1).endswith(
        f" The operation 'init', created at {line}, initializes only variables that existed before it: call "
        "tf.global_variables_initializer() when all variables are made."
    )
    tf.global_variables_initializer()  # an initializer that includes the variable but was not run
    assert "existed before it" not in _error(sess, tf.errors.FailedPreconditionError, v + 1)


# -- Placeholders ------------------------------------------------------------------------------------------------------


def test_a_placeholder_without_a_value_when_nothing_is_fed(sess):
    x, line = tf.placeholder(tf.float32, [2], name="x"), place_here()
    assert _error(sess, tf.errors.InvalidArgumentError, x * 2).endswith(
        f"\n\nPlaceholder 'x', created at {line}, was not fed: the call has no feeds. Pass feed_dict={{x: …}}."
    )


@pytest.mark.parametrize("again", [False, True])  # the second call is cached
def test_a_placeholder_without_a_value_among_others(sess, again):
    x = tf.placeholder(tf.float32, [2], name="x")
    y, line = tf.placeholder(tf.float32, name="y"), place_here()
    z = x * y
    for _ in range(1 + again):
        text = _error(sess, tf.errors.InvalidArgumentError, z, {y: 1.0})
    assert text.endswith(f", was not fed; the call feeds 'y:0' ({line}).")
    assert _error(sess, tf.errors.InvalidArgumentError, z, {("y:0",): (1.0,)}).endswith(
        f"; the call feeds 'y:0' ({line})."
    )
    many = {tf.placeholder(tf.float32, name=f"p{i}"): 1.0 for i in range(10)}
    text = _error(sess, tf.errors.InvalidArgumentError, z, many)
    assert "'p7:0'" in text and "'p8:0'" not in text and text.endswith(" and 2 more.")


def test_a_placeholder_made_twice(sess):
    first, second = (tf.placeholder(tf.float32, name="x") for _ in range(2))
    text = _error(sess, tf.errors.InvalidArgumentError, second * 2, {first: 1.0})
    assert "'x' and 'x_1' may be one placeholder created twice" in text and "tf.reset_default_graph()" in text


@pytest.mark.parametrize(
    ("shape", "value", "hint"),
    [
        ([None, 3], [3], "the batch dimension seems to be missing: feed value[None] for one example"),
        ([None, 3], [3, 2], "the transposed value would fit"),
        ([None, 1], [5], "the last dimension seems to be missing: feed value[..., None]"),
        ([None], [5, 1], "the last dimension, of size 1, seems to be superfluous: feed value[..., 0]"),
        ([3, 4], [1, 3, 4], "the first dimension, of size 1, seems to be superfluous: feed value[0]"),
        ([2, 6], [3, 4], "the number of elements is right: feed value.reshape([2, 6])"),
    ],
)
@pytest.mark.parametrize("again", [False, True])
def test_shapes_that_nearly_fit(sess, shape, value, hint, again):
    x, line = tf.placeholder(tf.float32, shape, name="x"), place_here()
    y = x * 2
    if again:
        sess.run(y, {x: np.zeros([d or 1 for d in shape], np.float32)})
    text = _error(sess, ValueError, y, {x: np.zeros(value, np.float32)})
    assert text.startswith(f"Cannot feed value of shape {tuple(value)!r} for Tensor 'x:0', which has shape '")
    assert text.endswith(f"' ({hint}; 'x' was created at {line})")


def test_shapes_that_do_not_fit_at_all(sess):
    x, line = tf.placeholder(tf.float32, [2, 3], name="x"), place_here()
    text = _error(sess, ValueError, x * 2, {x: np.zeros([5])})
    assert text == (
        f"Cannot feed value of shape (5,) for Tensor 'x:0', which has shape '(2, 3)' ('x' was created at {line})"
    )


@pytest.mark.parametrize(
    ("dtype", "value", "portrait"),
    [
        (tf.float32, "abc", "of type float32 with a str;"),
        (tf.float32, [[1, 2], [3]], "of type float32 with a list of int of length 2;"),
        (tf.int32, [2**70], "of type int32 with a list of int of length 1;"),
        (tf.int32, np.array([object()]), "of type int32 with an array of object of shape (1,);"),
    ],
)
def test_values_that_numpy_cannot_convert(sess, dtype, value, portrait):
    x, line = tf.placeholder(dtype, name="x"), place_here()
    with pytest.raises((ValueError, TypeError, OverflowError)) as caught:
        sess.run(x * 2, {x: value})
    assert f"(feeding Tensor 'x:0' {portrait} 'x' was created at {line})" in str(caught.value)


def test_a_tensor_is_to_be_run_before_it_is_fed(sess):
    x, c = tf.placeholder(tf.float32, name="x"), tf.constant(1.0, name="c")
    assert _error(sess, TypeError, x * 2, {x: c}).endswith(
        " (run 'c:0' first and feed its value, or build the graph on it)"
    )


# -- Fetches -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fetch", [np.float32(1.5), np.zeros(3), [np.ones([2, 2])]])
def test_results_of_earlier_runs(sess, fetch):
    tf.no_op()
    assert _error(sess, TypeError, fetch).endswith(
        " into a Tensor or Operation.) It is a value, not a tensor: was a variable overwritten with the result of an earlier "
        "run, as in `loss = sess.run(loss)`?"
    )


def test_containers_that_are_none(sess):
    a = tf.constant(1)
    for fetch in ({a}, iter([a]), {"a": a}.values(), zip([a])):
        assert _error(sess, TypeError, fetch).endswith(
            " Fetches must be tensors, or lists, tuples and dicts of them: convert it to a list."
        )


def test_gradients_that_do_not_exist(sess):
    x, y = tf.constant(1.0), tf.constant(2.0)
    assert _error(sess, TypeError, tf.gradients(y, x)).endswith(
        "Fetch argument None has invalid type <class 'NoneType'> (tf.gradients returns None where there is no gradient)"
    )


# -- Names and graphs --------------------------------------------------------------------------------------------------


def test_names_that_are_nearly_right(sess):
    tf.constant(1, name="hidden")
    assert _error(sess, ValueError, "hiden:0") == (
        "Fetch argument 'hiden:0' cannot be interpreted as a Tensor. (\"The name 'hiden:0' refers to a Tensor which does "
        "not exist. The operation, 'hiden', does not exist in the graph.\") Did you mean 'hidden:0'?"
    )
    assert _error(sess, ValueError, "hiden").endswith(
        " refers to an Operation not in the graph.\") Did you mean 'hidden'?"
    )
    assert _error(sess, TypeError, "hidden", {"hiden:0": 1}).endswith("in the graph. Did you mean 'hidden:0'?")
    with pytest.raises(KeyError) as caught:
        sess.graph.get_tensor_by_name("hiden:0")
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args


def test_an_element_of_another_graph(sess):
    begun = [place_here(), tf.constant(1, name="a"), tf.constant(1, name="b")][0]
    with tf.Graph().as_default():
        a, line = tf.constant(2, name="a"), place_here()
    for fetch, what in ((a, "tensor"), (a.op, "operation")):
        text = _error(sess, ValueError, fetch)
        assert (
            f" is not an element of this graph.) The {what} created at {line} belongs to <Graph {id(a.graph):#x}, 1 "
            in text
        )
        assert (
            f"1 operation, begun at {line}>; this is <Graph {id(sess.graph):#x}, 2 operations, begun at {begun}>."
            in text
        )
        assert " This graph has an operation 'a' too, created at " in text
        assert text.endswith(" Create and run it in the same graph, both inside `with graph.as_default():`.")
    assert "is not an element of this graph. The tensor created at" in _error(sess, TypeError, "b:0", {a: 1})


def test_threads_have_default_graphs_of_their_own(sess):
    tf.constant(1)
    seen = []

    def serve():
        with pytest.raises(ValueError) as caught:
            sess.run(tf.constant(2))
        seen.append(str(caught.value))

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join()
    assert seen[0].endswith("; each thread starts with a default graph of its own.")
