"""The report of `tf.replay`: the first node that differs, the first non-finite one, and the error."""

import inspect
import io
import json
import random

import numpy as np
import pytest
from record_members import members_of, rewrite
from recorded_model import model

import tinytf as tf
from tinytf import _core

SERIAL = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
PARALLEL = tf.ConfigProto(intra_op_parallelism_threads=4, inter_op_parallelism_threads=4)


@pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])
def test_the_first_node_that_differs_is_named(path, use_resource):
    x, w, loss, train = model(use_resource)
    line = inspect.getsourcelines(model)[1] + 3
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with sess.record(path):
            sess.run([loss, train], {x: np.ones([2, 8])})
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    ref = dict(step["variables"])["w"]
    altered = np.load(io.BytesIO(members[f"{ref[0]}.npy"]))
    altered[3, 5] = 7
    text = io.BytesIO()
    np.save(text, altered)
    rewrite(path, {**members, f"{ref[0]}.npy": text.getvalue()})
    again = tf.replay(path)
    found = again.first_difference
    assert not again.matches
    assert found.op == ("ReadVariableOp" if use_resource else "VariableV2")
    assert (
        found.line == f"{inspect.getsourcefile(model)}:{line + use_resource}"
    )  # where the variable is created or read
    assert found.replayed[0].greatest == 7 and found.recorded[0].greatest < 7
    assert f"'{found.name}' ({found.op}, defined at {found.line}): output 0 was float32[8, 300] in" in str(found)


def test_a_variable_that_ends_with_another_value_differs(path):
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    add = v.assign_add(1.0, read_value=False)
    with tf.Session() as sess:
        sess.run(v.initializer)
        with sess.record(path):
            sess.run(add)
    assert tf.replay(path).matches
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    step["variables_after"][0][1] ^= 1
    rewrite(path, {**members, "steps/0.json": json.dumps(step)})
    found = tf.replay(path).first_difference
    assert (found.name, found.op) == ("v", "VarHandleOp")
    assert str(found).endswith("the value of the variable after the step differs")


def _random_graph(rng, x, poisoned):
    """A random graph of small matrices, in which node number `poisoned` yields NaN. Returns that node and all
    others.
    """
    unary = [tf.tanh, tf.sigmoid, tf.square, tf.abs, tf.nn.relu, tf.negative, tf.transpose, tf.exp]
    binary = [tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum, tf.matmul]
    tensors, source = [x], None
    for i in range(rng.randrange(poisoned + 1, poisoned + 20)):
        a, b = rng.choice(tensors), rng.choice(tensors)
        if i == poisoned:
            new = source = tf.log(-1.0 - tf.abs(a), name="poisoned")
        elif rng.random() < 0.5:
            new = tf.tanh(rng.choice(binary)(a, b))
        else:
            new = tf.tanh(rng.choice(unary)(a))
        tensors.append(new)
    return source, tf.add_n([tf.reduce_sum(t) for t in tensors])


def test_the_node_that_made_the_first_nan_is_named(path):
    rng = random.Random(0)
    for number in range(200):
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32, [4, 4])
            source, total = _random_graph(rng, x, rng.randrange(20))
            with tf.Session() as sess, sess.record(path):
                assert np.isnan(sess.run(total, {x: np.full([4, 4], 0.5)}))
        again = tf.replay(path, config=PARALLEL if number % 2 else SERIAL)
        found = again.first_nan
        assert again.matches and (found.name, found.op) == ("poisoned", "Log")
        (given,) = found.inputs.values()
        assert list(found.inputs) == [source.op.inputs[0].name] and given.is_finite and given.greatest <= -1
        assert found.outputs[0].nans == 16 and "input sub" in str(found) and "16 NaN" in str(found)


def test_values_that_were_given_are_blamed(path):
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([np.inf, 1.0], name="v")
    c = tf.constant([1.0, np.nan], name="c")
    with tf.Session() as sess:
        sess.run(v.initializer)
        with sess.record(path):
            sess.run(tf.tanh(x), {x: [1, np.nan]})
            sess.run(tf.tanh(v))
            sess.run(tf.tanh(c))
            sess.run(tf.tanh(x), {x: [1, 2]})
    found = [tf.replay(path, step).first_nan for step in range(4)]
    assert [(node.name, node.op) for node in found[:3]] == [("x", "Placeholder"), ("v", "VariableV2"), ("c", "Const")]
    assert found[3] is None and tf.replay(path, 1, infinities=False).first_nan is None


def test_replays_describe_themselves(path):
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as sess, sess.record(path):
        sess.run(tf.log(x, name="y"), {x: 0.0})
    again = tf.replay(path)
    assert again.isa == again.recorded_isa == _core.isa()
    assert str(again).startswith(
        "All nodes have the recorded outputs.\nThe first node that is not finite is 'y' (Log, "
    )
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    step["isa"] = "abacus"
    step["nodes"][0][1][0][0] += 1
    rewrite(path, {**members, "steps/0.json": json.dumps(step)})
    told = str(tf.replay(path))
    assert told.startswith("The first node that differs is 'y' (Log, defined at ")
    assert f"Recorded with abacus instructions, replayed with {_core.isa()}" in told


def test_steps_that_fail_only_now_do_not_match(path):
    x = tf.placeholder(tf.float32, [2], name="x")
    checked = tf.check_numerics(x, "bad x", name="checked")
    with tf.Session() as sess, sess.record(path):
        sess.run(checked, {x: [1, 2]})
    members = members_of(path)
    data = bytearray(members["arrays/0/feeds/0.npy"])
    data[-8:] = np.array([np.nan, 2], np.float32).tobytes()
    rewrite(path, {**members, "arrays/0/feeds/0.npy": bytes(data)})
    again = tf.replay(path)
    assert not again.matches and "bad x" in str(again.error) and again.recorded_error is None
    assert str(again.first_difference).endswith("did not run") and again.first_difference.name == "checked"
