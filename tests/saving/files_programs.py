"""Programs that write checkpoints and models, and programs that read them; each runs here and on TensorFlow 1.15.

`python tests/saving/files_programs.py`, run by an interpreter with TensorFlow 1.15, writes the files in
`files_of_1_15.tar.gz`.
"""

import os
import shutil
import tarfile
import tempfile

import numpy as np


def _graph(tf):
    """A model with partitioned and resource variables, a loop, an optimizer with slots, and a string variable."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    with tf.variable_scope("net", partitioner=tf.fixed_size_partitioner(2)):
        w = tf.get_variable("w", initializer=tf.constant(np.arange(12.0).reshape(4, 3) / 10, tf.float32))
    b = tf.get_variable("b", initializer=[1.0, 2.0, 3.0], use_resource=True)
    step = tf.train.get_or_create_global_step()
    words = tf.Variable(["a", "bc", ""], trainable=False, name="words")
    y = tf.add(tf.matmul(x, w), b, name="y")
    _, z = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, tf.cond(i > 0, lambda: v * 2.0, lambda: v)), [0, y])
    z = tf.identity(z, name="z")
    loss = tf.reduce_sum(tf.square(z), name="loss")
    train = tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step)
    tf.add_to_collection("train_op", train)
    return x, z, words


def write(tf, folder):
    """Writes into the folder a checkpoint in one file, a sharded one, and a SavedModel with an asset."""
    tf.set_random_seed(1)
    x, z, words = _graph(tf)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(tf.get_collection("train_op"), {x: np.ones([1, 4], np.float32)})
        tf.train.Saver().save(sess, folder + "/plain", 1)
        tf.train.Saver(sharded=True).save(sess, folder + "/shards", 1)
        with open(folder + "/words.txt", "w") as file:
            file.write("a\nbc\n")
        builder = tf.saved_model.Builder(folder + "/model")
        name = tf.constant(folder + "/words.txt", name="words_file")
        tf.add_to_collection("asset_filepaths", name)
        init = tf.assign(words, tf.stack([name, "b", "c"])).op
        builder.add_meta_graph_and_variables(
            sess,
            ["serve"],
            {"serving_default": tf.saved_model.predict_signature_def({"x": x}, {"z": z})},
            assets_collection=[name],
            main_op=init,
        )
        builder.save()
    os.remove(folder + "/words.txt")


def read(tf, folder):
    """The names and values that a program without the graph's code gets from these files."""
    shown = []
    for name in ("plain-1", "shards-1"):
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.train.import_meta_graph(folder + "/" + name + ".meta").restore(sess, folder + "/" + name)
            shown.append([v.name for v in tf.global_variables()])
            shown.append([sess.run(v).tolist() for v in tf.global_variables()])
            ones = np.ones([1, 4], np.float32)
            shown.append(sess.run("z:0", {"x:0": ones}).tolist())
            gradient = tf.gradients(tf.get_default_graph().get_tensor_by_name("loss:0"), tf.trainable_variables()[0])
            shown.append(sess.run(gradient[0], {"x:0": ones}).tolist())
            for _ in range(3):  # training continues
                sess.run(tf.get_collection("train_op"), {"x:0": ones})
            shown.append(np.round(sess.run("z:0", {"x:0": ones}), 3).tolist())
            shown.append(int(sess.run("global_step:0")))
    with tf.Graph().as_default(), tf.Session() as sess:
        model = tf.saved_model.load(sess, ["serve"], folder + "/model")
        shown.append(sorted(model.signature_def))
        shown.append(sess.run("z:0", {"x:0": np.ones([1, 4], np.float32)}).tolist())
        shown.append([word.decode().replace(folder, "") for word in sess.run("words:0")])
    return shown


if __name__ == "__main__":
    import tensorflow

    made = tempfile.mkdtemp()
    write(tensorflow, made)
    os.remove(made + "/checkpoint")
    with tarfile.open(
        os.path.splitext(os.path.abspath(__file__))[0].replace("programs", "of_1_15") + ".tar.gz", "w:gz"
    ) as tar:
        tar.add(made, "")
    shutil.rmtree(made)
