"""`Session.trace` writes the steps of a session to a file in Chrome's trace format."""

import inspect
import json
import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.protos import CallableOptions

TRACE = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "trace.json"


def _product():
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    return x, tf.matmul(x, tf.transpose(x), name="product")


def _read(path):
    """Step events and node events in order, and the names of threads."""
    events = json.loads(path.read_text())["traceEvents"]
    steps = [e for e in events if e["ph"] == "X" and e["cat"] == "Step"]
    nodes = [e for e in events if e["ph"] == "X" and e["cat"] == "Op"]
    threads = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert [e["args"]["name"] for e in events if e["name"] == "process_name"] == ["tinytf session"]
    assert len({e["pid"] for e in events}) == 1 and {e["tid"] for e in steps + nodes} == set(threads)
    return steps, nodes, threads


def _assert_enclosed(steps, nodes):
    """Every node lies within the time of its step, and nodes of a thread nest within its step."""
    by_number = {step["args"]["step"]: step for step in steps}
    for node in nodes:
        step = by_number[node["args"]["step"]]
        assert step["ts"] <= node["ts"]
        assert node["ts"] + node["dur"] <= step["ts"] + step["dur"] + 1e-6


def test_steps_and_nodes_are_told(path):
    x, product = _product()
    line = inspect.getsourcelines(_product)[1] + 2
    with tf.Session() as sess:
        sess.run(product, {x: np.ones([2, 4])})  # a cached call is traced, too
        with sess.trace(path):
            assert sess.run(product, {x: np.ones([3, 4])}).shape == (3, 3)
            sess.run({"a": product.op, "b": product}, {x: np.ones([5, 4])})
            assert product.eval({x: np.ones([1, 4])}) == 4
        sess.run(product, {x: np.ones([2, 4])})
    steps, nodes, threads = _read(path)
    assert [step["name"] for step in steps] == ["run product:0", "run product:0, product", "run product:0"]
    assert [step["args"] for step in steps][0] == {"step": 1, "fetches": ["product:0"], "nodes": 2}
    assert [node["name"] for node in nodes] == ["transpose", "product"] * 3
    assert nodes[3]["args"] == {
        "op": "MatMul",
        "inputs": ["x:0 float32(?, 4)", "transpose:0 float32(4, ?)"],
        "defined at": f"{__file__}:{line}",
        "step": 2,
        "outputs": ["float32(5, 5)"],
    }
    assert threads[threading.get_native_id()] == "MainThread"
    _assert_enclosed(steps, nodes)


def test_callables_are_told(path):
    v = tf.Variable([2.0, 3.0], name="v")
    double, negative = tf.multiply(v, 2.0, name="double"), tf.negative(v, name="negative")
    with tf.Session() as sess:
        sess.run(v.initializer)
        single, structured = sess.make_callable(double), sess.make_callable({"n": negative})
        target, with_options = sess.make_callable(double.op), sess.make_callable(negative, accept_options=True)
        described = sess._make_callable_from_options(CallableOptions(feed=["v/read"], fetch=["double"]))
        with sess.trace(path):
            assert single().tolist() == [4, 6] and structured()["n"].tolist() == [-2, -3]
            assert target() is None and with_options().tolist() == [-2, -3]
            assert described(np.ones(2, np.float32))[0].tolist() == [2, 2]
            made_inside = sess.make_callable([negative, double])
            made_inside()
        assert single().tolist() == [4, 6] and len(made_inside()) == 2
    steps, nodes, _ = _read(path)
    assert [step["args"]["fetches"] for step in steps] == [
        ["double:0"],
        ["negative:0"],
        ["double"],
        ["negative:0"],
        ["double:0"],
        ["negative:0", "double:0"],
    ]
    assert [node["name"] for node in nodes if node["args"]["step"] == 5] == ["double"]
    _assert_enclosed(steps, nodes)


def test_a_callable_that_fails_keeps_its_error(path):
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as sess:
        call = sess.make_callable(x + 1.0)
        with pytest.raises(tf.errors.InvalidArgumentError) as plain:
            call()
        with sess.trace(path), pytest.raises(tf.errors.InvalidArgumentError) as traced:
            call()
    assert traced.value.message == plain.value.message and traced.value.op is None
    assert _read(path)[0][0]["args"]["error"].startswith("InvalidArgumentError: You must feed a value")


def test_threads_that_run_the_session_are_told_apart(path):
    x, product = _product()
    with tf.Session() as sess, sess.trace(path):
        together = threading.Barrier(3)

        def work():
            together.wait()
            for _ in range(20):
                sess.run(product, {x: np.ones([3, 4])})

        threads = [threading.Thread(target=work, name=f"worker {i}") for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    steps, nodes, names = _read(path)
    assert len(steps) == 60 and len(nodes) == 120
    assert {f"worker {i}" for i in range(3)} <= set(names.values())
    assert sorted(step["args"]["step"] for step in steps) == list(range(1, 61))
    _assert_enclosed(steps, nodes)


def test_what_was_traced_is_written_when_the_body_raises(path):
    x, product = _product()
    with tf.Session() as sess:
        with pytest.raises(ZeroDivisionError), sess.trace(path):
            sess.run(product, {x: np.ones([3, 4])})
            1 / 0  # noqa: B018
        assert sess.run(product, {x: np.ones([3, 4])})[0, 0] == 4  # the session stays usable
    assert len(_read(path)[0]) == 1
    assert list(path.parent.iterdir()) == [path]


def test_a_step_that_fails_is_told(path):
    v = tf.Variable(1.0, name="v")
    with tf.Session() as sess:
        with pytest.raises(tf.errors.FailedPreconditionError), sess.trace(path):
            sess.run(v + 1)
    (step,), nodes, _ = _read(path)
    assert step["args"]["error"].startswith("FailedPreconditionError") and not nodes


def test_run_metadata_is_filled_all_the_same(path):
    x, product = _product()
    metadata = tf.RunMetadata()
    with tf.Session() as sess, sess.trace(path):
        sess.run(product, {x: np.ones([3, 4])}, TRACE, metadata)
    names = [stats.node_name for stats in metadata.step_stats.dev_stats[0].node_stats]
    assert names == [node["name"] for node in _read(path)[1]] == ["transpose", "product"]


def test_an_earlier_file_stays_until_the_new_one_is_complete(path):
    x, product = _product()
    path.write_text("before")
    with tf.Session() as sess, sess.trace(str(path)):
        sess.run(product, {x: np.ones([3, 4])})
        assert path.read_text() == "before"
    assert len(_read(path)[0]) == 1


def test_a_session_that_is_closed_meanwhile(path):
    x, product = _product()
    sess = tf.Session()
    with sess.trace(path):
        sess.run(product, {x: np.ones([3, 4])})
        sess.close()
    assert len(_read(path)[0]) == 1
    with pytest.raises(RuntimeError, match="closed Session"):
        sess.run(product, {x: np.ones([3, 4])})


@pytest.mark.parametrize("trace_ends_first", [True, False])
def test_a_record_may_begin_within_a_trace_and_end_after_it(path, tmp_path, trace_ends_first):
    with tf.Session() as sess:
        c = tf.constant(1)
        trace, record = sess.trace(path), sess.record(tmp_path / "steps.zip")
        trace.__enter__()
        sess.run(c)
        record.__enter__()
        sess.run(c)
        for block in (trace, record) if trace_ends_first else (record, trace):
            assert sess.stats().cached_calls == 0
            block.__exit__(None, None, None)
            sess.run(c)
        assert sess.stats().cached_calls == 1
    steps, _, _ = _read(path)
    assert len(steps) == (2 if trace_ends_first else 3)
    last = 1 if trace_ends_first else 0
    assert tf.replay(tmp_path / "steps.zip", step=last).matches
    with pytest.raises(IndexError):
        tf.replay(tmp_path / "steps.zip", step=last + 1)


def test_no_steps_make_an_empty_trace(path):
    with tf.Session() as sess, sess.trace(path):
        pass
    assert _read(path) == ([], [], {})


def test_wrong_uses_are_refused(path):
    with tf.Session() as sess:
        with sess.trace(path):
            with pytest.raises(RuntimeError, match="already being traced"), sess.trace(path):
                pass
        with pytest.raises(FileNotFoundError, match="no_such_directory"):
            with sess.trace(path.parent / "no_such_directory" / "trace.json"):
                pass


def test_records_and_traces_may_overlap(path, tmp_path):
    out = tf.constant(1.0)
    with tf.Session() as sess:
        sess.run(out)
        trace, record = sess.trace(path), sess.record(tmp_path / "steps.zip")
        trace.__enter__()
        record.__enter__()
        sess.run(out)
        trace.__exit__(None, None, None)
        sess.run(out)
        sess.run(out)
        record.__exit__(None, None, None)
        sess.run(out)
        sess.run(out)
        assert sess.stats().cached_calls == 1  # calls are cached again without observer
    assert len(_read(path)[0]) == 1
    assert tf.replay(tmp_path / "steps.zip", step=2).matches
