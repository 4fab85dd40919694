"""Ctrl-C during one large batch ends the step soon; a partial enqueue adds nothing and a partial dequeue removes
nothing.
"""

import numpy as np
import pytest
from signal_polls import SignalPolls, interrupt

import tinytf as tf

LARGE = 1_000_000
QUEUES = {
    "FIFOQueue": lambda: tf.FIFOQueue(LARGE, tf.string, shapes=[[]]),
    "PaddingFIFOQueue": lambda: tf.PaddingFIFOQueue(LARGE, tf.string, shapes=[[]]),
    "RandomShuffleQueue": lambda: tf.RandomShuffleQueue(LARGE, 0, tf.string, shapes=[[]]),
}


def _cut(session, step):
    """Sends SIGINT while the step's kernel runs."""
    with SignalPolls(lambda: session._engine.active_runs() > 0, interrupt), pytest.raises(KeyboardInterrupt):
        step()


@pytest.mark.parametrize("kind", QUEUES)
def test_a_batch_is_as_good_as_never_asked_for(kind):
    queue = QUEUES[kind]()
    batch = tf.placeholder(tf.string, [None])
    texts = np.full(LARGE, b"a text that has memory of its own, as it is long", object)
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    with tf.Session(config=config) as session:
        put = session.make_callable(queue.enqueue_many([batch]), [batch])
        take = session.make_callable(queue.dequeue_many(LARGE).op)
        size = session.make_callable(queue.size())
        _cut(session, lambda: put(texts))
        assert size() == 0
        put(texts)
        _cut(session, take)
        assert size() == LARGE
        take()
        assert size() == 0
