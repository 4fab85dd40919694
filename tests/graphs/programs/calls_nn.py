"""Calls of `tf.nn`. One call per program."""


def dropout(tf):
    tf.nn.dropout(tf.ones([2, 3]), 0.5)


def dropout_2(tf):
    tf.nn.dropout(tf.placeholder(tf.float32, [None, 3]), rate=0.3, seed=1)


def dropout_3(tf):
    tf.nn.dropout(tf.ones([2, 3]), keep_prob=tf.placeholder(tf.float32))


def batch_normalization(tf):
    tf.nn.batch_normalization(tf.ones([2, 3]), tf.zeros([3]), tf.ones([3]), None, None, 1e-3)


def batch_normalization_2(tf):
    tf.nn.batch_normalization(tf.ones([2, 3]), tf.zeros([3]), tf.ones([3]), tf.ones([3]), tf.ones([3]), 1e-3)


def fused_batch_norm(tf):
    _ = tf.nn.fused_batch_norm(tf.ones([1, 2, 2, 3]), tf.ones([3]), tf.ones([3]))[0]


def lrn(tf):
    tf.nn.lrn(tf.ones([1, 2, 2, 3]))


def softmax_cross_entropy_with_logits(tf):
    tf.nn.softmax_cross_entropy_with_logits(labels=tf.ones([2, 3]), logits=tf.ones([2, 3]))


def softmax_cross_entropy_with_logits_v2(tf):
    tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.ones([2, 3]), logits=tf.ones([2, 3]))


def sparse_softmax_cross_entropy_with_logits(tf):
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 2], logits=tf.ones([2, 3]))


def sigmoid_cross_entropy_with_logits(tf):
    tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([2, 3]), logits=tf.ones([2, 3]))


def weighted_cross_entropy_with_logits(tf):
    tf.nn.weighted_cross_entropy_with_logits(tf.ones([2, 3]), tf.ones([2, 3]), 2.0)


def softmax(tf):
    tf.nn.softmax(tf.ones([2, 3]))


def softmax_2(tf):
    tf.nn.softmax(tf.ones([2, 3, 4]), axis=1)


def log_softmax(tf):
    tf.nn.log_softmax(tf.placeholder(tf.float32, [None, 3]))


def embedding_lookup(tf):
    tf.nn.embedding_lookup(tf.ones([5, 2]), [1, 2])


def embedding_lookup_2(tf):
    tf.nn.embedding_lookup([tf.ones([5, 2]), tf.ones([5, 2])], [1, 2])


def embedding_lookup_3(tf):
    tf.nn.embedding_lookup([tf.ones([5, 2]), tf.ones([5, 2])], [1, 2], partition_strategy="div", max_norm=1.0)


def xw_plus_b(tf):
    tf.nn.xw_plus_b(tf.ones([2, 3]), tf.ones([3, 4]), tf.ones([4]))


def bias_add(tf):
    tf.nn.bias_add(tf.ones([2, 3]), tf.ones([3]))


def leaky_relu(tf):
    tf.nn.leaky_relu(tf.ones([2, 3]))


def crelu(tf):
    tf.nn.crelu(tf.ones([2, 3]))


def relu6(tf):
    tf.nn.relu6(tf.ones([2, 3]))


def swish(tf):
    tf.nn.swish(tf.ones([2, 3]))


def moments(tf):
    _ = tf.nn.moments(tf.ones([2, 3]), [0], keep_dims=True)[0]


def weighted_moments(tf):
    _ = tf.nn.weighted_moments(tf.ones([2, 3]), [0], tf.ones([2, 1]))[0]


def sufficient_statistics(tf):
    _ = tf.nn.sufficient_statistics(tf.ones([2, 3]), [0])[1]


def zero_fraction(tf):
    tf.nn.zero_fraction(tf.ones([2, 3]))


def l2_loss(tf):
    tf.nn.l2_loss(tf.ones([2, 3]))


def conv2d_transpose(tf):
    tf.nn.conv2d_transpose(tf.ones([1, 3, 3, 2]), tf.ones([3, 3, 4, 2]), [1, 6, 6, 4], [1, 2, 2, 1])


def conv1d(tf):
    tf.nn.conv1d(tf.ones([1, 9, 2]), tf.ones([3, 2, 4]), 1, "SAME")


def top_k(tf):
    _ = tf.nn.top_k(tf.ones([2, 3]), 2)[0]


def in_top_k(tf):
    tf.nn.in_top_k(tf.ones([2, 3]), [1, 2], 1)


def log_poisson_loss(tf):
    tf.nn.log_poisson_loss(tf.ones([2]), tf.ones([2]))


def depthwise_conv2d(tf):
    tf.nn.depthwise_conv2d(tf.ones([1, 4, 4, 2]), tf.ones([2, 2, 2, 1]), [1, 1, 1, 1], "SAME")


def normalize_moments(tf):
    _ = tf.nn.normalize_moments(2.0, tf.ones([2]), tf.ones([2]), None)[1]


def softmax_3(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.nn.softmax(x, axis=0)


def moments_2(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    _ = tf.nn.moments(x, [0])[0]


def l2_normalize(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.nn.l2_normalize(x, 1)


def relu(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.nn.relu(tf.nn.bias_add(tf.matmul(x, tf.ones([3, 2])), [1.0, 2.0]))


def conv2d(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.nn.conv2d(x, tf.ones([2, 2, 3, 1]), [1, 1, 1, 1], "SAME")


def avg_pool(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.nn.avg_pool(x, 2, 2, "SAME")


def local_response_normalization(tf):
    x = tf.placeholder(tf.float32, [None, 4, 4, 3])
    tf.nn.local_response_normalization(x, 2)
