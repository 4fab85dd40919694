"""Calls of `tf.contrib.deprecated`, and the shape checks of `tf.contrib.framework`."""


def scalars(tf):
    old = tf.contrib.deprecated
    x = tf.placeholder(tf.float32, [2], name="x")
    old.scalar_summary("tag", 1.0)
    old.scalar_summary(["a", "b"], x)
    with tf.name_scope("scope"):
        old.scalar_summary("a tag: with signs", tf.constant(2), name="named")
        old.scalar_summary(tf.placeholder(tf.string), x, collections=["mine", "yours"])
    old.merge_summary(tf.get_collection("mine") + tf.get_collection("yours"))
    old.merge_all_summaries()


def others(tf):
    old = tf.contrib.deprecated
    images = tf.placeholder(tf.float32, [None, 4, 4, 3])
    sounds = tf.placeholder(tf.float32, [None, 8])
    old.histogram_summary("h", images)
    old.image_summary("i", images)
    old.audio_summary("a", sounds, 8000)
    with tf.name_scope("scope"):
        old.histogram_summary("h", tf.constant([1, 2]), ["mine"], "named")
        old.image_summary("i", images, 1, ["mine"], name="named")
        old.audio_summary("a", sounds, tf.constant(8000.0), max_outputs=2, collections=["mine"], name="named")
        old.merge_all_summaries("mine")
    old.merge_all_summaries("nobody's")
    old.merge_summary([images.op.name], ["merged"], "given")
    old.merge_all_summaries()


def shapes(tf):
    check = tf.contrib.framework
    x = tf.placeholder(tf.float32, [2, 3], name="x")
    p = tf.placeholder(tf.float32, [None, 3], name="p")
    u = tf.placeholder(tf.float32, name="u")
    check.with_shape([2, 3], x)
    check.with_shape([2, 3], p)
    check.with_shape(tf.TensorShape([None, 3]), u)
    check.with_shape(tf.constant([2, 3]), x)
    check.with_shape([], u)
    with tf.name_scope("scope"):
        check.with_same_shape(x, p)
        check.with_same_shape(p, x)
        check.with_same_shape(u, p)
    check.assert_scalar_int(3)
    check.assert_scalar_int(tf.placeholder(tf.int64, []), name="named")
    check.reduce_sum_n([x, p, u])
    check.reduce_sum_n([x], name="one")


def dimensions(tf):
    squeezed = tf.contrib.framework.remove_squeezable_dimensions
    squeezed(tf.placeholder(tf.float32, [None, 1]), tf.placeholder(tf.int32, [None]))
    squeezed(tf.placeholder(tf.float32), tf.placeholder(tf.int32, [None, 1]), name="named")
    squeezed([[1.0], [2.0]], [1, 2])
