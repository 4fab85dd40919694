"""Steps: callables, threads, growing graphs, errors that name the user's line, memory."""

import re
import threading

import numpy as np
import pytest
from places import line_here

import tinytf as tf
from tinytf._src import protos

# -- make_callable -----------------------------------------------------------------------------------------------------


def test_callables_return_what_run_would(sess):
    a, b = tf.constant(1), tf.constant(2)
    assert sess.make_callable(a + b)() == 3
    assert sess.make_callable(tf.group(a))() is None
    assert sess.make_callable([a, {"b": b, "op": a.op}])() == [1, {"b": 2, "op": None}]


def test_callables_with_feeds(sess):
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    call = sess.make_callable([x - y], [x, y])
    assert call(5, 3) == [2]
    assert sess.make_callable(x - y, (x, y))(np.float32(5), 3) == 2
    with pytest.raises(TypeError, match="^`feed_list` must be a list or tuple.$"):
        sess.make_callable(x, x)


def test_callables_with_options(sess):
    a = tf.constant(1)
    for fetches in (a, [a]):
        call = sess.make_callable(fetches, accept_options=True)
        assert call(options=None, run_metadata=None) in (1, [1])
    x = tf.placeholder(tf.float32)
    assert sess.make_callable(x * 2, [x], accept_options=True)(3, options=None) == 6


def test_a_prepared_callable_sees_new_values_of_variables(sess):
    v = tf.get_variable("v", initializer=1.0)
    add = tf.assign_add(v, 1.0)
    sess.run(tf.global_variables_initializer())
    read, step = sess.make_callable(v), sess.make_callable(add.op)
    step()
    step()
    assert read() == 3


# -- Growing graphs ----------------------------------------------------------------------------------------------------


def test_a_graph_grows_between_runs(sess):
    a = tf.constant(1)
    assert sess.run(a) == 1
    b = a + 1
    assert sess.run(b) == 2
    assert sess.run([a, b * 2]) == [1, 4]


def test_a_finalized_graph_runs_but_does_not_grow(sess):
    a = tf.constant(1) + 1
    sess.graph.finalize()
    assert sess.run(a) == 2
    with pytest.raises(RuntimeError, match="^Graph is finalized and cannot be modified.$"):
        tf.constant(2)


def test_only_what_is_needed_runs(sess):
    v = tf.get_variable("v", initializer=0)
    add = tf.assign_add(v, 1)
    sess.run(tf.global_variables_initializer())
    sess.run(tf.constant(1))
    assert sess.run(v) == 0
    sess.run([add, add.op, tf.identity(add)])  # once per step, however often it is fetched
    assert sess.run(v) == 1


def test_control_dependencies_run_first(sess):
    v = tf.get_variable("v", initializer=0, use_resource=True)
    sess.run(tf.global_variables_initializer())
    add = v.assign_add(5)
    with tf.control_dependencies([add]):
        after = v.read_value()
    assert sess.run(after) == 5


def test_changes_after_a_run_are_warned_of(sess, caplog):
    a, b = tf.constant(1, name="a"), tf.constant(2, name="b")
    sess.run(a)
    a.op._add_control_input(b.op)
    with caplog.at_level("WARNING", "tinytf"):
        sess.run(a + b)
    assert "was changed by adding control input after it was run by a session" in caplog.text
    caplog.clear()  # log records reference the operation


# -- Threads -----------------------------------------------------------------------------------------------------------


def test_eight_threads_run_one_session(sess):
    x = tf.placeholder(tf.float32, [None])
    v = tf.get_variable("v", initializer=0, use_resource=True)
    y, add = tf.reduce_sum(x * 2.0 + 1.0), v.assign_add(1)
    sess.run(tf.global_variables_initializer())
    wrong = []

    def work(number):
        try:
            call = sess.make_callable(y, [x])
            for i in range(50):
                n = 1 + (number * 7 + i) % 100
                values = [sess.run(y, {x: np.full(n, number, np.float32)}), call(np.full(n, number, np.float32))]
                if values != [n * (2 * number + 1)] * 2:
                    wrong.append((number, n, values))
                sess.run(add)
        except Exception as e:  # reported to the asserting thread
            wrong.append(e)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert sess.run(v) == 8 * 50


def test_results_do_not_depend_on_the_number_of_threads():
    x = np.random.default_rng(0).normal(size=(300, 4000)).astype(np.float32)
    p = tf.placeholder(tf.float32, [300, 4000])
    y = [tf.reduce_sum(p), tf.reduce_mean(p, 0), tf.matmul(p, p, transpose_b=True), tf.nn.softmax(p)]
    results = []
    for threads in (1, 2, 4):
        with tf.Session(config=protos.ConfigProto(intra_op_parallelism_threads=threads)) as sess:
            results.append(sess.run(y, {p: x}))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


# -- Errors ------------------------------------------------------------------------------------------------------------


def test_an_error_names_the_operation_and_the_users_line(sess):
    x = tf.placeholder(tf.float32, name="x")
    y, line = tf.reshape(x, [2, 2], name="shaped"), line_here()
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(y, {x: [1, 2, 3]})
    error = caught.value
    assert error.op is y.op
    assert error.node_def.name == "shaped"
    assert error.error_code == tf.errors.INVALID_ARGUMENT
    assert re.search(rf"\(defined at (\S*/)?test_run.py:{line}\)", error.message)  # without the paths' common prefix
    assert "[[" in error.message and "{{node" not in error.message
    assert "Original stack trace for 'shaped':" in str(error)
    assert isinstance(error, tf.OpError)


def test_gradient_operations_name_the_forward_one(sess):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.reshape(x, [4], name="shaped")
    grad = tf.gradients(y, x, grad_ys=[tf.placeholder_with_default(tf.ones([4]), None)])[0]
    assert grad.op._original_op is y.op


def test_a_step_that_fails_leaves_the_session_usable(sess):
    x = tf.placeholder(tf.float32)
    y = tf.reshape(x, [2])
    with pytest.raises(tf.errors.InvalidArgumentError):
        sess.run(y, {x: [1.0]})
    np.testing.assert_array_equal(sess.run(y, {x: [1, 2]}), [1, 2])


def test_assertions_show_their_data(sess):
    check = tf.Assert(tf.constant(False), [tf.constant([1, 2]), "text"])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(check)
    assert "assertion failed: [1 2] [text]" in caught.value.message


@pytest.mark.parametrize("resource", [False, True])
def test_variables_that_are_not_initialised(sess, resource):
    v = tf.get_variable("v", [2], use_resource=resource)
    with pytest.raises(tf.errors.FailedPreconditionError) as caught:
        sess.run(v + 1)
    if resource:
        expected = (
            "Error while reading resource variable v from Container: localhost. This could mean that the variable"
        )
        assert "(Could not find resource: localhost/v)" in caught.value.message
    else:
        expected = "Attempting to use uninitialized value v"
    assert expected in caught.value.message
    with pytest.raises(tf.errors.NotFoundError if resource else tf.errors.FailedPreconditionError) as caught:
        sess.run(v.assign_add([1.0, 1.0]))
    expected = "(Could not find resource: localhost/v)" if resource else "Attempting to use uninitialized value v"
    assert expected in caught.value.message


def test_assigning_another_shape(sess):
    v = tf.get_variable("v", initializer=tf.zeros([2]))
    sess.run(tf.global_variables_initializer())
    p = tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(tf.assign(v, p), {p: [1, 2, 3]})
    text = "Assign requires shapes of both tensors to match. lhs shape= [2] rhs shape= [3]"
    assert text in caught.value.message


def test_a_kernel_that_does_not_exist(sess):
    x = tf.placeholder(tf.bfloat16)
    y = tf.raw_ops.LinSpace(start=x, stop=x, num=tf.constant(3))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess.run(y, {x: 1})
    assert "No OpKernel was registered to support Op 'LinSpace' used by node LinSpace" in caught.value.message
    assert (
        "with these attrs: [T=DT_BFLOAT16, Tidx=DT_INT32]\nRegistered devices: [CPU]\nRegistered kernels:\n"
        in caught.value.message
    )


# -- Rewrites and memory -----------------------------------------------------------------------------------------------


def _without_rewrites():
    config = protos.ConfigProto()
    config.graph_options.optimizer_options.opt_level = -1
    return config


def test_rewrites_do_not_change_results():
    x = tf.placeholder(tf.float32, [3])
    c = tf.constant([1.0, 2.0, 3.0])
    y = tf.exp(c) + x * (c * 2.0 + c * 2.0)
    with tf.Session() as one, tf.Session(config=_without_rewrites()) as two:
        fed = {x: np.array([0.5, -1, 2], np.float32)}
        for _ in range(2):
            np.testing.assert_array_equal(one.run(y, fed), two.run(y, fed))


def test_memory_statistics(sess):
    v = tf.get_variable("v", initializer=tf.zeros([1024]))
    sess.run(tf.global_variables_initializer())
    sess.run(tf.reduce_sum(v * 2.0))
    stats = sess._engine.memory_stats()
    assert stats and all(isinstance(n, int) and n >= 0 for n in stats.values())


def test_a_large_constant_is_not_copied_into_each_result(sess):
    from tinytf import _core

    a = tf.constant(np.zeros(100_000, np.float32))
    sess.run(a + 1)
    before = _core.live_buffers()
    results = [sess.run(a + 1) for _ in range(3)]
    assert _core.live_buffers() - before <= 2 * len(results) + 3
