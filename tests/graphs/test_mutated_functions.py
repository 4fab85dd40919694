"""Branches and loops with randomly rewired or exchanged functions never crash or hang, and compiled plans give the
same results as the dataflow machine.
"""

import base64
import gzip
import json
import os
import random

import pytest
from v2_control_flow_programs import RECORDED

import tinytf as tf
from tinytf._src import protos

OF_1_15 = json.loads(gzip.decompress(RECORDED.read_bytes()))
CASES = int(os.environ.get("TINYTF_MUTATIONS", "15"))
BY_TOKENS = tf.ConfigProto()
BY_TOKENS.graph_options.optimizer_options.opt_level = tf.OptimizerOptions.L0
BY_TOKENS.graph_options.rewrite_options.loop_optimization = protos.RewriterConfig.OFF


def _function_attrs(node):
    return [name for name in node.attr if node.attr[name].HasField("func")]


def _mutated(definition, choose):
    mutated = tf.GraphDef()
    mutated.CopyFrom(definition)
    functions = [function for function in mutated.library.function if function.node_def]
    for _ in range(choose.randint(1, 2)):
        function = choose.choice(functions)
        node = choose.choice(function.node_def)
        kind = choose.randrange(4)
        if kind == 0 or not node.input:
            node.input.append("^" + choose.choice(function.node_def).name)
        elif kind == 1:
            arguments = [argument.name for argument in function.signature.input_arg]
            node.input[choose.randrange(len(node.input))] = choose.choice(arguments or [node.input[0]])
        elif kind == 2:
            other = choose.choice(function.node_def)
            node.input[choose.randrange(len(node.input))] = choose.choice(other.input or [node.input[0]])
        else:
            callers = [one for one in (*mutated.node, *function.node_def) if _function_attrs(one)]
            if callers:
                caller = choose.choice(callers)
                attr = caller.attr[choose.choice(_function_attrs(caller))]
                attr.func.name = choose.choice(functions).signature.name
    return mutated


def _outcome(definition, fetches, config):
    """The values as text, or the error's class and first line."""
    try:
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            tf.import_graph_def(definition, name="")
            values = session.run(fetches, options=tf.RunOptions(timeout_in_ms=500))
    except (tf.errors.OpError, ValueError) as error:
        return f"{type(error).__name__} {error}".split("\n")[0]
    return " ".join(f"{float(value.sum()):.4g}" for value in values)


@pytest.mark.parametrize("name", OF_1_15)
def test_mutations(name):
    record = OF_1_15[name]
    definition = tf.GraphDef.FromString(base64.b64decode(record["graph"]))
    choose = random.Random(name)
    for _ in range(CASES):
        mutated = _mutated(definition, choose)
        compiled, by_tokens = (_outcome(mutated, record["fetches"], config) for config in (None, BY_TOKENS))
        # The function of a branch pruned because of its constant predicate is not checked, so it may be invalid.
        is_cut = "nodes in a cycle" in by_tokens and "Error" not in compiled
        assert compiled == by_tokens or "DeadlineExceeded" in compiled + by_tokens or is_cut, mutated
