"""Random numbers with graph seeds. One call per program."""


def random_uniform(tf):
    tf.random_uniform([2, 3])


def random_uniform_2(tf):
    tf.random_uniform([2, 3], maxval=5, dtype=tf.int32)


def random_normal(tf):
    tf.random_normal([2, 3])


def truncated_normal(tf):
    tf.truncated_normal([2, 3])


def random_shuffle(tf):
    tf.random_shuffle([1, 2, 3])


def random_crop(tf):
    tf.random_crop(tf.ones([4, 4]), [2, 2])


def multinomial(tf):
    tf.multinomial(tf.ones([2, 3]), 4)


def random_gamma(tf):
    tf.random_gamma([2], 1.0)


def random_poisson(tf):
    tf.random_poisson(1.0, [2])


def random_uniform_3(tf):
    x = tf.placeholder(tf.float32, [None, 3])
    tf.random_uniform([tf.shape(x)[0], 3], seed=1)


def random_uniform_4(tf):
    tf.set_random_seed(3)
    tf.random_uniform([2, 3])


def random_normal_2(tf):
    tf.set_random_seed(3)
    tf.zeros([2])
    tf.random_normal([2, 3], seed=4)


def dropout(tf):
    tf.set_random_seed(3)
    tf.nn.dropout(tf.ones([8]), 0.5)


def multinomial_2(tf):
    tf.set_random_seed(3)
    tf.multinomial(tf.ones([2, 3]), 5)


def random_gamma_2(tf):
    tf.set_random_seed(3)
    tf.random_gamma([3], 2.0)


def random_poisson_2(tf):
    tf.set_random_seed(3)
    tf.random_poisson(3.0, [5])


def random_shuffle_2(tf):
    tf.set_random_seed(3)
    tf.random_shuffle(tf.range(10))


def random_crop_2(tf):
    tf.set_random_seed(3)
    tf.random_crop(tf.range(10), [4])


def truncated_normal_2(tf):
    tf.set_random_seed(3)
    tf.truncated_normal([5])
