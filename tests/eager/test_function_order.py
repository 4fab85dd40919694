"""Stateful operations of traced functions run in program order, whether or not their outputs are used."""

import pytest
from function_helpers import variable_handle

import tinytf as tf
from tinytf._gen import gen_ops

pytestmark = pytest.mark.usefixtures("eager")


def read(handle):
    return gen_ops.read_variable_op(handle, dtype=tf.float32)


def test_what_is_not_fetched_runs():
    handle = variable_handle(tf.constant(0.0), "unfetched")

    @tf.function
    def f(x):
        gen_ops.assign_add_variable_op(handle, x)

    for _ in range(3):
        f(tf.constant(2.0))
    assert float(read(handle)) == 6.0


def test_reads_and_writes_keep_their_order():
    handle = variable_handle(tf.constant(1.0), "ordered")

    @tf.function
    def f(x):
        before = read(handle)
        gen_ops.assign_add_variable_op(handle, x)
        between = read(handle)
        gen_ops.assign_variable_op(handle, between * 10.0)
        return before, between, read(handle)

    assert [float(v) for v in f(tf.constant(2.0))] == [1.0, 3.0, 30.0]
    assert [float(v) for v in f(tf.constant(1.0))] == [30.0, 31.0, 310.0]


def test_reads_do_not_wait_for_each_other():
    handle = variable_handle(tf.constant(1.0), "reads")

    @tf.function
    def f(x):
        return read(handle) + read(handle) + x

    concrete = f.get_concrete_function(tf.constant(1.0))
    reads = [op for op in concrete.graph.get_operations() if op.type == "ReadVariableOp"]
    assert len(reads) == 2
    assert not any(op.control_inputs for op in reads)


def test_a_failed_check_fails_the_call():
    @tf.function
    def f(x):
        tf.Assert(x > 0.0, [x])
        return x

    assert float(f(tf.constant(1.0))) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))


@pytest.mark.parametrize("kind", ["cond", "switch", "loop", "call", "nested"])
def test_effects_on_the_world_and_on_variables_in_one_node(kind):
    """A node that calls functions keeps its order relative to Python functions even if it takes variables."""
    v, seen = tf.Variable(0.0), []

    def note(what):
        tf.py_function(lambda: seen.append(what), [], [])

    def change():
        v.assign_add(1.0)
        note("inside")
        return tf.constant(0)

    called = tf.function(change)
    kinds = {
        "cond": lambda p: tf.cond(p, change, change),
        "switch": lambda p: tf.switch_case(tf.cast(p, tf.int32), [change, change]),
        "loop": lambda p: tf.while_loop(lambda i: i < 1, lambda i: change() + i + 1, [0]),
        "call": lambda p: called(),
        "nested": lambda p: tf.cond(p, lambda: tf.cond(p, called, change), change),
    }

    @tf.function
    def f(p):
        note("before")
        kinds[kind](p)
        note("after")
        return v.read_value()

    assert float(f(tf.constant(True))) == 1.0 and seen == ["before", "inside", "after"]


def test_loops_over_datasets_run_where_they_stand():
    """Also if only functions of the dataset use the variable, as in a loop that ends early."""
    variable = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def loop():
        total = tf.constant(0, tf.int64)
        variable.assign(1)
        for x in tf.data.Dataset.range(9).map(lambda x: x + variable):
            if x > 3:
                break
            total += x
        variable.assign(100)
        return total

    assert int(loop()) == 1 + 2 + 3
    operations = loop.get_concrete_function().graph.get_operations()
    first, last = (op for op in operations if op.type == "AssignVariableOp")
    reduction = next(op for op in operations if op.type == "ReduceDataset")
    assert reduction in last.control_inputs
    waiting = {reduction, *reduction.control_inputs, *(tensor.op for tensor in reduction.inputs)}
    for op in list(waiting):
        waiting.update(op.control_inputs)
    assert first in waiting
