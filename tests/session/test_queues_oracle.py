"""The same histories of a queue on TensorFlow and here: values, sizes, errors with their texts, node names."""

import random

import pytest

import tinytf

_PROGRAM = """
import re

def text(error):
    return re.search(r"(FIFOQueue|Queue) '_\\d+(_q' is .*)", str(error)).groups()

result = []
for capacity, history in histories:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        queue = tf.FIFOQueue(capacity, [tf.int32, tf.string], shapes=[[2], []], name="q")
        for method, argument in history:
            fetch = getattr(queue, method)(*argument)
            try:
                values = session.run(fetch)
                shapes = [t.shape.as_list() for t in fetch] if isinstance(fetch, list) else None
                result.append((shapes, [v.tolist() if hasattr(v, "tolist") else v for v in values])
                              if isinstance(values, list) else None if values is None else int(values))
            except tf.errors.OpError as error:
                result.append((error.error_code, text(error)))
        result.append([(op.name, op.type) for op in graph.get_operations()])
"""


def _history(seed):
    """A capacity and calls that never have to wait, the last ones on a closed queue."""
    draw = random.Random(seed)
    capacity, size, closed = draw.randint(1, 8), 0, False
    history = []
    for step in range(40):
        room = capacity - size
        kind = draw.choice(["enqueue", "enqueue_many", "dequeue", "dequeue_many", "dequeue_up_to", "size", "is_closed"])
        if step == 30 or (closed and draw.random() < 0.1):
            history.append(("close", [step > 30 and draw.random() < 0.5]))
            closed = True
        elif kind == "enqueue" and (room or closed):
            history.append((kind, [([step, -step], f"e{step}")]))
            size += not closed
        elif kind == "enqueue_many":
            n = draw.randint(0, 3 if closed else room)
            if n == 0:
                continue
            history.append((kind, [([[step, i] for i in range(n)], [f"m{step}.{i}" for i in range(n)])]))
            size += 0 if closed else n
        elif kind == "dequeue" and (size or closed):
            history.append((kind, []))
            size -= size > 0
        elif kind in ("dequeue_many", "dequeue_up_to"):
            n = draw.randint(0, size + 2 if closed else size)
            history.append((kind, [n]))
            if n <= size or kind == "dequeue_up_to":
                size -= min(n, size)
        elif kind in ("size", "is_closed"):
            history.append((kind, []))
    return capacity, history


@pytest.mark.oracle
def test_histories(oracle):
    histories = [_history(seed) for seed in range(12)]
    names = {"tf": tinytf, "histories": histories}
    exec(_PROGRAM, names)
    theirs = oracle(_PROGRAM, histories=histories)
    assert len(names["result"]) > 300
    assert names["result"] == theirs
