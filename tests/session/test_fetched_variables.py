"""A variable fetched together with its updates has the value after the step in every way of execution, because
programs count steps by `_, step = sess.run([train, global_step])`. TensorFlow 1.15.5 returns the variable's own
memory, which updates change in place.
"""

import re

import pytest

import tinytf as tf
from tinytf._src import protos

BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
WAYS = {
    "one thread": tf.ConfigProto(inter_op_parallelism_threads=1, use_per_session_threads=True),
    "threads": tf.ConfigProto(inter_op_parallelism_threads=4, use_per_session_threads=True),
    "by tokens": BY_TOKENS,
}

# The results of steps, for both sides.
PROGRAM = """
def steps(tf, config=None):
    v, p, x = tf.Variable(1.0), tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    step = tf.Variable(0, trainable=False)
    train = tf.train.GradientDescentOptimizer(0.25).minimize(tf.square(v), step)
    add = v.assign_add(x)
    either = tf.cond(p, lambda: v.assign_add(10.0), lambda: tf.constant(0.0))
    def body(i):
        with tf.control_dependencies([v.assign_add(100.0)]): return i + 1
    loop = tf.while_loop(lambda i: i < 3, body, [0])
    queue = tf.FIFOQueue(3, tf.float32)
    from_queue = v.assign(queue.dequeue())
    with tf.Session(config=config) as sess:
        sess.run([v.initializer, step.initializer])
        yield [sess.run([train, step, v])[1:] for _ in range(3)]
        yield [sess.run([step, v, step.name, train])[:3] for _ in range(2)]
        yield sess.run([v, add, v], {x: 2.0})
        yield sess.run([v, either], {p: True})
        yield sess.run([v, either], {p: False})
        yield sess.run([loop, v])
        sess.run(queue.enqueue(5.0))
        yield sess.run([v, from_queue])
        yield sess.run([v], {v: 7.0})
        call = sess.make_callable([step, train])
        yield [call()[0], call()[0]]

def partly(tf):
    v, x = tf.Variable(1.0), tf.placeholder(tf.float32, [])
    add = v.assign_add(x)
    with tf.Session() as sess:
        sess.run(v.initializer)
        handle = sess.partial_run_setup([v, add], [x])
        yield sess.partial_run(handle, v)
        yield sess.partial_run(handle, add, {x: 1.0})
        handle = sess.partial_run_setup([v, add], [x])
        yield sess.partial_run(handle, [v, add], {x: 1.0})

def as_text(steps): return repr([[str(one) for one in values] if isinstance(values, list) else str(values) for values in steps])
"""
HERE = {}
exec(PROGRAM, HERE)

ALL_STEPS = (
    "[['[1, 0.5]', '[2, 0.25]', '[3, 0.125]'], ['[4, 0.0625, 4]', '[5, 0.03125, 5]'], ['2.03125', '2.03125', '2.03125'], "
    "['12.03125', '12.03125'], ['12.03125', '0.0'], ['3', '312.03125'], ['5.0', '5.0'], ['7.0'], ['6', '7']]"
)
PARTLY = "['1.0', '2.0', ['3.0', '3.0']]"


def plain(text):
    """The text without NumPy 2's type names."""
    return re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text)


@pytest.mark.parametrize("way", WAYS)
def test_steps_see_what_they_have_written(way):
    assert plain(HERE["as_text"](HERE["steps"](tf, WAYS[way]))) == ALL_STEPS


def test_a_part_of_a_step_sees_what_was_written_so_far():
    assert plain(HERE["as_text"](HERE["partly"](tf))) == PARTLY


@pytest.mark.oracle
def test_as_in_tensorflow(oracle1):
    assert oracle1(PROGRAM + "result = as_text(steps(tf))") == ALL_STEPS
    assert oracle1(PROGRAM + "result = as_text(partly(tf))") == PARTLY


def test_many_threads_change_nothing(sess):
    """The result does not depend on the order or the cost of the nodes."""
    step = tf.Variable(0)
    work = [tf.reduce_sum(tf.matmul(tf.ones([64, 64]), tf.random_uniform([64, 64]))) for _ in range(8)]
    with tf.control_dependencies(work):
        count = step.assign_add(1)
    sess.run(step.initializer)
    assert [sess.run([count, step])[1] for _ in range(100)] == list(range(1, 101))


def test_what_is_fetched_is_the_callers(sess):
    v = tf.Variable(tf.zeros([1000]))
    add = v.assign_add(tf.ones([1000]))
    sess.run(v.initializer)
    value, _ = sess.run([v, add])
    value[:] = 7
    assert sess.run(v).tolist() == [1.0] * 1000
    sess.run(add)
    assert value.tolist() == [7.0] * 1000


def test_a_variable_must_have_a_value_when_its_node_runs(sess):
    v = tf.Variable(1.0, name="v")
    with pytest.raises(tf.errors.FailedPreconditionError, match="Attempting to use uninitialized value v"):
        sess.run([v, v.initializer])
    sess.run(v.initializer)
    assert sess.run(v) == 1.0


def test_a_step_that_failed_leaves_nothing_to_the_next(sess):
    p, v = tf.placeholder(tf.bool, []), tf.Variable(1.0)
    checked = tf.cond(p, lambda: tf.identity(tf.constant(1.0)), lambda: tf.constant(2.0))
    with tf.control_dependencies([tf.assert_positive(tf.where(p, 1, -1))]):
        add = v.assign_add(1.0)
    sess.run(v.initializer)
    for good in [True, False, True]:
        if good:
            before = sess.run(v)
            assert sess.run([v, add, checked], {p: True})[0] == before + 1
        else:
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run([v, add, checked], {p: False})
