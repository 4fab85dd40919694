"""Importing large constants needs their size only once beyond the caller's message; memory is measured, not time."""

import numpy as np
import pytest
from programs import run_program

import tinytf as tf
from tinytf._src.framework.graph_defs import large_constants

_PROGRAM = """
import gc, sys
import numpy as np
import tinytf as tf

def status(name):
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith(name))

sizes = [1 << 20] * 16 + [1 << 23]  # elements of 4 bytes: 96 MiB
with tf.Graph().as_default():
    for i, size in enumerate(sizes):
        tf.constant(np.full([size], i, np.float32), name="c%d" % i)
    graph_def = tf.get_default_graph().as_graph_def()
gc.collect()
with tf.Graph().as_default():
    tf.import_graph_def(tf.GraphDef(node=[{"name": "x", "op": "NoOp"}]))  # loads what imports need
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
before = status("VmRSS")
with tf.Graph().as_default() as graph, tf.Session() as sess:
    tf.import_graph_def(graph_def, name="")
    print((status("VmHWM") - before) / (4 * sum(sizes)))
    assert sess.run("c16:0")[-1] == 16.0
"""


def test_the_peak_is_the_size_of_the_constants():
    done = run_program(_PROGRAM, timeout=300)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) <= 1.15


DTYPES = (np.float16, np.float32, np.float64, np.int8, np.int64, np.uint16, np.complex64, np.bool_)


@pytest.mark.parametrize("dtype", DTYPES)
def test_values_and_messages_stay_the_same(dtype):
    values = (np.arange(40_000).reshape(4, 100, 100) % 100).astype(dtype)
    x = tf.constant(values, name="x")
    tf.identity(x, name="y")
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        np.testing.assert_array_equal(sess.run("y:0"), values)
        assert graph.as_graph_def().node == graph_def.node
    assert tf.get_default_graph().as_graph_def() == graph_def


def test_only_large_constants_of_plain_numbers_stand_beside():
    big = np.ones([200_000], np.float32)
    tf.constant(big, name="big")
    tf.constant(np.ones([8], np.float32), name="small")
    tf.constant(["a" * 100_000], name="text")
    tf.zeros([1_000_000], name="filled")
    graph_def = tf.get_default_graph().as_graph_def()
    cut = graph_def.node.add(name="cut", op="Const")
    cut.CopyFrom(graph_def.node[0])
    cut.name = "cut"
    cut.attr["value"].tensor.tensor_content = big.tobytes()[:-1]
    data, values = large_constants.split(graph_def)
    assert [(name, shape) for name, _, _, shape in values] == [("big", (200_000,))]
    rest = tf.GraphDef.FromString(data)
    assert [node.name for node in rest.node] == [node.name for node in graph_def.node]
    assert "value" not in rest.node[0].attr and rest.node[1:] == graph_def.node[1:]
    assert rest.versions == graph_def.versions
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Node 'import/cut'"):
        tf.import_graph_def(graph_def)


def test_the_messages_memory_can_change_afterwards():
    tf.constant(np.ones([50_000], np.float32), name="x")
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        graph_def.node[0].attr["value"].tensor.tensor_content = b"\1" * 200_000
        graph_def.Clear()
        assert sess.run("x:0").sum() == 50_000
