"""Dequeued tensors have the static shapes of the queue's elements, even if no Python object for the queue exists."""

import pytest

import tinytf as tf

RAW = tf.raw_ops


def _shapes(handle, types):
    """The static shapes of one element, of three, and of up to three."""
    one = RAW.QueueDequeueV2(handle=handle, component_types=types)
    many = RAW.QueueDequeueManyV2(handle=handle, n=3, component_types=types)
    up_to = RAW.QueueDequeueUpToV2(handle=handle, n=3, component_types=types)
    return [[str(part.shape) for part in parts] for parts in (one, many, up_to)]


def _queue(kind, **options):
    return getattr(RAW, kind)(component_types=[tf.float32, tf.int32], **options)


@pytest.mark.parametrize("kind", ["FIFOQueueV2", "RandomShuffleQueueV2", "PaddingFIFOQueueV2"])
def test_shapes_are_those_of_the_queue(kind):
    handle = _queue(kind, shapes=[[2], []])
    assert _shapes(handle, [tf.float32, tf.int32]) == [["(2,)", "()"], ["(3, 2)", "(3,)"], ["(?, 2)", "(?,)"]]


def test_sizes_may_be_open():
    handle = _queue("PaddingFIFOQueueV2", shapes=[[None, 2], [None]])
    assert _shapes(handle, [tf.float32, tf.int32])[0] == ["(?, 2)", "(?,)"]


def test_priorities_come_first():
    handle = _queue("PriorityQueueV2", shapes=[[2], []])
    assert _shapes(handle, [tf.int64, tf.float32, tf.int32])[0] == ["()", "(2,)", "()"]


def test_queues_without_shapes_and_other_numbers_of_components_tell_nothing():
    assert _shapes(_queue("FIFOQueueV2"), [tf.float32, tf.int32])[0] == ["<unknown>", "<unknown>"]
    assert _shapes(_queue("FIFOQueueV2", shapes=[[2], []]), [tf.float32])[0] == ["<unknown>"]


def test_a_count_that_is_not_known_leaves_the_batch_open():
    handle = _queue("FIFOQueueV2", shapes=[[2], []])
    many = RAW.QueueDequeueManyV2(handle=handle, n=tf.placeholder(tf.int32), component_types=[tf.float32, tf.int32])
    assert [str(part.shape) for part in many] == ["(?, 2)", "(?,)"]


def test_a_chosen_queue_has_what_all_have():
    queues = [_queue("FIFOQueueV2", shapes=[[first], []]) for first in (2, 5)]
    chosen = tf.gather(tf.stack(queues), tf.placeholder(tf.int32, []))
    assert _shapes(chosen, [tf.float32, tf.int32])[0] in (["(?,)", "()"], ["<unknown>", "<unknown>"])
    other = tf.stack([queues[0], _queue("FIFOQueueV2")])
    assert _shapes(tf.gather(other, 0), [tf.float32, tf.int32])[0] == ["<unknown>", "<unknown>"]


def test_imported_graphs_know_them():
    with tf.Graph().as_default() as graph:
        queue = tf.FIFOQueue(3, [tf.float32], shapes=[[4]], name="q")
        queue.dequeue_many(2, name="taken")
        message = graph.as_graph_def()
    with tf.Graph().as_default():
        (taken,) = tf.import_graph_def(message, return_elements=["taken:0"], name="")
        assert taken.shape.as_list() == [2, 4]
