"""`Session.record` writes steps to a file from which `tf.replay` runs them again, bit for bit, and finds what differs."""

import asyncio
import inspect
import io
import json
import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest
from record_members import members_of, rewrite

import tinytf as tf
from tinytf import _core
from tinytf.interop.protos import CallableOptions

SERIAL = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
PARALLEL = tf.ConfigProto(intra_op_parallelism_threads=4, inter_op_parallelism_threads=4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "steps.zip"


def _model(use_resource):
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    w = tf.get_variable("w", [8, 300], use_resource=use_resource)
    hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w)), rate=0.5)  # no seed: drawn from the system
    loss = tf.reduce_mean(tf.square(hidden) + tf.random_normal([300]), name="loss")
    return x, w, loss, tf.train.AdamOptimizer(0.1).minimize(loss)


def _bits(value):
    return np.asarray(value).tobytes()


@pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])
@pytest.mark.parametrize("config", [SERIAL, PARALLEL], ids=["serial", "parallel"])
def test_training_steps_are_repeated_bit_for_bit(path, use_resource, config):
    x, w, loss, train = _model(use_resource)
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
        assert _bits(again.fetches["loss:0"]) == _bits(told[step])


def test_initialization_starts_without_values(path):
    _model(use_resource=False)
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
        assert old.tolist() == new.tolist() if old.dtype == object else _bits(old) == _bits(new)


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
        assert [_bits(value) for value in again.fetches.values()] == [_bits(value) for value in told[step]]


def test_only_the_first_steps(path):
    x = tf.placeholder(tf.float32, name="x")
    y = x + 1
    with tf.Session() as sess:
        with sess.record(path, steps=2):
            for value in range(5):
                assert sess.run(y, {x: value}) == value + 1
    assert [tf.replay(path, step).fetches[y.name] for step in range(2)] == [1, 2]
    for step in (2, -1):
        with pytest.raises(IndexError, match=f"no step {step}: it has 2 of them"):
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


@pytest.mark.parametrize("use_resource", [False, True], ids=["reference", "resource"])
def test_the_first_node_that_differs_is_named(path, use_resource):
    x, w, loss, train = _model(use_resource)
    line = inspect.getsourcelines(_model)[1] + 2
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
    assert found.line == f"{__file__}:{line + use_resource}"  # where it is made, or where it is read
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
    assert str(found).endswith("the variable's value after the step differs")


def _random_graph(rng, x, poisoned):
    """A graph of small matrices; node number `poisoned` yields NaN. Returns that node and all others."""
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


def test_what_queues_gave_is_given_again(path):
    queue = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[[2], []])
    fill = queue.enqueue_many([[[1.0, 2.0], [3.0, 4.0]], ["a", "b"]])
    number, text = queue.dequeue()
    with tf.control_dependencies([text]):
        doubled = number * 2
    more = queue.enqueue([number, text])
    with tf.Session() as sess:
        sess.run(fill)
        with sess.record(path):
            told = sess.run([doubled, queue.size(), more])
            sess.run(text)
            sess.run(queue.close())
    again = tf.replay(path)
    assert again.matches and dict(again.fetches) == {
        doubled.name: pytest.approx(told[0]),
        "fifo_queue_Size:0": told[1],
    }
    assert tf.replay(path, 1).fetches == {text.name: b"b"}
    assert tf.replay(path, 2).matches


def test_a_queue_is_blamed_for_its_nan(path):
    queue = tf.FIFOQueue(10, [tf.float32])
    x = tf.placeholder(tf.float32)
    with tf.Session() as sess:
        sess.run(queue.enqueue(x), {x: np.nan})
        with sess.record(path):
            sess.run(tf.tanh(queue.dequeue(name="taken")))
    found = tf.replay(path).first_nan
    assert (found.name, found.op, dict(found.inputs)) == ("taken", "QueueDequeueV2", {})


def test_steps_that_wait_for_others_do_not_keep_them_from_running(path):
    queue = tf.FIFOQueue(1, [tf.float32])
    x = tf.placeholder(tf.float32)
    put, get = queue.enqueue(x), queue.dequeue() + 1
    got = []
    with tf.Session() as sess, sess.record(path):
        reader = threading.Thread(target=lambda: got.append(sess.run(get)))
        reader.start()
        sess.run(put, {x: 1.0})
        reader.join()
    assert got == [2]
    results = [tf.replay(path, step) for step in range(2)]
    assert all(result.matches for result in results)
    assert sorted(value for result in results for value in result.fetches.values()) == [2]


def test_steps_that_outlast_the_record_are_left_out(path):
    here, there = tf.FIFOQueue(1, [tf.float32]), tf.FIFOQueue(1, [tf.float32])
    with tf.control_dependencies([here.enqueue(1.0)]):
        wait = there.dequeue() + 1
    got, met, go_on = [], here.dequeue(), there.enqueue(5.0)
    with tf.Session() as sess:
        with sess.record(path):
            waiter = threading.Thread(target=lambda: got.append(sess.run(wait)))
            waiter.start()
            sess.run(met)
        sess.run(go_on)
        waiter.join()
    assert got == [6]
    assert tf.replay(path).fetches == {met.name: 1}
    with pytest.raises(IndexError):
        tf.replay(path, 1)


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
    x, w, loss, train = _model(use_resource=False)
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
            cwd=path.parent,  # where no sources lie that hide the installed package
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == f"True {_bits(told).hex()}\n"


def test_replays_describe_themselves(path):
    x = tf.placeholder(tf.float32, name="x")
    with tf.Session() as sess, sess.record(path):
        sess.run(tf.log(x, name="y"), {x: 0.0})
    again = tf.replay(path)
    assert again.isa == again.recorded_isa == _core.isa()
    assert str(again).startswith(
        "Every node yields what was recorded.\nThe first node that is not finite is 'y' (Log, "
    )
    members = members_of(path)
    step = json.loads(members["steps/0.json"])
    step["isa"] = "abacus"
    step["nodes"][0][1][0][0] += 1
    rewrite(path, {**members, "steps/0.json": json.dumps(step)})
    told = str(tf.replay(path))
    assert told.startswith("The first node that differs is 'y' (Log, defined at ")
    assert f"Recorded with abacus instructions, replayed with {_core.isa()}" in told


def test_all_ways_to_run_are_recorded(path):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.add(x, 1.0, name="y")
    with tf.Session() as sess:
        call = sess.make_callable(y, [x])
        sess.run(y, {x: 0.0})  # cached before
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
    assert any(_bits(value) == _bits(last) for value in results[-1].fetches.values())


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
            assert _bits(tf.replay(tmp_path / f"{number}.zip", step).fetches[y.name]) == _bits(value)


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
