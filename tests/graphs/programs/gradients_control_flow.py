"""Programs that differentiate branches."""


def _predicate(tf, name="p"):
    return tf.placeholder(tf.bool, [], name=name)


def both_branches(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    tf.gradients(tf.cond(_predicate(tf), lambda: x * x, lambda: x + 1.0), x)


def one_branch(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    tf.gradients(tf.cond(_predicate(tf), lambda: tf.square(x), lambda: 0.0), x)
    tf.gradients(tf.cond(_predicate(tf, "q"), lambda: 0.0, lambda: tf.square(x)), x)


def a_result_as_it_is(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    tf.gradients(tf.cond(_predicate(tf), lambda: x, lambda: x * 2.0), x)


def several_results(tf):
    x, y = (tf.placeholder(tf.float32, [2], name=name) for name in "xy")
    a, b = tf.cond(_predicate(tf), lambda: [x * y, x], lambda: [y, y - x])
    tf.gradients([a, b], [x, y])
    tf.gradients(a, [x, y], grad_ys=b, name="again")


def conditions_in_conditions(tf):
    p, q, x = _predicate(tf), _predicate(tf, "q"), tf.placeholder(tf.float32, [3], name="x")
    y = tf.cond(p, lambda: tf.cond(q, lambda: tf.exp(x), lambda: x * 3.0), lambda: tf.sin(x))
    tf.gradients(y, x)


def second_derivatives(tf):
    x = tf.placeholder(tf.float32, [3], name="x")
    y = tf.cond(_predicate(tf), lambda: x * x * x, lambda: tf.sin(x))
    [first] = tf.gradients(y, x)
    tf.gradients(first, x)


def reference_variables(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    tf.gradients(tf.cond(_predicate(tf), lambda: v * v, lambda: v), v)
    tf.gradients(tf.cond(_predicate(tf, "q"), lambda: tf.gather(v, [0, 1]), lambda: v * 2.0), v)


def resource_variables(tf):
    v = tf.get_variable("v", [2, 3], initializer=tf.zeros_initializer(), use_resource=True)
    tf.gradients(tf.cond(_predicate(tf), lambda: v * v, lambda: tf.ones([2, 3])), v)
    tf.gradients(tf.cond(_predicate(tf, "q"), lambda: tf.gather(v, [0]), lambda: tf.gather(v, [1])), v)


def gathers(tf):
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    i = tf.placeholder(tf.int32, [None], name="i")
    tf.gradients(tf.cond(_predicate(tf), lambda: tf.gather(x, i), lambda: tf.gather(x, [0, 1])), x)
    tf.gradients(tf.cond(_predicate(tf, "q"), lambda: tf.gather(x, i), lambda: x), x)


def cases(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    tf.gradients(tf.case([(x < 1.0, lambda: x * x), (x > 2.0, lambda: tf.sqrt(x))], default=lambda: tf.exp(x)), x)


def inside_of_branches_and_loops(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    tf.cond(_predicate(tf), lambda: tf.gradients(x * x, x)[0], lambda: x)

    def body(i, y):
        z = tf.cond(i < 2, lambda: y * y, lambda: y)
        return i + 1, tf.gradients(z, y)[0]

    tf.while_loop(lambda i, y: i < 3, body, [0, x])


def beside_the_operations(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.cond(_predicate(tf), lambda: x * x, lambda: tf.exp(x))
    tf.gradients(y, x, colocate_gradients_with_ops=True, gate_gradients=True)


def a_step_of_training(tf):
    w = tf.get_variable("w", [3, 2], initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.cond(_predicate(tf), lambda: tf.nn.relu(tf.matmul(x, w)), lambda: tf.matmul(x, w))
    tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.square(y)))


def switches_of_ones_own(tf):
    from importlib import import_module

    ops = import_module(
        "tinytf.python.ops.control_flow_ops" if tf.__name__ == "tinytf" else "tensorflow.python.ops.control_flow_ops"
    )
    x = tf.placeholder(tf.float32, [2], name="x")
    off, on = ops.switch(x, _predicate(tf))
    merged, _ = ops.merge([tf.exp(off), on * 2.0])
    tf.gradients(merged, x)


def a_loop(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x])[1]
    tf.gradients(y, x)
    tf.gradients(y, x, name="again")


def captures_of_a_loop(tf):
    x, w = (tf.placeholder(tf.float32, [], name=name) for name in "xw")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * w), [0, x])[1]
    tf.gradients(y, [x, w])


def captures_of_unknown_shape(tf):
    x, w = (tf.placeholder(tf.float32, [None, 2], name=name) for name in "xw")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * w + tf.ones_like(y)), [0, x])[1]
    tf.gradients(tf.reduce_sum(y), [x, w])


def a_condition_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def body(i, y):
        return i + 1, tf.cond(i < 1, lambda: y * y, lambda: y)

    tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, x])[1], x)


def a_condition_of_unknown_shapes_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [None], name="x")

    def body(i, y):
        return i + 1, tf.cond(i < 1, lambda: y * x, lambda: tf.exp(y))

    y = tf.while_loop(lambda i, y: i < 3, body, [0, x], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    tf.gradients(y[1], x)


def conditions_in_conditions_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def inner(i, y):
        return tf.cond(i < 2, lambda: y * 2.0, lambda: tf.sin(y))

    def body(i, y):
        return i + 1, tf.cond(i < 1, lambda: y * y, lambda: inner(i, y))

    tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, x])[1], x)


def loops_in_loops(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def body(i, y):
        return i + 1, tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, tf.square(z)), [0, y])[1]

    tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, x])[1], x)


def captures_of_loops_in_loops(tf):
    x = tf.placeholder(tf.float32, [None], name="x")
    w = tf.placeholder(tf.float32, [None], name="w")

    def body(i, y):
        u = y * 2.0
        z = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * u * w), [0, y])[1]
        return i + 1, z

    tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, x])[1], [x, w])


def a_loop_in_a_condition(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def loop():
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x])[1]

    tf.gradients(tf.cond(_predicate(tf), loop, lambda: x), x)


def a_loop_in_a_condition_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def loop(y):
        return tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * z), [0, y])[1]

    def body(i, y):
        return i + 1, tf.cond(i < 1, lambda: loop(y), lambda: y)

    tf.gradients(tf.while_loop(lambda i, y: i < 3, body, [0, x])[1], x)


def variables_of_loops_that_are_not_asked_for(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.placeholder(tf.float32, [None], name="w")
    _, y, z, _ = tf.while_loop(
        lambda i, y, z, u: i < 3, lambda i, y, z, u: (i + 1, z * y, y + 1.0, u * u), [0, x, x * 2.0, w]
    )
    tf.gradients(y, x)
    tf.gradients(z, x)
    tf.gradients([y, z], [x, w], name="both")


def variables_that_begin_anew(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    w = tf.placeholder(tf.float32, [None], name="w")
    _, y, z = tf.while_loop(lambda i, y, z: i < 3, lambda i, y, z: (i + 1, x * 3.0, w * 2.0), [0, x, w])
    tf.gradients(y, x)
    tf.gradients(z, w)


def rows_gathered_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [4, 2], name="x")
    v = tf.get_variable("v", [4, 2], initializer=tf.zeros_initializer(), use_resource=True)
    w = tf.get_variable("w", [4, 2], initializer=tf.zeros_initializer(), use_resource=False)
    for source in (x, v, w):
        y = tf.while_loop(
            lambda i, y: i < 3, lambda i, y, source=source: (i + 1, y + tf.gather(source, i)), [0, tf.zeros([2])]
        )[1]
        tf.gradients(y, source)


def variables_in_a_loop(tf):
    v = tf.get_variable("v", [2], initializer=tf.zeros_initializer(), use_resource=True)
    w = tf.get_variable("w", [2], initializer=tf.zeros_initializer(), use_resource=False)
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v + w), [0, tf.ones([2])])[1]
    tf.gradients(y, [v, w])


def loops_that_are_not_differentiated(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y), [0, x], back_prop=False)[1]
    tf.gradients(y + x, x)
    z = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * tf.stop_gradient(x * y)), [0, x])[1]
    tf.gradients(z, x)


def loops_one_after_the_other(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]
    z = tf.while_loop(
        lambda i, z: i < 3, lambda i, z: (i + 1, tf.tanh(z * y)), (0, y), maximum_iterations=5, parallel_iterations=1
    )[1]
    tf.gradients(z, x, colocate_gradients_with_ops=True, gate_gradients=True)


def gradients_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    w = tf.placeholder(tf.float32, [], name="w")

    def body(i, y):
        z = tf.while_loop(lambda j, z: j < 2, lambda j, z: (j + 1, z * z * w), [0, y])[1]
        return i + 1, tf.gradients(z, y)[0]

    tf.while_loop(lambda i, y: i < 3, body, [0, x])


def tensor_arrays_in_a_loop(tf):
    x = tf.placeholder(tf.float32, [3, 2], name="x")
    taken = tf.TensorArray(tf.float32, 3).unstack(x)

    def body(i, given):
        return i + 1, given.write(i, tf.square(taken.read(i)))

    _, given = tf.while_loop(lambda i, _: i < 3, body, [0, tf.TensorArray(tf.float32, 3)])
    tf.gradients(given.stack(), x)


def sums_by_devices_and_trees(tf):
    x = tf.placeholder(tf.float32, [2], name="x")
    for method in (0, 1, 2):
        y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * y * y + x * y), [0, x])[1]
        tf.gradients(y, x, aggregation_method=method)


def a_step_of_training_through_a_loop(tf):
    w = tf.get_variable("w", [3, 3], initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, tf.nn.relu(tf.matmul(y, w))), [0, x])[1]
    tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(tf.square(y)))
