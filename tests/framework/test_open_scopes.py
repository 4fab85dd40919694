"""Ownership of scopes when several threads build one graph."""

import threading

import pytest

import tinytf as tf


def in_threads(count, build):
    """Runs `build(i)` on `count` threads; a lock lets them take turns from `yield` to `yield`, because device
    scopes belong to the graph. Returns their errors.
    """
    barrier = threading.Barrier(count)
    turn = threading.Lock()
    errors = []

    def run(i):
        try:
            building = build(i)
            while True:
                with turn:
                    if next(building, building) is building:
                        break
                barrier.wait(60)
        except BaseException as e:
            errors.append(e)
            barrier.abort()

    threads = [threading.Thread(target=run, args=[i]) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_name_and_variable_scopes_are_a_threads_own():
    graph = tf.get_default_graph()
    names = {}

    def tower(i):
        with graph.as_default():
            yield
            with tf.variable_scope(f"t{i}"):
                yield
                with tf.name_scope("inner"):
                    yield
                    v = tf.get_variable("w", [2])
                    y = tf.add(v, 1.0, name="y")
                    yield
                scope = tf.get_variable_scope().name
                yield
            names[i] = (v.name, y.name, scope, tf.get_variable_scope().name, graph.get_name_scope())

    with tf.name_scope("outside"), tf.variable_scope("outside"):
        assert in_threads(4, tower) == []
        assert tf.get_variable_scope().name == "outside"
    assert names == {i: (f"t{i}/w:0", f"t{i}/inner/y:0", f"t{i}", "", "") for i in range(4)}


def test_unique_variable_scopes_are_counted_by_each_thread():
    graph = tf.get_default_graph()
    names = []

    def build():
        with graph.as_default():
            for _ in range(2):
                with tf.variable_scope(None, "layer") as scope:
                    names.append(scope.name)

    for _ in range(2):
        thread = threading.Thread(target=build)
        thread.start()
        thread.join()
    assert names == ["layer", "layer_1"] * 2


def test_creators_are_a_threads_own():
    graph = tf.get_default_graph()
    seen = []

    def creator(next_creator, **arguments):
        seen.append(threading.current_thread())
        return next_creator(**arguments)

    def make():
        with graph.as_default():
            tf.Variable(1.0)

    with tf.variable_creator_scope(creator):
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        tf.Variable(1.0)
    assert seen == [threading.current_thread()]


def test_other_scopes_are_threads_own_after_the_switch():
    graph = tf.get_default_graph()
    first, made = tf.no_op(name="first"), {}

    def tower(i):
        with graph.as_default():
            own = tf.no_op(name=f"own{i}")
            yield
            with graph.device(f"/cpu:{i}"):
                yield
                with graph.control_dependencies([own]), graph.container(f"c{i}"):
                    yield
                    op = tf.placeholder(tf.float32).op
                    op = tf.Variable(tf.zeros([]), use_resource=True).handle.op
                    yield
                made[i] = (
                    op.device,
                    op.get_attr("container"),
                    [c.name for c in tf.no_op().control_inputs],
                )
                with graph.colocate_with(own):
                    yield
                    made[i] += (tf.no_op().colocation_groups(),)
                yield

    with tf.device("/job:a"), tf.control_dependencies([first]):
        graph.switch_to_thread_local()
        graph.switch_to_thread_local()  # the second call has no effect
        assert in_threads(3, tower) == []
        here = tf.no_op()
    # The threads started with the scopes that were open at the switch.
    device = "/job:a/device:CPU:{}"
    assert made == {i: (device.format(i), f"c{i}".encode(), ["first"], [f"loc:@own{i}".encode()]) for i in range(3)}
    assert (here.device, [c.name for c in here.control_inputs]) == ("/job:a", ["first"])
    after = tf.no_op()
    assert (after.device, after.control_inputs) == ("", [])


def test_threads_may_add_operations_at_a_time():
    graph = tf.get_default_graph()

    def build(i):
        yield
        with graph.as_default(), tf.name_scope(f"t{i}"):
            for _ in range(200):
                tf.no_op()

    assert in_threads(4, build) == []
    ops = graph.get_operations()
    assert [op._id for op in ops] == list(range(1, 801))
    assert all(graph.get_operation_by_name(op.name) is op for op in ops)


def test_original_op_and_control_outputs():
    x = tf.constant(1.0)
    with tf.get_default_graph()._original_op(x.op):
        y = x + x
    with tf.control_dependencies([y]):
        waits = tf.no_op()
    assert y.op._original_op is x.op
    assert waits._original_op is None
    assert (y.op._control_outputs, x.op._control_outputs) == ([waits], [])
    assert x.consumers() == [y.op, y.op]
    assert tf.get_default_graph().is_fetchable(tensor_or_op=x)


def test_start_lines_of_tracebacks():
    def make():
        return tf.no_op()

    op = make()
    frames = [frame for frame in op.traceback_with_start_lines if frame[2] == "make"]
    assert [(frame[3], frame[4] + 1) for frame in frames] == [("return tf.no_op()", frames[0][1])]
    assert tuple(frame[:4] for frame in op.traceback_with_start_lines) == op.traceback


def test_lines_without_a_source_are_none_in_tracebacks():
    space = {"tf": tf}
    exec(compile("op = tf.no_op()", "<nowhere>", "exec"), space)
    assert ("<nowhere>", 1, "<module>", None, 1) in space["op"].traceback_with_start_lines


def test_what_may_be_fed_and_fetched():
    graph = tf.get_default_graph()
    x, v, r = tf.constant(1.0), tf.Variable(1.0), tf.Variable(1.0, use_resource=True)
    for thing in (x, v, r, 3, "text"):
        assert graph.is_feedable(thing) and graph.is_fetchable(thing)
        graph.prevent_feeding(thing)
        assert not graph.is_feedable(thing) and graph.is_fetchable(thing)
    graph.prevent_fetching(v.op)
    assert not graph.is_fetchable(v.op) and graph.is_fetchable(v)
    assert not graph.is_fetchable(v.op.outputs[0])


@pytest.mark.parametrize("name", ["name", "op", "graph", "dtype", "device", "shape", "value_index"])
def test_what_tensors_have_is_on_the_class(name):
    assert isinstance(getattr(tf.Tensor, name), property)
    assert getattr(tf.Tensor, name).__doc__
