"""Graphs of control-flow primitives that are wired at random: none crashes or hangs, and what is compiled yields what the
tokens yield, where a step's outcome does not depend on which node runs first."""

import os
import random

import pytest
from dead_tensor_programs import outcome, programs

import tinytf as tf

PROGRAMS = programs(tf)
CASES = int(os.environ.get("TINYTF_MUTATIONS", "40"))
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
# What there is only where nodes run in some order, or time runs out.
_MAY_DIFFER = ("Retval", "DeadlineExceeded", "Merge can not have", "uninitialized")


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


def _outcome(definition, names, config):
    def build():
        tf.import_graph_def(definition, name="")
        found = [tf.get_default_graph().as_graph_element(name) for name in names]
        return found if len(found) > 1 else found[0]

    try:
        return outcome(tf, build, config, timeout_ms=300)
    except (ValueError, KeyError) as error:  # no graph at all
        return type(error).__name__


@pytest.mark.parametrize("name", PROGRAMS)
def test_mutations(name):
    definition, names = _definition(name)
    choose = random.Random(name)
    for _ in range(CASES):
        mutated = _mutated(definition, choose)
        compiled, by_tokens = (_outcome(mutated, names, config) for config in (None, BY_TOKENS))
        if compiled == by_tokens or any(text in one for text in _MAY_DIFFER for one in (compiled, by_tokens)):
            continue
        assert _has_plain_merge(mutated) and "Error" not in compiled + by_tokens, mutated
