"""tf.cond, tf.case and tf.while_loop in traced functions: captured tensors, effects in program order, gradients."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.graph.default_graph import get_default_graph

pytestmark = pytest.mark.usefixtures("eager")


def _bools(*values):
    return [tf.constant(value) for value in values]


def test_branches_and_loops_are_nodes():
    @tf.function
    def f(n, x):
        y = tf.cond(n > 2, lambda: x * x, lambda: tf.case([(n > 1, lambda: x)], default=lambda: -x))
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + x), [0, y])[1]

    assert [f(tf.constant(n), tf.constant(3.0)).numpy() for n in (0, 1, 2, 3)] == [-3, 0, 9, 18]
    graph = f.get_concrete_function(tf.constant(0), tf.constant(0.0)).graph
    types = {op.type for op in graph.get_operations()}
    assert {"StatelessIf", "While"} <= types and not {"Switch", "Merge", "Enter"} & types


def test_outer_tensors_are_captured_once():
    outer = tf.constant(5.0)

    @tf.function
    def f(p):
        return tf.cond(p, lambda: outer, lambda: outer * 2.0)

    assert [f(p).numpy() for p in _bools(True, False)] == [5, 10]
    assert len(f.get_concrete_function(tf.constant(True)).graph.captures) == 1


def test_predicates_from_outside():
    p, x = tf.constant(False), tf.constant(2.0)

    @tf.function
    def f():
        return tf.cond(p, lambda: x, lambda: x + 1.0), tf.while_loop(lambda y: y < x, lambda y: y + x, [0.0])

    assert [value.numpy() for value in f()] == [3, 2]


def test_effects_of_branches_are_in_program_order():
    v = tf.Variable(1.0)

    @tf.function
    def f(p):
        v.assign(v * 2.0)
        tf.cond(p, lambda: v.assign_add(10.0), lambda: v.assign_sub(1.0))
        v.assign(v * 2.0)
        return tf.cond(p, lambda: v.read_value(), lambda: -v.read_value())

    assert f(tf.constant(True)).numpy() == 24 and v.numpy() == 24
    assert f(tf.constant(False)).numpy() == -94 and v.numpy() == 94


def test_effects_of_loops_are_in_program_order():
    v = tf.Variable(1.0)

    @tf.function
    def f(n):
        def body(i):
            v.assign(v + 1.0)
            tf.cond(v > 3.0, lambda: v.assign(v * 2.0), lambda: v.assign(v))
            return i + 1

        tf.while_loop(lambda i: i < n, body, [0])
        v.assign(v * 10.0)
        return v.read_value()

    expected = 1.0
    for _ in range(4):
        expected = expected + 1 if expected + 1 <= 3 else (expected + 1) * 2
    assert f(tf.constant(4)).numpy() == expected * 10 == v.numpy()


def test_python_functions_run_in_program_order_read_or_not():
    seen = []

    @tf.function
    def f(p):
        def note(text):
            tf.py_function(lambda: seen.append(text), [], [])
            return tf.constant(0)

        def body(i):
            tf.py_function(lambda i: seen.append(int(i)), [i], [])
            tf.while_loop(lambda j: j < 2, lambda j: note("inner") + j + 1, [0])
            return i + 1

        note("first")
        tf.cond(p, lambda: note("on"), lambda: note("off"))
        note("between")
        tf.while_loop(lambda i: i < 2, body, [0])
        note("last")

    for p, branch in ((True, "on"), (False, "off")):
        seen.clear()
        f(tf.constant(p))
        assert seen == ["first", branch, "between", 0, "inner", "inner", 1, "inner", "inner", "last"]


def test_conditions_of_loops_may_have_effects():
    v = tf.Variable(0)

    @tf.function
    def f():
        tf.while_loop(lambda i: v.assign_add(1) < 4, lambda i: i + 1, [0])
        return v.read_value()

    assert f().numpy() == 4


def test_assertions_fail_used_or_not():
    @tf.function
    def f(x):
        tf.Assert(x > 0.0, ["too small", x])
        return tf.constant(1)

    assert f(tf.constant(1.0)).numpy() == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"assertion failed: \[too small\] \[-1\]"):
        f(tf.constant(-1.0))


_M = np.float32([[1, 2], [3, 4]])
_BRANCHES = {
    "numbers": (lambda x: x * x, lambda x: tf.sin(x)),
    "products": (lambda x: tf.matmul(tf.matmul(x, _M), x), lambda x: tf.matmul(x, x, transpose_b=True)),
    "the same": (lambda x: x, lambda x: x * 3.0),
    "shapes": (lambda x: tf.reshape(tf.reduce_sum(x, 0) * 2.0, [1, 2]) + x, lambda x: tf.concat([x, x], 0)[1:3] * x),
    "constants": (lambda x: tf.exp(x), lambda x: tf.ones([2, 2])),
    "gathers": (lambda x: tf.gather(x, [1, 1]) * x, lambda x: tf.tile(x[:1], [2, 1])),
}


@pytest.mark.parametrize("branches", _BRANCHES.values(), ids=_BRANCHES)
@pytest.mark.parametrize("taken", [True, False])
def test_derivatives_are_those_of_the_branch(branches, taken):
    x, (on, off) = tf.constant(_M), branches

    def slope(f):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f() * _M)
        found = tape.gradient(y, x)
        return np.zeros([2, 2]) if found is None else tf.convert_to_tensor(found).numpy()

    traced = tf.function(lambda p, x: tf.cond(p, lambda: on(x), lambda: off(x)))

    @tf.function
    def inside(p, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.cond(p, lambda: on(x), lambda: off(x)) * _M)
        return tf.convert_to_tensor(tape.gradient(y, x))

    expected = slope(lambda: (on if taken else off)(x))
    np.testing.assert_allclose(slope(lambda: traced(tf.constant(taken), x)), expected, rtol=1e-6)
    np.testing.assert_allclose(inside(tf.constant(taken), x).numpy(), expected, rtol=1e-6)


def test_derivatives_of_nested_branches():
    @tf.function
    def f(p, q, x):
        y = x * 2.0

        def on():
            z = y * x  # computed in the outer branch, used in the inner ones
            return tf.cond(q, lambda: z * z * y, lambda: tf.cond(z > 3.0, lambda: z, lambda: tf.exp(z)))

        return tf.cond(p, on, lambda: tf.log(y)) * 3.0

    for p, q, start, slope in (
        (True, True, 1.0, 3 * 40.0),
        (True, False, 2.0, 3 * 8.0),
        (True, False, 0.5, 3 * 2 * np.exp(0.5)),
        (False, True, 2.0, 1.5),
    ):
        x = tf.constant(start)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant(p), tf.constant(q), x)
        assert tape.gradient(y, x).numpy() == pytest.approx(slope, rel=1e-5)


def test_derivatives_take_what_was_computed():
    """Gradients reuse values read or drawn in a branch instead of reading or drawing them again."""
    v = tf.Variable(3.0)

    @tf.function
    def f(p, x):
        return tf.cond(p, lambda: x * v * tf.random_uniform([]), lambda: x)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(tf.constant(True), x)
    v.assign(100.0)
    by_x, by_v = tape.gradient(y, [x, v])
    assert by_x.numpy() * 2 == pytest.approx(y.numpy()) and by_v.numpy() * 3 == pytest.approx(y.numpy())


def test_functions_in_branches_and_bodies():
    @tf.function
    def square(x):
        return x * x

    @tf.function
    def f(p, x):
        y = tf.cond(p, lambda: square(x), lambda: square(x + 1.0))
        return tf.while_loop(lambda i, y: i < 2, lambda i, y: (i + 1, square(y)), [0, y])[1]

    assert [f(p, tf.constant(2.0)).numpy() for p in _bools(True, False)] == [256, 6561]


def test_functions_with_branches_in_graphs():
    @tf.function
    def f(p, x):
        return tf.cond(p, lambda: x * x, lambda: x)

    with tf.Graph().as_default(), tf.Session() as sess:
        p, x = tf.placeholder(tf.bool, []), tf.constant(3.0)
        y = f(p, x)
        [slope] = tf.gradients(y, x)
        assert get_default_graph()._get_control_flow_context() is None
        assert [sess.run([y, slope], {p: value}) for value in (True, False)] == [[9, 6], [3, 1]]


def test_executed_at_once():
    """Outside of a function only the taken branch is called, and loops run in Python."""
    called = []
    assert tf.cond(tf.constant(True), lambda: called.append(1) or 1, lambda: called.append(2)) == 1 and called == [1]
    assert tf.cond(False, lambda: 1, lambda: [2]) == 2 and tf.cond(False, lambda: 1, lambda: [2], strict=True) == [2]
    assert tf.case([(tf.constant(False), lambda: 1), (tf.constant(True), lambda: 2)]) == 2
    pairs = {tf.constant(True): lambda: 1}
    assert tf.case(pairs, exclusive=True) == 1
    with pytest.raises(ValueError, match="Unordered dictionaries are not supported"):
        tf.case(pairs)
    i, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [0, 1.0])
    assert (i.numpy(), x.numpy()) == (3, 8)
    assert tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]).numpy() == 3
    assert [t.numpy() for t in tf.while_loop(lambda i: i < 3, lambda i: i + 1, [7])] == [7]
    kept = tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [0], return_same_structure=True)
    assert [t.numpy() for t in kept] == [3]
    assert tf.while_loop(lambda i: i < 9, lambda i: i + 1, [0], maximum_iterations=tf.constant(4)).numpy() == 4
    with pytest.raises(ValueError, match="same number of elements"):
        tf.while_loop(lambda i, j: i < 3, lambda i, j: [i + 1], [0, 1])
