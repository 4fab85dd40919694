"""Executed operations of an eager session can be inspected, before and after the session ends."""

import numpy as np
import pytest

import tinytf as tf

SessionClosedError = tf.eager.SessionClosedError


def constant(session, value, dtype=tf.int32, name="Const"):
    return session.op_builder("Const", name).set_attr("dtype", dtype).set_attr("value", value).build().output(0)


def add(session, x, y):
    return session.op_builder("Add", "sum").add_input(x).add_input(y).build()


@pytest.mark.acceptance
def test_a_closed_session_executes_nothing(options):
    session = tf.EagerSession(**options)
    builder = session.op_builder("NoOp", "nothing")
    session.close()
    with pytest.raises(SessionClosedError):
        builder.build()


@pytest.mark.acceptance
def test_type_and_shape_of_a_constant(session):
    op = (
        session.op_builder("Const", "c")
        .set_attr("dtype", tf.int32)
        .set_attr("value", np.zeros([2, 3], np.int32))
        .build()
    )
    assert op.dtype(0) == tf.int32
    assert op.shape(0).as_list() == [2, 3]


@pytest.mark.acceptance
def test_a_sum(session):
    op = add(session, constant(session, 2), constant(session, 4))
    tensor = op.tensor(0)
    assert tensor.numpy() == 6
    assert op.shape(0).ndims == 0
    assert op.dtype(0) == tf.int32


@pytest.mark.acceptance
def test_lengths_of_lists(session):
    a, b = constant(session, [1, 2]), constant(session, [3, 4])
    total = session.op_builder("AddN", "total").add_input_list([a, b]).build()
    assert total.input_list_length("inputs") == 2
    assert total.output_list_length("sum") == 1
    axis = constant(session, 0)
    split = session.op_builder("Split", "halves").add_input(axis).add_input(a).set_attr("num_split", 2).build()
    assert split.input_list_length("value") == 1
    assert split.input_list_length("split_dim") == 1
    assert split.output_list_length("output") == 2
    assert [t.numpy().tolist() for t in split.output_list("output")] == [[1], [2]]
    for ask in (split.input_list_length, split.output_list_length, split.output_list):
        with pytest.raises(tf.errors.InvalidArgumentError, match="no_such"):
            ask("no_such")
        with pytest.raises(ValueError):  # InvalidArgumentError is a ValueError
            ask("no_such")


@pytest.mark.acceptance
def test_number_of_outputs(session):
    x = constant(session, [1, 2, 1])
    axis = session.op_builder("Const", "axis").set_attr("dtype", tf.int32).set_attr("value", [0]).build().output(0)
    op = session.op_builder("UniqueWithCountsV2", "unique").add_input(x).add_input(axis).build()
    assert op.num_outputs == 3
    assert [op.tensor(i).numpy().tolist() for i in range(3)] == [[1, 2], [0, 1, 0], [2, 1]]


def test_an_operation_without_outputs(session):
    assert session.op_builder("NoOp", "nothing").build().num_outputs == 0


@pytest.mark.acceptance
def test_what_answers_after_close(options):
    with tf.EagerSession(**options) as session:
        x = constant(session, [1, 2])
        op = session.op_builder("AddN", "total").add_input_list([x]).build()
        assert op.output_list_length("sum") == 1
        text = repr(op)
    assert (op.name, op.type, op.num_outputs) == ("total", "AddN", 1)
    assert repr(op) == text
    for ask in (
        lambda: op.output_list_length("sum"),
        lambda: op.input_list_length("inputs"),
        lambda: op.output_list("sum"),
        lambda: op.shape(0),
        lambda: op.dtype(0),
        lambda: op.tensor(0),
        lambda: op.output(0).numpy(),
    ):
        with pytest.raises(SessionClosedError, match="closed"):
            ask()


@pytest.mark.acceptance
@pytest.mark.parametrize("index", [1, -1])
def test_there_is_no_second_output(session, index):
    op = add(session, constant(session, 2), constant(session, 4))
    for ask in (op.output, op.shape, op.dtype, op.tensor):
        with pytest.raises(IndexError, match=str(index)):
            ask(index)


def test_more_outputs_than_java_has(session):
    split = (
        session.op_builder("Split", "many")
        .add_input(constant(session, 0))
        .add_input(constant(session, list(range(2000))))
        .set_attr("num_split", 2000)
        .build()
    )
    assert split.num_outputs == 2000
    assert split.tensor(1999).numpy().tolist() == [1999]


def test_a_failing_operation_names_itself(options):
    with tf.EagerSession(**options) as session:
        x, y = constant(session, [1, 2]), constant(session, [1, 2, 3])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[Op:Add name: sum\]|\[Op:Add\]"):
            add(session, x, y).tensor(0)
        session.clear_error()
