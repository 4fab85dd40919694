"""Errors of tf.while_loop, and of uses, fetches and feeds of tensors inside a loop."""

import re

import pytest

import tinytf as tf
from tinytf._src.framework.errors.errors_impl import InaccessibleTensorError, OperatorNotAllowedInGraphError

Shape = tf.TensorShape


def _fails(error, says, call):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == says
    assert tf.get_default_graph()._get_control_flow_context() is None


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        ({"cond": 1}, TypeError, "cond must be callable."),
        ({"body": 1}, TypeError, "body must be callable."),
        ({"parallel_iterations": 0}, TypeError, "parallel_iterations must be a positive integer."),
        (
            {"parallel_iterations": 2.5},
            ValueError,
            "`parallel_iterations` must be a positive integer: 2.5",
        ),
        ({"loop_vars": []}, ValueError, "No loop variables provided"),
        ({"maximum_iterations": [1, 2]}, ValueError, "maximum_iterations must be a scalar, saw shape: (2,)"),
        ({"cond": lambda i: None}, ValueError, "None values not supported."),
        ({"body": lambda i: None}, ValueError, "None values not supported."),
        (
            {"cond": lambda i: i},
            TypeError,
            "Input 'input' of 'LoopCond' Op has type int32 that does not match expected type of bool.",
        ),
        (
            {"cond": lambda i: [True, False]},
            ValueError,
            "Shape must be rank 0 but is rank 1 for 'while/LoopCond' (op: 'LoopCond') with input shapes: [2].",
        ),
    ],
)
def test_arguments(arguments, error, says):
    given = {"cond": lambda i: i < 3, "body": lambda i: i + 1, "loop_vars": [0], **arguments}
    _fails(error, says, lambda: tf.while_loop(**given))


@pytest.mark.parametrize("number", [None, "3"])
def test_a_number_of_iterations_that_is_none(number):
    with pytest.raises(TypeError, match="'<' not supported between instances of"):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0], parallel_iterations=number)


def test_a_tensor_is_no_list_of_variables():
    with pytest.raises(OperatorNotAllowedInGraphError):
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, tf.constant([1, 2]))


@pytest.mark.parametrize(
    ("body", "error", "says"),
    [
        (lambda i, j: (i,), ValueError, "The two structures don't have the same number of elements."),
        (lambda i, j: [[i], j], ValueError, "is a sequence, while substructure"),
        (lambda i, j: i, ValueError, "The two structures don't have the same number of elements."),
    ],
)
def test_other_structures(body, error, says):
    with pytest.raises(
        error, match="^The two structures don't have the same nested structure.\n\nFirst structure: "
    ) as e:
        tf.while_loop(lambda i, j: i < 3, body, [0, 1])
    assert says in str(e.value)


def test_another_type_is_found_at_the_run(sess):
    result = tf.while_loop(lambda i: i < 3, lambda i: tf.cast(i, tf.float32) + 1.0, [0])
    says = "Input 1 of node while/Merge was passed float from while/NextIteration:0 incompatible with expected int32."
    with pytest.raises(tf.errors.InvalidArgumentError, match=re.escape(says)):
        sess.run(result)


_VARY = (
    "To allow the shape to vary across iterations, use the `shape_invariants` argument of tf.while_loop to specify a "
    "less-specific shape."
)


@pytest.mark.parametrize(
    ("shape", "invariant", "body", "says"),
    [
        (
            [1],
            None,
            lambda x: tf.concat([x, x], 0),
            f"Input tensor 'x:0' enters the loop with shape (1,), but has shape (2,) after one iteration. {_VARY}",
        ),
        (
            [1, 1],
            [None, 1],
            lambda x: tf.tile(x, [tf.shape(x)[0], 2]),
            f"Input tensor 'x:0' enters the loop with shape (1, 1), but has shape (?, 2) after one iteration. {_VARY}",
        ),
        (
            [None, 2],
            None,
            lambda x: tf.placeholder(tf.float32, None),
            f"Input tensor 'x:0' enters the loop with shape (?, 2), but has shape <unknown> after one iteration. {_VARY}",
        ),
        (
            [1],
            [2],
            lambda x: x,
            "The shape invariant specified for x:0 is not compatible with the initial shape of the loop variable. It enters "
            "the loop with shape (1,), but the specified shape invariant is (2,).",
        ),
        (
            None,
            [2],
            lambda x: x,
            "The shape invariant specified for x:0 is not compatible with the initial shape of the loop variable. It enters "
            "the loop with shape <unknown>, but the specified shape invariant is (2,).",
        ),
    ],
)
def test_shapes(shape, invariant, body, says):
    x = tf.placeholder(tf.float32, shape, name="x")
    invariants = None if invariant is None else [Shape(invariant)]
    _fails(ValueError, says, lambda: tf.while_loop(lambda x: tf.reduce_sum(x) < 3.0, body, [x], invariants))


@pytest.mark.parametrize(
    ("first", "invariant", "error", "says"),
    [
        (lambda: tf.ones([2]), tf.TensorSpec([2], tf.int32), TypeError, "is not compatible with <tf.Tensor 'ones:0'"),
        (lambda: tf.SparseTensor([[0]], [1.0], [2]), Shape([2, 2]), ValueError, "Expected a shape with 1 dimension"),
        (lambda: tf.SparseTensor([[0]], [1.0], [2]), Shape([3]), ValueError, "The shape invariant specified for "),
    ],
)
def test_invariants(first, invariant, error, says):
    with pytest.raises(error, match=re.escape(says)):
        tf.while_loop(lambda i, x: i < 3, lambda i, x: (i, x), [0, first()], [Shape([]), invariant])


def test_invariants_that_are_no_shapes():
    says = "The two structures don't have the same nested structure."
    with pytest.raises(ValueError, match=says):
        tf.while_loop(lambda x: True, lambda x: x, [tf.ones([2])], [[2]])


def _leak(cond=lambda i: i < 3):
    """A tensor inside a loop."""
    inside = []
    tf.while_loop(cond, lambda i: inside.append(i + 1) or inside[0], [0])
    return inside[0]


def test_tensors_of_a_loop_outside():
    inside = _leak()
    says = "Cannot use 'while/add' as input to 'Identity' because 'while/add' is in a while loop. See info log for more details."
    _fails(ValueError, says, lambda: tf.identity(inside))


def test_tensors_of_a_loop_in_another_one(caplog):
    caplog.set_level("INFO", "tinytf")
    inside = _leak()
    says = "Cannot use 'while/add' as input to 'w2/add' because they are in different while loops. See info log for more details."
    _fails(ValueError, says, lambda: tf.while_loop(lambda i: i < 3, lambda i: i + inside, [0], name="w2"))
    assert "while/while_context" in caplog.text and "w2/while_context" in caplog.text


def test_tensors_of_a_loop_in_the_one_around():
    with pytest.raises(
        ValueError, match="^Cannot use 'while/while/add' as input to 'while/add' because they are in different"
    ):
        tf.while_loop(lambda i: i < 3, lambda i: i + _leak(lambda j: j < i), [0])


def test_tensors_of_a_loop_in_a_branch():
    inside = _leak()
    with pytest.raises(ValueError, match="is in a while loop"):
        tf.cond(tf.placeholder(tf.bool, []), lambda: inside + 1, lambda: 2)


def test_what_is_inside_is_neither_fetched_nor_fed(sess):
    inside = _leak()
    for name in (inside.name, "while/Merge:0", "while/Switch:1", "while/LoopCond:0", "while/Less/y:0"):
        with pytest.raises(InaccessibleTensorError, match="marked as not fetchable"):
            sess.run(name)
        with pytest.raises(ValueError, match="may not be fed"):
            sess.run("while/Exit:0", {name: 1})


def test_first_and_last_values(sess):
    last = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    assert sess.run(last, {last: 7}) == 7 and sess.run("while/Enter:0") == 0
    with pytest.raises(ValueError, match="may not be fed"):
        sess.run(last, {"while/Enter:0": 7})


def test_last_values_of_inner_loops(sess):
    inner = []

    def body(i):
        inner.append(tf.while_loop(lambda j: j < i, lambda j: j + 1, [0]))
        return i + inner[0] + 1

    last = tf.while_loop(lambda i: i < 3, body, [0])
    with pytest.raises(InaccessibleTensorError):
        sess.run(inner[0])
    with pytest.raises(ValueError, match="may not be fed"):
        sess.run(last, {inner[0]: 1})


def test_initial_values_of_inside():
    with pytest.raises(ValueError, match="^Initializer for variable while/v/ is from inside a control-flow construct"):
        tf.while_loop(lambda i: i < 3, lambda i: tf.Variable(i, name="v") + 1, [0])


def test_errors_of_a_body_leave_the_context():
    with pytest.raises(ZeroDivisionError):
        tf.while_loop(lambda i: i < 3, lambda i: 1 / 0, [0])
    assert tf.constant(1).op.control_inputs == []
