"""Learning rates and moving averages. One call per program."""


def exponential_decay(tf):
    tf.train.exponential_decay(0.1, tf.Variable(1), 10, 0.9, staircase=True)


def polynomial_decay(tf):
    tf.train.polynomial_decay(0.1, tf.Variable(1), 10)


def piecewise_constant(tf):
    tf.train.piecewise_constant(tf.Variable(1), [1, 2], [0.1, 0.2, 0.3])


def cosine_decay(tf):
    tf.train.cosine_decay(0.1, tf.Variable(1), 10)


def inverse_time_decay(tf):
    tf.train.inverse_time_decay(0.1, tf.Variable(1), 10, 0.5)


def natural_exp_decay(tf):
    tf.train.natural_exp_decay(0.1, tf.Variable(1), 10, 0.5)


def ExponentialMovingAverage(tf):
    v = tf.Variable(tf.ones([2]))
    tf.train.ExponentialMovingAverage(0.9).apply([v])


def get_or_create_global_step(tf):
    tf.train.get_or_create_global_step()
