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
