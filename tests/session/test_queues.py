"""FIFO queues: what is put in by one step is taken out by another, in order, whichever of them has to wait."""

import threading

import numpy as np
import pytest

import tinytf as tf
from tinytf._gen import gen_ops


class _InThread(threading.Thread):
    """Calls `function` on a thread that begins at once; `outcome()` waits for its result or its exception."""

    def __init__(self, function, *args):
        super().__init__(daemon=True)
        self._call = lambda: function(*args)
        self._result = self._error = None
        self.start()

    def run(self):
        try:
            self._result = self._call()
        except tf.errors.OpError as error:
            self._error = error

    def outcome(self):
        self.join()
        return self._result if self._error is None else self._error


def _message(error):
    return error.message.split("\n")[0]


def _wait_until(sess, tensor, value):
    while sess.run(tensor) != value:
        pass


# -- Building the graph ------------------------------------------------------------------------------------------------


def test_node_names():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []])
    assert q.name == "fifo_queue" and q.queue_ref.dtype == tf.resource and q.queue_ref.device == "/device:CPU:*"
    assert q.enqueue([[1.0, 2.0], 3]).name == "fifo_queue_enqueue"
    assert q.enqueue_many([[[1.0, 2.0]], [3]]).name == "fifo_queue_EnqueueMany"
    assert [t.name for t in q.dequeue()] == ["fifo_queue_Dequeue:0", "fifo_queue_Dequeue:1"]
    assert q.dequeue_many(3)[1].name == "fifo_queue_DequeueMany:1"
    assert q.dequeue_up_to(3)[0].name == "fifo_queue_DequeueUpTo:0"
    assert q.size().name == "fifo_queue_Size:0" and q.is_closed().name == "fifo_queue_Is_Closed:0"
    assert q.close().name == "fifo_queue_Close" and q.close(True).name == "fifo_queue_Close_1"
    names = [op.name for op in tf.get_default_graph().get_operations()]
    assert names[:4] == [
        "fifo_queue",
        "fifo_queue_enqueue/component_0",
        "fifo_queue_enqueue/component_1",
        "fifo_queue_enqueue",
    ]
    assert "fifo_queue_DequeueMany/n" in names


def test_node_names_in_scopes():
    with tf.name_scope("s"), tf.container("c"):
        q = tf.FIFOQueue(3, tf.float32, shapes=[], name="q", shared_name="sh")
        assert q.name == "s/q" and q.enqueue(1.0).name == "s/q_enqueue" and q.dequeue().name == "s/q_Dequeue:0"
        assert q.dequeue(name="mine").name == "s/mine:0" and q.enqueue(1.0, name="in").name == "s/in"
    assert q.queue_ref.op.get_attr("container") == b"c" and q.queue_ref.op.get_attr("shared_name") == b"sh"
    assert q.queue_ref.op.get_attr("capacity") == 3


def test_queues_are_made_outside_of_control_dependencies():
    with tf.control_dependencies([tf.no_op()]):
        q = tf.FIFOQueue(3, tf.float32)
        assert not q.queue_ref.op.control_inputs
        assert q.size().op.control_inputs


def test_static_shapes():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []])
    assert [t.shape.as_list() for t in q.dequeue()] == [[2], []]
    assert [t.shape.as_list() for t in q.dequeue_many(3)] == [[3, 2], [3]]
    assert [t.shape.as_list() for t in q.dequeue_many(tf.placeholder(tf.int32))] == [[None, 2], [None]]
    assert [t.shape.as_list() for t in q.dequeue_up_to(3)] == [[None, 2], [None]]
    assert tf.FIFOQueue(10, tf.float32).dequeue().shape.ndims is None
    assert tf.FIFOQueue(10, tf.float32, shapes=[4]).dequeue().shape.as_list() == [4]


def test_properties():
    q = tf.FIFOQueue(10, ["float32", tf.int32], shapes=[[2], tf.TensorShape([])], names=("a", "b"))
    assert q.dtypes == [tf.float32, tf.int32] and q.names == ["a", "b"]
    assert q.shapes == [tf.TensorShape([2]), tf.TensorShape([])]
    plain = tf.FIFOQueue(10, tf.float32)
    assert plain.names is None and plain.shapes[0].ndims is None
    assert tf.queue.FIFOQueue is tf.FIFOQueue and tf.queue.QueueBase is tf.io.QueueBase is tf.QueueBase


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"dtypes": tf.float32, "shapes": [[], []]}, ValueError, "Queue shapes must have the same length as dtypes"),
        (
            {"dtypes": [tf.float32, tf.int32], "names": "a"},
            ValueError,
            "List of names must have the same length as the l",
        ),
        ({"dtypes": tf.float32, "shapes": [[None]]}, ValueError, "All shapes must be fully defined: "),
        ({"dtypes": tf.float32, "shapes": 3}, TypeError, "shapes must be a TensorShape or a list or tuple of TensorS"),
        (
            {"dtypes": []},
            ValueError,
            "'component_types' of 'FIFOQueueV2' Op passed list of length 0 less than minimum 1",
        ),
    ],
)
def test_constructor_errors(arguments, error, text):
    with pytest.raises(error) as caught:
        tf.FIFOQueue(10, **arguments)
    assert text in str(caught.value)


def test_enqueue_errors():
    named = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []], names=["a", "b"])
    plain = tf.FIFOQueue(10, tf.float32)
    for function, vals, error, text in [
        (named.enqueue, [[1.0, 2.0], 3], ValueError, "You must enqueue a dictionary in a Queue with names"),
        (
            named.enqueue,
            {"a": 1.0},
            ValueError,
            "Keys in dictionary to enqueue do not match names of Queue.  Dictionary: (['a']), Queue: (['a', 'b'])",
        ),
        (named.enqueue, {"a": [1.0, 2.0, 3.0], "b": 1}, ValueError, "Shapes (3,) and (2,) are incompatible"),
        (named.enqueue, {"a": ["x", "y"], "b": 1}, TypeError, "Expected float32, "),
        (named.enqueue_many, {"a": [1.0, 2.0], "b": [1]}, ValueError, "Shapes () and (2,) are incompatible"),
        (named.enqueue_many, {"a": [[1.0, 2.0]], "b": [1, 2]}, ValueError, "Dimensions 1 and 2 are not compatible"),
        (plain.enqueue, {"a": 1.0}, ValueError, "Queue must have names to enqueue a dictionary"),
        (plain.enqueue_many, 1.0, ValueError, "Shape () must have rank at least 1"),
        (plain.dequeue_many, -1, ValueError, "Input 'n' must be >= 0, but is -1"),
    ]:
        with pytest.raises(error) as caught:
            function(vals)
        assert text in str(caught.value)


def test_from_list():
    queues = [tf.FIFOQueue(10, tf.float32, shapes=[shape]) for shape in ([2], [2], [3])]
    index = tf.placeholder(tf.int32, [])
    same, mixed = tf.QueueBase.from_list(index, queues[:2]), tf.QueueBase.from_list(index, queues)
    assert same.name == "GatherV2" and same.dequeue().shape.as_list() == [2]
    assert mixed.shapes[0].as_list() == [None] and mixed.dtypes == [tf.float32] and mixed.names is None
    size = same.size()
    with tf.Session() as sess:
        sess.run(queues[1].enqueue([[1.0, 2.0]]))
        assert [sess.run(size, {index: i}) for i in (0, 1)] == [0, 1]


def test_from_list_errors():
    floats, ints = tf.FIFOQueue(10, tf.float32), tf.FIFOQueue(10, tf.int32)
    named = tf.FIFOQueue(10, tf.float32, names=["x"])
    for queues, text in [
        ([], "A list of queues expected"),
        ([1], "A list of queues expected"),
        ((floats,), "A list of queues expected"),
        ([floats, ints], "Queues do not have matching component dtypes."),
        ([floats, named], "Queues do not have matching component names."),
    ]:
        with pytest.raises(TypeError) as caught:
            tf.QueueBase.from_list(0, queues)
        assert str(caught.value) == text


# -- Running -----------------------------------------------------------------------------------------------------------


def test_elements_come_out_in_order():
    q = tf.FIFOQueue(10, [tf.float32, tf.string], shapes=[[2], []])
    x = tf.placeholder(tf.float32, [None, 2])
    text = tf.placeholder(tf.string, [None])
    many, one = q.enqueue_many([x, text]), q.enqueue([[7.0, 8.0], "last"])
    out, batch, size = q.dequeue(), q.dequeue_many(2), q.size()
    with tf.Session() as sess:
        sess.run(many, {x: [[1, 2], [3, 4]], text: ["a", "b"]})
        sess.run(one)
        assert sess.run(size) == 3
        first = sess.run(out)
        np.testing.assert_array_equal(first[0], [1, 2])
        assert first[1] == b"a"
        numbers, texts = sess.run(batch)
        np.testing.assert_array_equal(numbers, [[3, 4], [7, 8]])
        assert texts.tolist() == [b"b", b"last"]
        assert sess.run(size) == 0


def test_dictionaries():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[], []], names=["x", "i"])
    put, put_many = q.enqueue({"i": 1, "x": 2.0}), q.enqueue_many({"i": [3, 4], "x": [5.0, 6.0]})
    with tf.Session() as sess:
        sess.run(put)
        sess.run(put_many)
        assert sess.run(q.dequeue()) == {"x": 2.0, "i": 1}
        out = sess.run(q.dequeue_up_to(2))
        assert out["x"].tolist() == [5, 6] and out["i"].tolist() == [3, 4]


def test_elements_of_unknown_shapes():
    q = tf.FIFOQueue(10, tf.int32)
    x = tf.placeholder(tf.int32)
    put, out = q.enqueue(x), q.dequeue()
    with tf.Session() as sess:
        for value in (1, [2, 3], [[4], [5]]):
            sess.run(put, {x: value})
        assert [sess.run(out).tolist() for _ in range(3)] == [1, [2, 3], [[4], [5]]]


def test_a_fed_array_may_change_afterwards():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[1000]])
    x = tf.placeholder(tf.float32, [1000])
    fed = np.ones(1000, np.float32)
    with tf.Session() as sess:
        sess.run(q.enqueue(x), {x: fed})
        sess.run(q.enqueue_many(tf.expand_dims(x, 0)), {x: fed})
        fed[:] = 2
        assert sess.run(q.dequeue()).sum() == 1000
        assert sess.run(q.dequeue()).sum() == 1000


def test_a_dequeue_waits_for_an_element():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    one, many, put = q.dequeue(), q.dequeue_many(5), q.enqueue_many([[1.0, 2.0, 3.0]])
    with tf.Session() as sess:
        waiting = _InThread(sess.run, one)
        sess.run(put)
        assert waiting.outcome() == 1
        waiting = _InThread(sess.run, many)
        sess.run(put)
        assert waiting.outcome().tolist() == [2, 3, 1, 2, 3]


def test_an_enqueue_waits_for_room():
    q = tf.FIFOQueue(2, tf.float32, shapes=[[]])
    out = q.dequeue()
    with tf.Session() as sess:
        waiting = _InThread(sess.run, q.enqueue_many([[1.0, 2.0, 3.0, 4.0]]))
        assert [sess.run(out) for _ in range(4)] == [1, 2, 3, 4]
        assert waiting.outcome() is None


def test_many_producers_and_consumers():
    q = tf.FIFOQueue(5, tf.int32, shapes=[[]])
    x = tf.placeholder(tf.int32, [])
    put, one, three = q.enqueue(x), q.dequeue(), q.dequeue_many(3)
    with tf.Session() as sess:

        def produce(first):
            for value in range(first, first + 60):
                sess.run(put, {x: value})

        def consume(fetch, times):
            return np.concatenate([np.atleast_1d(sess.run(fetch)) for _ in range(times)])

        producers = [_InThread(produce, first) for first in (0, 60, 120)]
        consumers = [_InThread(consume, one, 60), _InThread(consume, three, 20), _InThread(consume, three, 20)]
        for thread in producers:
            assert thread.outcome() is None
        assert sorted(np.concatenate([thread.outcome() for thread in consumers])) == list(range(180))


def test_a_closed_queue_is_drained():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    put, one, many, up_to, closing = q.enqueue(1.0), q.dequeue(), q.dequeue_many(2), q.dequeue_up_to(2), q.close()
    with tf.Session() as sess:
        for _ in range(2):
            sess.run(put)
        assert not sess.run(q.is_closed())
        sess.run(closing)
        assert sess.run(q.is_closed())
        assert sess.run(one) == 1
        with pytest.raises(
            tf.errors.OutOfRangeError, match=r"_\d+_fifo_queue' is closed and has insufficient elements"
        ):
            sess.run(many)
        assert sess.run(up_to).tolist() == [1]
        with pytest.raises(tf.errors.OutOfRangeError, match=r"\(requested 2, current size 0\)"):
            sess.run(up_to)
        with pytest.raises(tf.errors.CancelledError, match=r"^FIFOQueue '_\d+_fifo_queue' is closed.\n"):
            sess.run(put)
        with pytest.raises(tf.errors.CancelledError, match=r"^Queue '_\d+_fifo_queue' is already closed.\n"):
            sess.run(closing)
        sess.run(q.close(cancel_pending_enqueues=True))


def test_closing_ends_a_waiting_dequeue_which_loses_nothing():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    size = q.size()
    with tf.Session() as sess:
        sess.run(q.enqueue_many([[1.0, 2.0]]))
        waiting = _InThread(sess.run, q.dequeue_many(3))
        _wait_until(sess, size, 0)
        sess.run(q.close())
        assert isinstance(waiting.outcome(), tf.errors.OutOfRangeError)
        assert sess.run(q.dequeue_up_to(3)).tolist() == [1, 2]


def test_closing_waits_for_pending_enqueues():
    q = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    out, closed = q.dequeue(), q.is_closed()
    with tf.Session() as sess:
        pending = _InThread(sess.run, q.enqueue_many([[1.0, 2.0]]))
        _wait_until(sess, q.size(), 1)
        closing = _InThread(sess.run, q.close())
        assert sess.run(out) == 1
        assert pending.outcome() is None and closing.outcome() is None
        assert sess.run(closed) and sess.run(out) == 2


def test_closing_may_cancel_pending_enqueues():
    q = tf.FIFOQueue(1, tf.float32, shapes=[[]])
    with tf.Session() as sess:
        pending = _InThread(sess.run, q.enqueue_many([[1.0, 2.0]]))
        _wait_until(sess, q.size(), 1)
        sess.run(q.close(cancel_pending_enqueues=True))
        error = pending.outcome()
        assert isinstance(error, tf.errors.CancelledError) and _message(error) == "Enqueue operation was cancelled"
        assert sess.run(q.dequeue()) == 1


def test_closing_the_session_cancels_what_waits():
    full, empty = tf.FIFOQueue(1, tf.float32, shapes=[[]]), tf.FIFOQueue(1, tf.float32, shapes=[[]])
    sess = tf.Session()
    sess.run(empty.enqueue(1.0))
    enqueue = _InThread(sess.run, full.enqueue_many([[1.0, 2.0]]))
    dequeue = _InThread(sess.run, empty.dequeue_many(2))
    _wait_until(sess, full.size(), 1)
    _wait_until(sess, empty.size(), 0)
    sess.close()
    for thread, text in [(enqueue, "Enqueue operation was cancelled"), (dequeue, "Dequeue operation was cancelled")]:
        error = thread.outcome()
        assert isinstance(error, tf.errors.CancelledError) and _message(error) == text


# -- Names and sharing -------------------------------------------------------------------------------------------------


def test_queues_are_private_or_shared_by_name():
    one, same, other = (
        tf.FIFOQueue(10, tf.float32, shared_name=shared_name, name="q") for shared_name in ("s", "s", None)
    )
    put, sizes = one.enqueue(1.0), [one.size(), same.size(), other.size()]
    with tf.Session() as sess, tf.Session() as stranger:
        sess.run(put)
        assert sess.run(sizes) == [1, 1, 0]
        assert stranger.run(sizes) == [0, 0, 0]


def test_containers_part_shared_names():
    one = tf.FIFOQueue(10, tf.float32, shared_name="s")
    with tf.container("c"):
        other = tf.FIFOQueue(10, tf.float32, shared_name="s")
    with tf.Session() as sess:
        sess.run(one.enqueue(1.0))
        assert sess.run([one.size(), other.size()]) == [1, 0]


@pytest.mark.parametrize(
    ("capacity", "dtypes", "shapes", "text"),
    [
        (6, tf.float32, [[2]], "Shared queue 's' has capacity 5 but requested capacity was 6"),
        (-1, tf.float32, [[2]], "Shared queue 's' has capacity 5 but requested capacity was 2147483647"),
        (
            5,
            [tf.int32, tf.float32],
            None,
            "Shared queue 's' has component types float but requested component types were int32, float",
        ),
        (5, tf.float32, [[3]], "Shared queue 's' has component shapes [[2]] but requested component shapes were [[3]]"),
        (5, tf.float32, None, "Shared queue 's' has component shapes [[2]] but requested component shapes were []"),
    ],
)
def test_a_shared_queue_has_one_declaration(capacity, dtypes, shapes, text):
    first = tf.FIFOQueue(5, tf.float32, shapes=[[2]], shared_name="s")
    second = tf.FIFOQueue(capacity, dtypes, shapes=shapes, shared_name="s")
    with tf.Session() as sess:
        sess.run(first.size())
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            sess.run(second.size())
    assert _message(caught.value) == text


def test_names_with_an_underscore_are_reserved():
    q = tf.FIFOQueue(5, tf.float32, shared_name="_s")
    with (
        tf.Session() as sess,
        pytest.raises(tf.errors.InvalidArgumentError, match="shared_name cannot start with '_':_s"),
    ):
        sess.run(q.size())


# -- What only shows when it runs --------------------------------------------------------------------------------------


def test_run_time_errors():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []])
    any_shape = tf.FIFOQueue(10, tf.float32)
    x, n = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
    variable = tf.get_variable("v", initializer=1.0, use_resource=True)
    with tf.Session() as sess:
        for fetch, feeds, text in [
            (q.enqueue([x, 1]), {x: [1.0]}, "Shape mismatch in tuple component 0. Expected [2], got [1]"),
            (
                q.enqueue_many([x, n]),
                {x: [[1.0, 2.0]], n: [1, 2]},
                "Shape mismatch in tuple component 1. Expected [1], g",
            ),
            (
                q.enqueue([[1.0, 2.0]]),
                {},
                "Signature mismatch, have: resource, float-> expected: resource, float, int32->",
            ),
            (
                any_shape.enqueue([1.0, 2.0]),
                {},
                "Signature mismatch, have: resource, float, float-> expected: resource, ",
            ),
            (q.dequeue_many(n), {n: -1}, "DequeueManyOp requested -1 < 0 elements"),
            (
                any_shape.dequeue_many(n),
                {n: 1},
                "FIFOQueue's DequeueMany and DequeueUpTo require the components to have ",
            ),
            (
                gen_ops.queue_dequeue_v2(q.queue_ref, [tf.float32], timeout_ms=10),
                {},
                "Timeout not supported yet.",
            ),
            (
                gen_ops.queue_size_v2(variable.handle),
                {},
                "Trying to access resource using the wrong type. Expected tensorflow::QueueInterface got tensorflow::Var",
            ),
        ]:
            with pytest.raises(tf.errors.InvalidArgumentError) as caught:
                sess.run(fetch, feeds)
            assert _message(caught.value).startswith(text)


def test_queues_survive_the_graph_def():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    q.enqueue(3.0, name="put")
    q.dequeue(name="out")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        put, out = tf.import_graph_def(definition, return_elements=["put", "out:0"], name="")
        sess.run(put)
        assert sess.run(out) == 3
