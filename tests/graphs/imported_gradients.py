"""Gradients of nodes that call imported functions. `python imported_gradients.py`, run by an interpreter with
TensorFlow 1.15, records the gradients of the recorded graphs, some of which contain gradients already.
"""

import base64
import gzip
import json
from pathlib import Path

from v2_control_flow_programs import RECORDED as PROGRAMS

RECORDED = Path(__file__).with_name("imported_gradients_of_1_15.json")


def graphs():
    """The recorded graphs, by name."""
    return json.loads(gzip.decompress(PROGRAMS.read_bytes()).decode())


def derivatives(tf, ys, xs):
    """First derivatives and derivatives of their sum: a flag for each that says whether it exists, and the existing
    ones.
    """
    ys, xs = ([t for t in tensors if t.dtype.is_floating] for tensors in (ys, xs))
    firsts = [g for y in ys for g in tf.gradients(y, xs)]
    known = [tf.convert_to_tensor(g) for g in firsts if g is not None]
    seconds = tf.gradients(known, xs) if known else []
    return [g is not None for g in [*firsts, *seconds]], [g for g in [*firsts, *seconds] if g is not None]


def imported_gradients(tf, record, config=None):
    """Which derivatives of the fetches exist if they are built after the import, and their sums for each feed."""
    graph = tf.GraphDef.FromString(base64.b64decode(record["graph"]))
    with tf.Graph().as_default() as made, tf.Session(config=config) as session:
        tf.import_graph_def(graph, name="")
        ys, xs = ([made.get_tensor_by_name(name) for name in record[kind]] for kind in ("fetches", "inputs"))
        places, found = derivatives(tf, ys, xs)
        return [places, [[float(v.sum()) for v in session.run(found, feed)] for feed in record["feeds"]]]


def _outcome(tf, record):
    """The same; None if TensorFlow raises an error."""
    try:
        return imported_gradients(tf, record)
    except (LookupError, ValueError, TypeError):
        return None


def _record():
    import tensorflow as tf
    from tensorflow.python.ops import while_v2  # noqa: F401  # which knows the gradient of loops

    RECORDED.write_text(json.dumps({name: _outcome(tf, one) for name, one in graphs().items()}, indent=1) + "\n")


if __name__ == "__main__":
    _record()
