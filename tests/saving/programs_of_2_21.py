"""Files written by TensorFlow 2.21: a model of objects, a model of a graph, and a checkpoint with its graph.

`python tests/saving/programs_of_2_21.py`, run by an interpreter with TensorFlow 2.21, writes `files_of_2_21.tar.gz`;
with a folder as argument, it writes there.
"""

import os
import sys
import tarfile
import tempfile


def write(folder):
    """Writes all three. For x = [[1, 0.5]] the models and the graph give y = [[7, 10]]."""
    import tensorflow

    tf = tensorflow.compat.v1

    class Model(tensorflow.Module):
        def __init__(self):
            self.w = tensorflow.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
            self.b = tensorflow.Variable([1.0, 1.0], name="b")

        @tensorflow.function(input_signature=[tensorflow.TensorSpec([None, 2], tensorflow.float32)])
        def __call__(self, x):
            y = tensorflow.matmul(x, self.w) + self.b
            if tensorflow.reduce_sum(y) > 0:
                y = y * 2.0
            return {"y": tensorflow.nn.relu(y)}

    model = Model()
    tensorflow.saved_model.save(model, folder + "/objects", signatures=model.__call__)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0, 2.0], [3.0, 4.0]], use_resource=True)
        b = tf.get_variable("b", initializer=[1.0, 1.0])
        y = tf.multiply(tf.matmul(x, w) + b, 2.0, name="y")
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, folder + "/graph", {"x": x}, {"y": y})
        tf.train.Saver(sharded=True).save(sess, folder + "/checkpoint-1", write_state=False)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as made:
            write(made)
            with tarfile.open(os.path.join(os.path.dirname(__file__), "files_of_2_21.tar.gz"), "w:gz") as tar:
                tar.add(made, "")
