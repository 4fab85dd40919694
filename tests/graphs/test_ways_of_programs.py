"""No program of those that users write leaves the compiled way: branches and loops become code."""

import pytest
from graph_programs import load_programs

import tinytf as tf

PROGRAMS = load_programs()
# Where all ends of a graph are fetched, also those of gradients that nothing takes: these are not what steps of users fetch.
BY_TOKENS = {
    "gradients_control_flow/second_derivatives",
    "gradients_control_flow/reference_variables",
    "gradients_control_flow/gathers",
    "gradients_control_flow/inside_of_branches_and_loops",
    "gradients_control_flow/switches_of_ones_own",
    "gradients_control_flow/a_loop_in_a_condition",
    "gradients_control_flow/loops_one_after_the_other",
}


def _ends(graph):
    """Outputs outside of loops and branches that no other node takes, and operations without outputs."""
    read = {tensor for op in graph.get_operations() for tensor in op.inputs}
    ops = [op for op in graph.get_operations() if op._get_control_flow_context() is None and graph.is_fetchable(op)]
    return [tensor for op in ops for tensor in op.outputs if tensor not in read], [op for op in ops if not op.outputs]


@pytest.mark.parametrize("name", PROGRAMS)
def test_way(name):
    with tf.Graph().as_default() as graph:
        PROGRAMS[name](tf)
        if not any(op.type in ("Switch", "RefSwitch", "If", "While") for op in graph.get_operations()):
            return  # there is one way only
        tensors, ops = _ends(graph)
        with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
            report = session.plan_report([*tensors, *ops])
    assert (report.way == "tokens") is (name in BY_TOKENS), report.why_tokens
