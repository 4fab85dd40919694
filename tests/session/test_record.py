"""`Session.record` records the right steps, for every way to run and every thread."""

import asyncio
import json
import threading

import numpy as np
import pytest
from record_members import members_of
from recorded_model import bits

import tinytf as tf
from tinytf._src.protos import CallableOptions


def test_only_the_first_steps(path):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1
    with tf.Session() as sess:
        with sess.record(path, steps=2):
            for value in range(5):
                assert sess.run(y, {x: value}) == value + 1
    assert [tf.replay(path, step).fetches[y.name] for step in range(2)] == [1, 2]
    for step in (2, -1):
        with pytest.raises(IndexError, match=f"no step {step}: it has 2 steps"):
            tf.replay(path, step)


def test_only_what_a_step_needs_is_in_the_file(path):
    x = tf.placeholder(tf.float32, name="x")
    tf.Variable(tf.zeros([1000]), name="unused")
    y = tf.square(x, name="y")
    with tf.Session() as sess, sess.record(path):
        sess.run(y, {x: 2.0})
        sess.run(y, {x: 3.0})
    names = [node.name for node in tf.GraphDef.FromString(members_of(path)["graphs/0.pb"]).node]
    assert sorted(names) == ["x", "y"] and "graphs/1.pb" not in members_of(path)


def test_finalized_and_growing_graphs(path):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1
    with tf.Session() as sess, sess.record(path):
        sess.run(y, {x: 1.0})
        z = y * 2
        tf.get_default_graph().finalize()
        before = tf.get_default_graph().version
        sess.run([y, z], {x: 1.0})
        assert tf.get_default_graph().version == before
    assert dict(tf.replay(path, 1).fetches) == {y.name: 2, z.name: 4}


def test_all_ways_to_run_are_recorded(path):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.add(x, 1.0, name="y")
    with tf.Session() as sess:
        call = sess.make_callable(y, [x])
        sess.run(y, {x: 0.0})  # cached before recording
        options = tf.RunOptions(timeout_in_ms=600000)
        sess.run(y, {x: 0.0}, options=options)
        with sess.record(path):
            assert sess.run(y, {x: 1.0}) == 2
            assert sess.run(y, {x: 2.0}, options=options) == 3
            assert call(3.0) == 4
            assert y.eval({x: 4.0}) == 5
            assert asyncio.run(sess.run_async(y, {x: 5.0})) == 6
            assert sess.run({"y": [y]}, {"x:0": 6.0}) == {"y": [7]}
        sess.run(y, {x: 7.0})
    assert [tf.replay(path, step).fetches["y:0"] for step in range(6)] == [2, 3, 4, 5, 6, 7]
    with pytest.raises(IndexError):
        tf.replay(path, 6)


def test_callables_are_recorded(path):
    x = tf.placeholder_with_default(1.0, [], name="x")
    noise = tf.add(x, tf.random_normal([]), name="noise")
    total = tf.Variable(0.0, name="total", use_resource=True)
    add = total.assign_add(noise)
    with tf.Session() as sess:
        sess.run(total.initializer)
        single, structured = sess.make_callable(noise), sess.make_callable({"a": [noise]}, accept_options=True)
        target = sess.make_callable(add.op)
        described = sess._make_callable_from_options(CallableOptions(feed=["x"], fetch=["noise", "noise"]))
        single()
        with sess.record(path):
            told = [single(), structured()["a"][0], described(np.float32(5))[1]]
            target()
        single()
    assert [tf.replay(path, step).fetches["noise:0"] for step in range(3)] == told
    assert tf.replay(path, 3).matches
    with pytest.raises(IndexError):
        tf.replay(path, 4)


def test_threads_record_whole_steps(path):
    v = tf.get_variable("v", [100], initializer=tf.zeros_initializer())
    add = tf.assign_add(v, tf.random_uniform([100]), use_locking=True)
    with tf.Session() as sess:
        sess.run(v.initializer)
        with sess.record(path):

            def work():
                for _ in range(5):
                    sess.run(add)

            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        last = sess.run(v)
    results = [tf.replay(path, step) for step in range(20)]
    assert all(result.matches for result in results)
    assert any(bits(value) == bits(last) for value in results[-1].fetches.values())


def test_sessions_record_side_by_side(tmp_path):
    x = tf.placeholder(tf.float32)
    y = x + tf.random_normal([])
    told = {}

    def work(number):
        with tf.Session(graph=y.graph) as sess, sess.record(tmp_path / f"{number}.zip"):
            told[number] = [sess.run(y, {x: number}) for _ in range(3)]

    threads = [threading.Thread(target=work, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, values in told.items():
        for step, value in enumerate(values):
            assert bits(tf.replay(tmp_path / f"{number}.zip", step).fetches[y.name]) == bits(value)


def test_recorded_steps_can_be_traced_and_watched(path, tmp_path):
    x = tf.placeholder(tf.float32, name="x")
    root = tf.sqrt(x, name="root")
    metadata = tf.RunMetadata()
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    with tf.Session() as sess, sess.record(path):
        with sess.trace(tmp_path / "trace.json"):
            sess.run(root, {x: 4.0}, options=options, run_metadata=metadata)
        sess.watch_nan()
        with pytest.raises(tf.errors.InvalidArgumentError, match="NaN watch"):
            sess.run(root, {x: -4.0})
    assert [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats] == ["root"]
    trace = json.loads((tmp_path / "trace.json").read_text())
    assert [event["name"] for event in trace["traceEvents"] if event.get("cat") == "Op"] == ["root"]
    assert tf.replay(path).fetches == {"root:0": 2}
    again = tf.replay(path, 1)
    assert again.first_nan.name == "root" and "NaN watch" in again.recorded_error and again.error is None
