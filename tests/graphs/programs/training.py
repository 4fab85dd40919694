"""Programs with optimizers and related functions."""


def _loss(tf, use_resource=False):
    with tf.variable_scope("model", use_resource=use_resource):
        w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
        b = tf.get_variable("b", [2], initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return tf.reduce_mean(tf.square(tf.matmul(x, w) + b))


def _sparse_loss(tf, use_resource=False):
    with tf.variable_scope("model", use_resource=use_resource):
        w = tf.get_variable("w", [4, 2], initializer=tf.zeros_initializer())
    return tf.reduce_sum(tf.nn.embedding_lookup(w, tf.placeholder(tf.int32, [None], name="ids")))


def _each_kind(tf, optimizer):
    """Dense and sparse gradients of both kinds of variables."""
    for use_resource in (False, True):
        for make in (_loss, _sparse_loss):
            with tf.variable_scope(f"sparse{use_resource:d}" if make is _sparse_loss else f"dense{use_resource:d}"):
                loss = make(tf, use_resource)
                scope = tf.get_variable_scope().name
                optimizer().minimize(loss, var_list=tf.trainable_variables(scope))


def gradient_descent(tf):
    _each_kind(tf, lambda: tf.train.GradientDescentOptimizer(0.1))


def momentum(tf):
    _each_kind(tf, lambda: tf.train.MomentumOptimizer(0.1, 0.9))


def nesterov(tf):
    tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True, use_locking=True, name="N").minimize(_loss(tf))


def adam(tf):
    _each_kind(tf, lambda: tf.train.AdamOptimizer(0.1))


def adagrad(tf):
    _each_kind(tf, lambda: tf.train.AdagradOptimizer(0.1))


def adadelta(tf):
    _each_kind(tf, lambda: tf.train.AdadeltaOptimizer(0.1))


def rms_prop(tf):
    _each_kind(tf, lambda: tf.train.RMSPropOptimizer(0.1))


def centered_rms_prop(tf):
    _each_kind(tf, lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5, centered=True))


def ftrl(tf):
    _each_kind(tf, lambda: tf.train.FtrlOptimizer(0.1))


def ftrl_shrinkage(tf):
    _each_kind(tf, lambda: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1))


def proximal(tf):
    _each_kind(tf, lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01))


def proximal_adagrad(tf):
    _each_kind(tf, lambda: tf.train.ProximalAdagradOptimizer(0.1))


def adagrad_da(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.AdagradDAOptimizer(0.1, step).minimize(_loss(tf), global_step=step)


def global_step_and_names(tf):
    step = tf.train.get_or_create_global_step()
    loss = _loss(tf)
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    tf.train.AdamOptimizer(0.1).minimize(loss, global_step=step, name="train")
    with tf.name_scope("scope"):
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, global_step=tf.Variable(0, trainable=False))


def resource_global_step(tf):
    step = tf.Variable(0, dtype=tf.int64, trainable=False, use_resource=True, name="step")
    tf.train.GradientDescentOptimizer(0.1).minimize(_loss(tf, True), global_step=step)


def gates(tf):
    loss = _loss(tf)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    for gate in (optimizer.GATE_NONE, optimizer.GATE_OP, optimizer.GATE_GRAPH):
        optimizer.minimize(loss, gate_gradients=gate)


def colocated(tf):
    with tf.device("/cpu:0"):
        loss = _loss(tf)
    with tf.device("/gpu:0"):
        loss = loss * 2.0
    tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, colocate_gradients_with_ops=True)


def clipped_gradients(tf):
    loss = _loss(tf) + _sparse_loss_in(tf)
    optimizer = tf.train.AdamOptimizer(tf.placeholder(tf.float32, [], name="rate"))
    pairs = optimizer.compute_gradients(loss)
    pairs = [(tf.clip_by_norm(g, 1.0), v) for g, v in pairs]
    optimizer.apply_gradients(pairs, tf.train.get_or_create_global_step())


def _sparse_loss_in(tf):
    with tf.variable_scope("rows"):
        return _sparse_loss(tf)


def globally_clipped_gradients(tf):
    loss = _loss(tf)
    variables = tf.trainable_variables()
    grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    tf.train.RMSPropOptimizer(1e-3).apply_gradients(zip(grads, variables))


def grad_losses(tf):
    loss = _loss(tf)
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, grad_loss=tf.constant(2.0))
    v = tf.trainable_variables()[0]
    tf.train.GradientDescentOptimizer(0.1).minimize(loss, var_list=[v])


def variables_without_gradient(tf):
    loss = _loss(tf)
    tf.get_variable("unused", [2])
    optimizer = tf.train.AdamOptimizer()
    optimizer.minimize(loss)
    optimizer.minimize(loss)


def variables_of_unknown_shape(tf):
    v = tf.Variable(tf.placeholder(tf.float32), validate_shape=False, name="v")
    loss = tf.reduce_sum(v * v)
    for optimizer in (
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.AdamOptimizer(),
    ):
        optimizer.minimize(loss)


def partitioned_training(tf):
    w = tf.get_variable("w", [5, 2], partitioner=tf.fixed_size_partitioner(2))
    loss = tf.reduce_sum(tf.matmul(tf.ones([1, 5]), w))
    tf.train.AdamOptimizer().minimize(loss)


def shared_scope_slots(tf):
    with tf.variable_scope("outer"), tf.name_scope("n"):
        loss = _loss(tf)
        tf.train.AdamOptimizer().minimize(loss)
    with tf.variable_scope("other", reuse=tf.AUTO_REUSE):
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)


def slots_on_devices(tf):
    with tf.device("/job:ps/task:0"):
        loss = _loss(tf)
    with tf.device("/job:worker"):
        tf.train.AdamOptimizer().minimize(loss, tf.train.get_or_create_global_step())


def exponential_decays(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.exponential_decay(0.1, step, 100, 0.96)
    tf.train.exponential_decay(0.1, step, 100, 0.96, staircase=True)
    tf.train.natural_exp_decay(0.1, step, 100, 0.96)
    tf.train.inverse_time_decay(0.1, step, 100, 0.96)
    tf.train.inverse_time_decay(0.1, step, 100, 0.96, staircase=True)


def other_decays(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.polynomial_decay(0.1, step, 100)
    tf.train.polynomial_decay(0.1, step, 100, power=0.5)
    tf.train.cosine_decay(0.1, step, 100)
    tf.train.linear_cosine_decay(0.1, step, 100)
    tf.train.noisy_linear_cosine_decay(0.1, step, 100)


def polynomial_decay_with_cycles(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.polynomial_decay(0.1, step, 100, cycle=True)


def cosine_decay_with_restarts(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.cosine_decay_restarts(0.1, step, 100)


def piecewise_decay(tf):
    step = tf.train.get_or_create_global_step()
    tf.train.piecewise_constant(step, [10, 20], [0.1, 0.01, 0.001])


def decayed_training(tf):
    step = tf.Variable(0, trainable=False)
    rate = tf.train.exponential_decay(0.1, step, 100, 0.96)
    tf.train.GradientDescentOptimizer(rate).minimize(_loss(tf), global_step=step)


def averaged_training(tf):
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer().minimize(_loss(tf), step)
    average = tf.train.ExponentialMovingAverage(0.99, step)
    with tf.control_dependencies([train]):
        average.apply(tf.trainable_variables())


def towers(tf):
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    w = tf.get_variable("w", [3, 2])
    pairs = []
    for i, part in enumerate(tf.split(tf.placeholder(tf.float32, [4, 3]), 2)):
        with tf.device(f"/cpu:{i}"), tf.name_scope(f"tower_{i}"):
            pairs.append(optimizer.compute_gradients(tf.reduce_mean(tf.matmul(part, w)), [w]))
    means = [(tf.reduce_mean(tf.stack([g for g, _ in row]), 0), row[0][1]) for row in zip(*pairs)]
    optimizer.apply_gradients(means)
