"""Writes and continues an estimator's folder and exported model in tinytf and in TensorFlow 1.15, in both directions.

`python tests/estimator/estimator_files.py`, run by an interpreter with TensorFlow 1.15, writes the folder and the model
in `estimator_of_1_15.tar.gz`.
"""

import os
import shutil
import tarfile
import tempfile

import numpy as np

X = np.linspace(-1, 1, 16, dtype=np.float32).reshape(16, 1)
Y = 3 * X[:, 0] ** 2 - X[:, 0]


def estimator(tf, folder):
    """An estimator for a small network trained with momentum."""

    def model(features, labels, mode):
        w1 = tf.get_variable("w1", [1, 8], initializer=tf.constant_initializer(np.linspace(-1, 1, 8)))
        b1 = tf.get_variable("b1", [8], initializer=tf.constant_initializer(np.linspace(-0.5, 0.5, 8)))
        w2 = tf.get_variable("w2", [8], initializer=tf.constant_initializer(0.25), use_resource=True)
        out = tf.reduce_sum(tf.nn.relu(tf.matmul(features["x"], w1) + b1) * w2, 1, name="out")
        if mode == tf.estimator.ModeKeys.PREDICT:
            return tf.estimator.EstimatorSpec(mode, predictions={"out": out})
        loss = tf.reduce_mean(tf.square(out - labels))
        train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss, tf.train.get_global_step())
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    config = tf.estimator.RunConfig(folder, tf_random_seed=3, save_checkpoints_steps=5, keep_checkpoint_max=2)
    return tf.estimator.Estimator(model, config=config)


def inputs(tf):
    """All rows as one batch, without end."""
    return {"x": tf.constant(X)}, tf.constant(Y)


def train(tf, folder, steps):
    """Trains, and returns the global step, the loss and the values of some variables as lists."""
    made = estimator(tf, folder).train(lambda: inputs(tf), steps=steps)
    loss = made.evaluate(lambda: inputs(tf), steps=1)["loss"]
    tf.summary.FileWriterCache.clear()
    names = ["b1", "w1/Momentum", "w2", "w2/Momentum"]
    return [
        int(made.get_variable_value("global_step")),
        float(loss),
        [np.ravel(made.get_variable_value(n)).tolist() for n in names],
    ]


def export(tf, folder, into):
    """Exports the model of a folder and returns its path."""
    receive = tf.estimator.export.build_raw_serving_input_receiver_fn({"x": tf.placeholder(tf.float32, [None, 1])})
    return estimator(tf, folder).export_saved_model(into, receive).decode()


def ask(tf, path):
    """The predictions of an exported model."""
    with tf.Graph().as_default(), tf.Session() as sess:
        signature = tf.saved_model.loader.load(sess, ["serve"], path).signature_def["serving_default"]
        return sess.run(signature.outputs["out"].name, {signature.inputs["x"].name: X}).tolist()


if __name__ == "__main__":
    import tensorflow

    into = tempfile.mkdtemp()
    print(train(tensorflow, into + "/model", 7))
    os.rename(export(tensorflow, into + "/model", into), into + "/exported")
    with tarfile.open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "estimator_of_1_15.tar.gz"), "w:gz"
    ) as tar:
        for name in sorted(os.listdir(into)):
            tar.add(os.path.join(into, name), name)
    shutil.rmtree(into)
