"""The static shapes inferred for imported training graphs of TensorFlow 1.15, with gradients, are at least as
precise as TensorFlow's. `TINYTF_NETWORKS` is the number of random networks, `TINYTF_NETWORKS_FROM` the first seed.
"""

import os
import sys
from pathlib import Path

import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src import protos

sys.path.insert(0, str(Path(__file__).parent / "shapes"))
from record_shapes import load_programs, read_recorded, shapes_of, without_shapes

RECORDED = read_recorded()
FIRST = int(os.environ.get("TINYTF_NETWORKS_FROM", "0"))
NETWORKS = range(FIRST, FIRST + int(os.environ.get("TINYTF_NETWORKS", "12")))
DECLARED = frozenset(_core.op_names())


def _imported(graph_def):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        return shapes_of(graph.as_graph_def(add_shapes=True))


def _is_unknown(op):
    return op not in DECLARED


def _tells(ours, theirs):
    """Whether shape `ours` contains all known dimensions of `theirs` with the same values."""
    if theirs == "?":
        return True
    dims = ours.split(","), theirs.split(",")
    return len(dims[0]) == len(dims[1]) and all(b in ("?", a) for a, b in zip(*dims, strict=True))


def unlike(graph_def, inferred):
    """The outputs whose shapes are less precise than TensorFlow's or differ: (op, node, ours, theirs). Outputs that
    depend on the value of an undeclared op are ignored.
    """
    ops = {node.name: node.op for node in graph_def.node}
    fed = {n.name for n in graph_def.node if any(_is_unknown(ops[i.partition(":")[0].lstrip("^")]) for i in n.input)}
    theirs = {**shapes_of(graph_def), **inferred}
    ours = _imported(without_shapes(graph_def, keeps=_is_unknown))
    return [
        (ops[node], node, shapes, theirs[node])
        for node, shapes in ours.items()
        if ops[node] in DECLARED and node not in fed and not all(map(_tells, shapes, theirs[node]))
    ]


@pytest.mark.parametrize("name", RECORDED)
def test_what_tensorflow_infers_is_inferred(name):
    data, inferred = RECORDED[name]
    assert unlike(protos.GraphDef.FromString(data), inferred) == []


@pytest.mark.parametrize("name", RECORDED)
def test_the_shapes_that_graphs_tell_fit(name):
    graph_def = protos.GraphDef.FromString(RECORDED[name][0])
    assert _imported(graph_def).keys() >= shapes_of(graph_def).keys()


def test_all_programs_are_recorded():
    assert sorted(RECORDED) == sorted(load_programs())


@pytest.mark.parametrize(
    ("ours", "theirs", "tells"),
    [
        ("2,3", "2,3", True),
        ("2,3", "?,3", True),
        ("?,3", "2,3", False),
        ("?", "?,?", False),
        ("", "?", True),
        ("0", "3", False),
    ],
)
def test_the_comparison_itself(ours, theirs, tells):
    assert _tells(ours, theirs) is tells


_RANDOM = '''
import random
import numpy as np

def network(seed):
    """A random training graph."""
    rng = random.Random(seed)
    batch, size = rng.choice([None, 2]), rng.choice([6, 7])
    x = tf.placeholder(tf.float32, [batch, size, size, rng.choice([1, 3])])
    is_training = rng.choice([True, False, tf.placeholder_with_default(False, [])])
    for _ in range(rng.randrange(1, 6)):
        kind = rng.randrange(8)
        same = rng.choice(["same", "valid"])
        if kind == 0:
            bias = rng.random() < 0.5
            x = tf.layers.conv2d(x, rng.randrange(1, 5), rng.randrange(1, 4), rng.randrange(1, 3), "same", use_bias=bias)
        elif kind == 1:
            x = tf.layers.separable_conv2d(x, rng.randrange(1, 5), 3, padding="same")
        elif kind == 2:
            x = tf.layers.conv2d_transpose(x, rng.randrange(1, 5), rng.randrange(1, 4), rng.randrange(1, 3), same)
        elif kind == 3:
            x = tf.layers.batch_normalization(x, training=is_training, fused=rng.random() < 0.7)
        elif kind == 4:
            x = rng.choice([tf.layers.max_pooling2d, tf.layers.average_pooling2d])(x, 2, rng.randrange(1, 3), "same")
        elif kind == 5:
            x = rng.choice([tf.nn.relu, tf.nn.elu, tf.nn.softplus, tf.nn.crelu, tf.tanh])(x)
        elif kind == 6:
            x = tf.concat([x, tf.layers.dense(x, 2)], -1)
        else:
            x = tf.layers.dropout(tf.pad(x, [[0, 0], [1, 0], [0, 1], [0, 0]]), 0.3, training=is_training)
    if rng.random() < 0.5:
        x = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(3), tf.reduce_mean(x, rng.choice([1, 2])), dtype=tf.float32)[0]
    x = tf.layers.dense(rng.choice([tf.layers.flatten, lambda y: tf.reduce_max(y, 1)])(x), 3)
    x = tf.reduce_mean(x, list(range(1, len(x.shape) - 1))) if len(x.shape) > 2 else x
    loss = tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int64, [batch]), x)
    tf.train.AdamOptimizer().minimize(loss)
'''
_ASK = "graph_def, inferred = shaped_graph(tf, lambda tf: network(seed))\nresult = graph_def, inferred\n"


@pytest.mark.oracle
@pytest.mark.parametrize("seed", NETWORKS)
def test_random_networks(seed, oracle1):
    source = (Path(__file__).parent / "shapes/record_shapes.py").read_text().partition("if __name__")[0]
    data, inferred = oracle1("__file__ = '.'\n" + source + _RANDOM + _ASK, seed=seed)
    graph_def = protos.GraphDef.FromString(data)
    assert unlike(graph_def, inferred) == []
    assert _imported(graph_def).keys() >= shapes_of(graph_def).keys()


@pytest.mark.oracle
def test_recorded_graphs_are_tensorflows(oracle1):
    source = (Path(__file__).parent / "shapes/record_shapes.py").read_text().partition("if __name__")[0]
    for name in ("function/segments", "layer/channels_first", "training/functions"):
        file, _, program = name.partition("/")
        code = (Path(__file__).parent / f"shapes/{file}_programs.py").read_text()
        data, inferred = oracle1(f"__file__ = '.'\n{source}\n{code}\nresult = shaped_graph(tf, {program})")
        assert inferred == RECORDED[name][1]
        assert shapes_of(protos.GraphDef.FromString(data)) == shapes_of(protos.GraphDef.FromString(RECORDED[name][0]))
