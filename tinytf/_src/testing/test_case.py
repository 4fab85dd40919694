"""`tf.test.TestCase`: sessions for tests, and assertions about arrays, tensors, protocol buffers and errors."""

from __future__ import annotations

import random
import tempfile
import unittest
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np

from tinytf._src.exports import named, tf_export
from tinytf._src.framework.apply import random_seed
from tinytf._src.framework.context.defaults import default_graphs
from tinytf._src.framework.context.execution import executing_eagerly
from tinytf._src.framework.graph import device
from tinytf._src.framework.graph.default_graph import get_default_session, reset_default_graph
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest
from tinytf._src.session.session import Session
from tinytf._src.testing.checked_thread import CheckedThread
from tinytf._src.testing.compared_values import Closeness, array, evaluated, places, suffix
from tinytf._src.testing.container_assertions import ContainerAssertions
from tinytf._src.testing.error_assertions import ErrorAssertions
from tinytf._src.testing.shared_session import SharedSession, config_of_test
from tinytf._src.testing.structure_assertions import StructureAssertions
from tinytf._src.testing.temporary_files import TemporaryFiles
from tinytf._src.testing.test_support import get_temp_dir
from tinytf._src.testing.text_assertions import TextAssertions


@tf_export("test.TestCase")
@named("TensorFlowTestCase")
class TestCase(ContainerAssertions, StructureAssertions, TextAssertions, ErrorAssertions, TemporaryFiles):
    """A unit test that starts with an empty default graph and with fixed seeds of Python, NumPy and that graph.

    Example:
        class SquareTest(tf.test.TestCase):
          def test_square(self):
            with self.session():
              self.assertAllClose(tf.square([2.0, 3.0]), [4.0, 9.0])
    """

    def __init__(self, methodName: str = "runTest") -> None:
        super().__init__(methodName)
        self._threads: list[CheckedThread] = []
        self._tempdir: str | None = None
        self._shared_session = SharedSession()

    def setUp(self) -> None:
        """Prepares a test. An overriding method must call it."""
        self._shared_session.close()
        random.seed(random_seed.DEFAULT_GRAPH_SEED)
        np.random.seed(random_seed.DEFAULT_GRAPH_SEED)
        # A test that failed inside `with graph.as_default()` may have left its graph on the stack.
        default_graphs.reset()
        reset_default_graph()
        random_seed.set_random_seed(random_seed.DEFAULT_GRAPH_SEED)

    def tearDown(self) -> None:
        """Ends a test; fails if one of its checked threads still runs. An overriding method must call it."""
        for thread in self._threads:
            thread.check_termination()
        self._shared_session.close()

    def get_temp_dir(self) -> str:
        """Returns the path of a temporary directory of this test, which is created at the first call."""
        if self._tempdir is None:
            self._tempdir = tempfile.mkdtemp(dir=get_temp_dir())
        return self._tempdir

    # -- Sessions ----------------------------------------------------------------------------------------------------

    @contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """Context manager that makes a new session, and its graph, the default; the session is closed at the end.

        Args:
          graph: a `tf.Graph`; the default graph if None.
          config: a `ConfigProto`, copied; graph rewrites are turned off in the copy.
          use_gpu: ignored.
          force_gpu: bool, whether an operation may not fall back to another device than the one it is assigned to.

        Yields:
          The `tf.Session`.
        """
        with Session(graph=graph, config=config_of_test(config, force_gpu)) as sess:
            yield sess

    @contextmanager
    def cached_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> Iterator[Session]:
        """Like `session`, but all uses in one test share a session, which is closed when the test ends.

        Raises:
          ValueError: if the graph, configuration or `force_gpu` differs from the first use in this test.
        """
        sess = self._shared_session.get(graph, config, force_gpu)
        with sess.graph.as_default(), sess.as_default():
            yield sess

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = False, force_gpu: bool = False
    ) -> AbstractContextManager[Session]:
        """Deprecated name of `cached_session` (without a graph) and `session` (with one)."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")  # unittest collects it as a test because of its name
        return (self.cached_session if graph is None else self.session)(graph, config, use_gpu, force_gpu)

    test_session.__test__ = False  # type: ignore[attr-defined]

    def evaluate(self, tensors: Any) -> Any:
        """Returns the values of tensors as NumPy arrays.

        Args:
          tensors: a tensor or a nested structure of tensors.

        Returns:
          The same structure of values: from the default session, or a new one if there is none, or, in eager execution,
          from the tensors themselves.
        """
        if executing_eagerly():
            return nest.map_structure(lambda leaf: leaf.numpy() if hasattr(leaf, "numpy") else leaf, tensors)
        sess = get_default_session()
        if sess is not None:
            return sess.run(tensors)
        with self.test_session() as sess:
            return sess.run(tensors)

    def _value(self, value: Any) -> Any:
        """Returns the value with tensors in lists, tuples and mappings replaced by their values."""
        return evaluated(value, self.evaluate)

    def checkedThread(self, target: Callable[..., Any], args: Any = None, kwargs: Any = None) -> CheckedThread:
        """Creates a thread whose exceptions fail the test when it is joined.

        Args:
          target: callable to run in the thread.
          args: tuple of its positional arguments, or None.
          kwargs: dict of its keyword arguments, or None.

        Returns:
          An object with the methods `start`, `join` and `is_alive`. It must be joined, or have ended, before the test
          ends.
        """
        thread = CheckedThread(self, target, args or (), kwargs or {})
        self._threads.append(thread)
        return thread

    # -- Values ------------------------------------------------------------------------------------------------------

    def assertNear(self, f1: Any, f2: Any, err: float, msg: Any = None) -> None:
        """Asserts that two numbers are equal or differ by at most `err`."""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, f"{f1!r} != {f2!r} +/- {err!r}{suffix(msg)}")

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: Any = None) -> None:
        """Asserts that two sequences have equal lengths and that their elements differ pairwise by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2):
            self.assertNear(float(f1), float(f2), err, msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: Any = None) -> None:
        """Asserts that the norm of the difference of two arrays is less than `err`."""
        self.assertTrue(np.linalg.norm(array(ndarray1) - array(ndarray2)) < err, f"ndarrays differ{suffix(msg)}")

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Asserts that two structures of arrays have equal shapes and close elements: |a - b| <= atol + rtol * |b|.

        NaN is close to NaN.

        Args:
          a: an array, a tensor, which is evaluated, or a list, tuple or dict of them.
          b: the same structure of expected values.
          rtol: float, relative tolerance.
          atol: float, absolute tolerance.
          msg: added to the message of a failure.
        """
        Closeness(self, rtol, atol, msg).check(self._value(a), self._value(b))

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: Any = None,
    ) -> None:
        """Like `assertAllClose`, with the tolerances of the less precise of the two dtypes."""
        a, b = array(self._value(a)), array(self._value(b))
        names = {a.dtype.name, b.dtype.name}
        for types, r, t in (
            ({"float32", "complex64"}, float_rtol, float_atol),
            ({"float16"}, half_rtol, half_atol),
            ({"bfloat16"}, bfloat16_rtol, bfloat16_atol),
        ):
            if names & types:
                rtol, atol = max(rtol, r), max(atol, t)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Asserts that `assertAllClose` fails with these arguments."""
        try:
            self.assertAllClose(a, b, rtol=rtol, atol=atol)
        except AssertionError:
            return
        self.fail(f"The two values are close at all elements{suffix(msg)}")

    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Asserts that two arrays have equal shapes and equal elements. NaN equals NaN; tensors are evaluated."""
        a, b = array(self._value(a)), array(self._value(b))
        # Literal nests of numbers are accepted for `b`, but their shape must match, too.
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}{suffix(msg)}")
        same = a == b
        if a.dtype.kind in "fc" or a.dtype.name == "bfloat16":
            same = np.logical_or(same, np.logical_and(np.isnan(a), np.isnan(b)))
        if not np.all(same):
            wrong = np.logical_not(same)
            self.fail(
                f"Arrays are not equal{suffix(msg)}\nnot equal where = {places(wrong)}\nnot equal lhs = {a[wrong]}\n"
                f"not equal rhs = {b[wrong]}"
            )

    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Asserts that the shapes or at least one pair of elements differ."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        self.fail(f"The two values are equal at all elements{suffix(msg)}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Asserts that every element is greater than `comparison_target`."""
        self.assertGreater(np.min(self._value(a)).item(), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Asserts that every element is less than `comparison_target`."""
        self.assertLess(np.max(self._value(a)).item(), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Asserts that every element is greater than or equal to `comparison_target`."""
        self.assertGreaterEqual(np.min(self._value(a)).item(), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Asserts that every element is less than or equal to `comparison_target`."""
        self.assertLessEqual(np.max(self._value(a)).item(), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Asserts that every element lies between the bounds. An open bound excludes itself; NaN is never in range."""
        a = array(self._value(target))
        above = a > lower_bound if open_lower_bound else a >= lower_bound
        below = a < upper_bound if open_upper_bound else a <= upper_bound
        wrong = np.logical_not(np.logical_and(above, below))
        bounds = f"{'(' if open_lower_bound else '['}{lower_bound}, {upper_bound}{')' if open_upper_bound else ']'}"
        self.assertFalse(np.any(wrong), f"Elements outside {bounds} at {places(wrong)}: {a[wrong]}")

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Asserts that every element is in `expected_set`."""
        extra = set(array(self._value(target)).flatten().tolist()) - set(expected_set)
        self.assertFalse(extra, f"Unexpected values: {extra}")

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """Asserts that an array, or the value of a tensor, has the NumPy dtype `expected_dtype`."""
        self.assertEqual(array(self._value(target)).dtype, expected_dtype)

    # -- Graphs, messages, texts -------------------------------------------------------------------------------------

    def assertShapeEqual(self, np_array: np.ndarray, tf_tensor: Tensor, msg: Any = None) -> None:
        """Asserts that an array has the static shape of a tensor. Raises TypeError for arguments of other types."""
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not isinstance(tf_tensor, Tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertAllEqual(np_array.shape, tf_tensor.get_shape().as_list(), msg=msg)

    def assertDeviceEqual(self, device1: Any, device2: Any, msg: Any = None) -> None:
        """Asserts that two device strings or `DeviceSpec`s denote the same device."""
        names = [device.canonical_name(d) for d in (device1, device2)]
        self.assertEqual(names[0], names[1], f"Devices {names[0]} and {names[1]} are not equal.{suffix(msg)}")

    def assertProtoEquals(self, expected_message_maybe_ascii: Any, message: Any, msg: Any = None) -> None:
        """Asserts that `message` equals another message of its type or a message in text format.

        Raises:
          TypeError: if the messages have different types.
        """
        expected = expected_message_maybe_ascii
        if isinstance(expected, (str, bytes)):
            from google.protobuf import text_format

            parsed = type(message)()
            text_format.Parse(expected, parsed)
            expected = parsed
        elif type(expected) is not type(message):
            raise TypeError(f"Can't compare protos of type {type(expected)} and {type(message)}{suffix(msg)}")
        self.assertMultiLineEqual(str(expected), str(message), msg)
        self.assertEqual(expected, message, msg)

    assertItemsEqual = unittest.TestCase.assertCountEqual
    assertRaisesRegexp = unittest.TestCase.assertRaisesRegex
