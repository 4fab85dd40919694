"""`tf.replay` reruns steps recorded by `Session.record` bit for bit and finds differences."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from record_members import members_of
from recorded_model import bits, model

import tinytf as tf

SERIAL = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
PARALLEL = tf.ConfigProto(intra_op_parallelism_threads=4, inter_op_parallelism_threads=4)


@pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])
@pytest.mark.parametrize("config", [SERIAL, PARALLEL], ids=["serial", "parallel"])
def test_training_steps_are_repeated_bit_for_bit(path, use_resource, config):
    x, w, loss, train = model(use_resource)
    values = np.random.default_rng(0).normal(size=[3, 50, 8]).astype(np.float32)
    told = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(train, {x: values[0]})
        with sess.record(path):
            for value in values:
                told.append(sess.run({"loss": loss, "train": train}, {x: value})["loss"])
        after = sess.run(loss, {x: values[0]})
    assert len({*told, after}) == 4
    tf.reset_default_graph()
    for step in (2, 0, 1):
        again = tf.replay(path, step, config=config)
        assert again.matches, str(again.first_difference)
        assert again.first_nan is None and again.error is None and again.recorded_error is None
        assert list(again.fetches) == ["loss:0"]
        assert bits(again.fetches["loss:0"]) == bits(told[step])


def test_initialization_starts_without_values(path):
    model(use_resource=False)
    with tf.Session() as sess, sess.record(path):
        sess.run(tf.global_variables_initializer())
    step = json.loads(members_of(path)["steps/0.json"])
    assert {value for _, value in step["variables"]} == {None}
    assert tf.replay(path).matches


def test_all_kinds_of_values(path):
    from ml_dtypes import bfloat16

    feeds = {
        tf.placeholder(tf.string, name="text"): np.array([[b"a", b""], ["\u00e9".encode(), b"\0\xff"]], object),
        tf.placeholder(tf.bfloat16, name="brief"): np.array([1.5, np.nan], bfloat16),
        tf.placeholder(tf.float16, name="half"): np.array(0.1, np.float16),
        tf.placeholder(tf.complex128, name="complex"): np.array([[1 + 2j]]),
        tf.placeholder(tf.bool, name="bool"): np.array([], bool),
        tf.placeholder(tf.int64, name="columns"): np.asfortranarray(np.arange(6).reshape(2, 3)),
        tf.placeholder(tf.uint8, name="plain"): 3,
    }
    fetches = [tf.identity(x) for x in feeds]
    with tf.Session() as sess, sess.record(path):
        told = sess.run(fetches, feeds)
    again = tf.replay(path)
    assert again.matches and list(again.fetches) == [fetch.name for fetch in fetches]
    for old, new in zip(told, again.fetches.values(), strict=True):
        assert np.asarray(old).dtype == np.asarray(new).dtype
        assert np.shape(old) == np.shape(new)
        assert old.tolist() == new.tolist() if old.dtype == object else bits(old) == bits(new)


def test_every_way_to_draw_random_numbers(path):
    one = tf.constant([1.0, 2.0])
    draws = [
        tf.random_uniform([5]),
        tf.random_normal([5]),
        tf.truncated_normal([5]),
        tf.random_uniform([5], maxval=1000, dtype=tf.int32),
        tf.random_shuffle(tf.range(50)),
        tf.random_gamma([3], one),
        tf.random_poisson(one * 20, [3]),
        tf.multinomial([[0.1, 0.2, 0.3]], 20),
        tf.random_uniform([5], seed=3),
    ]
    with tf.Session() as sess:
        sess.run(draws)
        with sess.record(path):
            told = [sess.run(draws) for _ in range(3)]
    for step in (1, 2, 0):
        again = tf.replay(path, step)
        assert again.matches
        assert [bits(value) for value in again.fetches.values()] == [bits(value) for value in told[step]]


def test_failing_steps_fail_again(path):
    x = tf.placeholder(tf.float32, [None], name="x")
    root = tf.sqrt(x, name="root")
    checked = tf.check_numerics(root, "bad root")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.InvalidArgumentError, match="bad root"), sess.record(path):
            sess.run(checked, {x: [4, -1]})
    again = tf.replay(path)
    assert isinstance(again.error, tf.errors.InvalidArgumentError) and "bad root" in str(again.error)
    assert again.recorded_error.startswith("InvalidArgumentError: ") and "bad root" in again.recorded_error
    assert again.matches and not again.fetches and again.first_nan.name == "root"


def test_tensors_that_the_session_keeps(path):
    x = tf.placeholder(tf.float32, name="x")
    handle = tf.get_session_handle(x * 2)
    with tf.Session() as sess, sess.record(path):
        kept = sess.run(handle, {x: 3.0})
        place, value = tf.get_session_tensor(kept.handle, tf.float32)
        assert sess.run(value + 1, {place: kept.handle}) == 7
    assert all(tf.replay(path, step).matches for step in range(2))
    assert list(tf.replay(path, 1).fetches.values()) == [7]


def test_another_process_replays(path):
    x, w, loss, train = model(use_resource=False)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        with sess.record(path):
            told, _ = sess.run([loss, train], {x: np.ones([500, 8])})
    program = (
        "import sys, tinytf as tf; r = tf.replay(sys.argv[1]); print(r.matches, r.fetches['loss:0'].tobytes().hex())"
    )
    for threads in ("1", "3"):
        environment = {**os.environ, "TF_NUM_INTRAOP_THREADS": threads, "TF_NUM_INTEROP_THREADS": threads}
        run = subprocess.run(
            [sys.executable, "-c", program, path],
            cwd=path.parent,  # not the source folder, which would hide the installed package
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == f"True {bits(told).hex()}\n"
