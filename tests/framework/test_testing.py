"""`tf.test` assertions accept valid values and reject others with a message that describes the difference."""

import re
import subprocess
import sys
import time

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos


@pytest.fixture
def case():
    """A test case after setUp."""
    made = tf.test.TestCase()
    made.setUp()
    yield made
    made.tearDown()
    made.doCleanups()


def _proto(**attrs):
    return protos.NodeDef(name="n", **attrs)


NAN = float("nan")
PASSING = [
    ("assertNear", (1.0, 1.05, 0.1)),
    ("assertNear", (float("inf"), float("inf"), 0.1)),
    ("assertArrayNear", ([1.0, 2.0], [1.05, 2.0], 0.1)),
    ("assertNDArrayNear", (np.array([1.0, 2.0]), [1.0, 2.01], 0.1)),
    ("assertAllClose", (1.0, 1.0 + 1e-7)),
    ("assertAllClose", ([1.0, NAN], np.array([1.0, NAN]))),
    ("assertAllClose", ({"a": [1.0], "b": (2.0, [3.0, 4.0])}, {"a": [1.0], "b": (2.0, [3.0, 4.0])})),
    ("assertAllClose", ([1.0, [2.0, 3.0]], [1.0, [2.0, 3.0]])),
    ("assertAllClose", (np.zeros([0, 3]), np.zeros([0, 3]))),
    ("assertAllCloseAccordingToType", (np.float16([1.0]), np.float16([1.0009]))),
    ("assertAllCloseAccordingToType", (np.array([1.0]).astype(tf.bfloat16.as_numpy_dtype), [1.009])),
    ("assertNotAllClose", ([1.0, 2.0], [1.0, 3.0])),
    ("assertNotAllClose", ([1.0], [1.0, 1.0])),
    ("assertAllEqual", ([[1, 2]], np.array([[1, 2]]))),
    ("assertAllEqual", ([NAN, 1.0], [NAN, 1.0])),
    ("assertAllEqual", ([b"a"], np.array([b"a"], object))),
    ("assertNotAllEqual", ([1, 2], [1, 3])),
    ("assertAllGreater", ([2, 3], 1)),
    ("assertAllLess", ([2, 3], 4)),
    ("assertAllGreaterEqual", ([2, 3], 2)),
    ("assertAllLessEqual", ([2, 3], 3)),
    ("assertAllInRange", ([0.0, 1.0], 0, 1)),
    ("assertAllInRange", ([0.5], 0, 1, True, True)),
    ("assertAllInSet", ([[0, 1], [1, 0]], [0, 1])),
    ("assertDTypeEqual", (np.int8([1]), np.int8)),
    ("assertDeviceEqual", ("/cpu:0", "/device:CPU:0")),
    ("assertProtoEquals", ('name: "n" op: "Add"', _proto(op="Add"))),
    ("assertProtoEquals", (_proto(op="Add"), _proto(op="Add"))),
    ("assertStartsWith", ("tensor", "ten")),
    ("assertItemsEqual", ([1, 2, 2], [2, 1, 2])),
]


@pytest.mark.parametrize(("assertion", "arguments"), PASSING)
def test_passes(case, assertion, arguments):
    getattr(case, assertion)(*arguments)


FAILING = [
    ("assertNear", (1.0, 1.2, 0.1), r"1\.0 != 1\.2 \+/- 0\.1"),
    ("assertNear", (1.0, NAN, 0.1), r"1\.0 != nan \+/- 0\.1"),
    ("assertArrayNear", ([1.0, 2.0], [1.0, 2.2], 0.1), r"2\.0 != 2\.2 \+/- 0\.1"),
    ("assertArrayNear", ([1.0], [1.0, 2.0], 0.1), "1 != 2"),
    ("assertNDArrayNear", (np.array([1.0, 2.0]), [1.0, 2.5], 0.1), "ndarrays differ"),
    (
        "assertAllClose",
        ([1.0, 2.0, 3.0], [1.0, 2.5, 3.0]),
        r"Mismatched value: a is different from b\.(?s:.*)not close where = \(array\(\[1\].*\n"
        r"not close lhs = \[2\.\]\nnot close rhs = \[2\.5\]\nnot close dif = \[0\.5\]\nnot close tol = \[3\.5e-06\]\n"
        r"dtype = float64, shape = \(3,\)",
    ),
    ("assertAllClose", (1.0, 2.0), r"not close lhs = \[1\.\]\nnot close rhs = \[2\.\]"),
    ("assertAllClose", ([1.0], [[1.0]]), r"Shape mismatch: expected \(1,\), got \(1, 1\)"),
    ("assertAllClose", ([1.0], [NAN]), "Mismatched value"),
    ("assertAllClose", ({"a": 1.0}, {"b": 1.0}), r"Items in the first set but not the second:\s*'a'"),
    ("assertAllClose", ({"a": 1.0}, [1.0]), "is not a dict"),
    (
        "assertAllClose",
        ({"a": [1.0, {"b": 2.0}]}, {"a": [1.0, {"b": 3.0}]}),
        r"a\['a'\]\[1\]\['b'\] is different from b\[",
    ),
    ("assertAllCloseAccordingToType", (np.float32([1.0]), np.float32([1.0009])), "Mismatched value"),
    ("assertAllCloseAccordingToType", (np.float16([1.0]), np.float16([1.01])), "Mismatched value"),
    ("assertNotAllClose", ([1.0], [1.0]), "The two values are close at all elements"),
    (
        "assertAllEqual",
        ([1, 2, 3], [1, 5, 3]),
        r"not equal where = \(array\(\[1\].*\nnot equal lhs = \[2\]\nnot equal rhs = \[5\]",
    ),
    ("assertAllEqual", (1, 2), r"not equal lhs = \[1\]\nnot equal rhs = \[2\]"),
    ("assertAllEqual", ("a", "b"), "not equal lhs = "),
    ("assertAllEqual", ([1, 2], [1, 2, 3]), r"Shape mismatch: expected \(2,\), got \(3,\)"),
    ("assertAllEqual", ([1.0], [NAN]), "not equal"),
    ("assertNotAllEqual", ([1, 2], [1, 2]), "The two values are equal at all elements"),
    ("assertAllGreater", ([2, 3], 2), "2 not greater than 2"),
    ("assertAllLess", ([2, 3], 3), "3 not less than 3"),
    ("assertAllGreaterEqual", ([2, 3], 3), "2 not greater than or equal to 3"),
    ("assertAllLessEqual", ([2, 3], 2), "3 not less than or equal to 2"),
    ("assertAllInRange", ([0.5, 2.0], 0, 1), r"Elements outside \[0, 1\] at \(array\(\[1\].*: \[2\.\]"),
    ("assertAllInRange", ([0.0], 0, 1, True), r"Elements outside \(0, 1\] at"),
    ("assertAllInRange", ([1.0], 0, 1, False, True), r"Elements outside \[0, 1\) at"),
    ("assertAllInRange", ([NAN], 0, 1), "Elements outside"),
    ("assertAllInRange", (2.0, 0, 1), r"Elements outside \[0, 1\] at \(array\(\[0\].*: \[2\.\]"),
    ("assertAllInSet", ([0, 2, 1], [0, 1]), r"Unexpected values: \{2\}"),
    ("assertDTypeEqual", (np.int8([1]), np.int16), "dtype.*int8.* != .*int16"),
    ("assertDeviceEqual", ("/cpu:0", "/cpu:1"), "Devices /device:CPU:0 and /device:CPU:1 are not equal"),
    ("assertProtoEquals", ('name: "n" op: "Add"', _proto(op="Mul")), r'- op: "Add"\n[^$]*\+ op: "Mul"'),
    ("assertStartsWith", ("tensor", "sen"), "'tensor' does not start with 'sen'"),
    ("assertItemsEqual", ([1, 2], [2, 2]), "Element counts were not equal"),
]


@pytest.mark.parametrize(("assertion", "arguments", "message"), FAILING)
def test_fails(case, assertion, arguments, message):
    with pytest.raises(AssertionError) as caught:
        getattr(case, assertion)(*arguments)
    assert re.search(message, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(
    ("assertion", "arguments"),
    [
        ("assertNear", (1.0, 2.0, 0.1)),
        ("assertAllClose", ([1.0], [2.0])),
        ("assertAllEqual", ([1], [2])),
        ("assertNotAllEqual", ([1], [1])),
        ("assertNDArrayNear", ([1.0], [2.0], 0.1)),
        ("assertStartsWith", ("a", "b")),
    ],
)
def test_messages_of_the_caller_are_shown(case, assertion, arguments):
    with pytest.raises(AssertionError, match="because of this"):
        getattr(case, assertion)(*arguments, msg="because of this")


def test_tensors_are_evaluated(case):
    x = tf.constant([1.0, 2.0])
    v = tf.Variable([3, 4])
    with case.cached_session() as sess:
        sess.run(v.initializer)
        case.assertAllClose(x, [1.0, 2.0])
        case.assertAllClose({"a": [x, 1.0]}, {"a": [[1.0, 2.0], 1.0]})
        case.assertAllEqual(v, [3, 4])
        case.assertAllGreater(v, 2)
        case.assertAllInSet(v, [3, 4])
        case.assertAllInRange(x, 1, 2)
        case.assertDTypeEqual(x, np.float32)
        with pytest.raises(AssertionError):
            case.assertAllEqual(x + 1, [1.0, 2.0])


def test_shape_equal(case):
    x = tf.placeholder(tf.float32, [2, 3])
    case.assertShapeEqual(np.zeros([2, 3]), x)
    case.assertShapeEqual(np.float32(1), tf.constant(1))
    with pytest.raises(AssertionError, match="not equal lhs = "):
        case.assertShapeEqual(np.zeros([2, 4]), x)
    with pytest.raises(TypeError, match="np_array must be a Numpy ndarray or Numpy scalar"):
        case.assertShapeEqual([1.0], x)
    with pytest.raises(TypeError, match="tf_tensor must be a Tensor"):
        case.assertShapeEqual(np.zeros([2]), np.zeros([2]))


def test_protos_of_other_types(case):
    with pytest.raises(TypeError, match="Can't compare protos of type"):
        case.assertProtoEquals(protos.GraphDef(), _proto())


# -- Errors -------------------------------------------------------------------------------------------------------------


def test_raises_with_predicate_match(case):
    with case.assertRaisesWithPredicateMatch(ValueError, "b.d"):
        raise ValueError("a bad value")
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: e.args == (3,)):
        raise ValueError(3)
    with pytest.raises(AssertionError, match="Exception of type.*: a value"):
        with case.assertRaisesWithPredicateMatch(ValueError, "bad"):
            raise ValueError("a value")
    with pytest.raises(AssertionError, match="ValueError not raised"):
        with case.assertRaisesWithPredicateMatch(ValueError, "bad"):
            pass
    with pytest.raises(KeyError), case.assertRaisesWithPredicateMatch(ValueError, "bad"):
        raise KeyError("bad")


def test_raises_op_error(case):
    x = tf.placeholder(tf.float32, [2], name="x")
    checked = tf.check_numerics(x, "wrong here", name="check")
    with case.session() as sess:
        with case.assertRaisesOpError("wrong here : Tensor had NaN values"):
            sess.run(checked, {x: [NAN, 1.0]})
        with case.assertRaisesOpError("Caused by: check"):
            sess.run(checked, {x: [NAN, 1.0]})
        with case.assertRaisesOpError(lambda e: e.op is checked.op):
            sess.run(checked, {x: [NAN, 1.0]})
        with pytest.raises(AssertionError, match="OpError not raised"), case.assertRaisesOpError("wrong"):
            sess.run(checked, {x: [0.0, 1.0]})


# -- Sessions -----------------------------------------------------------------------------------------------------------


def test_evaluate(case):
    x, y = tf.constant(1), tf.constant([2.0])
    assert case.evaluate(x) == 1
    found = case.evaluate({"a": x, "b": [y, y]})
    assert found["a"] == 1 and len(found["b"]) == 2
    with tf.Session() as sess:
        v = tf.Variable(5)
        sess.run(v.initializer)
        assert case.evaluate(v) == 5  # in the default session, where it is initialized


def test_session_is_new_and_closed(case):
    with case.session() as first:
        assert tf.get_default_session() is first
        assert first.run(tf.constant(3)) == 3
    with case.session() as second:
        assert second is not first
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session."):
        first.run(tf.no_op())
    graph = tf.Graph()
    with case.session(graph=graph) as sess:
        assert tf.get_default_graph() is graph is sess.graph


def test_cached_session_is_the_same_until_the_end(case):
    v = tf.Variable(1)
    with case.cached_session() as first:
        first.run(v.initializer)
    with case.cached_session(use_gpu=True) as second:
        assert second is first and tf.get_default_session() is first
        assert second.run(v) == 1
    with case.test_session() as third:
        assert third is first
    case.tearDown()
    with pytest.raises(RuntimeError, match="closed"):
        first.run(v)


def test_cached_session_refuses_another_graph(case):
    with case.cached_session():
        pass
    suffix = (
        " used to get the cached session is different than the one that was used to create the session. Maybe create"
    )
    with pytest.raises(ValueError, match="The graph" + suffix), case.cached_session(graph=tf.Graph()):
        pass
    with pytest.raises(ValueError, match="The config" + suffix), case.cached_session(config=protos.ConfigProto()):
        pass
    with pytest.raises(ValueError, match="The force_gpu value" + suffix), case.cached_session(force_gpu=True):
        pass


def test_test_session_with_a_graph_is_a_new_one(case):
    graph = tf.Graph()
    with graph.as_default():
        one = tf.constant(1)
    with case.test_session(graph=graph) as sess:
        assert sess.run(one) == 1
    with case.cached_session() as cached:
        assert cached is not sess


def test_set_up_gives_a_fresh_graph_and_seeds(case):
    def draw():
        case.setUp()
        assert not tf.get_default_graph().get_operations()
        drawn = tf.random_uniform([3])
        with case.session() as sess:
            return sess.run(drawn), np.random.rand(), tf.get_default_graph().seed

    first, second = draw(), draw()
    np.testing.assert_array_equal(first[0], second[0])
    assert first[1:] == second[1:] and first[2] == 87654321


def test_temp_dirs_belong_to_tests(case):
    other = tf.test.TestCase()
    assert case.get_temp_dir() == case.get_temp_dir() != other.get_temp_dir()
    assert case.get_temp_dir().startswith(tf.test.get_temp_dir())


def test_checked_thread(case):
    seen = []
    thread = case.checkedThread(target=seen.append, args=(1,))
    thread.start()
    thread.join()
    assert seen == [1] and not thread.is_alive()
    failing = case.checkedThread(target=lambda: 1 / 0)
    failing.start()
    with pytest.raises(AssertionError, match=r"Error in checkedThread: ZeroDivisionError"):
        failing.join()


def test_checked_thread_that_is_not_joined(case):
    slow = case.checkedThread(target=time.sleep, args=(0.2,))
    slow.start()
    with pytest.raises(AssertionError, match="A checkedThread was not terminated"):
        case.tearDown()
    slow.join()


# -- Gradients ----------------------------------------------------------------------------------------------------------


def test_compute_gradient_of_one_tensor():
    x = tf.placeholder(tf.float64, [2])
    y = tf.stack([x[0] * x[1], x[0] ** 2, x[1]])
    with tf.Session():
        theoretical, numeric = tf.test.compute_gradient(x, [2], y, [3], np.array([3.0, 5.0]), delta=1e-4)
    np.testing.assert_allclose(theoretical, [[5, 6, 0], [3, 0, 1]])
    np.testing.assert_allclose(numeric, theoretical, atol=1e-6)


def test_compute_gradient_of_several_tensors_and_feeds():
    x, z, s = (tf.placeholder(tf.float64, shape) for shape in ([2], [2, 1], []))
    y = s * tf.matmul(tf.expand_dims(x, 0), z)
    with tf.Session():
        arguments = ([x, z], [[2], [2, 1]], y, [1, 1])
        values = [np.array([1.0, 2.0]), np.ones([2, 1])]
        fed = {s: 3.0, x: values[0], z: values[1]}
        pairs = tf.test.compute_gradient(*arguments, values, extra_feed_dict=fed)
        assert tf.test.compute_gradient_error(*arguments, extra_feed_dict=fed) < 1e-8
    np.testing.assert_allclose(pairs[0][0], [[3], [3]])
    np.testing.assert_allclose(pairs[1][0], [[3], [6]])
    np.testing.assert_allclose(pairs[1][1], pairs[1][0], atol=1e-8)


def test_compute_gradient_of_several_tensors_moves_one_at_a_time():
    a, b = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with tf.Session():
        (by_a, _), (by_b, _) = tf.test.compute_gradient([a, b], [[2], [2]], a * b, [2])
        error = tf.test.compute_gradient_error(a, [2], a * b, [2])
    np.testing.assert_array_equal(by_a, np.diag([3, 4]))
    np.testing.assert_array_equal(by_b, np.diag([1, 2]))
    assert isinstance(error, np.floating)


def test_compute_gradient_of_something_empty_looks_at_its_shape():
    @tf.custom_gradient
    def wrong(x):
        return tf.identity(x), lambda dy: tf.placeholder_with_default(np.zeros([3], np.float32), None)

    x = tf.zeros([0, 2])
    with tf.Session():
        assert tf.test.compute_gradient_error(x, [0, 2], x * 2.0, [0, 2]) == 0
        with pytest.raises(ValueError, match="Empty gradient has wrong shape"):
            tf.test.compute_gradient(x, [0, 2], wrong(x), [0, 2])


def test_compute_gradient_runs_init_targets():
    v = tf.Variable([2.0, 3.0], dtype=tf.float64)
    x = tf.placeholder(tf.float64, [2])
    with tf.Session():
        error = tf.test.compute_gradient_error(x, [2], x * v, [2], init_targets=v.initializer)
    assert error < 1e-8


def test_compute_gradient_of_complex_numbers():
    x = tf.placeholder(tf.complex128, [1])
    with tf.Session():
        theoretical, numeric = tf.test.compute_gradient(x, [1], x * x, [1], np.array([1 + 2j]))
    assert theoretical.shape == (2, 2)  # real and imaginary parts
    np.testing.assert_allclose(theoretical, numeric, atol=1e-6)


def test_compute_gradient_error_sees_wrong_gradients():
    x = tf.placeholder(tf.float64, [2])
    with tf.get_default_graph().gradient_override_map({"Square": "Neg"}):
        y = tf.square(x)
    with tf.Session():
        assert tf.test.compute_gradient_error(x, [2], y, [2], np.array([1.0, 2.0])) == pytest.approx(5, abs=1e-6)


def test_compute_gradient_refuses():
    x, i = tf.placeholder(tf.float32, [2]), tf.placeholder(tf.int32, [2])
    with pytest.raises(ValueError, match="compute_gradient needs a default session"):
        tf.test.compute_gradient(x, [2], x * 2, [2])
    with tf.Session():
        with pytest.raises(TypeError, match="Expected int32, got 1.0 of type 'float' instead."):
            tf.test.compute_gradient(x, [2], i * 2, [2])
        with pytest.raises(AssertionError, match="Don't support type int32 for x"):
            tf.test.compute_gradient(i, [2], x * 2, [2])
        with pytest.raises(AssertionError, match=r"x_shape = \[2\], init_data shape = \[3\]"):
            tf.test.compute_gradient(x, [2], x * 2, [2], np.zeros(3))
        with pytest.raises(AssertionError, match="dx = None"):
            tf.test.compute_gradient(x, [2], tf.constant(1.0), [])


_PROGRAM = """
import tinytf as tf

class SumTest(tf.test.TestCase):
    def testSum(self):
        with self.test_session():
            self.assertEqual(tf.add(1, 2).eval(), 3)

    def testWrong(self):
        self.assertAllEqual(tf.add([1, 1], 2), [3, 4])

if __name__ == "__main__":
    tf.test.main()
"""


def test_main_runs_the_tests_of_the_program(tmp_path):
    (tmp_path / "sum_test.py").write_text(_PROGRAM)
    done = subprocess.run(
        [sys.executable, "sum_test.py", "-v"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert re.search(r"^testSum .*ok$", done.stderr, re.MULTILINE)
    assert re.search(r"not equal lhs = \[3\]\s+not equal rhs = \[4\]", done.stderr)
    assert "FAILED (failures=1" in done.stderr
