"""Calls of `tf.image`, and their gradients. One call per program."""


def resize_bilinear(tf):
    tf.image.resize_bilinear(tf.ones([1, 2, 3, 1]), [4, 5])


def resize_bilinear_2(tf):
    tf.image.resize_bilinear(tf.placeholder(tf.uint8, [None, 2, 3, 1]), [4, 5], True, "a")


def resize_bilinear_3(tf):
    tf.compat.v1.image.resize_bilinear([[[[1.0], [2.0]]]], tf.placeholder(tf.int32, [2]), half_pixel_centers=True)


def resize_nearest_neighbor(tf):
    tf.image.resize_nearest_neighbor(tf.ones([1, 2, 3, 1], tf.int32), [4, 5], name="b")


def resize_nearest_neighbor_2(tf):
    tf.image.resize_nearest_neighbor(tf.placeholder(tf.float32), (4, 5), align_corners=True)


def bilinear_gradient(tf):
    x = tf.placeholder(tf.float32, [None, None, 3, 1], name="x")
    tf.gradients(tf.image.resize_bilinear(x, [4, 5], True), x)


def nearest_gradient(tf):
    x = tf.placeholder(tf.float32, [None, 2, 3, 1], name="x")
    tf.gradients(tf.image.resize_nearest_neighbor(x, [4, 5], half_pixel_centers=True), x)


def nearest_gradient_2(tf):
    x = tf.placeholder(tf.float32, [None, None, 3, 1], name="x")
    tf.gradients(tf.image.resize_nearest_neighbor(x, [4, 5]), x)


def fused_convolutions(tf):
    x, f = tf.ones([1, 4, 4, 2]), tf.ones([3, 3, 2, 1])
    pads = [[0, 0], [1, 1], [1, 1], [0, 0]]
    attrs = {"mode": "REFLECT", "strides": [1, 1, 1, 1], "padding": "SAME"}
    tf.raw_ops.FusedPadConv2D(input=x, paddings=pads, filter=f, **attrs)
    tf.raw_ops.FusedResizeAndPadConv2D(input=x, size=[5, 6], paddings=pads, filter=f, **attrs)
