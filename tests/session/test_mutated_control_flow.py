"""Randomly rewired graphs of control-flow primitives never crash or hang, and compiled plans give the same results
as the dataflow machine if the result does not depend on the execution order.
"""

import os
import random

import pytest
from dead_tensor_programs import outcome, programs

import tinytf as tf
from tinytf._src import protos

PROGRAMS = programs(tf)
CASES = int(os.environ.get("TINYTF_MUTATIONS", "40"))
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF
LIMITED = tf.ConfigProto(operation_timeout_in_ms=300)
# Outcomes that depend on the execution order or on the timeout.
_MAY_DIFFER = ("Retval", "not valid", "DeadlineExceeded", "Merge can not have", "uninitialized", "Unimplemented")


def _definition(name):
    with tf.Graph().as_default() as graph:
        fetches = PROGRAMS[name]()
    return graph.as_graph_def(), [one.name for one in (fetches if isinstance(fetches, list) else [fetches])]


def _mutated(definition, choose):
    """A copy with one to three changed, exchanged or added inputs."""
    mutated = tf.GraphDef()
    mutated.CopyFrom(definition)
    nodes = mutated.node
    for _ in range(choose.randint(1, 3)):
        node = choose.choice(nodes)
        kind = choose.randrange(4)
        if kind == 0 or not node.input:
            node.input.append("^" + choose.choice(nodes).name)
        elif kind == 1:
            place = choose.randrange(len(node.input))
            name = node.input[place].split(":")[0]
            node.input[place] = name + (":1" if ":" not in node.input[place] else "")
        else:
            place = choose.randrange(len(node.input))
            if not node.input[place].startswith("^"):
                node.input[place] = choose.choice(nodes).name
    return mutated


def _has_plain_merge(definition):
    """Whether two values may reach a Merge outside of loops, whose result then depends on timing."""
    ends = {node.name for node in definition.node if node.op == "NextIteration"}
    return any(node.op.endswith("Merge") and not ends.intersection(node.input) for node in definition.node)


class _InParts:
    """Runs a step as a partial run, in which each loop and branch waits for its own inputs."""

    def __init__(self, session):
        self._session = session

    def run(self, fetches, options):
        del options  # LIMITED has a timeout
        if isinstance(fetches, tf.Operation):  # partial runs fetch only tensors
            return self._session.run(fetches)
        return self._session.partial_run(self._session.partial_run_setup(fetches), fetches)


def _outcome(definition, names, config, runner=None):
    def build():
        tf.import_graph_def(definition, name="")
        found = [tf.get_default_graph().as_graph_element(name) for name in names]
        return found if len(found) > 1 else found[0]

    try:
        return outcome(tf, build, config, timeout_ms=300, runner=runner)
    except (ValueError, KeyError) as error:  # the graph is invalid
        return type(error).__name__


@pytest.mark.parametrize("name", PROGRAMS)
def test_mutations(name):
    definition, names = _definition(name)
    choose = random.Random(name)
    for _ in range(CASES):
        mutated = _mutated(definition, choose)
        compiled = _outcome(mutated, names, None)
        for other in (_outcome(mutated, names, BY_TOKENS), _outcome(mutated, names, LIMITED, _InParts)):
            if compiled == other or any(text in one for text in _MAY_DIFFER for one in (compiled, other)):
                continue
            assert _has_plain_merge(mutated) and "Error" not in compiled + other, mutated
