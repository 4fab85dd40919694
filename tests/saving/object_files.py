"""Programs that write object-based checkpoints, and programs that read them; each runs here, on TensorFlow 1.15 and on
2.21.

`python tests/saving/object_files.py`, run by an interpreter with TensorFlow, writes `objects_of_1_15.tar.gz` or
`objects_of_2_21.tar.gz`, with the folders of both modes; with a folder and a mode as arguments, it writes there.
"""

import os
import sys
import tarfile
import tempfile


def _objects(tf, objects):
    """An object with variables of several dtypes, alone, in a list and in a dict, and an optimizer with slots; and
    its training step.
    """
    root = objects["AutoTrackable"]()
    root.v = tf.Variable([1.0, 2.0], name="v")
    root.list = [tf.Variable(3, name="i"), {"a/b": tf.Variable(["x", "yz"], name="s")}]
    root.opt = tf.train.AdamOptimizer(0.5)
    return root, lambda: root.opt.minimize(lambda: root.v * root.v, var_list=[root.v])


def write(tf, objects, folder, mode):
    """Writes `folder/mode-1`, eagerly (mode "eager") or in a session ("graph")."""
    root, step = _objects(tf, objects)
    checkpoint = objects["Checkpoint"](model=root)
    if mode == "eager":
        step()
        checkpoint.save(folder + "/eager")
        return
    train = root.opt.minimize(tf.reduce_sum(root.v * root.v), var_list=[root.v])
    with tf.Session() as sess, sess.as_default():
        sess.run(tf.global_variables_initializer())
        sess.run(train)
        checkpoint.save(folder + "/graph")


def read(tf, objects, path, mode):
    """The values restored from such a checkpoint after one more step; the optimizer is added last."""
    root, step = _objects(tf, objects)
    optimizer = root.opt
    del root.opt
    checkpoint = objects["Checkpoint"](model=root)
    status = checkpoint.restore(path)
    root.opt = optimizer
    values = [root.v, root.list[0], root.list[1]["a/b"], checkpoint.save_counter]
    if mode == "eager":
        step()
        status.assert_consumed()
        return [value.numpy().tolist() for value in values]
    train = root.opt.minimize(tf.reduce_sum(root.v * root.v), var_list=[root.v])
    status.assert_consumed()
    with tf.Session() as sess, sess.as_default():
        status.initialize_or_restore()
        sess.run(train)
        return [value.tolist() for value in sess.run(values)]


def _main():
    import tensorflow

    new = tensorflow.__version__.startswith("2.")
    if new:
        tf, objects = tensorflow.compat.v1, {"Checkpoint": tensorflow.train.Checkpoint}
        objects["AutoTrackable"] = tensorflow.__internal__.tracking.AutoTrackable
    else:
        tf, objects = tensorflow, {"Checkpoint": tensorflow.train.Checkpoint}
        objects["AutoTrackable"] = tensorflow.contrib.checkpoint.Checkpointable
    if len(sys.argv) > 2:
        what, folder, mode = sys.argv[1:4]
        if mode == "eager":
            tf.enable_eager_execution()
        else:
            tf.disable_eager_execution()
        with open(os.devnull if what == "write" else folder + ".shown", "w") as shown:
            done = write(tf, objects, folder, mode) if what == "write" else read(tf, objects, folder, mode)
            shown.write(repr(done))
        return
    folder = tempfile.mkdtemp()
    for mode in ("graph", "eager"):
        os.system(f"{sys.executable} -W ignore {os.path.abspath(__file__)} write {folder} {mode}")
    os.remove(folder + "/checkpoint")
    name = "objects_of_2_21" if new else "objects_of_1_15"
    with tarfile.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".tar.gz"), "w:gz") as tar:
        tar.add(folder, "")


if __name__ == "__main__":
    _main()
