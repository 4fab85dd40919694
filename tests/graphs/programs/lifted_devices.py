"""Devices of variables, slots and averages created outside of colocation scopes."""


def _slots(tf, optimizer, device):
    with tf.variable_scope(type(optimizer).__name__):
        v, r = tf.get_variable("v", [2]), tf.get_variable("r", [2], use_resource=True)
        with tf.device("/cpu:0"):
            w = tf.get_variable("w", [2])
        with tf.device(device):
            optimizer.minimize(tf.reduce_sum(v * w * r), tf.train.get_or_create_global_step())


def slots(tf):
    for optimizer in (
        tf.train.AdagradOptimizer(0.1),
        tf.train.AdamOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.RMSPropOptimizer(0.1, centered=True),
        tf.train.FtrlOptimizer(0.1),
        tf.train.AdadeltaOptimizer(0.1),
        tf.train.ProximalAdagradOptimizer(0.1),
        tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step()),
    ):
        _slots(tf, optimizer, "/job:worker/task:1")


def slots_of_replicas(tf):
    setter = tf.train.replica_device_setter(2, worker_device="/job:worker/task:0")
    _slots(tf, tf.train.MomentumOptimizer(0.1, 0.9), setter)
    _slots(tf, tf.train.SyncReplicasOptimizer(tf.train.AdamOptimizer(0.1), 2), "/cpu:0")


def slots_of_parts(tf):
    with tf.device("/cpu:0"), tf.variable_scope("p", partitioner=tf.fixed_size_partitioner(2)):
        p = tf.get_variable("p", [4])
    with tf.device("/cpu:3"):
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(tf.reduce_sum(p))


def averages(tf):
    with tf.device("/cpu:0"):
        v = tf.get_variable("v", [2])
    w = tf.get_variable("w", [2])
    tf.train.ExponentialMovingAverage(0.9).apply([v, w, v + 1.0])
    with tf.device("/gpu:0"):
        tf.train.ExponentialMovingAverage(0.9, zero_debias=True, name="debiased").apply([v, w, v + 1.0])
    tf.train.ExponentialMovingAverage(0.9, name="b").apply([tf.Variable(tf.zeros([], tf.bfloat16))])


def colocated_variables(tf):
    with tf.device("/gpu:0"):
        a = tf.get_variable("a", [])
        with tf.colocate_with(a):
            tf.get_variable("b", [])
            tf.Variable(1.0, name="c")
            tf.Variable(lambda: 1.0, name="d", use_resource=True)
            with tf.init_scope():
                tf.add(a, 1.0, name="lifted")
            with tf.device("/cpu:1"):
                tf.get_variable("e", [])
        with tf.device(None), tf.colocate_with(a):
            tf.get_variable("f", [])
    with tf.device(lambda op: "/job:" + op.type.lower()), tf.colocate_with(a):
        tf.get_variable("g", [])


def graphs_and_scopes_that_are_entered(tf):
    with tf.device("/cpu:1"):
        a = tf.get_variable("a", [])
        with tf.colocate_with(a), tf.name_scope("n"):
            tf.get_variable("b", [])
        with tf.variable_scope("v"), tf.colocate_with(a):
            tf.get_variable("c", [])
        with tf.colocate_with(a), tf.variable_scope("v"):
            tf.get_variable("d", [])
            tf.Variable(1.0)
        with tf.colocate_with(a), tf.get_default_graph().as_default():
            tf.get_variable("e", [])
        with tf.colocate_with(a), tf.Session():
            tf.get_variable("f", [])
        with tf.Session(), tf.colocate_with(a):
            tf.get_variable("g", [])
        with tf.colocate_with(a), tf.variable_scope("w", auxiliary_name_scope=False):
            tf.get_variable("h", [])


def scaffolds(tf):
    for i in range(3):
        with tf.device(f"/cpu:{i % 2}"):
            tf.get_variable(f"v{i}", [2], use_resource=i == 1)
    tf.get_variable("nowhere", [1])
    tf.train.get_or_create_global_step()
    with tf.device("/cpu:0"):
        tf.train.batch([tf.constant(1.0)], 2)
        tf.train.string_input_producer(["a"], num_epochs=1)
    tf.train.Scaffold().finalize()


def reports(tf):
    tf.report_uninitialized_variables()
    tf.report_uninitialized_variables([])
    tf.get_variable("v", [2])
    tf.report_uninitialized_variables()


def savers_of_places(tf):
    with tf.device("/job:ps/task:0"):
        a = tf.get_variable("a", [2])
    with tf.device("/job:ps/task:1"):
        b = tf.get_variable("b", [2])
    tf.train.Saver(sharded=True)
    with tf.device("/job:worker/task:0"):
        tf.train.Saver(sharded=True, name="s2")
        tf.train.Saver([a], name="s3")
        tf.train.Saver({"x": b}, restore_sequentially=True, reshape=True)
