"""The iteration of a loop is named in errors, by the NaN watch, in traces, and in replays."""

import json

import numpy as np
import pytest
from record_members import members_of, rewrite

import tinytf as tf
from tinytf._src import protos
from tinytf.python.client import timeline

BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
both_machines = pytest.mark.parametrize("config", [None, BY_TOKENS], ids=["compiled", "by tokens"])


def _nested(inner_body):
    """The value of two nested loops of three iterations each."""

    def outer_body(i, value):
        _, value = tf.while_loop(
            lambda j, _: j < 3, lambda j, v: (j + 1, inner_body(i, j, v)), [0, value], name="inner"
        )
        return i + 1, value

    return tf.while_loop(lambda i, _: i < 3, outer_body, [0, 0.0], name="outer")[1]


@both_machines
def test_errors(config):
    value = _nested(lambda i, j, v: v + tf.gather([1.0, 2.0], i + j, name="pick"))
    with tf.Session(config=config) as sess, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        sess.run(value)
    assert raised.value.message.startswith("indices = 2 is not in [0, 2)\n\t [[node ")
    told = "\n\t in iteration 2 of outer/inner/while_context, in iteration 0 of outer/while_context"
    assert told in raised.value.message


@both_machines
def test_errors_outside_of_loops(config):
    value = tf.gather([1.0], _nested(lambda i, j, v: v + 1.0).op.graph.get_tensor_by_name("outer/Exit:0"))
    with tf.Session(config=config) as sess, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        sess.run(value)
    assert "in iteration" not in raised.value.message


@both_machines
def test_nan_watch(config):
    value = _nested(lambda i, j, v: v + tf.log(tf.cast(2 - i - j, tf.float32), name="logarithm"))
    with tf.Session(config=config) as sess:
        sess.watch_nan(infinities=False)
        with pytest.raises(tf.errors.InvalidArgumentError) as raised:
            sess.run(value)
    assert "in iteration 2 of outer/inner/while_context, in iteration 1 of outer/while_context" in raised.value.message


def test_nan_watch_of_what_was_folded(sess):
    x, p = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
    value = tf.cond(p, lambda: x + 1.0, lambda: x) + tf.log(tf.constant(-1.0), name="folded")
    sess.watch_nan()
    with pytest.raises(tf.errors.InvalidArgumentError, match="first NaN comes from node folded"):
        sess.run(value, {x: 1.0, p: True})


@both_machines
def test_traces(config, tmp_path):
    value = _nested(lambda i, j, v: v + tf.cast(i * j, tf.float32, name="product"))
    with tf.Session(config=config) as sess:
        with sess.trace(tmp_path / "trace.json"):
            sess.run(value)
        metadata = tf.RunMetadata()
        sess.run(value, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    expected = {
        f"in iteration {j} of outer/inner/while_context, in iteration {i} of outer/while_context"
        for i in range(3)
        for j in range(3)
    }
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    told = [event["args"]["iterations"] for event in events if event["name"].endswith("product")]
    assert set(told) == expected and len(told) == 9
    (device,) = metadata.step_stats.dev_stats
    labels = [node.timeline_label for node in device.node_stats if node.node_name.endswith("product")]
    assert {label.partition(") ")[2] for label in labels} == expected
    pictured = json.loads(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format())["traceEvents"]
    assert {
        e["args"]["iterations"] for e in pictured if e.get("args", {}).get("name", "").endswith("product")
    } == expected


def _pulled(i, pull):
    return tf.while_loop(lambda i, *_: i < 4, lambda i, total: (i + 1, total + pull(i)), [i, 0.0])[1]


def test_replays_take_what_each_iteration_read(tmp_path):
    values = iter([1.0, 2.0, 4.0, 8.0])
    x = tf.placeholder(tf.float32, [None])
    queue = tf.FIFOQueue(10, tf.float32, shapes=[])
    fill = queue.enqueue_many([x])
    of_python = _pulled(0, lambda i: tf.reshape(tf.py_func(lambda: np.float32(next(values)), [], tf.float32), []))
    total = of_python * _pulled(1, lambda i: queue.dequeue())
    with tf.Session() as sess:
        sess.run(fill, {x: [3.0, 5.0, 7.0, 9.0]})
        with sess.record(tmp_path / "steps.zip"):
            assert sess.run(total) == 15.0 * 15.0
    again = tf.replay(tmp_path / "steps.zip")
    assert again.matches and again.fetches[total.name] == 225.0


@pytest.mark.parametrize("second", ["of another type", "missing"])
def test_damaged_readings_of_a_loop_are_damage(tmp_path, sess, second):
    path, values, start = tmp_path / "steps.zip", iter([1.0] * 4), tf.placeholder(tf.int32, [])
    total = _pulled(start, lambda i: tf.reshape(tf.py_func(lambda: np.float32(next(values)), [], tf.float32), []))
    with sess.record(path):
        sess.run(total, {start: 0})
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    step["kept"][1][1] = [step["feeds"][0][1]] if second == "of another type" else []
    rewrite(path, {**members, "steps/0.json": json.dumps(step)})
    with pytest.raises(tf.errors.DataLossError):
        tf.replay(path)


def test_replays_say_in_which_iteration_a_nan_comes(tmp_path):
    value = _nested(lambda i, j, v: v + tf.log(tf.cast(7 - 2 * (i + j), tf.float32), name="logarithm"))
    with tf.Session() as sess, sess.record(tmp_path / "steps.zip"):
        assert np.isnan(sess.run(value))
    found = tf.replay(tmp_path / "steps.zip", infinities=False)
    assert found.matches
    told = "in iteration 2 of outer/inner/while_context, in iteration 2 of outer/while_context"
    assert found.first_nan.iterations == told and told in str(found)


def test_plan_reports(sess):
    p = tf.placeholder(tf.bool, [])
    value = tf.cond(p, lambda: _nested(lambda i, j, v: v + 1.0), lambda: 0.0)
    report = sess.plan_report(value, [p])
    assert [loop.name for loop in report.loops] == ["cond/outer/while_context", "cond/outer/inner/while_context"]
    assert all(loop.is_compiled for loop in report.loops) and report.guards >= 1
    assert set(report.loops[1].nodes) < set(report.loops[0].nodes)
    assert "loops: cond/outer/while_context (" in str(report)
    assert not sess.plan_report(p, [p]).loops
