"""Messages also work with protobuf's pure Python implementation, which every release has."""

from programs import run_program

_PROGRAM = """
import tempfile
from google.protobuf import text_format
from google.protobuf.internal import api_implementation
import tinytf as tf

assert api_implementation.Type() == "python"
folder = tempfile.mkdtemp(dir={folder!r})
x = tf.placeholder(tf.float32, [None, 2], name="x")
v = tf.get_variable("v", initializer=[[1.0, 2.0]])
y = tf.matmul(x, v, transpose_b=True, name="y")
graph_def = tf.get_default_graph().as_graph_def()
assert text_format.Merge(text_format.MessageToString(graph_def), tf.GraphDef()) == graph_def
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(v.initializer)
    path = tf.train.Saver().save(sess, folder + "/model")
with tf.Graph().as_default(), tf.Session() as sess:
    tf.train.import_meta_graph(path + ".meta").restore(sess, path)
    print(sess.run("y:0", {{"x:0": [[3, 4]]}}).tolist())
example = tf.train.Example(features=tf.train.Features(feature={{"a": tf.train.Feature(int64_list={{"value": [1]}})}}))
assert tf.train.Example.FromString(example.SerializeToString()) == example
"""


def test_graphs_are_saved_and_imported(tmp_path):
    environment = {"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    done = run_program(_PROGRAM.format(folder=str(tmp_path)), environment=environment)
    assert (done.stdout, done.returncode) == ("[[11.0]]\n", 0), done.stderr
