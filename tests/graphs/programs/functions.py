"""Functions of the first generation: calls, captured tensors and gradients."""

import importlib as _importlib


def _function(tf):
    package = "tinytf" if tf.__name__.startswith("tinytf") else "tensorflow"
    return _importlib.import_module(package + ".python.framework.function")


def _defun(tf, *types, **options):
    return _function(tf).Defun(*types, **options)


def named(tf):
    @_defun(tf, tf.float32, tf.float32, func_name="Affine")
    def affine(x, y):
        """Doc of it."""
        return x * y + 1.0, tf.sin(x)

    a = tf.constant([1.0, 2.0])
    first, second = affine(a, a)
    tf.add(first, second)
    affine(a, first, name="again")
    with tf.name_scope("scope"):
        affine(a, a, noinline=True)


def names_with_hashes(tf):
    @_defun(tf, tf.float32)
    def square_plus(x):
        return tf.square(x) + 1.0

    @_defun(tf, tf.int32, tf.string)
    def other(n, text):
        return (
            tf.one_hot(n, 3),
            tf.string_join([text, tf.constant(["a", "bc"])]),
            tf.constant([[1.5, 2.0], [0.0, -1.0]]),
        )

    other(tf.constant(1), tf.constant("a"))
    square_plus(tf.constant(2.0))
    square_plus(tf.constant(3.0))


def without_types(tf):
    @_defun(tf, func_name="Twice")
    def twice(x):
        return x + x

    @_defun(tf)
    def thrice(x, y):
        return x + x + x, y

    twice(tf.constant(1.0))
    twice(tf.constant(1))
    twice(1.5)
    thrice(tf.constant(1.0), tf.constant([True]))


def without_arguments(tf):
    @_defun(tf, func_name="Five")
    def five():
        return tf.constant(5.0)

    @_defun(tf, func_name="Nothing")
    def nothing():
        tf.no_op()

    five()
    nothing()


def many_arguments(tf):
    @_defun(tf, tf.float32, tf.float32, tf.float32, func_name="Total")
    def total(*args):
        return tf.add_n(args)

    total(1.0, 2.0, 3.0)


def names_of_outputs(tf):
    @_defun(tf, tf.float32, func_name="Named", out_names=["first", "second"])
    def named(x):
        return x, -x

    named(tf.constant(1.0))


def same_value_twice(tf):
    @_defun(tf, tf.float32, func_name="Both")
    def both(add):
        y = add + 1.0
        return y, y, add

    both(tf.constant(1.0))


def attrs_of_functions(tf):
    @_defun(
        tf, tf.float32, func_name="F", noinline=True, experimental_tag="x", experimental_count=3, experimental_on=True
    )
    def f(x):
        return x

    @_defun(tf, tf.float32, func_name="G", noinline=False, _implements="something", compiled=True)
    def g(x):
        return x

    f(tf.constant(1.0))
    g(tf.constant(1.0))


def shapes_told(tf):
    @_defun(tf, tf.float32, func_name="F", shape_func=lambda op: [op.inputs[0].shape])
    def f(x):
        return tf.exp(x)

    assert f(tf.constant([1.0, 2.0])).shape == (2,)
    tf.shape(f(tf.constant([1.0, 2.0])))


def captured(tf):
    w = tf.constant([1.0, 2.0], name="w")
    b = tf.placeholder(tf.float32, [2], name="b")

    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        with tf.name_scope("inner"):
            return x * w + b * w

    f(tf.constant([3.0, 4.0]))
    f(b)


def captured_by_value(tf):
    w = tf.constant([1.0, 2.0], name="w")
    v = tf.exp(w * 2.0, name="v")

    @_defun(tf, tf.float32, func_name="F", capture_by_value=True)
    def f(x):
        return x * v + w

    f(tf.constant([3.0, 4.0]))


def variable_outside(tf):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    r = tf.Variable([1.0, 2.0], name="r", use_resource=True)

    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        return x * v + r

    f(tf.constant([3.0, 4.0]))


def variables_of_scopes(tf):
    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        w = tf.get_variable("w", [2], initializer=tf.zeros_initializer())
        with tf.variable_scope("deep"):
            r = tf.get_variable("r", [2], initializer=tf.ones_initializer(), use_resource=True)
        return x * w + r

    with tf.variable_scope("outer"):
        f(tf.constant([3.0, 4.0]))
    f(tf.constant([3.0, 4.0]))


def variables_made_inside(tf):
    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        return x * tf.Variable(2.0, name="inside", use_resource=False)

    f(tf.constant([3.0, 4.0]))


def stateful(tf):
    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        return x + tf.random_uniform([2], seed=1)

    @_defun(tf, tf.float32, func_name="G")
    def g(x):
        with tf.control_dependencies([tf.Assert(tf.reduce_all(x > 0.0), [x], name="check"), x]):
            return tf.identity(x)

    f(tf.constant([3.0, 4.0]))
    g(tf.constant([3.0, 4.0]))


def calls_in_functions(tf):
    @_defun(tf, tf.float32, func_name="Inner")
    def inner(x):
        return x * x

    @_defun(tf, tf.float32, func_name="Outer")
    def outer(x):
        return inner(x) + inner(x + 1.0)

    outer(tf.constant(3.0))


def branches_and_loops(tf):
    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        y = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * 2.0, lambda: x - 1.0)
        return tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, y])[1]

    f(tf.constant([3.0, 4.0]))


def in_branches_and_loops(tf):
    @_defun(tf, tf.float32, func_name="F", shape_func=lambda op: [op.inputs[0].shape])
    def f(x):
        return x * 2.0

    x = tf.constant(3.0)
    tf.cond(x > 0.0, lambda: f(x), lambda: x)
    tf.while_loop(lambda y: y < 10.0, lambda y: f(y), [x])


def devices(tf):
    with tf.device("/cpu:0"):

        @_defun(tf, tf.float32, func_name="F")
        def f(x):
            return x * 2.0

    f(tf.constant(1.0))
    with tf.device("/cpu:1"):
        f(tf.constant(1.0))


def gradients(tf):
    @_defun(tf, tf.float32, tf.float32, func_name="F")
    def f(x, y):
        return x * y, tf.sin(x)

    a, b = tf.constant([1.0, 2.0]), tf.placeholder(tf.float32, [2])
    first, second = f(a, b)
    tf.gradients(second, [a, b])
    tf.gradients([first, second], [a])


def gradients_of_captured(tf):
    v = tf.Variable([1.0, 2.0], name="v", use_resource=False)
    r = tf.Variable([1.0, 2.0], name="r", use_resource=True)

    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        return x * v + r

    y = f(tf.constant([3.0, 4.0]))
    tf.gradients(y, [v, r])


def gradients_of_integers(tf):
    @_defun(tf, tf.float32, tf.int32, func_name="F")
    def f(x, i):
        return x * tf.cast(i, tf.float32), i + 1

    a = tf.constant(1.0)
    y, n = f(a, tf.constant(2))
    tf.gradients(y, a)


def gradients_in_functions(tf):
    @_defun(tf, tf.float32, func_name="F")
    def f(x):
        return x * x

    @_defun(tf, tf.float32, func_name="G")
    def g(x):
        return tf.gradients(f(x), x)[0]

    a = tf.constant(1.0)
    tf.gradients(g(a), a)


def gradient_functions(tf):
    @_defun(tf, tf.float32, tf.float32, func_name="FGrad")
    def f_grad(x, dy):
        return 3.0 * dy * x

    @_defun(tf, tf.float32, func_name="F", grad_func=f_grad)
    def f(x):
        return x * x

    @_defun(tf, tf.float32, grad_func=f_grad)
    def without_name(x):
        return x * x

    a = tf.constant(1.0)
    tf.gradients(f(a), a)
    tf.gradients(without_name(a), a)


def gradient_functions_without_types(tf):
    @_defun(tf, func_name="FGrad")
    def f_grad(x, dy):
        return 3.0 * dy * x

    @_defun(tf, func_name="F", grad_func=f_grad)
    def f(x):
        return x * x

    a = tf.constant(1.0)
    tf.gradients(f(a), a)


def python_gradient_functions(tf):
    @_defun(tf, tf.float32, func_name="F", python_grad_func=lambda op, dy: 3.0 * dy * op.inputs[0])
    def f(x):
        return x * x

    a = tf.constant(1.0)
    tf.gradients(f(a), a)


def gradients_in_branches_and_loops(tf):
    @_defun(tf, tf.float32, func_name="F", shape_func=lambda op: [op.inputs[0].shape])
    def f(x):
        return x * 2.0

    x = tf.constant(3.0)
    tf.gradients(tf.cond(x > 0.0, lambda: f(x), lambda: x), x)
    tf.gradients(tf.while_loop(lambda y: y < 10.0, lambda y: f(y), [x]), x)


def more_names_with_hashes(tf):
    v = tf.Variable(3.0, name="v", use_resource=False)

    @_defun(tf, tf.float32, func_name="Inner")
    def inner(x):
        return x * x

    def captures(x):
        return tf.sin(x) * v, tf.cast(x, tf.int32)

    def branches(x):
        return tf.cond(x > 1.0, lambda: x * 2.0, lambda: x - 1.0)

    def checks(x):
        with tf.control_dependencies([tf.Assert(x < 100.0, [x]), x]):
            return tf.identity(x)

    def repeats(x):
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * x), [0, x])

    def colocates(x):
        y = tf.sin(x)
        with tf.colocate_with(y), tf.device("/cpu:0"):
            return tf.cos(x) + y

    def calls(x):
        return inner(x) + tf.gradients(inner(x), x)[0]

    for function in (captures, branches, checks, repeats, colocates, calls):
        _defun(tf, tf.float32)(function)(1.0)
