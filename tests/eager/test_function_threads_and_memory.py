"""Traced functions used by several threads, and their memory after use."""

import contextvars
import gc
import threading
import weakref

import numpy as np
import pytest
from function_helpers import variable_handle

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf._src.framework.context.execution import eager_mode

pytestmark = pytest.mark.usefixtures("eager")


def in_threads(work):
    """Runs the work on eight threads at once, in the session of the test."""
    threads = [threading.Thread(target=contextvars.copy_context().run, args=(work,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_many_threads_share_one_trace():
    calls = []
    handle = variable_handle(tf.constant(0.0), "threads")

    @tf.function
    def f(x):
        calls.append(1)
        gen_ops.assign_add_variable_op(handle, x)
        return x * 2.0

    results = []

    def work():
        with eager_mode():
            for i in range(50):
                results.append(float(f(tf.constant(float(i)))))

    in_threads(work)
    assert len(calls) == 1
    assert sorted(results) == sorted([2.0 * i for i in range(50)] * 8)
    assert float(gen_ops.read_variable_op(handle, dtype=tf.float32)) == 8 * sum(range(50))


def use_and_drop():
    """Weak references to the graph of a function and to its captured tensor."""
    c = tf.constant(np.zeros(10, np.float32))

    @tf.function
    def f(x):
        return x + c

    x = tf.constant(1.0)
    f(x)
    return weakref.ref(f.get_concrete_function(x).graph), weakref.ref(c)


def test_a_dropped_function_frees_graph_and_captures():
    graph, captured = use_and_drop()
    gc.collect()
    assert graph() is None
    assert captured() is None


def test_methods_do_not_keep_objects():
    class Model:
        @tf.function
        def apply(self, x):
            return x

    model = Model()
    model.apply(tf.constant(1.0))
    kept = weakref.ref(model)
    del model
    gc.collect()
    assert kept() is None


def test_inputs_are_not_copied():
    x = tf.constant(np.ones(1000, np.float32))
    y = tf.function(lambda x: x)(x)
    assert y.numpy().__array_interface__["data"][0] == x.numpy().__array_interface__["data"][0]


def test_traces_of_objects_go_with_them():
    class Plain:
        def __init__(self, factor):
            self.factor = factor

    @tf.function
    def f(x, plain):
        return x * plain.factor

    x = tf.constant(2.0)
    graphs = []
    for factor in (1.0, 2.0, 3.0):
        plain = Plain(factor)
        assert float(f(x, plain)) == 2.0 * factor
        graphs.append(weakref.ref(f.get_concrete_function(x, plain).graph))
    kept = weakref.ref(plain)
    del plain
    assert kept() is None
    f(x, Plain(4.0))  # a new trace evicts the old one
    gc.collect()
    assert [graph() for graph in graphs] == [None, None, None]


def test_variables_go_with_the_program():
    v = tf.Variable(np.zeros(10, np.float32))

    @tf.function
    def f(x):
        return v + x

    f(tf.constant(1.0))
    handle, kept = weakref.ref(v.handle), weakref.ref(v)
    f = v = None
    gc.collect()
    assert kept() is None
    assert handle() is None


def test_what_calls_yield_is_not_kept(eager):
    f = tf.function(lambda x: x + 1.0)
    x = tf.constant(np.zeros(1000, np.float32))
    f(x)
    eager.flush()
    live = eager.stats().live
    for _ in range(20):
        f(x)
    eager.flush()
    assert eager.stats().live == live


def test_tapes_let_go_of_what_functions_saved(eager):
    f = tf.function(lambda x: tf.exp(x) * x)
    x = tf.constant(np.zeros(1000, np.float32))
    live = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        tape.gradient(y, x)
        del tape, y
        eager.flush()
        live.append(eager.stats().live)
    assert live[0] == live[1] == live[2]


def test_eight_threads_make_the_variables_once():
    made, traced, results = [], [], []
    barrier = threading.Barrier(8)

    @tf.function
    def f(x):
        traced.append(1)
        if not made:
            made.append(tf.Variable(x * 0.0))
        made[0].assign_add(x)
        return x * 2.0

    def work():
        with eager_mode():
            barrier.wait()
            for i in range(50):
                results.append(float(f(tf.constant(float(i)))))

    in_threads(work)
    assert (len(made), len(traced)) == (1, 2)
    assert float(made[0]) == 8 * sum(range(50))
    assert sorted(results) == sorted([2.0 * i for i in range(50)] * 8)


def test_eight_threads_with_tensors_of_many_shapes():
    w = tf.Variable(2.0)
    wrong = []

    @tf.function(experimental_relax_shapes=True)
    def f(x):
        return tf.reduce_sum(x * w)

    def work():
        with eager_mode():
            for n in range(1, 30):
                with tf.GradientTape() as tape:
                    y = f(tf.ones([n]))
                if (float(y), float(tape.gradient(y, w))) != (2.0 * n, float(n)):
                    wrong.append(n)

    in_threads(work)
    assert wrong == []


def test_eight_threads_with_objects_and_tensors_of_many_shapes():
    class Plain:
        pass

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def by_signature(x):
        return tf.reduce_sum(x)

    @tf.function
    def by_object(x, plain):
        return x + 1.0

    sums = []

    def work():
        with eager_mode():
            for n in range(40):
                sums.append(float(by_signature(tf.ones([n]))) + float(by_object(tf.constant(1.0), Plain())))

    in_threads(work)
    assert sorted(sums) == sorted([n + 2.0 for n in range(40)] * 8)


@pytest.mark.parametrize("options", [{"experimental_relax_shapes": True}, {"input_signature": [tf.TensorSpec([None])]}])
def test_kinds_of_arguments_that_share_a_trace_do_not_pile_up(options):
    calls = []

    @tf.function(**options)
    def f(x):
        calls.append(1)
        return tf.reduce_sum(x)

    sums = [float(f(tf.ones([n]))) for n in range(1100)]
    assert sums == [float(n) for n in range(1100)]
    assert len(calls) == (2 if "experimental_relax_shapes" in options else 1)
    assert len(f._traces) == 1000
