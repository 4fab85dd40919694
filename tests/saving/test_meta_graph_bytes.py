"""Meta graphs written without a message have the same bytes as serialized messages."""

import pytest

import tinytf as tf
from tinytf._src.checkpoint.meta_graph import create_meta_graph_def
from tinytf._src.checkpoint.meta_graph_bytes import meta_graph_bytes
from tinytf._src.checkpoint.used_ops import stripped_op_list_for_graph


def _plain():
    w = tf.get_variable("w", [2, 3])
    tf.summary.scalar("loss", tf.reduce_sum(w))
    tf.add_to_collection("numbers", 3)
    tf.train.AdamOptimizer().minimize(tf.reduce_sum(w), global_step=tf.train.get_or_create_global_step())


def _loops():
    tf.while_loop(lambda i: i < 3, lambda i: tf.cond(i > 1, lambda: i + 2, lambda: i + 1), [tf.constant(0)])


def _functions():
    @tf.function
    def square(x):
        return x * x

    @tf.contrib.eager.defun
    def outer(x):
        return square(x) + 1.0

    outer(tf.constant(2.0))


def _called_by_name():
    from tinytf.python.framework.function import Defun

    @Defun(tf.float32)
    def cube(x):
        return x * x * tf.exp(x)

    cube(tf.constant(2.0))


@pytest.mark.parametrize("build", [_plain, _loops, _functions, _called_by_name, lambda: None])
@pytest.mark.parametrize("with_saver", [False, True])
def test_the_same_message(build, with_saver):
    with tf.Graph().as_default() as graph:
        build()
        tf.get_variable("v", [])
        saver_def = tf.train.Saver().saver_def if with_saver else None
        expected = create_meta_graph_def(graph=graph, saver_def=saver_def)
        assert tf.MetaGraphDef.FromString(meta_graph_bytes(graph, saver_def)) == expected


def test_a_list_of_ops_is_the_caller_s_own():
    with tf.Graph().as_default() as graph:
        tf.constant(1.0)
    first = stripped_op_list_for_graph(graph.as_graph_def())
    del first.op[:]
    assert [op.name for op in stripped_op_list_for_graph(graph.as_graph_def()).op] == ["Const"]


def test_a_saver_that_exports_in_its_own_way_does(tmp_path):
    class Own(tf.train.Saver):
        def export_meta_graph(self, filename=None, **options):
            (tmp_path / "mine").write_text(filename)

    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.get_variable("v", []).initializer)
        Own().save(sess, str(tmp_path / "model"))
    assert (tmp_path / "mine").read_text() == str(tmp_path / "model.meta")
