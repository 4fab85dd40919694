"""Calls of `tf.losses`. One call per program."""


def mean_squared_error(tf):
    tf.losses.mean_squared_error(tf.ones([2, 3]), tf.zeros([2, 3]))


def mean_squared_error_2(tf):
    tf.losses.mean_squared_error(tf.ones([2, 3]), tf.zeros([2, 3]), weights=[[1.0], [2.0]])


def absolute_difference(tf):
    tf.losses.absolute_difference(tf.ones([2, 3]), tf.zeros([2, 3]))


def huber_loss(tf):
    tf.losses.huber_loss(tf.ones([2, 3]), tf.zeros([2, 3]))


def hinge_loss(tf):
    tf.losses.hinge_loss(tf.ones([2, 3]), tf.zeros([2, 3]))


def log_loss(tf):
    tf.losses.log_loss(tf.ones([2, 3]), tf.zeros([2, 3]))


def cosine_distance(tf):
    tf.losses.cosine_distance(tf.ones([2, 3]), tf.zeros([2, 3]), axis=1)


def sigmoid_cross_entropy(tf):
    tf.losses.sigmoid_cross_entropy(tf.ones([2, 3]), tf.zeros([2, 3]), label_smoothing=0.1)


def softmax_cross_entropy(tf):
    tf.losses.softmax_cross_entropy(tf.ones([2, 3]), tf.zeros([2, 3]), label_smoothing=0.1)


def sparse_softmax_cross_entropy(tf):
    tf.losses.sparse_softmax_cross_entropy([1, 2], tf.zeros([2, 3]))


def sparse_softmax_cross_entropy_2(tf):
    tf.losses.sparse_softmax_cross_entropy(tf.placeholder(tf.int32, [None]), tf.placeholder(tf.float32, [None, 3]))


def mean_squared_error_3(tf):
    tf.losses.mean_squared_error(tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32, [None, 3]))


def get_total_loss(tf):
    _ = tf.losses.get_total_loss() if tf.losses.mean_squared_error([1.0], [2.0]) is None else tf.losses.get_total_loss()
