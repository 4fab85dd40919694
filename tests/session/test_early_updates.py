"""Variables are updated with large values as soon as these are available, so that a step does not keep all of them;
accesses to a variable keep the order of the program.
"""

import numpy as np
import pytest

import tinytf as tf

LARGE = 200, 200  # float32 elements; larger than updates that are delayed to the end of a step
ONE_THREAD = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)


@pytest.fixture
def sess():
    with tf.Session(config=ONE_THREAD) as session:
        yield session


def bytes_beyond_the_variables(layers, optimizer, branches=False):
    """The peak memory of training this many layers, beyond the memory that lives between steps. With `branches`
    there is a condition before the first layer, as in models that distinguish training and evaluation.
    """
    with tf.Graph().as_default(), tf.Session(config=ONE_THREAD) as sess:
        y = x = tf.placeholder(tf.float32, [4, LARGE[0]])
        if branches:
            y = tf.cond(tf.reduce_sum(x) > 0.0, lambda: x * 2.0, lambda: x)
        for seed in range(layers):
            y = tf.nn.relu(tf.matmul(y, tf.Variable(tf.random_normal(LARGE, stddev=0.05, seed=seed))))
        step = optimizer.minimize(tf.reduce_mean(tf.square(y)))
        sess.run(tf.global_variables_initializer())
        for _ in range(2):
            sess.run(step, {x: np.ones([4, LARGE[0]], np.float32)})
        memory = sess.stats().memory
        return memory.peak_bytes - memory.live_bytes


@pytest.mark.parametrize("optimizer", [lambda: tf.train.GradientDescentOptimizer(0.1), tf.train.AdamOptimizer])
@pytest.mark.parametrize("branches", [False, True])
def test_gradients_do_not_pile_up(optimizer, branches):
    most = bytes_beyond_the_variables(4, optimizer(), branches) + 4 * 160_000
    assert bytes_beyond_the_variables(20, optimizer(), branches) < most


@pytest.mark.parametrize("use_resource", [False, True])
def test_updates_stay_behind_what_a_branch_does_to_the_variable(sess, use_resource):
    v = tf.get_variable("v", initializer=tf.zeros(LARGE), use_resource=use_resource)
    p = tf.placeholder(tf.bool, [])

    def add():
        with tf.control_dependencies([tf.assign_add(v, tf.ones(LARGE)).op]):
            return tf.constant(1.0)

    branch = tf.cond(p, add, lambda: tf.constant(0.0))
    with tf.control_dependencies([branch.op]):
        step = tf.assign_add(v, v.read_value() * 2.0)
    sess.run(tf.global_variables_initializer())
    sess.run([step.op, branch], {p: True})
    assert (sess.run(v) == 3.0).all()


@pytest.mark.parametrize("use_resource", [False, True])
def test_reads_and_updates_keep_their_order(sess, use_resource):
    v = tf.get_variable("v", initializer=tf.zeros(LARGE), use_resource=use_resource)
    early = v * 10.0
    first = tf.assign_add(v, tf.ones(LARGE) * tf.reduce_sum(early + 1.0))
    with tf.control_dependencies([first.op]):
        late = v.read_value() * 10.0
    second = tf.assign_add(v, late)
    sess.run(tf.global_variables_initializer())
    values = sess.run([early, late, first.op, second.op])
    assert (values[0] == 0.0).all() and (values[1] == 400_000.0).all()
    assert (sess.run(v) == 440_000.0).all()


@pytest.mark.parametrize("use_resource", [False, True])
def test_views_of_a_variable_are_read_before_it_changes(sess, use_resource):
    v = tf.get_variable("v", initializer=tf.ones(LARGE), use_resource=use_resource)
    value = v.read_value()
    view = tf.reshape(value, [-1])
    total = tf.reduce_sum(view)
    step = tf.assign_add(v, tf.fill(LARGE, 2.0) * tf.reduce_sum(value[0, :3]))
    sess.run(tf.global_variables_initializer())
    assert sess.run([total, step.op])[0] == 40_000.0
    assert (sess.run(v) == 7.0).all()


def test_what_waits_for_an_update_runs_after_it_and_what_it_waits_for_before(sess):
    seen = []
    v = tf.Variable(tf.zeros(LARGE), use_resource=True)
    before = tf.py_func(lambda: seen.append("before") or np.float32(1), [], tf.float32)
    elsewhere = tf.py_func(lambda: seen.append("elsewhere") or np.float32(1), [], tf.float32)
    with tf.control_dependencies([before]):
        step = v.assign_add(tf.ones(LARGE) * 3.0)
    with tf.control_dependencies([step]):
        after = tf.py_func(lambda x: seen.append(("after", x)) or x, [v[0, 0]], tf.float32)
    sess.run(tf.global_variables_initializer())
    assert sess.run([elsewhere, after])[1] == 3.0
    assert seen.index("before") < seen.index(("after", 3.0)) and "elsewhere" in seen


@pytest.mark.parametrize("seed", range(30))
def test_any_program_gives_what_its_order_says(sess, seed):
    random = np.random.default_rng(seed)
    variables = [tf.Variable(tf.fill(LARGE, float(i)), use_resource=bool(i % 2)) for i in range(3)]
    held = [float(i) for i in range(3)]
    values, expected, updates = [tf.ones(LARGE)], [1.0], []
    for _ in range(25):
        i, k = random.integers(3), random.integers(len(values))
        if random.random() < 0.5:
            values.append(variables[i] * 0.5 + values[k])
            expected.append(held[i] * 0.5 + expected[k])
        else:
            updates.append(tf.assign_add(variables[i], values[k] * 0.25).op)
            held[i] += expected[k] * 0.25
    sess.run(tf.global_variables_initializer())
    found = sess.run([*values, *updates])
    for value, number in zip(found, expected):
        np.testing.assert_allclose(value, np.full(LARGE, number), rtol=1e-5)
    for variable, number in zip(variables, held):
        np.testing.assert_allclose(sess.run(variable), np.full(LARGE, number), rtol=1e-5)


@pytest.mark.parametrize("takes", [True, False])
def test_values_that_are_handed_into_branches(sess, takes):
    """The op that passes a value into the branch derives from the condition's node, whose static information does
    not describe it.
    """
    v = tf.get_variable("v", initializer=np.zeros(LARGE, np.float32), use_resource=True)

    @tf.function
    def step(predicate, value):
        return tf.cond(predicate, lambda: v.assign_add(value), lambda: v.assign_sub(value))

    done = step(tf.constant(takes), tf.random_uniform(LARGE, 1, 2))
    sess.run(v.initializer)
    sess.run(done.op)
    assert (sess.run(v) > 0).all() == takes
