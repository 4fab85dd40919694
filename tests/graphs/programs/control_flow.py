"""Branches and loops."""

import collections as _collections

_Pair = _collections.namedtuple("Pair", "first second")


def _predicate(tf, name="p"):
    return tf.placeholder(tf.bool, [], name=name)


def a_condition(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.constant(2.0, name="y")
    tf.cond(x < y, lambda: x + y, lambda: tf.constant(5.0))


def a_condition_of_several_results(tf):
    a = tf.constant(1.0, name="a")
    tf.cond(_predicate(tf), lambda: [a, a * a], lambda: [a * 2.0, a])


def a_condition_of_operations(tf):
    tf.cond(_predicate(tf), lambda: tf.no_op(), lambda: tf.no_op())


def conditions_in_conditions(tf):
    p, q = _predicate(tf), _predicate(tf, "q")
    a = tf.constant(1.0, name="a")
    tf.cond(p, lambda: tf.cond(q, lambda: a + 1.0, lambda: a + 2.0), lambda: a)


def a_condition_with_a_reference(tf):
    v = tf.Variable(1.0, name="v")
    tf.cond(_predicate(tf), lambda: tf.assign(v, 2.0), lambda: v)


def a_condition_with_a_resource(tf):
    v = tf.Variable(1.0, name="v", use_resource=True)
    tf.cond(_predicate(tf), lambda: v + 1.0, lambda: v)
    tf.cond(_predicate(tf, "q"), lambda: v.assign_add(1.0).op, lambda: tf.no_op())


def cases(tf):
    a = tf.placeholder(tf.int32, [], name="a")
    f1, f2, f3 = (lambda i=i: tf.constant(i) for i in (1, 2, 3))
    tf.case([(a < 1, f1), (a > 2, f2)], default=f3)


def cases_that_exclude_each_other(tf):
    a = tf.placeholder(tf.int32, [], name="a")
    f1, f2 = (lambda i=i: tf.constant(i) for i in (1, 2))
    tf.case([(a < 1, f1), (a > 2, f2)], exclusive=True)


def cases_of_one(tf):
    a = tf.placeholder(tf.int32, [], name="a")
    tf.case([(a < 1, lambda: tf.constant(1))], default=lambda: tf.constant(2))
    tf.case([(a < 1, lambda: a + 1)], name="alone")


def cases_in_a_dict(tf):
    a = tf.placeholder(tf.int32, [], name="a")
    pairs = _collections.OrderedDict([(a > 3, lambda: [a]), (a > 2, lambda: [a + 1]), (a > 1, lambda: [a - 1])])
    tf.case(pairs, default=lambda: [a * 2], exclusive=True, strict=True)
    tf.case({a > 3: lambda: a, a > 2: lambda: a + 1}, default=lambda: a * 2, exclusive=True, name=None)


def choices_that_are_known(tf):
    from importlib import import_module

    p, a = _predicate(tf), tf.constant(1.0, name="a")
    framework = import_module(f"{tf.__name__}.contrib.framework")
    framework.smart_cond(p, lambda: a, lambda: a * 2.0)
    framework.smart_cond(True, lambda: a * 3.0, lambda: a * 4.0)
    framework.smart_case([(False, lambda: a + 1.0), (p, lambda: a), (True, lambda: a + 2.0)], default=lambda: a)


def a_condition_on_numpy(tf):
    import numpy as np

    tf.cond(np.bool_(True), lambda: tf.constant(1), lambda: 2)


def conditions_of_structures(tf):
    p = _predicate(tf)
    a = tf.placeholder(tf.float32, [2], name="a")
    tf.cond(p, lambda: {"b": a, "a": (a + 1.0, 2.0)}, lambda: {"a": (a, a), "b": 3.0})
    tf.cond(p, lambda: _Pair(a, tf.no_op()), lambda: _Pair(a + 1.0, tf.constant(True)), strict=True, name="named")
    tf.cond(p, lambda: [a], lambda: (1.0,), name="unpacked")
    tf.cond(p, fn1=lambda: "yes", fn2=lambda: "no")


def conditions_of_composites(tf):
    p = _predicate(tf)
    a = tf.placeholder(tf.float32, [2, 3], name="a")
    int32, int64 = tf.placeholder(tf.int32, [2], name="i"), tf.placeholder(tf.int64, [2], name="l")
    shape = tf.constant([5, 3])
    tf.cond(p, lambda: tf.IndexedSlices(a, int32), lambda: tf.IndexedSlices(a * 2.0, int32))
    tf.cond(p, lambda: [tf.IndexedSlices(a, int32, shape), a], lambda: [tf.IndexedSlices(a, int64, shape), a])
    sparse = tf.sparse_placeholder(tf.float32, [3, 4], name="s")
    tf.cond(p, lambda: sparse, lambda: tf.SparseTensor([[0, 0]], [1.0], [3, 4]))


def a_condition_under_control(tf):
    p, a, b = _predicate(tf), tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
    with tf.control_dependencies([a]):
        tf.cond(p, lambda: b + 1.0, lambda: tf.constant(2.0))

    def waiting():
        with tf.control_dependencies([b]):
            c = tf.constant(3.0)
            with tf.control_dependencies([c]):
                return tf.identity(a) + tf.constant(4.0)

    tf.cond(p, waiting, lambda: tf.constant(1.0), name="inside")

    def free():
        with tf.control_dependencies(None):
            return tf.constant(5.0) + a

    tf.cond(p, free, lambda: a, name="free")


def a_condition_on_devices(tf):
    p, a = _predicate(tf), tf.constant(1.0, name="a")
    with tf.device("/cpu:0"):
        b = tf.constant(2.0, name="b")

        def on():
            with tf.device("/cpu:1"), tf.colocate_with(a):
                return a + b

        tf.cond(p, on, lambda: b)


def variables_in_a_condition(tf):
    a = tf.constant(1.0, name="a")

    def on():
        v = tf.get_variable("v", [2], initializer=tf.zeros_initializer())
        return v * a

    tf.cond(_predicate(tf), on, lambda: tf.stack([a, a]))


def random_numbers_in_branches(tf):
    tf.set_random_seed(3)
    a = tf.constant(1.0, name="a")
    tf.cond(_predicate(tf), lambda: a + tf.random_normal([]), lambda: tf.random_uniform([]))
    tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * tf.random_normal([])), [0, a])


def a_loop(tf):
    n = tf.placeholder(tf.int32, [], name="n")
    w = tf.constant(2.0, name="w")
    tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, x * w), [0, 1.0])


def loops_in_loops(tf):
    def body(i, x):
        _, x = tf.while_loop(lambda j, x: j < i, lambda j, x: (j + 1, x + 1.0), [0, x])
        return i + 1, x

    tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])


def loops_in_loops_with_captures(tf):
    n, w = tf.placeholder(tf.int32, [], name="n"), tf.constant(2.0, name="w")

    def body(i, x):
        k = i + n
        inner = tf.while_loop(lambda j, y: j < k, lambda j, y: (j + n, y * w + x), [i, w], parallel_iterations=2)
        return i + 1, x + inner[1]

    tf.while_loop(lambda i, x: i < n, body, [n, w], parallel_iterations=3, back_prop=False, swap_memory=True)


def a_loop_of_at_most(tf):
    i = tf.constant(0, name="i")
    tf.while_loop(lambda i: i < 10, lambda i: i + 1, [i], maximum_iterations=3)
    n = tf.placeholder(tf.int64, [], name="n")
    tf.while_loop(lambda i, x: i < 10, lambda i, x: [i + 1, x], [i, 2.0], maximum_iterations=n)
    tf.while_loop(lambda i: i < 10, lambda i: [i + 1], [i], maximum_iterations=n, return_same_structure=True)


def a_loop_in_a_condition(tf):
    a = tf.constant(1, name="a")
    tf.cond(_predicate(tf), lambda: tf.while_loop(lambda i: i < 10, lambda i: i + a, [a]), lambda: a)


def conditions_in_a_loop(tf):
    w = tf.constant(2.0, name="w")

    def body(i, x):
        odd = tf.equal(i % 2, 1)
        x = tf.cond(odd, lambda: x * w, lambda: tf.cond(x > w, lambda: tf.constant(1.0), lambda: x))
        return i + 1, x

    tf.while_loop(lambda i, x: tf.cond(x > 3.0, lambda: i < 5, lambda: tf.constant(True)), body, [0, 1.0])


def loops_and_conditions_in_turns(tf):
    p, n, w = _predicate(tf), tf.placeholder(tf.int32, [], name="n"), tf.constant(2.0, name="w")

    def inner(i, x):
        loop = lambda: tf.while_loop(lambda j, y: j < n, lambda j, y: (j + 1, y + w), [i, w])[1]  # noqa: E731
        return tf.cond(p, loop, lambda: x)

    tf.cond(
        p,
        lambda: tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, inner(i, x)), [0, w])[1],
        lambda: tf.constant(1.0),
    )


def a_loop_under_control(tf):
    a = tf.constant(1, name="a")
    with tf.control_dependencies([a]):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])


def loops_under_control(tf):
    a, b, none = tf.constant(1, name="a"), tf.constant(1.0, name="b"), tf.no_op(name="none")

    def body(i, x):
        with tf.control_dependencies([b, none]):
            c = tf.constant(2.0)
        with tf.control_dependencies([c, a]):
            d = tf.identity(x) * b
        with tf.control_dependencies([c]):  # with several outer control inputs, TensorFlow's order is arbitrary
            inner = tf.while_loop(lambda j: j < 2, lambda j: j + a, [i])
        e = tf.cond(i < 1, lambda: d, lambda: tf.constant(2.0))
        with tf.control_dependencies(None):
            f = tf.constant(3)
        return i + f + inner, e

    with tf.control_dependencies([none]):
        tf.while_loop(lambda i, x: i < 3, body, [a, b])


def a_condition_in_a_loop_under_control(tf):
    a, p = tf.constant(1.0, name="a"), _predicate(tf)

    def body(i, x):
        with tf.control_dependencies([a]):
            return i + 1, tf.cond(p, lambda: x + 1.0, lambda: tf.constant(2.0))

    tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])

    def loop():
        with tf.control_dependencies([a]):
            return tf.while_loop(lambda i: i < 3.0, lambda i: i + a, [0.0])

    tf.cond(p, loop, lambda: a)


def loops_with_variables(tf):
    v = tf.Variable(2.0, name="v", use_resource=True)
    w = tf.Variable(2.0, name="w")
    tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * v), [0, 1.0])

    def body(i, x):
        with tf.control_dependencies([tf.assign_add(w, x), v.assign_sub(x)]):
            return i + 1, x * w.read_value()

    tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])
    tf.while_loop(lambda x: x < 3.0, lambda x: x + 1.0, [w])


def loops_of_structures(tf):
    a = tf.placeholder(tf.float32, [2], name="a")
    condition = lambda i, *rest: i < 3  # noqa: E731
    tf.while_loop(condition, lambda i, p: [i + 1, _Pair(p.second, p.first + a)], (0, _Pair(a, a)))
    tf.while_loop(lambda i, d: i < 3, lambda i, d: (i, {"y": d["x"], "x": (d["x"],)[0]}), [0, {"x": a, "y": 1.0 + a}])
    tf.while_loop(lambda i: i < 3, lambda i: (i + 1,), (0,))
    tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], return_same_structure=True)


def loops_whose_shapes_vary(tf):
    a = tf.placeholder(tf.float32, [1, 2], name="a")
    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, tf.concat([x, a], 0)), [0, a], shape_invariants=shapes)
    shapes = [tf.TensorShape([]), tf.TensorShape(None)]
    tf.while_loop(
        lambda i, x: i < 3,
        lambda i, x: [i + 1, tf.stack([x, x])],
        [0, a],
        shape_invariants=shapes,
        maximum_iterations=5,
    )


def loops_of_composites(tf):
    a = tf.placeholder(tf.float32, [2, 3], name="a")
    slices = tf.IndexedSlices(a, tf.constant([0, 1]), tf.constant([4, 3]))

    def more(i, s):
        return i + 1, tf.IndexedSlices(tf.concat([s.values, a], 0), tf.concat([s.indices, [2, 3]], 0), s.dense_shape)

    shapes = (tf.TensorShape([]), tf.TensorShape([None, 3]))
    tf.while_loop(lambda i, s: i < 3, more, (0, slices), shape_invariants=shapes)
    same = lambda i, s: (i + 1, tf.IndexedSlices(s.values * 2.0, s.indices, s.dense_shape))  # noqa: E731
    tf.while_loop(lambda i, s: i < 3, same, (0, slices))
    sparse = tf.sparse_placeholder(tf.float32, [3, 4], name="s")
    tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: (i + 1, tf.SparseTensor(s.indices, s.values + 1.0, s.dense_shape)),
        (0, sparse),
    )


def loops_on_devices(tf):
    with tf.device("/cpu:0"):
        a = tf.constant(1.0, name="a")

    def body(i, x):
        with tf.device("/cpu:1"):
            y = x + a
        with tf.colocate_with(a):
            return i + 1, y * a

    tf.while_loop(lambda i, x: i < 3, body, [0, a])


def variables_made_in_a_loop(tf):
    def body(i, x):
        v = tf.get_variable("v", [], initializer=tf.constant_initializer(2.0))
        return i + 1, x * v

    tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])


def queues_in_a_loop(tf):
    q = tf.FIFOQueue(10, tf.float32, shapes=[])

    def body(i, x):
        with tf.control_dependencies([q.enqueue(x)]):
            return i + 1, q.dequeue()

    tf.while_loop(lambda i, x: i < 3, body, [0, 1.0])


def assertions(tf):
    a, x = tf.constant(True, name="a"), tf.placeholder(tf.float32, [3], name="x")
    tf.Assert(a, ["msg", a])
    tf.Assert(a, ["text costs nothing"], summarize=5)
    with tf.control_dependencies([tf.assert_equal(x, 1.0, message="m"), tf.assert_positive(x)]):
        tf.identity(x)

    def body(i):
        with tf.control_dependencies([tf.Assert(i < 5, [i, x])]):
            return i + 1

    tf.while_loop(lambda i: i < 3, body, [0])
    tf.Assert(False, [1.5])
