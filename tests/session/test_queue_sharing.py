"""Names of queues: private and shared ones; all declarations of a shared queue must agree."""

import pytest
from waiting_steps import first_line

import tinytf as tf


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
    assert first_line(caught.value) == text


def test_names_with_an_underscore_are_reserved():
    q = tf.FIFOQueue(5, tf.float32, shared_name="_s")
    with (
        tf.Session() as sess,
        pytest.raises(tf.errors.InvalidArgumentError, match="shared_name cannot start with '_':_s"),
    ):
        sess.run(q.size())
