"""Decorators of `tf.contrib.eager` that run test methods both in a graph and eagerly."""

import unittest

import pytest

import tinytf as tf
import tinytf.contrib.eager as tfe


def _outcome(cls):
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(cls).run(result)
    return [text for _, text in result.errors + result.failures]


def test_methods_run_twice(no_default):
    seen = []

    class Some(tf.test.TestCase):
        def setUp(self):
            super().setUp()
            seen.append("set up")

        @tfe.run_test_in_graph_and_eager_modes
        def test_once(self):
            seen.append(tf.executing_eagerly())
            v = tfe.Variable(2.0, name="v")
            self.evaluate(tf.global_variables_initializer())
            self.assertAllEqual(self.evaluate({"twice": v * 2.0})["twice"], 4.0)
            self.assertAllClose(v + 1.0, 3.0)

    assert _outcome(Some) == []
    assert [item for item in seen if item != "set up"] == [False, True]
    assert not tf.executing_eagerly()


def test_options_and_failures(no_default):
    seen = []

    class Some(tf.test.TestCase):
        @tfe.run_test_in_graph_and_eager_modes(reset_test=False)
        def test_failing(self):
            seen.append(tf.executing_eagerly())
            self.assertFalse(tf.executing_eagerly(), "only eagerly")

        @tfe.run_test_in_graph_and_eager_modes()
        def test_not_in_graphs(self):
            if not tf.executing_eagerly():
                self.skipTest("not in graphs")
            seen.append("skipped once")

    (text,) = _outcome(Some)
    assert "only eagerly" in text
    assert seen == [False, True, "skipped once"]


def test_whole_classes(no_default):
    seen = []

    @tfe.run_all_tests_in_graph_and_eager_modes
    class Some(tf.test.TestCase):
        def test_first(self):
            seen.append(("first", tf.executing_eagerly()))

        def testSkipEagerSecond(self):
            seen.append(("second", tf.executing_eagerly()))

        def helper(self):
            raise AssertionError

    assert _outcome(Some) == []
    assert sorted(seen) == [("first", False), ("first", True), ("second", False)]


def test_the_decorator_of_methods_takes_no_class():
    with pytest.raises(ValueError, match="only supports test methods"):
        tfe.run_test_in_graph_and_eager_modes(unittest.TestCase)
