"""Traced functions on several threads, and what is left of them."""

import contextvars
import gc
import threading
import weakref

import numpy as np
import pytest
from function_helpers import variable_handle

import tinytf as tf
from tinytf._gen import gen_ops
from tinytf.framework.execution import eager_mode

pytestmark = pytest.mark.usefixtures("eager")


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

    threads = [threading.Thread(target=contextvars.copy_context().run, args=(work,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert sorted(results) == sorted([2.0 * i for i in range(50)] * 4)
    assert float(gen_ops.read_variable_op(handle, dtype=tf.float32)) == 4 * sum(range(50))


def use_and_drop():
    """Weak references to the graph of a function and to what it captured."""
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
