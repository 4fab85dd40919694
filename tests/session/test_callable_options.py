"""`Session._make_callable_from_options`: functions with positional feeds, described by a CallableOptions message."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos

HANDLE = np.dtype([("resource", np.ubyte)])


@pytest.fixture
def sess():
    with tf.Session() as session:
        yield session


@pytest.fixture
def model():
    x, y = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.float32, [], name="y")
    total = tf.Variable(0.0, name="total", use_resource=True)
    tf.subtract(x, y, name="z")
    tf.multiply(x, 10.0, name="w")
    return total


def test_feeds_and_fetches_go_by_their_order(sess, model):
    sess.run(model.initializer)
    call = sess._make_callable_from_options(
        protos.CallableOptions(feed=["y:0", "x"], fetch=["z:0", "w"], target=[model.assign_add(1.0).op.name])
    )
    assert call(1.0, 5.0) == [4.0, 50.0]
    assert call(2.0, 5) == [3.0, 50.0]
    assert sess.run(model) == 2.0


def test_the_number_of_values_is_checked(sess, model):
    call = sess._make_callable_from_options(protos.CallableOptions(feed=["x:0", "y:0"], fetch=["z:0"]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Expected 2 feed tensors, but got 1$"):
        call(1.0)
    none = sess._make_callable_from_options(protos.CallableOptions(target=[tf.no_op().name]))
    assert none() == []
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Expected 0 feed tensors, but got 1$"):
        none(1.0)


def test_options_hold_for_every_call(sess, model):
    options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
    call = sess._make_callable_from_options(
        protos.CallableOptions(feed=["x:0", "y:0"], fetch=["z:0"], run_options=options)
    )
    metadata = tf.RunMetadata()
    assert call(3.0, 1.0, run_metadata=metadata) == [2.0]
    assert [node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats] == ["z"]


def test_names_that_the_graph_lacks(sess, model):
    with pytest.raises(KeyError, match="does not exist"):
        sess._make_callable_from_options(protos.CallableOptions(fetch=["nothing:0"]))


@pytest.mark.parametrize(
    ("feed", "fetch", "text"),
    [
        (["x:0"], ["w:0", "x:0"], "x:0 is both fed and fetched."),
        (["x:0", "x"], ["w:0"], 'Endpoint "x:0" fed more than once.'),
        (["x:0"], [], "Must specify at least one target to fetch or execute."),
    ],
)
def test_feeds_and_fetches_that_make_no_step(sess, model, feed, fetch, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        sess._make_callable_from_options(protos.CallableOptions(feed=feed, fetch=fetch))
    assert caught.value.message == text


def test_arrays_have_the_types_of_their_tensors(sess, model):
    call = sess._make_callable_from_options(protos.CallableOptions(feed=["y:0", "x:0"], fetch=["z:0"]))
    for value, name in [
        (np.float64(1), "double"),
        (np.array(1, np.float16), "half"),
        (np.array("a"), "string"),
        (np.zeros(2, HANDLE), "resource"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            call(np.float32(1), value)
        assert caught.value.message == f"Expects arg[1] to be float but {name} is provided"
    assert call(np.float32(1), np.array(5, ">f4")) == [4.0]
    assert sess.run("z:0", {"y:0": np.float64(1), "x:0": np.array(5, np.int8)}) == 4.0  # `run` converts feeds


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.array(1, np.longdouble), "Unsupported numpy type: NPY_LONGDOUBLE"),
        (np.clongdouble(1), "Unsupported numpy type: NPY_CLONGDOUBLE"),
        (np.datetime64("2020-01-01"), "Unsupported numpy type: NPY_DATETIME"),
        (np.array(1, "m8[s]"), "Unsupported numpy type: NPY_TIMEDELTA"),
        (np.zeros((), [("a", "i4")]), "Unsupported numpy data type"),
        (np.zeros((), "V4"), "Unexpected numpy data type"),
    ],
)
def test_arrays_of_types_that_tensors_do_not_have(sess, model, value, text):
    call = sess._make_callable_from_options(protos.CallableOptions(feed=["x:0"], fetch=["w:0"]))
    with pytest.raises(tf.errors.InternalError) as caught:
        call(value)
    assert caught.value.message == text


def test_strings_of_all_kinds(sess):
    text = tf.placeholder(tf.string, name="text")
    tf.identity(text, name="same")
    call = sess._make_callable_from_options(protos.CallableOptions(feed=["text"], fetch=["same"]))
    for value in ("a", b"a", np.str_("a"), np.array("a", "S1"), np.array("a", object)):
        assert call(value) == [b"a"]
    with pytest.raises(tf.errors.InternalError, match="^Unsupported object type float$"):
        call(np.array([1.5], object))
