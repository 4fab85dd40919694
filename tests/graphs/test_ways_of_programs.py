"""Plans of all programs stay compiled: branches and loops become bytecode with the same results as the
dataflow machine.
"""

import numpy as np
import pytest
from graph_programs import load_programs

import tinytf as tf

PROGRAMS = load_programs()
BY_TOKENS = tf.ConfigProto(allow_soft_placement=True)
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = BY_TOKENS.graph_options.rewrite_options.OFF


def _has_control_flow(graph):
    return any(op.type in ("Switch", "RefSwitch", "If", "While") for op in graph.get_operations())


def _ends(graph):
    """The tensors outside of control flow that no node consumes, and the operations without outputs, including ops
    of gradients.
    """
    read = {tensor for op in graph.get_operations() for tensor in op.inputs}
    ops = [op for op in graph.get_operations() if op._get_control_flow_context() is None and graph.is_fetchable(op)]
    return [tensor for op in ops for tensor in op.outputs if tensor not in read], [op for op in ops if not op.outputs]


@pytest.mark.parametrize("name", PROGRAMS)
def test_way(name):
    with tf.Graph().as_default() as graph:
        PROGRAMS[name](tf)
        if not _has_control_flow(graph):
            return  # without control flow there is only one way to run
        tensors, ops = _ends(graph)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            report = session.plan_report([*tensors, *ops])
    assert report.way in ("straight", "code"), report.why_tokens


def _feeds(graph, predicate):
    """A value for each placeholder."""
    values = np.random.RandomState(1)
    for op in graph.get_operations():
        if op.type == "Placeholder":
            tensor, shape = op.outputs[0], [2 if d.value is None else d.value for d in op.outputs[0].shape.dims or ()]
            if tensor.dtype == tf.bool:
                yield tensor, np.full(shape, predicate)
            elif tensor.dtype.is_floating:
                yield tensor, values.uniform(0.5, 1.5, shape)
            elif tensor.dtype.is_integer:
                yield tensor, np.ones(shape, int)


def _outcomes(graph, init, fetches, config, feed):
    """The value or the error class of each fetch, in a new session."""

    def outcome(session, fetch):
        try:
            return session.run(fetch, feed)
        except tf.errors.OpError as error:
            return type(error).__name__

    with tf.Session(graph=graph, config=config) as session:
        session.run(init)
        return [outcome(session, fetch) for fetch in fetches]


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name.startswith("gradients_control_flow/")])
def test_values(name):
    with tf.Graph().as_default() as graph:
        PROGRAMS[name](tf)
        init = tf.global_variables_initializer()
    fetches = [tensor for tensor in _ends(graph)[0] if tensor.dtype.is_floating or tensor.dtype.is_integer]
    for predicate in (True, False):
        feed = dict(_feeds(graph, predicate))
        ways = [_outcomes(graph, init, fetches, config, feed) for config in (None, BY_TOKENS)]
        for fetch, compiled, by_tokens in zip(fetches, *ways, strict=True):
            np.testing.assert_array_equal(compiled, by_tokens, fetch.name)
