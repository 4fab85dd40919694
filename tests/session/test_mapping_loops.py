"""Loops with independent iterations may run on several threads without observable differences."""

import numpy as np
import pytest

import tinytf as tf

N = 60


def session(threads):
    return tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=threads))


def check_threads_agree(fetches):
    """Compares with a session with one thread, which runs iterations in order."""
    outcomes = []
    for threads in (1, 2):
        with session(threads) as sess:
            sess.run(tf.global_variables_initializer())
            outcomes.append(tf.nest.flatten(sess.run(fetches)))
    for one, other in zip(*outcomes, strict=True):
        np.testing.assert_array_equal(one, other)


def heavy(x, rounds=12):
    """A few microseconds of work."""
    for _ in range(rounds):
        x = tf.tanh(tf.matmul(x, x) * 0.1)
    return x


def matrices(n=N):
    return tf.constant(np.random.RandomState(3).randn(n, 12, 12).astype(np.float32))


def array_of(n=N, **arguments):
    return tf.TensorArray(tf.float32, n, **arguments)


def plain_map():
    return tf.map_fn(heavy, matrices())


def nested_structures():
    return tf.map_fn(
        lambda xy: (heavy(xy[0]) + xy[1], xy[1] * 2), (matrices(), tf.range(float(N))), (tf.float32, tf.float32)
    )


def loop_in_body():
    def body(x):
        return tf.while_loop(lambda i, _: i < 5, lambda i, y: (i + 1, heavy(y, 2)), (0, x))[1]

    return tf.map_fn(body, matrices())


def branch_in_body():
    return tf.map_fn(lambda x: tf.cond(x[0, 0] > 0, lambda: heavy(x), lambda: x - 1), matrices())


def map_in_body():
    return tf.map_fn(lambda x: tf.map_fn(lambda row: row * tf.reduce_sum(row), heavy(x)), matrices())


def written_backwards():
    def body(i, array):
        return i + 1, array.write(N - 1 - i, heavy(matrices()[i]))

    return tf.while_loop(lambda i, _: i < N, body, (0, array_of()))[1].stack()


def two_arrays_and_a_step_of_three():
    def body(i, a, b):
        y = heavy(matrices()[i])
        return i + 3, a.write(i, y), b.write(i // 3, tf.reduce_sum(y))

    loop = tf.while_loop(
        lambda i, *_: i < N, body, (0, array_of(dynamic_size=True, element_shape=[12, 12]), array_of())
    )
    return loop[0], loop[1].stack(), loop[2].gather(tf.range(N // 3))


def growing_array():
    def body(i, array):
        return i + 1, array.write(i, heavy(matrices()[i]))

    return tf.while_loop(lambda i, _: i < N, body, (0, array_of(0, dynamic_size=True)))[1].stack()


def reads_a_variable():
    v = tf.get_variable("v", initializer=tf.ones([12, 12]), use_resource=True)
    return tf.map_fn(lambda x: heavy(x) + v, matrices())


MAPS = [
    plain_map,
    nested_structures,
    loop_in_body,
    branch_in_body,
    written_backwards,
    two_arrays_and_a_step_of_three,
    growing_array,
    reads_a_variable,
]


def scanned():
    return tf.scan(lambda a, x: heavy(a + x, 3), matrices())


def folded():
    return tf.foldl(lambda a, x: heavy(a + x, 3), matrices())


def reads_what_it_writes():
    def body(i, array):
        return i + 1, array.write(i, heavy(array.read(i - 1)))

    array = array_of(clear_after_read=False).write(0, matrices()[0])
    return tf.while_loop(lambda i, _: i < N, body, (1, array))[1].stack()


def counts_in_steps_that_grow():
    def body(i, step, array):
        return i + step, step + i % 2, array.write(i, heavy(matrices()[i]))

    array = array_of(element_shape=[12, 12])
    return tf.while_loop(lambda i, *_: i < N, body, (0, 1, array))[2].stack()


def assigns():
    v = tf.get_variable("v", initializer=0.0, use_resource=True)
    return tf.map_fn(lambda x: v.assign_add(tf.reduce_sum(heavy(x))) + 0.0, matrices())


def random_numbers():
    return tf.map_fn(lambda x: heavy(x) + tf.random_uniform([], seed=5), matrices())


def python_function():
    return tf.map_fn(lambda x: tf.py_func(lambda y: y * np.float32(2), [heavy(x)], tf.float32), matrices())


IN_ORDER = [
    map_in_body,  # each iteration creates its own arrays
    scanned,
    folded,
    reads_what_it_writes,
    counts_in_steps_that_grow,
    assigns,
    random_numbers,
    python_function,
]


@pytest.mark.parametrize("program", MAPS + IN_ORDER, ids=lambda program: program.__name__)
def test_threads_make_no_difference(program):
    tf.set_random_seed(1)
    check_threads_agree(program())


@pytest.mark.parametrize("program", MAPS + IN_ORDER, ids=lambda program: program.__name__)
def test_plan_reports_tell(program):
    fetches = program()
    with tf.Session() as sess:
        loops = sess.plan_report(fetches).loops
        assert loops[0].maps == (program in MAPS)
        assert ("maps" in str(loops[0])) == (program in MAPS)


def test_array_that_is_read_behind_the_back_of_its_flow_is_read_in_order():
    """The graph does not show the dependency; the step detects that the arrays are the same."""
    array = array_of(clear_after_read=False).write(0, matrices()[0])

    def body(i, written):
        return i + 1, written.write(i, heavy(array.read(i - 1)))

    stacked = tf.while_loop(lambda i, _: i < N, body, (1, array))[1].stack()
    check_threads_agree(stacked)


def test_first_iteration_that_fails_is_told():
    def body(i):
        y = heavy(matrices()[i])
        return tf.reshape(y, [tf.where(tf.equal(i % 17, 16), 143, 144)])

    mapped = tf.map_fn(body, tf.range(N), tf.float32)
    for threads in (1, 2):
        with session(threads) as sess:
            for _ in range(5):
                with pytest.raises(tf.errors.InvalidArgumentError, match="in iteration 16 of map/while"):
                    sess.run(mapped)


def test_time_limits_end_them():
    mapped = tf.map_fn(lambda x: heavy(x, 40), tf.tile(matrices(), [3000, 1, 1]))
    with session(2) as sess:
        with pytest.raises(tf.errors.DeadlineExceededError):
            sess.run(mapped, options=tf.RunOptions(timeout_in_ms=60))
        assert sess.run(tf.reduce_sum(tf.map_fn(heavy, matrices()))) is not None


def test_traced_steps_tell_all_iterations():
    mapped = tf.map_fn(heavy, matrices(20))
    metadata = tf.RunMetadata()
    with session(2) as sess:
        sess.run(mapped, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    names = [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats]
    assert sum(name.startswith("map/while/Tanh") for name in names) == 20 * 12


def test_gradients_go_through():
    x = matrices(20)
    check_threads_agree(tf.gradients(tf.map_fn(heavy, x), x)[0])
