"""Nested scopes of control dependencies: inner operations do not repeat dependencies they already have indirectly."""


def the_same_again(tf):
    x, v = tf.placeholder(tf.float32, [2]), tf.get_variable("v", [])
    with tf.control_dependencies([x]):
        a = tf.constant(1.0, name="a")
        with tf.control_dependencies([x]):
            tf.assign_add(v, a, name="b")
            tf.no_op(name="c")
        with tf.control_dependencies([x.op, a]):
            tf.assign_add(v, 2.0, name="d")
            tf.identity(a, name="e")
        tf.metrics.mean(x)


def some_the_same(tf):
    x = tf.placeholder(tf.float32, [2])
    y = tf.identity(x, name="y")
    with tf.control_dependencies([y]), tf.control_dependencies([x]):
        a = tf.constant(1.0)
        with tf.control_dependencies([y, x]):
            tf.no_op(name="f")
            tf.identity(y, name="g")
            tf.identity(a, name="h")
        with tf.control_dependencies(None), tf.control_dependencies([x]):
            tf.no_op(name="i")
    with tf.control_dependencies([x, x.op, y]), tf.control_dependencies([y]):
        tf.no_op(name="j")


def scopes_that_are_kept(tf):
    x = tf.placeholder(tf.float32, [2])
    kept = tf.control_dependencies([x])
    with tf.control_dependencies([x]):
        late = tf.control_dependencies([x])
        with kept:
            tf.no_op(name="a")
    with late:
        tf.no_op(name="b")


def loops_that_wait_for_variables(tf):
    w, v = tf.get_variable("w", [], tf.int32, initializer=tf.zeros_initializer()), tf.get_variable("v", [])
    update = tf.assign_add(w, 1)
    with tf.device("/cpu:0"), tf.control_dependencies([update, v]):
        tf.while_loop(lambda i: i < 3, lambda i: i + tf.constant(1), [0])
        tf.cond(tf.constant(True), lambda: tf.constant(1), lambda: tf.constant(2))


def trainings_that_wait(tf):
    p, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [2])
    with tf.control_dependencies([x]):
        v, w = tf.get_variable("v", [2]), tf.Variable(tf.ones([2]), name="w")
        r = tf.get_variable("r", [2], use_resource=True)
        loss = tf.reduce_sum(v * w * r * x)
        train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, tf.train.get_or_create_global_step())
        averages = tf.train.ExponentialMovingAverage(0.9)
        averages.apply([v, w, r, x * 2.0])
        tf.summary.scalar("s", tf.metrics.mean(x)[0])
        tf.train.batch([x], 2)
        tf.train.string_input_producer(["a"])
    with tf.device("/cpu:0"), tf.name_scope("n"), tf.control_dependencies([train]):
        with tf.container("c"):
            tf.get_variable("inc", [1])
            tf.FIFOQueue(2, tf.float32)
        tf.cond(p, lambda: averages.average(v) + 1.0, lambda: tf.assign_add(w, x))
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])

    def apply():
        return tf.group(tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.identity(x), v)]))

    tf.cond(p, apply, tf.no_op)
