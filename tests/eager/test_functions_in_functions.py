"""Traced functions that call traced functions: each is traced once, each call is one node."""

import contextvars
import gc
import threading
import weakref

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")


def calls_in(function, *args):
    """The types of the call nodes in the trace for these arguments."""
    ops = function.get_concrete_function(*args).graph.get_operations()
    return [op.type for op in ops if op.type.endswith("PartitionedCall")]


def test_call_is_one_node():
    traces = []

    @tf.function
    def g(x):
        traces.append(x)
        return tf.sqrt(x * x) + 1.0

    @tf.function
    def f(x):
        return g(g(x)) * g(x + 2.0)

    x = tf.constant(1.0)
    assert float(f(x)) == 12.0
    assert len(traces) == 1
    assert calls_in(f, x) == ["PartitionedCall"] * 3
    names = [op.name for op in f.get_concrete_function(x).graph.get_operations() if "Call" in op.type]
    assert names == ["PartitionedCall", "PartitionedCall_1", "PartitionedCall_2"]


def test_eager_calls_and_calls_in_functions_share_traces():
    traces = []

    @tf.function
    def g(x):
        traces.append(x)
        return x + 1.0

    @tf.function
    def f(x):
        return g(x)

    assert float(g(tf.constant(1.0))) == 2.0
    assert float(f(tf.constant(2.0))) == 3.0
    assert float(f(tf.constant([3.0]))[0]) == 4.0
    assert float(g(tf.constant([4.0]))[0]) == 5.0
    assert len(traces) == 2


def test_static_shapes_and_structures_come_back():
    @tf.function
    def g(x, scale=2.0):
        return {"a": (x * scale, None), "b": tf.SparseTensor([[0]], [1.0], [3])}

    @tf.function
    def f(x):
        found = g(x, scale=3.0)
        assert found["a"][0].shape.as_list() == [2] and found["a"][1] is None
        assert isinstance(found["b"], tf.SparseTensor)
        return found["a"][0] + found["b"].values

    assert f(tf.constant([1.0, 2.0])).numpy().tolist() == [4.0, 7.0]


def test_stateful_calls_run_in_program_order_read_or_not():
    v = tf.Variable(1.0)

    @tf.function
    def triple():
        v.assign(v * 3.0)

    @tf.function
    def add(x):
        v.assign_add(x)
        return v.read_value()

    @tf.function
    def f():
        add(tf.constant(1.0))
        triple()
        before = v.read_value()
        add(tf.constant(1.0))
        return before, v.read_value()

    assert [float(y) for y in f()] == [6.0, 7.0]
    assert calls_in(f) == ["StatefulPartitionedCall"] * 3
    assert [float(y) for y in f()] == [24.0, 25.0]


def test_random_calls_have_state_of_their_own():
    """As in TensorFlow 1.15, calls with a seed draw the same numbers as other calls."""

    @tf.function
    def g():
        return tf.random_uniform([4])

    @tf.function
    def f():
        return g(), g()

    tf.set_random_seed(1)
    a, b = f()
    c, _ = f()
    assert (a.numpy() == b.numpy()).all() and (a.numpy() != c.numpy()).all()


def test_gradients_go_through_calls():
    v = tf.Variable(3.0)

    @tf.function
    def g(x):
        return tf.sin(x) * v

    @tf.function
    def f(x):
        return g(x) * g(x + 1.0)

    x = tf.constant(0.5)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = f(x)
        dx, dv = tape.gradient(y, [x, v])
    sin, cos = tf.sin, tf.cos
    expected = 9.0 * (cos(x) * sin(x + 1.0) + sin(x) * cos(x + 1.0))
    assert float(dx) == pytest.approx(float(expected), rel=1e-6)
    assert float(dv) == pytest.approx(float(6.0 * sin(x) * sin(x + 1.0)), rel=1e-6)
    assert float(outer.gradient(dx, x)) == pytest.approx(float(18.0 * cos(2 * x + 1.0)), rel=1e-5)
    assert float(outer.gradient(dv, v)) == pytest.approx(float(2.0 * sin(x) * sin(x + 1.0)), rel=1e-6)


def test_tapes_and_gradients_inside():
    v = tf.Variable(2.0)

    @tf.function
    def g(x):
        return x * x * v

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = g(x)
        dx, dv = tape.gradient(y, [x, v])
        return dx, dv, tf.gradients(g(x), x)[0]

    assert [float(y) for y in f(tf.constant(3.0))] == [12.0, 9.0, 12.0]


def test_calls_save_what_their_derivative_takes():
    @tf.function
    def g(x):
        return tf.random_uniform([]) * x

    @tf.function
    def f(x):
        return g(x) * 2.0

    x = tf.constant(4.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(y) == float(tape.gradient(y, x)) * 4.0


def test_sparse_gradients_go_through_calls():
    table = tf.Variable(tf.ones([4, 2]))

    @tf.function
    def look_up(ids):
        return tf.nn.embedding_lookup(table, ids)

    @tf.function
    def f(ids):
        return tf.reduce_sum(look_up(ids) * look_up(ids))

    with tf.GradientTape() as tape:
        y = f(tf.constant([1, 3]))
    gradient = tf.convert_to_tensor(tape.gradient(y, table))
    assert gradient.numpy().tolist() == [[0, 0], [2, 2], [0, 0], [2, 2]]


def test_functions_use_tensors_of_the_function_around_them():
    traces = []

    @tf.function
    def f(x):
        y = x * 2.0

        @tf.function
        def g(z):
            traces.append(z)
            return z + y + x

        assert g(x).graph is x.graph
        return g(x) * g(y)

    assert float(f(tf.constant(1.0))) == 20.0
    assert float(f(tf.constant(2.0))) == 80.0
    assert len(traces) == 1
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 40.0


def test_what_was_traced_with_one_functions_tensors_does_not_serve_another():
    class Box:
        value = None

    @tf.function
    def g(x):
        return x if Box.value is None else x + Box.value

    @tf.function
    def f(x, number):
        Box.value = x * float(number)
        found = g(x)
        Box.value = None
        return found

    assert float(f(tf.constant(1.0), 1)) == 2.0
    assert float(f(tf.constant(1.0), 2)) == 3.0
    assert float(g(tf.constant(1.0))) == 1.0


def test_tensors_of_unrelated_functions_are_refused():
    leaked = []

    @tf.function
    def first(x):
        leaked.append(x + 1.0)
        return x

    @tf.function
    def second(x):
        return x + leaked[0]

    first(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"An op outside of the function[^$]*The graph tensor has name: add:0"):
        second(tf.constant(1.0))
    for call in first, tf.contrib.eager.defun(lambda x: x):
        with pytest.raises(TypeError, match=r"An op outside of the function[^$]*The graph tensor has name: add:0"):
            call(leaked[0])
    with tf.GradientTape() as tape, pytest.raises(TypeError, match="An op outside of the function"):
        tape.watch(tf.constant(1.0))
        first(leaked[0])
    with (
        tf.Graph().as_default(),
        pytest.raises(ValueError, match="belongs neither to the graph of the function second"),
    ):
        second(tf.constant(1.0))


def test_call_waits_for_operations_of_the_function_around_it():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        check = tf.debugging.assert_positive(x, message="not positive")

        @tf.function
        def g(y):
            with tf.control_dependencies([check]):
                return y + v

        return g(x)

    assert float(f(tf.constant(1.0))) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="not positive"):
        f(tf.constant(-1.0))


def test_functions_that_make_variables_become_a_part_of_the_one_that_calls_them_first():
    made = []

    @tf.function
    def g(x):
        if not made:
            made.append(tf.Variable(2.0))
        return x * made[0]

    @tf.function
    def f(x):
        return g(x) + g(x + 1.0)

    assert float(f(tf.constant(1.0))) == 6.0
    assert len(made) == 1
    assert float(f(tf.constant([1.0]))[0]) == 6.0


def test_later_traces_make_no_variables():
    @tf.function
    def g(x):
        return x * tf.Variable(2.0)

    @tf.function
    def f(x):
        g(x)
        return g(x)

    with pytest.raises(ValueError, match="non-first call"):
        f(tf.constant(1.0))


def test_recursion_on_python_numbers():
    @tf.function
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    assert float(power(tf.constant(2.0), 6)) == 64.0
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = power(x, 6)
    assert float(tape.gradient(y, x)) == 192.0


def test_errors_name_the_line_inside():
    @tf.function
    def g(x):
        return tf.check_numerics(x, "lost")

    @tf.function
    def f(x):
        return g(x) + 1.0

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.constant(float("nan")))
    message = str(caught.value)
    assert "lost" in message and "node StatefulPartitionedCall/CheckNumerics (defined at" in message
    assert __file__.rpartition("/")[2] in message
    assert caught.value.op.type == "CheckNumerics"


def test_methods_and_concrete_functions_are_called():
    class Model:
        def __init__(self):
            self.w = tf.Variable(2.0)

        @tf.function
        def layer(self, x):
            return x * self.w

        @tf.function
        def __call__(self, x):
            return self.layer(self.layer(x))

    model = Model()
    x = tf.constant(3.0)
    assert float(model(x)) == 12.0
    concrete = model.layer.get_concrete_function(x)

    @tf.function
    def f(x):
        return concrete(x) + 1.0

    assert float(f(x)) == 7.0
    assert calls_in(f, x) == ["StatefulPartitionedCall"]
    with tf.GradientTape() as tape:
        y = f(x)
    assert float(tape.gradient(y, model.w)) == 3.0


def test_functions_go_with_the_last_that_calls_them():
    def calling():
        @tf.function
        def g(x):
            return x + 1.0

        @tf.function
        def f(x):
            return g(x)

        assert float(f(tf.constant(1.0))) == 2.0
        return f, weakref.ref(g.get_concrete_function(tf.constant(1.0)).graph)

    f, inner = calling()
    gc.collect()
    assert float(f(tf.constant(1.0))) == 2.0
    del f
    gc.collect()
    assert inner() is None


def test_functions_that_call_each_other_are_traced_on_many_threads():
    @tf.function
    def even(x, n):
        return x if n == 0 else odd(x + 1.0, n - 1)

    @tf.function
    def odd(x, n):
        return x if n == 0 else even(x + 1.0, n - 1)

    found = {}

    def work(i):
        session_function = even if i % 2 else odd
        found[i] = float(session_function(tf.constant(float(i)), 5))

    threads = [threading.Thread(target=contextvars.copy_context().run, args=(work, i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: i + 5.0 for i in range(8)}
