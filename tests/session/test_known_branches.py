"""Branches with a predicate that is known when a step is prepared cost nothing: constants, values computed from
them, and defaults that are not fed.
"""

import numpy as np
import pytest

import tinytf as tf


def _default(value):
    return tf.placeholder_with_default(value, [])


_KNOWN = {
    "constant": lambda value: tf.constant(value),
    "default": _default,
    "passed on": lambda value: tf.identity(tf.identity(_default(value))),
    "computed": lambda value: tf.equal(tf.constant(2) * 3, 6 if value else 7),
    "of a default": lambda value: tf.logical_not(_default(not value)),
    "of many": lambda value: tf.reduce_sum(tf.ones([100_000])) > (0.0 if value else 1e9),
}


@pytest.fixture(params=["primitives", "functions"])
def _parts(request):
    """Builds branches and loops from functions or from primitives."""
    if request.param == "functions":
        tf.enable_control_flow_v2()
    yield request.param
    tf.disable_control_flow_v2()


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("kind", _KNOWN)
@pytest.mark.usefixtures("_parts")
def test_only_the_branch_that_runs_is_planned(sess, kind, value):
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(_KNOWN[kind](value), lambda: tf.sin(x), lambda: tf.cos(x))
    report = sess.plan_report(y, [x])
    assert report.way == "straight"
    assert ("Sin" in report.op_counts) is value and ("Cos" in report.op_counts) is not value
    assert sess.run(y, {x: 0.0}) == (0.0 if value else 1.0)


@pytest.mark.usefixtures("_parts")
def test_a_default_that_is_fed_decides(sess):
    p, x = _default(False), tf.placeholder(tf.float32, [])
    y = tf.cond(p, lambda: x + 1.0, lambda: x - 1.0)
    assert sess.run(y, {x: 5.0}) == 4.0
    assert [sess.run(y, {x: 5.0, p: value}) for value in (True, False)] == [6.0, 4.0]
    assert sess.plan_report(y, [x, p]).way == "code"


@pytest.mark.usefixtures("_parts")
def test_conditions_in_each_other(sess):
    p, q, x = _default(True), tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])
    y = tf.cond(
        q,
        lambda: tf.cond(p, lambda: x * 2.0, lambda: tf.sin(x)),
        lambda: tf.cond(tf.constant(False), lambda: tf.cos(x), lambda: tf.cond(p, lambda: -x, lambda: tf.tan(x))),
    )
    report = sess.plan_report(y, [q, x])
    assert report.way == "code" and not {"Sin", "Cos", "Tan"} & set(report.op_counts)
    assert [sess.run(y, {q: value, x: 3.0}) for value in (True, False)] == [6.0, -3.0]


def test_a_case_that_is_known(sess):
    x = tf.placeholder(tf.float32, [])
    for index, op in ((0, "Sin"), (1, "Cos"), (2, "Tan"), (7, "Tan"), (-1, "Tan")):
        y = tf.switch_case(tf.constant(index), [lambda: tf.sin(x), lambda: tf.cos(x), lambda: tf.tan(x)])
        assert [name for name in sess.plan_report(y, [x]).op_counts if name in ("Sin", "Cos", "Tan")] == [op]


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.usefixtures("_parts")
def test_gradients_through_loops_with_known_branches(sess, training):
    p, x = _default(training), tf.placeholder(tf.float32, [4])
    d = tf.cond(p, lambda: x * 3.0, lambda: x)
    y = tf.while_loop(
        lambda i, y: i < 5, lambda i, y: (i + 1, tf.cond(p, lambda: tf.sin(y) * 0.5, lambda: y * y) + d * 0.1), [0, x]
    )[1]
    fetches = [y, tf.gradients(y, x)[0]]
    unknown, known = sess.plan_report(fetches, [x, p]), sess.plan_report(fetches, [x])
    assert (known.way, unknown.way) == ("code", "code")
    assert known.guards < unknown.guards
    assert ("Sin" in known.op_counts) is training
    value = np.float32([0.1, 0.2, 0.3, 0.4])
    for a, b in zip(sess.run(fetches, {x: value}), sess.run(fetches, {x: value, p: training}), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.usefixtures("_parts")
def test_variables_that_no_iteration_changes(sess, value):
    """A loop variable that the body returns unchanged keeps its initial value."""
    x = tf.placeholder(tf.float32, [])

    def body(i, p, y):
        inner = tf.while_loop(
            lambda j, q, z: j < 2,
            lambda j, q, z: (j + 1, q, tf.cond(q, lambda: tf.sin(z), lambda: tf.cos(z))),
            [0, tf.identity(p), y],
        )
        return i + 1, tf.identity(p), tf.cond(tf.logical_not(p), lambda: tf.tan(inner[2]), lambda: -inner[2])

    _, same, y = tf.while_loop(lambda i, p, y: i < 3, body, [0, _default(value), x])
    report = sess.plan_report(y, [x])
    ops = {"Sin", "Cos", "Tan", "Neg"}
    assert report.way == "code" and ops & set(report.op_counts) == ({"Sin", "Neg"} if value else {"Cos", "Tan"})
    expected = np.float32(0.5)
    for _ in range(3):
        for _ in range(2):
            expected = np.sin(expected) if value else np.cos(expected)
        expected = -expected if value else np.tan(expected)
    np.testing.assert_allclose(sess.run(y, {x: 0.5}), expected, rtol=1e-5)
    assert sess.run(same, {x: 0.5}) == value


@pytest.mark.usefixtures("_parts")
def test_variables_that_iterations_change_are_not_known(sess):
    """Nor is a variable known if it is exchanged with another one or returned from a branch."""
    q, x = tf.placeholder(tf.bool, []), tf.placeholder(tf.float32, [])

    def body(i, p, o, r, y):
        y = tf.cond(p, lambda: y * 2.0, lambda: y + 1.0)
        y = tf.cond(r, lambda: y * 3.0, lambda: y + x)
        return i + 1, o, p, tf.cond(q, lambda: r, lambda: tf.logical_not(r)), y

    loop = tf.while_loop(lambda i, *_: i < 3, body, [0, _default(True), _default(False), _default(True), x])
    assert sess.plan_report(loop, [x, q]).way == "code"
    assert sess.run(loop[4], {x: 1.0, q: True}) == ((1 * 2 * 3 + 1) * 3 * 2) * 3
    assert sess.run(loop[4], {x: 1.0, q: False}) == ((1 * 2 * 3 + 1) + 1) * 2 * 3
    assert list(sess.run(loop[1:4], {x: 1.0, q: False})) == [False, True, False]


@pytest.mark.usefixtures("_parts")
def test_known_cases_in_loops(sess):
    x, i = tf.placeholder(tf.float32, []), tf.placeholder_with_default(5, [])
    branches = [lambda y, k=k: y + k for k in range(5)] + [lambda y: tf.sin(y)]

    def body(k, y):
        return k + 1, tf.switch_case(i, [lambda b=b: b(y) for b in branches])

    y = tf.while_loop(lambda k, y: k < 2, body, [0, x])[1]
    report = sess.plan_report(y, [x])
    assert report.way == "code"
    assert report.op_counts.get("Sin") == 1 and "Case" not in report.op_counts
    assert [sess.run(y, {x: 0.0, i: k}) for k in range(5)] == [0.0, 2.0, 4.0, 6.0, 8.0]
    assert sess.run(y, {x: 0.0}) == 0.0


def test_what_leads_to_the_other_branch_runs_as_in_tensorflow(sess):
    """Outside dependencies of the pruned branch still run if that is observable: ops with side effects, checks, and
    placeholders.
    """
    p, calls, v = _default(False), [], tf.Variable(1.0)
    called = tf.py_func(lambda: calls.append(1) or np.float32(2), [], tf.float32)
    sess.run(v.initializer)
    assert sess.run(tf.cond(p, lambda: called * 2.0, lambda: tf.constant(1.0))) == 1.0 and calls == [1]
    added = tf.assign_add(v, 1.0)
    assert sess.run(tf.cond(p, lambda: added * 2.0, lambda: tf.constant(1.0))) == 1.0 and sess.run(v) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="NaN"):
        sess.run(tf.cond(p, lambda: tf.check_numerics(np.nan, "m") * 1.0, lambda: tf.constant(1.0)), {p: True})
    checked = tf.check_numerics(tf.constant(np.nan), "m")
    with pytest.raises(tf.errors.InvalidArgumentError, match="m : Tensor had NaN"):
        sess.run(tf.cond(p, lambda: checked * 1.0, lambda: tf.constant(1.0)))
    fed = tf.placeholder(tf.float32, [])
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value for placeholder"):
        sess.run(tf.cond(p, lambda: fed * 2.0, lambda: tf.constant(1.0)))


def test_effects_of_the_other_branch_stay_out(sess):
    v = tf.Variable(1.0)
    y = tf.cond(tf.constant(False), lambda: v.assign_add(1.0).op, lambda: tf.no_op())
    sess.run(v.initializer)
    sess.run(y)
    assert sess.run(v) == 1.0


def test_primitives(sess):
    x = tf.placeholder(tf.float32, [])
    switched = tf.raw_ops.Switch(data=x, pred=tf.constant(True))
    merged = tf.raw_ops.Merge(inputs=[tf.sin(switched.output_false), switched.output_true * 2.0])
    assert sess.run(list(merged), {x: 4.0}) == [8.0, 1]
    assert sess.plan_report(list(merged), [x]).way == "straight"
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
        sess.run([merged.output, tf.sin(switched.output_false)], {x: 4.0})
    assert sess.run(tf.sin(switched.output_false).op, {x: 4.0}) is None


@pytest.mark.usefixtures("_parts")
def test_partial_runs(sess):
    p, x, y = _default(False), tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    first = tf.cond(p, lambda: tf.sin(x), lambda: x + 1.0)
    second = tf.while_loop(lambda i: i < 10.0, lambda i: tf.cond(p, lambda: i - y, lambda: i + y), [first])
    handle = sess.partial_run_setup([first, second], [x, y])
    assert sess.partial_run(handle, first, {x: 2.0}) == 3.0
    assert sess.partial_run(handle, second, {y: 3.0}) == 12.0


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("value", [True, False])
def test_variables_as_predicates_are_compiled(sess, use_resource, value):
    """tf.cond reads its variable predicate several times; all uses share a single read."""
    v = tf.Variable(value, use_resource=use_resource)
    x = tf.placeholder(tf.float32, [])
    outside = tf.cond(v, lambda: x * 2.0, lambda: x - 1.0)
    loop = tf.while_loop(
        lambda i, y: i < 4, lambda i, y: (i + 1, tf.cond(v, lambda: y * 2.0, lambda: y - x)), [0, outside]
    )[1]
    fetches = [outside, loop, tf.gradients(loop, x)[0]]
    sess.run(v.initializer)
    report = sess.plan_report(fetches, [x])
    assert report.way == "code" and all(loop.is_compiled for loop in report.loops)
    assert sess.run(fetches, {x: 3.0}) == ([6.0, 96.0, 32.0] if value else [2.0, -10.0, -3.0])
    handle = sess.partial_run_setup([outside], [x])
    assert sess.partial_run(handle, outside, {x: 3.0}) == (6.0 if value else 2.0)


def test_a_branch_may_change_its_variable(sess):
    v = tf.Variable(True, use_resource=False)
    with tf.control_dependencies([tf.assign(v, False)]):
        late = tf.cond(v, lambda: tf.constant(1), lambda: tf.constant(2))
    now = tf.cond(v, lambda: tf.assign(v, False), lambda: tf.assign(v, True))
    sess.run(v.initializer)
    assert [bool(sess.run(now)) for _ in range(3)] == [False, True, False]
    sess.run(v.initializer)
    assert sess.run(late) == 2
    assert sess.plan_report([late]).way == sess.plan_report([now]).way == "code"
