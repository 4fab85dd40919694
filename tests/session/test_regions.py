"""Control flow that cannot be compiled is run by the dataflow machine as regions of a compiled plan, with the same
results as if the dataflow machine ran the whole step, also in partial runs.
"""

import os
import random
import threading

import numpy as np
import pytest
from random_values import RandomValues, in_parts

import tinytf as tf
from tinytf._src import protos

_PROGRAMS = int(os.environ.get("TINYTF_REGION_PROGRAMS", "60"))
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
raw = tf.raw_ops


def _three_ways(x, p, q):
    """x + 1 if p, else 2 x if q, else -x: one Merge of three branches."""
    first, second = raw.Switch(data=x, pred=p), raw.Switch(data=raw.Switch(data=x, pred=p).output_false, pred=q)
    return raw.Merge(inputs=[first.output_true + 1, second.output_true * 2, -second.output_false]).output


def _perhaps(x, p, q):
    """x + 1 if p and not q, 2 x if q and not p; else dead, or one of both."""
    return raw.Merge(
        inputs=[raw.Switch(data=x, pred=p).output_true + 1, raw.Switch(data=x, pred=q).output_true * 2]
    ).output


def _odd_loop(x, count, name, queue=None, to=None, more=None):
    """x + count, by a loop in which the value of the next iteration is the first input of a Merge. If there is a queue,
    the loop adds its elements instead of ones, and puts as much into the queue `to`. It adds more(1) if that is given.
    """
    enter = lambda value, **kind: raw.Enter(data=value, frame_name=name, **kind)  # noqa: E731
    constant = lambda value: enter(tf.constant(value), is_constant=True)  # noqa: E731
    i, total = enter(tf.constant(0)), enter(x)
    merges = [raw.Merge(inputs=[value, value]).output for value in (i, total)]
    condition = raw.LoopCond(input=tf.less(merges[0], constant(count)))
    i, total = (raw.Switch(data=merge, pred=condition) for merge in merges)
    merges[0].op._update_input(1, raw.NextIteration(data=i.output_true + constant(1)))
    added = constant(1.0)
    if more is not None:
        with tf.control_dependencies([tf.identity(i.output_true)]):
            added = tf.ensure_shape(more(tf.identity(added)), [])
    if queue is not None:
        handle = enter(queue.queue_ref, is_constant=True)
        with tf.control_dependencies([tf.identity(i.output_true)]):
            added = raw.QueueDequeueV2(handle=handle, component_types=[tf.float32])[0]
    if to is not None:
        put = raw.QueueEnqueueV2(handle=enter(to.queue_ref, is_constant=True), components=[added])
        with tf.control_dependencies([put]):
            added = tf.identity(added)
    merges[1].op._update_input(0, raw.NextIteration(data=total.output_true + added))
    return raw.Exit(data=total.output_false)


class _Program(RandomValues):
    """Random values, some of which cannot be compiled."""

    def value(self, depth, inner=()):
        if depth <= 0 or self._choose.random() < 0.7:
            return super().value(depth, inner)
        x, p, q = self.value(depth - 1, inner), self.predicate(depth - 1, inner), self.predicate(depth - 1, inner)
        kind = self._choose.randrange(4)
        if kind == 0 and not inner:
            return tf.ensure_shape(
                _odd_loop(x, self._choose.randrange(3), tf.get_default_graph().unique_name("odd")), []
            )
        if kind == 1:
            return tf.ensure_shape(_perhaps(x, p, tf.logical_not(p)), [])
        return tf.ensure_shape(_three_ways(x, p, q), [])


def test_random_programs():
    ways = set()
    for number in range(_PROGRAMS):
        choose = random.Random(number)
        with tf.Graph().as_default():
            program = _Program(choose)
            fetches = [tf.identity(program.value(3)) for _ in range(choose.randint(1, 4))]
            feed = {
                tensor: choose.random() < 0.5 if tensor.dtype == tf.bool else choose.random()
                for tensor in program.feeds
            }
            with tf.Session(config=BY_TOKENS) as session:
                expected = session.run(fetches, feed)
            with tf.Session() as session:
                report = session.plan_report(fetches, list(feed))
                ways.add(report.way)
                np.testing.assert_array_equal(session.run(fetches, feed), expected, f"program {number}")
                np.testing.assert_array_equal(
                    in_parts(session, choose, fetches, feed), expected, f"program {number} in parts"
                )
    assert "mixed" in ways, ways


@pytest.fixture(name="fed")
def fixture_fed():
    """A number and two predicates."""
    return tf.placeholder(tf.float32, [], "x"), tf.placeholder(tf.bool, [], "p"), tf.placeholder(tf.bool, [], "q")


def _merged_reference(kind, x, p, q):
    """A reference to a variable that goes through updated branches of two predicates."""
    reference = tf.Variable(1.0, use_resource=False)._ref()
    first = raw.RefSwitch(data=reference, pred=p)
    if kind == "perhaps":
        return raw.RefMerge(inputs=[first.output_true, raw.RefSwitch(data=reference, pred=q).output_true]).output
    second = raw.RefSwitch(data=first.output_false, pred=q)
    added, assigned = raw.AssignAdd(ref=first.output_true, value=x), raw.Assign(ref=second.output_true, value=tf.sin(x))
    return raw.RefMerge(inputs=[added, assigned, second.output_false]).output


def _updated_again(reference, x, q):
    """An update behind a second condition, which compiles, and a value that is computed outside of the region."""
    first = raw.RefSwitch(data=raw.AssignAdd(ref=reference, value=tf.exp(x)), pred=q)
    merged = raw.RefMerge(inputs=[first.output_true, first.output_false]).output
    return tf.cos(tf.identity(raw.AssignSub(ref=merged, value=tf.sqrt(x)))) * x


_REFERENCE_READS = {
    "fetched": lambda reference, x, q: reference,
    "read": lambda reference, x, q: tf.exp(reference) * 2.0,
    "updated": lambda reference, x, q: tf.identity(raw.AssignAdd(ref=reference, value=tf.exp(x))) * 2.0,
    "updated again": _updated_again,
    "waited for": lambda reference, x, q: _after(reference.op, x),
}


def _after(operation, x):
    with tf.control_dependencies([operation]):
        return tf.exp(x)


@pytest.mark.parametrize("kind", ["three ways", "perhaps"])
@pytest.mark.parametrize("read", _REFERENCE_READS)
def test_references_to_variables(fed, kind, read):
    x, p, q = fed
    fetches = [_REFERENCE_READS[read](_merged_reference(kind, x, p, q), x, q), tf.sin(x)]
    (variable,) = tf.global_variables()

    def outcome(session, run, feed):
        session.run(variable.initializer)
        try:
            values = run(fetches, feed)
        except tf.errors.InvalidArgumentError as error:
            values = error.message.splitlines()[0]
        return values, session.run(variable)

    with tf.Session(config=BY_TOKENS) as by_tokens, tf.Session() as mixed:
        report = mixed.plan_report(fetches, list(fed))
        assert report.way == "mixed" and "Sin" not in report.regions[0].nodes
        for number in range(4):
            feed = {x: 0.5, p: number % 2 == 0, q: number < 2}
            expected = outcome(by_tokens, by_tokens.run, feed)
            assert outcome(mixed, mixed.run, feed) == expected
            if not isinstance(expected[0], str):
                parts = lambda fetches, feed: in_parts(mixed, random.Random(number), fetches, feed)  # noqa: B023, E731
                assert outcome(mixed, parts, feed) == expected


def test_report(sess, fed):
    report = sess.plan_report(tf.exp(_three_ways(tf.sin(fed[0]), *fed[1:])), list(fed))
    why = "{{node Merge}} merges values that are not the two branches of one predicate"
    assert (report.way, report.why_tokens) == ("mixed", why)
    assert report.regions == ((("Merge",), why),)
    assert ("Merge", "Merge") in report.nodes and ("Exp", "Exp") in report.nodes
    assert f"1 nodes are executed node by node, which is slow: {why}" in str(report)


def test_dead_values(sess, fed):
    x, p, q = fed
    merged = _perhaps(x, p, q)
    with tf.control_dependencies([merged]):
        after = tf.identity(-x)
    fetches = [tf.exp(merged) * 0.0, after, tf.sin(x)]
    assert sess.plan_report(fetches, list(fed)).way == "mixed"
    np.testing.assert_array_equal(sess.run(fetches[:2], {x: 2.0, p: True, q: False}), [0.0, -2.0])
    for fetch in fetches[:2]:
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            sess.run([fetch, fetches[2]], {x: 2.0, p: False, q: False})
    handle = sess.partial_run_setup(fetches, list(fed))
    np.testing.assert_allclose(sess.partial_run(handle, fetches[2], {x: 2.0}), np.sin(2.0), rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError, match="was not valid"):
        sess.partial_run(handle, fetches[:2], {p: False, q: False})


def test_partial_runs_of_a_region_alone(sess, fed):
    x, p, q = fed
    merged = _perhaps(x, p, q)
    handle = sess.partial_run_setup([merged], list(fed))
    sess.partial_run(handle, [], {x: 2.0})
    assert sess.partial_run(handle, merged, {p: True, q: False}) == 3.0


def test_updates_before_and_after(sess, fed):
    x, p, q = fed
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    sess.run(tf.global_variables_initializer())
    with tf.control_dependencies([v.assign(x)]):
        merged = _odd_loop(_three_ways(v.read_value(), p, q), 2, "odd")
    with tf.control_dependencies([merged]):
        again = v.assign_add(merged, read_value=False)
    assert sess.run([merged], {x: 5.0, p: True, q: True}) == [8.0]
    sess.run(again, {x: 1.0, p: False, q: True})
    assert sess.run(v) == 5.0


def test_a_region_in_each_iteration(sess, fed):
    x, p, q = fed
    total = tf.while_loop(
        lambda i, y: i < 3,
        lambda i, y: (i + 1, tf.ensure_shape(_three_ways(y, p, tf.logical_and(q, i < 2)), [])),
        [0, x],
    )[1]
    report = sess.plan_report(total, list(fed))
    assert (report.way, [loop.is_compiled for loop in report.loops]) == ("mixed", [True])
    assert sess.run(total, {x: 3.0, p: False, q: True}) == -12.0
    assert sess.run(total, {x: 3.0, p: True, q: True}) == 6.0


def test_nodes_of_regions_are_watched(sess, fed):
    x = fed[0]
    infinite = tf.sin(_odd_loop(tf.exp(x), 3, "odd"))
    assert sess.plan_report(infinite, [x]).way == "mixed"
    metadata = tf.RunMetadata()
    sess.run(infinite, {x: 1.0}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), metadata)
    names = [stats.node_name for stats in metadata.step_stats.dev_stats[0].node_stats]
    assert names.count("add_1") == 3
    sess.watch_nan()
    with pytest.raises(tf.errors.InvalidArgumentError, match="node Exp"):
        sess.run(infinite, {x: 1000.0})


@pytest.mark.parametrize("threads", [0, 1])
def test_time_limits(fed, threads):
    endless = tf.sin(_odd_loop(tf.exp(fed[0]), 1 << 30, "odd"))
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads)) as session:
        assert session.plan_report(endless, [fed[0]]).way == "mixed"
        with pytest.raises(tf.errors.DeadlineExceededError):
            session.run(endless, {fed[0]: 1.0}, tf.RunOptions(timeout_in_ms=50))


def test_kernels_that_wait_beside_a_region(sess, fed):
    x, p, q = fed
    queue = tf.FIFOQueue(1, tf.float32, [[]])
    put = queue.enqueue(x)
    with tf.control_dependencies([raw.Switch(data=tf.sin(x), pred=p).output_true]):
        value = queue.dequeue()
    merged = tf.exp(raw.Merge(inputs=[value, raw.Switch(data=x, pred=q).output_true]).output)
    assert sess.plan_report(merged, list(fed)).way == "mixed"
    sess.run(put, {x: 0.0})
    assert sess.run(merged, {x: 3.0, p: True, q: False}) == 1.0


def test_kernels_that_wait_in_a_region(sess, fed):
    x = fed[0]
    queue = tf.FIFOQueue(3, tf.float32, [[]])
    put = queue.enqueue_many([[x, x, x]])
    total = tf.sin(_odd_loop(tf.exp(x), 3, "odd", queue))
    assert sess.plan_report(total, [x]).way == "mixed"
    sess.run(put, {x: 2.0})
    np.testing.assert_allclose(sess.run(total, {x: 0.0}), np.sin(7.0), rtol=1e-5)
    sess.run(put, {x: 3.0})
    handle = sess.partial_run_setup([total], [x])
    np.testing.assert_allclose(sess.partial_run(handle, total, {x: 0.0}), np.sin(10.0), rtol=1e-5)


@pytest.mark.parametrize("threads", [0, 1])
def test_regions_wait_for_each_other(fed, threads):
    """Each loop takes what the other one puts, so that both have to be under way at a time."""
    x = fed[0]
    queues = [tf.FIFOQueue(1, tf.float32, [[]]) for _ in range(2)]
    first = queues[0].enqueue(x)
    loops = [_odd_loop(x, 4, f"odd{i}", queues[i], queues[1 - i]) for i in range(2)]
    fetches = [tf.sin(loop) for loop in loops]
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads)) as session:
        assert session.plan_report(fetches, [x]).way == "mixed"
        session.run(first, {x: 1.0})
        np.testing.assert_allclose(session.run(fetches, {x: 1.0}), [np.sin(5.0)] * 2, rtol=1e-5)


def test_loops_whose_kernels_wait_for_each_other_are_regions(sess, fed):
    x = fed[0]
    queues = [tf.FIFOQueue(8, tf.float32, [[]]) for _ in range(2)]
    put = [queue.enqueue_many([[x, x, x]]) for queue in queues]
    total = tf.while_loop(
        lambda i, y: i < 3, lambda i, y: (i + 1, y + queues[0].dequeue() + queues[1].dequeue()), [0, tf.exp(x)]
    )[1]
    total = tf.sin(tf.ensure_shape(total, []))
    report = sess.plan_report(total, [x])
    assert (report.way, [loop.is_compiled for loop in report.loops]) == ("mixed", [False])
    assert report.regions[0][1] == "Blocking kernels of one loop or branch may wait for each other"
    sess.run(put, {x: 2.0})
    np.testing.assert_allclose(sess.run(total, {x: 0.0}), np.sin(13.0), rtol=1e-5)


@pytest.mark.parametrize("threads", [0, 1])
def test_a_region_that_waits_ends_with_its_step(fed, threads):
    x = fed[0]
    queue = tf.FIFOQueue(3, tf.float32, [[]])
    total = tf.sin(_odd_loop(tf.exp(x), 3, "odd", queue))
    put = queue.enqueue(x)
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads)) as session:
        session.run(put, {x: 2.0})
        with pytest.raises(tf.errors.DeadlineExceededError, match="fifo_queue_Dequeue|QueueDequeueV2"):
            session.run(total, {x: 0.0}, tf.RunOptions(timeout_in_ms=50))
        with tf.control_dependencies([x]):
            broken = tf.check_numerics(1.0 / (x - x), "broken")
        with pytest.raises(tf.errors.InvalidArgumentError, match="broken"):
            session.run([total, broken], {x: 0.0})
        session.run(queue.close())
        with pytest.raises(tf.errors.OutOfRangeError, match="in iteration 0 of odd"):
            session.run(total, {x: 0.0})


@pytest.mark.parametrize("threads", [0, 1])
def test_python_functions_in_regions_run_beside_each_other(fed, threads):
    """Each one waits for the other."""
    x = fed[0]
    meeting = threading.Barrier(2)

    def meet(value):
        meeting.wait(60)
        return value

    loops = [_odd_loop(x, 2, f"odd{i}", more=lambda y: tf.py_func(meet, [y], tf.float32)) for i in range(2)]
    fetches = [tf.sin(tf.ensure_shape(loop, [])) for loop in loops]
    with tf.Session(config=tf.ConfigProto(inter_op_parallelism_threads=threads)) as session:
        assert session.plan_report(fetches, [x]).way == "mixed"
        if threads == 1:
            return
        np.testing.assert_allclose(session.run(fetches, {x: 1.0}), [np.sin(3.0)] * 2, rtol=1e-5)
