"""The same operations on queues give the same values, shapes, errors and node names as in TensorFlow."""

import random

import pytest

import tinytf

_PROGRAM = """
import re

QUEUES = {
    "fifo": lambda n: tf.FIFOQueue(n, [tf.int32, tf.string], shapes=[[2], []], name="q"),
    "shuffle": lambda n: tf.RandomShuffleQueue(n, 0, [tf.int32, tf.string], shapes=[[2], []], seed=n, name="q"),
    "padding": lambda n: tf.PaddingFIFOQueue(n, [tf.int32, tf.string], shapes=[[None], []], name="q"),
    "priority": lambda n: tf.PriorityQueue(n, tf.string, shapes=[], name="q"),
}

def outcome(session, fetch):
    try:
        values = session.run(fetch)
    except tf.errors.OpError as error:
        return error.error_code, re.search(r"'_\\d+(_q' is .*)", str(error))[1]
    if isinstance(fetch, list):
        return [(t.shape.as_list(), v.tolist() if hasattr(v, "tolist") else v) for t, v in zip(fetch, values)]
    return None if values is None else int(values)

result = []
for kind, capacity, history in histories:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        queue = QUEUES[kind](capacity)
        result += [outcome(session, getattr(queue, method)(*arguments)) for method, arguments in history]
        result.append([(op.name, op.type) for op in graph.get_operations()])
"""


def _elements(kind, draw, count):
    """The components of a batch of elements."""
    first = [draw.randint(-3, 3) for _ in range(count)]
    if kind != "priority":
        size = draw.randint(1, 4) if kind == "padding" else 2  # TensorFlow crashes at a size of 0
        first = [[value] * size for value in first]
    return first, [str(draw.random()) for _ in range(count)]


def _history(kind, seed):
    """A kind of queue, its capacity, and random calls that never block, the last ones on a closed queue."""
    draw = random.Random(seed)
    capacity, size, closed = draw.randint(1, 8), 0, False
    history = []
    for step in range(40):
        room = 3 if closed else capacity - size
        method = draw.choice("enqueue enqueue_many dequeue dequeue_many dequeue_up_to size is_closed".split())
        if step == 30 or (closed and draw.random() < 0.1):
            history.append(("close", [step > 30 and draw.random() < 0.5]))
            closed = True
        elif method == "enqueue" and room:
            history.append((method, [[component[0] for component in _elements(kind, draw, 1)]]))
            size += not closed
        elif method == "enqueue_many" and room:
            count = draw.randint(1, room)
            history.append((method, [_elements(kind, draw, count)]))
            size += 0 if closed else count
        elif method == "dequeue" and (size or closed):
            history.append((method, []))
            size = max(size - 1, 0)
        elif method in ("dequeue_many", "dequeue_up_to"):
            # TensorFlow's priority queue does not support smaller batches.
            most = size + 2 if closed and (kind, method) != ("priority", "dequeue_up_to") else size
            count = draw.randint(0, most)
            history.append((method, [count]))
            if count <= size or method == "dequeue_up_to":
                size -= min(count, size)
        elif method in ("size", "is_closed"):
            history.append((method, []))
    return kind, capacity, history


@pytest.mark.oracle
@pytest.mark.parametrize("kind", ["fifo", "shuffle", "padding", "priority"])
def test_histories(kind, oracle):
    histories = [_history(kind, seed) for seed in range(6)]
    here = {"tf": tinytf, "histories": histories}
    exec(_PROGRAM, here)
    assert len(here["result"]) > 150
    assert here["result"] == oracle(_PROGRAM, histories=histories)
