"""Programs with variables: kinds, scopes, initializers, update collections."""


def variable_from_number(tf):
    v = tf.Variable(1.0)
    tf.identity(v)
    v.assign(2.0)
    v.assign_add(1.0)
    v.assign_sub(1.0, use_locking=True)


def variable_from_tensor(tf):
    tf.Variable(tf.zeros([2, 3]), name="w", trainable=False)
    tf.Variable(tf.ones([2, 3]), name="w")
    tf.global_variables_initializer()


def variable_from_function(tf):
    tf.Variable(lambda: tf.random_normal([2, 3], stddev=0.1), name="w", dtype=tf.float32)
    tf.Variable([1, 2, 3], dtype=tf.int64, name="steps")


def variable_without_shape(tf):
    v = tf.Variable(tf.placeholder(tf.float32), validate_shape=False)
    tf.assign(v, [1.0, 2.0], validate_shape=False)
    v + 1.0


def resource_variable(tf):
    v = tf.Variable([1.0, 2.0], use_resource=True, name="v")
    y = v * 2.0 + v
    v.assign_add([1.0, 1.0], read_value=False)
    v.assign_sub([1.0, 1.0], read_value=False)
    v.read_value()
    tf.gather(v, [0])
    tf.reduce_sum(y)


def get_variable_in_scopes(tf):
    with tf.variable_scope("a"):
        w = tf.get_variable("w", [2, 3])
        with tf.variable_scope("b", initializer=tf.zeros_initializer()):
            b = tf.get_variable("b", [3])
            x = tf.placeholder(tf.float32, [None, 2], name="x")
            tf.add(tf.matmul(x, w), b, name="y")
    with tf.variable_scope("a", reuse=True):
        tf.get_variable("w", [2, 3]) * 2.0
    with tf.variable_scope("a"):
        tf.constant(1.0)


def default_scope_names(tf):
    for _ in range(2):
        with tf.variable_scope(None, "layer"):
            tf.get_variable("w", [2], initializer=tf.ones_initializer())
            with tf.name_scope("inside"):
                tf.get_variable("v", [], dtype=tf.int32, initializer=tf.constant_initializer(3))


def get_variable_resource(tf):
    with tf.variable_scope("a", use_resource=True):
        w = tf.get_variable("w", [4, 2])
        tf.matmul(tf.ones([3, 4]), w)
        with tf.variable_scope("b", reuse=tf.AUTO_REUSE):
            tf.get_variable("w", [2]) + tf.get_variable("w", [2])


def initializers(tf):
    kinds = {
        "zeros": tf.zeros_initializer(),
        "ones": tf.ones_initializer(),
        "constant": tf.constant_initializer(0.5),
        "values": tf.constant_initializer([[1.0, 2.0], [3.0, 4.0]]),
        "uniform": tf.random_uniform_initializer(-0.1, 0.1),
        "normal": tf.random_normal_initializer(0.0, 0.1, seed=3),
        "truncated": tf.truncated_normal_initializer(stddev=0.1),
        "scaling": tf.variance_scaling_initializer(),
        "scaling_uniform": tf.variance_scaling_initializer(2.0, "fan_out", "uniform"),
        "untruncated": tf.variance_scaling_initializer(distribution="untruncated_normal"),
        "glorot": tf.glorot_uniform_initializer(),
        "glorot_normal": tf.glorot_normal_initializer(),
        "he": tf.initializers.he_normal(),
        "lecun": tf.initializers.lecun_uniform(),
        "unit_scaling": tf.uniform_unit_scaling_initializer(1.43),
        "identity": tf.initializers.identity(),
    }
    for name in sorted(kinds):
        tf.get_variable(name, [2, 2], initializer=kinds[name])


def orthogonal_initializer(tf):
    tf.get_variable("wide", [2, 3], initializer=tf.orthogonal_initializer())
    tf.get_variable("tall", [4, 2], initializer=tf.orthogonal_initializer(2.0))


def integer_initializers(tf):
    tf.get_variable("i", [3], tf.int32)
    tf.get_variable("b", [3], tf.bool, initializer=tf.zeros_initializer())
    tf.get_variable("c", initializer=[1.0, 2.0])
    tf.get_variable("d", initializer=tf.constant(2))


def regularized_variables(tf):
    with tf.variable_scope("a", regularizer=lambda w: 0.1 * tf.nn.l2_loss(w)):
        tf.get_variable("w", [2, 2])
        tf.get_variable("u", [2, 2], regularizer=lambda w: tf.reduce_sum(tf.abs(w)))
    tf.losses.get_regularization_loss()
    tf.losses.get_total_loss()


def partitioned_variable(tf):
    w = tf.get_variable("w", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    tf.nn.embedding_lookup(w, [0, 3])
    tf.matmul(tf.ones([1, 5]), w)


def partitioned_columns(tf):
    with tf.variable_scope("s", partitioner=tf.fixed_size_partitioner(3, axis=1)):
        w = tf.get_variable("w", [2, 6], initializer=tf.zeros_initializer())
    w.as_tensor() + 1.0


def variables_on_devices(tf):
    with tf.device("/cpu:0"):
        v = tf.Variable(1.0, name="v")
        w = tf.get_variable("w", [2])
    with tf.device("/job:ps/task:1"):
        tf.get_variable("u", [2], caching_device="/job:worker")
    with tf.device("/gpu:1"):
        v + w


def cached_variable(tf):
    with tf.variable_scope("c", caching_device="/cpu:0"):
        tf.get_variable("u", [2]) + 1.0
        tf.get_variable("r", [2], use_resource=True) + 1.0


def variable_initializers(tf):
    v = tf.Variable(1.0, name="v")
    w = tf.Variable(2.0, name="w", collections=[tf.GraphKeys.LOCAL_VARIABLES])
    tf.variables_initializer([v, w], name="both")
    tf.global_variables_initializer()
    tf.local_variables_initializer()
    tf.report_uninitialized_variables()
    tf.is_variable_initialized(v)


def variable_reads(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="v")
    v[0]
    v[0, 1:]
    v.value()
    v.read_value()
    -v + v * v / 2.0
    tf.nn.relu(v)
    v.eval
    tf.matmul(v, v)


def scatter_updates(tf):
    v = tf.Variable([1.0, 2.0, 3.0], name="v")
    tf.scatter_add(v, [0, 1], [1.0, 1.0])
    tf.scatter_update(v, [0], [5.0])
    tf.scatter_sub(v, 1, 2.0)
    tf.scatter_nd_update(v, [[0]], [1.0])
    v[1:].assign([0.0, 0.0])


def resource_scatter(tf):
    v = tf.get_variable("v", [3], use_resource=True)
    tf.scatter_add(v, [0, 1], [1.0, 1.0])
    tf.scatter_update(v, [0], [5.0])
    v.sparse_read([1, 2])


def global_steps(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.get_global_step()
    tf.assign_add(step, 1)
    step.assign_add(1)


def control_dependencies_and_groups(tf):
    v = tf.Variable(1.0, name="v")
    add = v.assign_add(1.0)
    with tf.control_dependencies([add]):
        tf.identity(v)
        with tf.control_dependencies(None):
            tf.constant(1.0)
        tf.no_op()
    tf.group(add, v.initializer, name="both")
    tf.tuple([v, add])
    with tf.device("/cpu:0"):
        other = v.assign_sub(1.0)
    with tf.device("/cpu:1"):
        third = tf.constant(2.0)
    tf.group(add, other, third, name="devices")


def count_up(tf):
    v = tf.Variable(0, name="n")
    v.count_up_to(5)
    tf.count_up_to(v, 3)


def templates(tf):
    def layer(x, units):
        w = tf.get_variable("w", [3, units])
        return tf.matmul(x, w)

    made = tf.make_template("layer", layer, units=2)
    made(tf.ones([1, 3]))
    made(tf.zeros([1, 3]))
