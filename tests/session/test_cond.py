"""tf.cond: values, structures, side effects of the taken branch, and errors."""

import collections
import re

import numpy as np
import pytest

import tinytf as tf
from tinytf._src.framework.errors.errors_impl import InaccessibleTensorError

Pair = collections.namedtuple("Pair", "first second")


@pytest.fixture
def p():
    return tf.placeholder(tf.bool, [], name="p")


def _both(sess, p, fetch, **feeds):
    """The values of a fetch for a true and a false predicate."""
    return [sess.run(fetch, {p: value, **feeds}) for value in (True, False)]


def test_values(sess, p):
    x = tf.constant(3.0)
    assert _both(sess, p, tf.cond(p, lambda: x * 2.0, lambda: x)) == [6, 3]
    assert _both(sess, p, tf.cond(p, lambda: "yes", lambda: "no")) == [b"yes", b"no"]


def test_predicates(sess):
    assert sess.run(tf.cond(np.bool_(True), lambda: 1, lambda: 2)) == 1
    assert sess.run(tf.cond(tf.constant(2) < 1, lambda: 1, lambda: 2)) == 2


def test_old_names_of_the_functions(sess, p):
    assert _both(sess, p, tf.cond(p, fn1=lambda: 1, fn2=lambda: 2)) == [1, 2]


def test_structures(sess, p):
    nested = tf.cond(p, lambda: {"a": [1, (2.0, "x")], "b": 3}, lambda: {"b": 6, "a": [4, (5.0, "y")]})
    assert _both(sess, p, nested) == [{"a": [1, (2, b"x")], "b": 3}, {"a": [4, (5, b"y")], "b": 6}]
    pair = tf.cond(p, lambda: Pair(1, [2]), lambda: Pair(3, [4]))
    assert isinstance(pair, Pair) and _both(sess, p, pair) == [Pair(1, [2]), Pair(3, [4])]


def test_one_result_in_a_list(sess, p):
    assert isinstance(tf.cond(p, lambda: [1], lambda: (2,)), tf.Tensor)
    strict = tf.cond(p, lambda: [1], lambda: [2], strict=True)
    assert isinstance(strict, list) and _both(sess, p, strict) == [[1], [2]]


def test_operations_as_results(sess, p):
    v = tf.Variable(0)
    sess.run(v.initializer)
    done = tf.cond(p, lambda: v.assign_add(1).op, lambda: tf.no_op())
    assert done.dtype == tf.bool
    assert _both(sess, p, [done]) and sess.run(v) == 1
    mixed = tf.cond(p, lambda: [tf.no_op(), 1], lambda: [tf.constant(True), 2])
    assert [value[1] for value in _both(sess, p, mixed)] == [1, 2]


def test_indexed_slices(sess, p):
    rows = np.float32([[1, 2], [3, 4]])
    slices = tf.cond(
        p,
        lambda: tf.IndexedSlices(tf.constant(rows), tf.constant([0, 1])),
        lambda: tf.IndexedSlices(tf.constant(rows * 2), tf.constant([2, 3], tf.int64)),
    )
    assert slices.indices.dtype == tf.int64
    on, off = _both(sess, p, slices)
    np.testing.assert_array_equal(on.values, rows)
    np.testing.assert_array_equal(off.values, rows * 2)
    assert on.indices.tolist() == [0, 1] and off.indices.tolist() == [2, 3] and off.dense_shape is None


def test_sparse_tensors(sess, p):
    sparse = tf.cond(
        p, lambda: tf.SparseTensor([[0]], [1.0], [2]), lambda: tf.SparseTensor([[0], [1]], [2.0, 3.0], [2])
    )
    on, off = _both(sess, p, sparse)
    assert on.values.tolist() == [1] and off.indices.tolist() == [[0], [1]] and off.dense_shape.tolist() == [2]


def test_what_the_other_branch_needs_does_not_run(sess, p):
    ran = []

    def note(name):
        return tf.py_func(lambda: ran.append(name) or np.float32(1), [], tf.float32)

    before = note("before")
    result = tf.cond(p, lambda: note("on") + before, lambda: note("off"))
    assert sess.run(result, {p: True}) == 2 and sorted(ran) == ["before", "on"]
    ran.clear()
    sess.run(result, {p: False})
    assert set(ran) <= {"off", "before"} and "off" in ran


@pytest.mark.parametrize("use_resource", [False, True])
def test_variables_change_in_the_branch_that_is_taken(sess, p, use_resource):
    v = tf.Variable(1.0, use_resource=use_resource)
    sess.run(v.initializer)
    result = tf.cond(p, lambda: tf.assign_add(v, 10.0), lambda: tf.identity(v))
    assert [float(value) for value in _both(sess, p, result)] == [11, 11]
    assert sess.run(v) == 11
    both = tf.cond(p, lambda: tf.assign(v, 1.0), lambda: tf.assign(v, 2.0))
    sess.run(both, {p: False})
    assert sess.run(v) == 2


def test_a_variable_made_in_a_branch_is_initialized_outside(sess, p):
    result = tf.cond(p, lambda: tf.get_variable("v", [], initializer=tf.constant_initializer(3.0)) * 2.0, lambda: 1.0)
    sess.run(tf.global_variables_initializer())
    assert _both(sess, p, result) == [6, 1]


def test_conditions_in_conditions(sess, p):
    q, x = tf.placeholder(tf.bool, [], name="q"), tf.constant(1.0)
    result = tf.cond(p, lambda: tf.cond(q, lambda: x + 1.0, lambda: x + 2.0), lambda: tf.cond(q, lambda: x, lambda: -x))
    assert [_both(sess, p, result, **{"q:0": value}) for value in (True, False)] == [[2, 1], [3, -1]]


def test_control_inputs_of_branches(sess, p):
    v = tf.Variable(0)
    sess.run(v.initializer)
    add = tf.assign_add(v, 1)

    def waiting():
        with tf.control_dependencies([tf.assign_add(v, 10)]):
            return tf.constant(1)

    with tf.control_dependencies([add]):
        result = tf.cond(p, waiting, lambda: tf.constant(2))
    assert sess.run(result, {p: False}) == 2 and sess.run(v) == 1
    assert sess.run(result, {p: True}) == 1 and sess.run(v) == 12


def test_static_shapes(p):
    same = tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.ones([2, 3]))
    ranks = tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.ones([4, 3]))
    none = tf.cond(p, lambda: tf.zeros([2, 3]), lambda: tf.ones([2]))
    assert [t.shape.as_list() for t in (same, ranks)] == [[2, 3], [None, 3]] and none.shape.ndims is None


def test_what_is_inside_cannot_be_fetched_but_fed(sess, p):
    inside = []
    result = tf.cond(p, lambda: inside.append(tf.constant(1.0) + 2.0) or inside[0] * 2.0, lambda: tf.constant(0.0))
    for name in ("cond/Switch:0", "cond/switch_t:0", "cond/pred_id:0", "cond/Const:0", inside[0].name):
        with pytest.raises(InaccessibleTensorError, match="marked as not fetchable"):
            sess.run(name, {p: True})
    assert sess.run(result, {p: True, inside[0]: 10.0}) == 20
    assert sess.run(result, {result: 5.0}) == 5


def test_a_tensor_of_a_branch_that_is_not_taken_has_no_value(sess, p):
    inside = []
    tf.cond(p, lambda: inside.append(tf.constant(1.0) + 2.0) or inside[0], lambda: tf.constant(0.0))
    outside = tf.identity(inside[0])
    assert sess.run(outside, {p: True}) == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape("Retval[0] does not have value")):
        sess.run(outside, {p: False})


def test_summaries_of_branches_are_waited_for(sess, p):
    ran = []
    key = tf.GraphKeys._SUMMARY_COLLECTION

    def on():
        tf.add_to_collection(key, tf.py_func(lambda: ran.append("summary") or np.float32(0), [], tf.float32))
        return tf.constant(1.0)

    result = tf.cond(p, on, lambda: 2.0)
    assert tf.get_collection(key) == []
    assert _both(sess, p, result) == [1, 2] and ran == ["summary"]


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ((None, lambda: 1), TypeError, "cond(): true_fn argument required"),
        ((lambda: 1,), TypeError, "cond(): false_fn argument required"),
        ((1, lambda: 1), TypeError, "true_fn must be callable."),
        ((lambda: 1, 2), TypeError, "false_fn must be callable."),
        ((lambda: None, lambda: 1), ValueError, "true_fn must have a return value."),
        ((lambda: 1, lambda: None), ValueError, "false_fn must have a return value."),
        ((list, list), ValueError, "true_fn and false_fn must return at least one result."),
        (
            (lambda: 1, lambda: 1.0),
            ValueError,
            "Outputs of true_fn and false_fn must have the same type: int32, float32",
        ),
        ((lambda: [None], lambda: [None]), ValueError, "None values not supported."),
        (
            (lambda: [1, 2], lambda: (1, 2)),
            TypeError,
            "The two structures don't have the same nested structure.\n\nFirst structure: type=list str=[1, 2]\n\n"
            "Second structure: type=tuple str=(1, 2)\n\nMore specifically: The two namedtuples don't have the same sequence "
            "type. First structure type=list str=[1, 2] has type list, while second structure type=tuple str=(1, 2) has "
            "type tuple\nEntire first structure:\n[., .]\nEntire second structure:\n(., .)",
        ),
        (
            (lambda: [1, 2], lambda: [1]),
            ValueError,
            "The two structures don't have the same nested structure.\n\nFirst structure: type=list str=[1, 2]\n\n"
            'Second structure: type=int str=1\n\nMore specifically: Substructure "type=list str=[1, 2]" is a sequence, '
            'while substructure "type=int str=1" is not\nEntire first structure:\n[., .]\nEntire second structure:\n.',
        ),
        (
            (lambda: {"a": 1}, lambda: {"b": 1}),
            ValueError,
            "The two structures don't have the same nested structure.\n\nFirst structure: type=dict str={'a': 1}\n\n"
            "Second structure: type=dict str={'b': 1}\n\nMore specifically: The two dictionaries don't have the same set of "
            "keys. First structure has keys type=list str=['a'], while second structure has keys type=list str=['b']\n"
            "Entire first structure:\n{'a': .}\nEntire second structure:\n{'b': .}",
        ),
    ],
)
def test_errors(p, arguments, error, says):
    with pytest.raises(error) as caught:
        tf.cond(p, *arguments)
    assert str(caught.value) == says
    assert tf.get_default_graph()._get_control_flow_context() is None


def test_a_function_under_both_names(p):
    for arguments, name in (({"fn1": lambda: 1}, "true_fn and fn1"), ({"fn2": lambda: 1}, "false_fn and fn2")):
        with pytest.raises(TypeError, match=re.escape(f"cond(): {name} may not be set simultaneously.")):
            tf.cond(p, lambda: 1, lambda: 1, **arguments)


@pytest.mark.parametrize(
    ("pred", "error", "says"),
    [
        (True, TypeError, "pred must not be a Python bool"),
        (1, TypeError, "Input 'pred' of 'Switch' Op has type int32 that does not match expected type of bool."),
        (
            [True],
            ValueError,
            "Shape must be rank 0 but is rank 1 for 'cond/Switch' (op: 'Switch') with input shapes: [1], [1].",
        ),
    ],
)
def test_bad_predicates(pred, error, says):
    with pytest.raises(error) as caught:
        tf.cond(pred, lambda: 1, lambda: 2)
    assert str(caught.value) == says


@pytest.mark.parametrize(
    "other", [lambda: tf.constant([1.0]), lambda: tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1]), tf.constant([5]))]
)
def test_composites_that_do_not_fit(p, other):
    says = (
        "Incompatible return values of true_fn and false_fn: The two structures don't have the same nested structure."
    )
    with pytest.raises(ValueError, match="^" + re.escape(says)):
        tf.cond(p, lambda: tf.IndexedSlices(tf.ones([2]), tf.constant([0, 1])), other)


def test_initial_values_of_inside(p):
    with pytest.raises(ValueError, match="^Initializer for variable cond/v/ is from inside a control-flow construct"):
        tf.cond(p, lambda: tf.Variable(tf.constant(1.0), name="v") + 1.0, lambda: 1.0)


def test_errors_of_a_branch_leave_the_context():
    with pytest.raises(ZeroDivisionError):
        tf.cond(tf.placeholder(tf.bool, []), lambda: 1 / 0, lambda: 1)
    assert tf.constant(1).op.control_inputs == []


def test_assertions_show_what_only_they_need(sess):
    ran = []
    x = tf.placeholder(tf.float32, [3])
    data = tf.py_func(lambda: ran.append(1) or np.float32([1, 2, 3, 4]), [], tf.float32)
    check = tf.Assert(tf.reduce_all(x > 0.0), ["not positive", data, x])
    with tf.control_dependencies([check]):
        y = x + 1.0
    assert sess.run(y, {x: [1, 2, 3]}).tolist() == [2, 3, 4]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=re.escape("assertion failed: [not positive] [1 2 3...] [1 -2 3]")
    ):
        sess.run(y, {x: [1, -2, 3]})
