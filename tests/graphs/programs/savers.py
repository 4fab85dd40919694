"""Savers: the ops that save and restore variables."""

import tempfile as _tempfile


def plain(tf):
    tf.get_variable("v", [2, 3])
    tf.get_variable("w", [2, 3], dtype=tf.float64)
    tf.train.Saver()


def resource_variables(tf):
    tf.get_variable("v", [2, 3], use_resource=True)
    tf.get_variable("w", [4], use_resource=True)
    tf.train.Saver()


def of_both_kinds_by_name(tf):
    v, w = tf.get_variable("v", [2, 3]), tf.get_variable("w", [4], use_resource=True)
    tf.train.Saver({"a/b": v, "c": w})


def with_reshape(tf):
    tf.get_variable("v", [2, 3])
    tf.get_variable("w", [4], use_resource=True)
    tf.Variable(tf.placeholder(tf.float32), validate_shape=False, name="u")
    tf.train.Saver(reshape=True)


def sequentially(tf):
    tf.get_variable("v", [2, 3])
    tf.train.Saver(restore_sequentially=True, filename="other", name="mine")


def several(tf):
    v = tf.get_variable("v", [2, 3])
    tf.train.Saver()
    with tf.name_scope("n"):
        tf.train.Saver([v])
    tf.train.Saver({"x": v})


def partitions(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("a", [5, 2])
        tf.get_variable("b", [4], use_resource=True)
    tf.train.Saver()


def listed_partitions(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        tf.add_to_collection("mine", tf.get_variable("a", [5, 2]))
    tf.train.Saver()


def partitions_by_name(tf):
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        a = tf.get_variable("a", [5, 2])
    tf.train.Saver({"q": a, "r": tf.get_variable("v", [2])})


def old_format(tf):
    tf.get_variable("v", [2, 3])
    tf.train.Saver(write_version=tf.train.SaverDef.V1)


def old_format_in_shards(tf):
    tf.get_variable("v", [2, 3])
    with tf.device("/cpu:1"):
        tf.get_variable("w", [2, 3])
    tf.train.Saver(write_version=tf.train.SaverDef.V1, sharded=True)


def one_shard(tf):
    tf.get_variable("v", [2, 3])
    tf.get_variable("w", [2, 3], use_resource=True)
    tf.train.Saver(sharded=True)


def shards(tf):
    with tf.device("/job:ps/task:0/cpu:0"):
        tf.get_variable("v", [2, 3])
        tf.get_variable("u", [2], use_resource=True)
    with tf.device("/job:ps/task:1/cpu:1"):
        tf.get_variable("w", [2, 3])
        tf.get_variable("x", [2], use_resource=True)
    with tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        tf.get_variable("b", [4], use_resource=True)
    tf.train.Saver(sharded=True, reshape=True)


def on_devices(tf):
    with tf.device("/gpu:0"):
        tf.get_variable("v", [2, 3])
        tf.get_variable("w", [2, 3], use_resource=True)
    with tf.device("/cpu:0"):
        tf.train.Saver()


def in_control_dependencies(tf):
    tf.get_variable("v", [2, 3])
    with tf.control_dependencies([tf.constant(1)]):
        tf.train.Saver()


def _saved(tf, *, again=False, **objects):
    """Saves and restores objects in a session, so that the graph contains the ops for it."""
    checkpoint = tf.train.Checkpoint(**objects)
    with tf.Session() as sess, _tempfile.TemporaryDirectory() as folder:
        sess.run(tf.global_variables_initializer())
        path = checkpoint.save(folder + "/c", sess)
        checkpoint.restore(path).assert_consumed().run_restore_ops(sess)
        if again:
            checkpoint.save(folder + "/c", sess)
            checkpoint.more = tf.get_variable("more", [])
            checkpoint.restore(path).expect_partial().initialize_or_restore(sess)
            checkpoint.save(folder + "/c", sess)


def objects(tf):
    _saved(tf, v=tf.get_variable("v", [2, 3]), w=tf.get_variable("w", [4], use_resource=True))


def objects_with_slots(tf):
    v, w = tf.get_variable("v", [2, 3]), tf.get_variable("w", [2, 3], use_resource=True)
    adam = tf.train.AdamOptimizer()
    adam.minimize(tf.reduce_sum(v * w))
    _saved(tf, adam=adam, v=v, w=w)


def objects_saved_again(tf):
    _saved(tf, again=True, v=tf.get_variable("v", [2, 3]))


def objects_on_devices(tf):
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [2, 3])
    with tf.device("/job:localhost/task:0/cpu:0"):
        w = tf.get_variable("w", [4], use_resource=True)
    with tf.device("/cpu:0"), tf.name_scope("n"):
        _saved(tf, v=v, w=w)


def objects_restored_first(tf):
    with _tempfile.TemporaryDirectory() as folder:
        with tf.Graph().as_default(), tf.Session() as sess:
            v = tf.get_variable("v", [2])
            adam = tf.train.AdamOptimizer()
            adam.minimize(v * v)
            sess.run(tf.global_variables_initializer())
            path = tf.train.Checkpoint(v=v, adam=adam).save(folder + "/c", sess)
        checkpoint = tf.train.Checkpoint()
        status = checkpoint.restore(path)
        checkpoint.adam = tf.train.AdamOptimizer()
        checkpoint.v = tf.get_variable("v", [2], use_resource=True)
        checkpoint.adam.minimize(checkpoint.v * checkpoint.v)
        status.assert_consumed()
        with tf.Session() as sess:
            status.initialize_or_restore(sess)
