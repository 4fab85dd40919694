"""Programs that differentiate element-wise ops, reductions and products."""


def _gradients_of(tf, make, *shapes):
    xs = [tf.placeholder(tf.float32, shape, name=f"x{i}") for i, shape in enumerate(shapes)]
    return tf.gradients(make(*xs), xs)


def default_grad_ys(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    u = tf.placeholder(tf.float32)
    tf.gradients(x * 2.0, x)
    tf.gradients([tf.square(u), tf.exp(u)], [u])
    tf.gradients(tf.constant(2.0), [x])
    tf.gradients(x, x)
    tf.gradients(x, x, name="own")


def given_grad_ys(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    y = tf.tanh(x)
    tf.gradients(y, x, grad_ys=tf.ones([2, 3]))
    tf.gradients([y, x], [x], grad_ys=[None, [[1.0] * 3] * 2])


def broadcasting_known(tf):
    _gradients_of(tf, lambda x, y: x + y, [2, 3], [3])
    _gradients_of(tf, lambda x, y: x - y, [2, 3], [2, 3])
    _gradients_of(tf, lambda x, y: x * y, [2, 1], [1, 3])
    _gradients_of(tf, lambda x, y: x / y, [2, 3], [])
    _gradients_of(tf, lambda x, y: tf.maximum(x, y), [], [3])
    _gradients_of(tf, lambda x, y: x**y, [2, 3], [2, 3])


def broadcasting_unknown(tf):
    _gradients_of(tf, lambda x, y: x + y, [None, 3], [3])
    _gradients_of(tf, lambda x, y: x - y, [None, 3], [None, 3])
    _gradients_of(tf, lambda x, y: x * y, None, None)
    _gradients_of(tf, lambda x, y: x / y, [None], [])
    _gradients_of(tf, lambda x, y: tf.minimum(x, y), [None, 3], [3])
    _gradients_of(tf, lambda x, y: tf.pow(x, y), [None], [2, 1])


def with_constants(tf):
    x = tf.placeholder(tf.float32, [4, 3])
    tf.gradients((x * 2.0 + 1.0) / 3.0 - 4.0, x)
    tf.gradients((2.0 * x + [1.0, 2.0, 3.0]) ** 2, x)
    tf.gradients(1.0 / x, x)
    u = tf.placeholder(tf.float32, [None, 3])
    tf.gradients((u * 2.0 + 1.0) / 3.0 - 4.0, u)
    tf.gradients(2.0**u, u)


def squared_differences(tf):
    _gradients_of(tf, tf.squared_difference, [2, 3], [3])
    _gradients_of(tf, tf.squared_difference, [2, 3], [2, 3])
    _gradients_of(tf, tf.squared_difference, [None, 3], [None, 3])


def floor_mod_div(tf):
    _gradients_of(tf, lambda x, y: x % y, [2, 3], [3])
    _gradients_of(tf, lambda x, y: x // y, [2, 3], [3])
    _gradients_of(tf, tf.div_no_nan, [2, 3], [3])
    _gradients_of(tf, tf.realdiv, [2, 3], [3])
    _gradients_of(tf, tf.div, [2, 3], [2, 3])
    _gradients_of(tf, tf.atan2, [2, 3], [2, 3])
    _gradients_of(tf, tf.math.xlogy, [2, 3], [3])
    _gradients_of(tf, tf.math.xdivy, [2, 3], [3])
    _gradients_of(tf, tf.math.multiply_no_nan, [2, 3], [3])


def unary_a(tf):
    for f in (tf.abs, tf.negative, tf.square, tf.sqrt, tf.rsqrt, tf.reciprocal, tf.exp, tf.expm1, tf.log, tf.log1p):
        _gradients_of(tf, f, [2, 3])


def unary_b(tf):
    for f in (tf.tanh, tf.sigmoid, tf.sign, tf.sin, tf.cos, tf.tan, tf.asin, tf.acos, tf.atan, tf.sinh, tf.cosh):
        _gradients_of(tf, f, [2, 3])


def unary_c(tf):
    for f in (tf.asinh, tf.acosh, tf.atanh, tf.erf, tf.erfc, tf.lgamma, tf.digamma, tf.floor, tf.ceil, tf.round):
        _gradients_of(tf, f, [None, 3])


def special_functions(tf):
    _gradients_of(tf, lambda a, x: tf.polygamma(a, x), [], [3])
    _gradients_of(tf, lambda a, x: tf.zeta(a, x), [3], [3])
    _gradients_of(tf, tf.math.bessel_i0e, [3])
    _gradients_of(tf, tf.math.bessel_i1e, [3])


def incomplete_functions(tf):
    _gradients_of(tf, lambda a, x: tf.igamma(a, x), [3], [2, 3])
    _gradients_of(tf, lambda a, x: tf.igammac(a, x), [2, 3], [2, 3])
    _gradients_of(tf, lambda a, b, x: tf.betainc(a, b, x), [3], [3], [3])


def complex_numbers(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    y = tf.placeholder(tf.float32, [3])
    z = tf.complex(x, y * tf.ones([2, 3]))
    tf.gradients(tf.abs(z), [x, y])
    tf.gradients(tf.real(z * tf.conj(z)), x)
    tf.gradients(tf.imag(z), y)
    tf.gradients(tf.angle(z), y)
    tf.gradients(tf.real(tf.exp(z)), x)


def reductions_known(tf):
    for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_min, tf.reduce_prod):
        _gradients_of(tf, f, [2, 3])
        _gradients_of(tf, lambda x, f=f: f(x, 1), [2, 3])
        _gradients_of(tf, lambda x, f=f: f(x, [0, -1], keepdims=True), [2, 3, 4])


def reductions_unknown(tf):
    for f in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.reduce_prod):
        _gradients_of(tf, f, [None, 3])
        _gradients_of(tf, lambda x, f=f: f(x, 1), [None, 3])
        _gradients_of(tf, lambda x, f=f: f(x, 0), None)
        _gradients_of(tf, f, None)


def reductions_composed(tf):
    _gradients_of(tf, tf.reduce_logsumexp, [2, 3])
    _gradients_of(tf, lambda x: tf.reduce_logsumexp(x, 1, keepdims=True), [None, 3])
    _gradients_of(tf, lambda x: tf.math.reduce_std(x, 0), [2, 3])
    _gradients_of(tf, lambda x: tf.norm(x), [2, 3])
    _gradients_of(tf, lambda x: tf.norm(x, axis=1), [None, 3])
    _gradients_of(tf, tf.nn.l2_loss, [2, 3])
    tf.count_nonzero(tf.ones([2, 3]), 1)


def cumulative(tf):
    _gradients_of(tf, lambda x: tf.cumsum(x, 1), [2, 3])
    _gradients_of(tf, lambda x: tf.cumsum(x, 0, exclusive=True, reverse=True), [None, 3])
    _gradients_of(tf, lambda x: tf.cumprod(x, 1), [2, 3])


def matmul_kinds(tf):
    for a in (False, True):
        for b in (False, True):
            shapes = [3, 2] if a else [2, 3], [4, 3] if b else [3, 4]
            _gradients_of(tf, lambda x, y, a=a, b=b: tf.matmul(x, y, a, b), *shapes)
    _gradients_of(tf, lambda x, y: tf.matmul(x, y), [None, 3], [3, None])


def batch_matmul_kinds(tf):
    _gradients_of(tf, lambda x, y: tf.matmul(x, y), [5, 2, 3], [5, 3, 4])
    _gradients_of(tf, lambda x, y: tf.matmul(x, y, adjoint_a=True), [5, 3, 2], [5, 3, 4])
    _gradients_of(tf, lambda x, y: tf.matmul(x, y, transpose_b=True), [None, 2, 3], [None, 4, 3])
    _gradients_of(tf, lambda x, y: tf.matmul(x, y, adjoint_a=True, adjoint_b=True), [5, 3, 2], [4, 3])


def products(tf):
    _gradients_of(tf, lambda x, y: tf.tensordot(x, y, 1), [2, 3, 4], [4, 5])
    _gradients_of(tf, lambda x, y: tf.tensordot(x, y, [[1], [0]]), [None, 3], [3, 5])
    _gradients_of(tf, lambda x, y: tf.einsum("ij,jk->ik", x, y), [2, 3], [3, 4])
    _gradients_of(tf, lambda x, y: tf.einsum("bij,bjk->bik", x, y), [7, 2, 3], [7, 3, 4])
    _gradients_of(tf, lambda x, y: tf.cross(x, y), [2, 3], [2, 3])
    _gradients_of(tf, lambda x, y: tf.nn.xw_plus_b(x, y, tf.ones([4])), [2, 3], [3, 4])


def selections(tf):
    _gradients_of(tf, lambda x, y: tf.where(x > y, x, y), [2, 3], [2, 3])
    _gradients_of(tf, lambda x, y: tf.where(x > 0.0, x * y, y), [None, 3], [None, 3])
    _gradients_of(tf, lambda x: tf.clip_by_value(x, -1.0, 1.0), [2, 3])
    _gradients_of(tf, lambda x: tf.clip_by_value(x, -1.0, 1.0), [None, 3])


def additions(tf):
    _gradients_of(tf, lambda x, y: tf.add_n([x, y, x]), [2, 3], [2, 3])
    _gradients_of(tf, lambda x, y: tf.accumulate_n([x, y, x]), [2, 3], [2, 3])


def sums_of_gradients(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    y = tf.tanh(x)
    tf.gradients(y * x + tf.exp(y) + y, x)
    tf.gradients(y * x + tf.exp(y) + y, [x, y], aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
    tf.gradients(y * x + tf.exp(y), x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)


def second_gradients(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    for f in (tf.tanh, tf.sigmoid, tf.sqrt, tf.rsqrt, tf.reciprocal, tf.square, tf.exp, tf.log):
        first = tf.gradients(f(x), x)[0]
        tf.gradients(first, x)


def second_gradients_of_products(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    w = tf.placeholder(tf.float32, [3, 4])
    first = tf.gradients(tf.reduce_sum(tf.tanh(tf.matmul(x, w))), [x, w])
    tf.gradients(tf.add_n([tf.reduce_sum(tf.square(g)) for g in first]), [x, w])


def casts(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    tf.gradients(tf.cast(x, tf.float64), x)
    tf.gradients(tf.cast(tf.cast(x, tf.int32), tf.float32), x)
    tf.gradients(tf.to_double(x) * 2.0, x)


def unconnected(tf):
    x = tf.placeholder(tf.float32, [2, 3])
    u = tf.placeholder(tf.float32, [None, 3])
    tf.gradients(x * 2.0, [x, u], unconnected_gradients="zero")
    tf.gradients(u * 2.0, [x, u], unconnected_gradients="zero")
    tf.gradients(tf.stop_gradient(u) * u, u)
    tf.gradients(u * x, [u, x], stop_gradients=[u, x])
    tf.gradients(tf.stop_gradient(u), u)


def gates_and_colocation(tf):
    with tf.device("/cpu:1"):
        x = tf.Variable([1.0, 2.0], name="x")
        y = tf.Variable([3.0, 4.0], name="y")
    with tf.device("/cpu:0"):
        loss = tf.reduce_sum(x * y + tf.tanh(x))
    tf.gradients(loss, [x, y], colocate_gradients_with_ops=True)
    tf.gradients(loss, [x, y], gate_gradients=True)
    tf.gradients(loss, [x, y], colocate_gradients_with_ops=True, gate_gradients=True)


def functions_of_ones_own(tf):
    @tf.custom_gradient
    def clipped(x):
        def backward(dy):
            return tf.clip_by_value(dy, -1.0, 1.0)

        return tf.identity(x), backward

    x = tf.placeholder(tf.float32, [3])
    tf.gradients(clipped(x * 2.0), x)


def custom_overrides(tf):
    graph = tf.get_default_graph()
    x = tf.placeholder(tf.float32, [3])
    with graph.gradient_override_map({"Sign": "Identity"}):
        y = tf.sign(x)
    tf.gradients(y, x)
