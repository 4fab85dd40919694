"""Variables and scopes. One call per program."""


def get_variable(tf):
    tf.set_random_seed(1)
    tf.get_variable("w", [3, 4])


def get_variable_2(tf):
    tf.set_random_seed(1)
    tf.get_variable("w", [3, 4], initializer=tf.truncated_normal_initializer(stddev=0.1))


def get_variable_3(tf):
    tf.set_random_seed(1)
    tf.get_variable("w", [3, 4], initializer=tf.orthogonal_initializer())


def get_variable_4(tf):
    tf.set_random_seed(1)
    tf.get_variable("w", [3, 4], initializer=tf.variance_scaling_initializer())


def get_variable_5(tf):
    tf.set_random_seed(1)
    tf.get_variable("w", [3, 4], use_resource=True, regularizer=tf.nn.l2_loss)


def get_variable_6(tf):
    v = tf.get_variable("w", [3, 4], partitioner=tf.fixed_size_partitioner(2))
    v.as_tensor()


def assign_add(tf):
    tf.placeholder(tf.float32, [None, 3])
    tf.assign_add(tf.Variable(1.0), 2.0)


def scatter_update(tf):
    v = tf.Variable([1.0, 2.0])
    tf.scatter_update(v, [0], [3.0])


def Variable(tf):
    v = tf.Variable([1.0, 2.0])
    v[0].assign(3.0)


def Variable_2(tf):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    _ = v[0]


def gather(tf):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    tf.gather(v, [0])


def global_variables_initializer(tf):
    tf.Variable([1.0, 2.0])
    tf.global_variables_initializer()


def report_uninitialized_variables(tf):
    tf.Variable([1.0, 2.0])
    tf.report_uninitialized_variables()


def Variable_3(tf):
    with tf.device("/gpu:0"):
        v = tf.Variable(1.0)
        with tf.colocate_with(v):
            _ = tf.constant(2.0) + v


def get_variable_7(tf):
    v = tf.get_variable("a", [2, 3], initializer=tf.zeros_initializer(), caching_device="/job:localhost")
    _ = v + 1.0


def Variable_4(tf):
    with tf.device("/job:server/task:1"):
        v = tf.Variable(1.0, caching_device="/job:localhost")
    _ = v + 1.0


def get_variable_8(tf):
    with tf.variable_scope("s", caching_device="/cpu:0", regularizer=tf.nn.l2_loss):
        v = tf.get_variable("a", [2])
    v.value()


def get_variable_9(tf):
    with tf.name_scope("x"):
        with tf.variable_scope("y"):
            v = tf.get_variable("a", [2], initializer=tf.ones_initializer())
            _ = v * 2.0


def get_variable_10(tf):
    with tf.variable_scope("y"):
        tf.get_variable("a", [2], initializer=tf.ones_initializer())
    with tf.variable_scope("y", reuse=True):
        _ = tf.get_variable("a", [2]) * 2.0


def get_variable_11(tf):
    def f():
        return tf.get_variable("a", [2], initializer=tf.ones_initializer()) * 3.0

    t = tf.make_template("t", f)
    t()
    t()


def Variable_5(tf):
    v = tf.Variable(1.0, use_resource=True)
    v.assign_add(1.0)


def scatter_add(tf):
    v = tf.Variable([1.0, 2.0], use_resource=True)
    tf.scatter_add(v, [0], [1.0])


def count_up_to(tf):
    tf.Variable([1.0, 2.0])
    tf.count_up_to(tf.Variable(1), 5)
