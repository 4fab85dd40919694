"""Graphs of control-flow primitives that are wired at random: none crashes or hangs, and what is compiled yields what the
tokens yield, where a step's outcome does not depend on which node runs first."""

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
# What there is only where nodes run in some order, or time runs out.
_MAY_DIFFER = ("Retval", "not valid", "DeadlineExceeded", "Merge can not have", "uninitialized", "Unimplemented")


def _definition(name):
    with tf.Graph().as_default() as graph:
        fetches = PROGRAMS[name]()
    return graph.as_graph_def(), [one.name for one in (fetches if isinstance(fetches, list) else [fetches])]


def _mutated(definition, choose):
    """With an input or two that come from elsewhere, or another output, or wait for one node more."""
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
    """Whether two values may reach a Merge, which yields the first: which one that is depends on more than the graph."""
    ends = {node.name for node in definition.node if node.op == "NextIteration"}
    return any(node.op.endswith("Merge") and not ends.intersection(node.input) for node in definition.node)


class _InParts:
    """Runs a step as a partial one: each loop and each branch waits for what others yield, and leaves that alone."""

    def __init__(self, session):
        self._session = session

    def run(self, fetches, options):
        del options  # LIMITED
        if isinstance(fetches, tf.Operation):  # a partial run fetches values
            return self._session.run(fetches)
        return self._session.partial_run(self._session.partial_run_setup(fetches), fetches)


def _outcome(definition, names, config, runner=None):
    def build():
        tf.import_graph_def(definition, name="")
        found = [tf.get_default_graph().as_graph_element(name) for name in names]
        return found if len(found) > 1 else found[0]

    try:
        return outcome(tf, build, config, timeout_ms=300, runner=runner)
    except (ValueError, KeyError) as error:  # no graph at all
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
