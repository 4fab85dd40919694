"""Queues in the graph: names and shapes of their nodes, and errors during construction."""

import pytest

import tinytf as tf


def test_node_names():
    q = tf.FIFOQueue(10, [tf.float32, tf.int32], shapes=[[2], []])
    assert q.name == "fifo_queue" and q.queue_ref.dtype == tf.resource and q.queue_ref.device == ""
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


def test_queues_are_ordinary_operations_of_their_scopes():
    with tf.control_dependencies([tf.no_op()]), tf.device("/job:worker/task:1"):
        q = tf.FIFOQueue(3, tf.float32)
        assert q.queue_ref.op.control_inputs and q.queue_ref.device == "/job:worker/task:1"
        assert not q.size().op.control_inputs  # they are on its input


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


def test_queues_survive_the_graph_def():
    q = tf.FIFOQueue(10, tf.float32, shapes=[[]])
    q.enqueue(3.0, name="put")
    q.dequeue(name="out")
    definition = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        put, out = tf.import_graph_def(definition, return_elements=["put", "out:0"], name="")
        sess.run(put)
        assert sess.run(out) == 3
