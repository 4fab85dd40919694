"""Randomly mutated graphs with function calls by name and function gradients never crash or hang, even with wrong
arguments.
"""

import os
import random

import pytest
from graph_programs import load_programs

import tinytf as tf

PROGRAMS = {name: program for name, program in load_programs().items() if name.startswith("functions/")}
CASES = int(os.environ.get("TINYTF_MUTATIONS", "25"))


def _built(program):
    with tf.Graph().as_default() as graph:
        program(tf)
        return graph.as_graph_def()


def _all_nodes(definition):
    return [*definition.node, *(node for function in definition.library.function for node in function.node_def)]


def _mutated(definition, choose):
    mutated = tf.GraphDef()
    mutated.CopyFrom(definition)
    library = mutated.library
    names = [function.signature.name for function in library.function]
    for _ in range(choose.randint(1, 3)):
        function = choose.choice(library.function) if library.function else tf.GraphDef().library.function.add()
        signature = function.signature
        node = choose.choice(_all_nodes(mutated))
        kind = choose.randrange(12)
        if kind == 0:
            node.op = choose.choice([*names, "SymbolicGradient", "PartitionedCall"])
        elif kind == 1 and node.input:
            del node.input[choose.randrange(len(node.input))]
        elif kind == 2:
            node.input.append(choose.choice([*node.input, choose.choice(_all_nodes(mutated)).name]))
        elif kind == 3:
            node.attr["f"].func.name = choose.choice([*names, "nothing", "Mul", names[0] + ";gradient"])
        elif kind == 4:
            pair = choose.choice([*names, "nothing"]), choose.choice([*names, "nothing"])
            library.gradient.add(function_name=pair[0], gradient_func=pair[1])
        elif kind == 5 and signature.input_arg:
            argument = choose.choice(signature.input_arg)
            argument.type = choose.choice([0, 1, 3, 7, 20, 99, 101])
        elif kind == 6 and signature.output_arg:
            result = choose.choice(signature.output_arg)
            setattr(
                result, choose.choice(["type_attr", "number_attr", "type_list_attr"]), choose.choice(["T", "N", "f"])
            )
        elif kind == 7:
            attr = signature.attr.add(name=choose.choice(["T", "N"]), type=choose.choice(["int", "type", "list(type)"]))
            if choose.randrange(2):
                attr.default_value.i = choose.choice([-5, 0, 3, 2**40])
        elif kind == 8:
            node.attr["N"].i = choose.choice([-5, 0, 3, 2**40])
        elif kind == 9 and len(library.function) > 1:
            del library.function[choose.randrange(len(library.function))]
        elif kind == 10:
            name = choose.choice(["Tin", "Tout"])
            node.attr[name].list.type.append(choose.choice([0, 1, 3, 20]))
        else:
            function.ret[choose.choice([*function.ret, "more"])] = choose.choice([*function.ret.values(), "nothing:0"])
    return mutated


def _outcome(definition):
    """The values of some nodes, after building gradients through them; or the error's class and first line."""
    config = tf.ConfigProto(operation_timeout_in_ms=2000)
    try:
        with tf.Graph().as_default() as graph, tf.Session(config=config) as session:
            tf.import_graph_def(definition, name="")
            tensors = [op.outputs[0] for op in graph.get_operations() if op.outputs and op.type != "Placeholder"][-3:]
            floats = [t for t in tensors if t.dtype == tf.float32]
            tf.gradients(floats, [op.outputs[0] for op in graph.get_operations() if op.type == "Const"][:2])
            return session.run(tensors, options=tf.RunOptions(timeout_in_ms=1000))
    except (tf.errors.OpError, ValueError, TypeError, LookupError, AttributeError) as error:
        return f"{type(error).__name__} {error}".split("\n")[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_mutations(name):
    definition = _built(PROGRAMS[name])
    choose = random.Random(name)
    for _ in range(CASES):
        _outcome(_mutated(definition, choose))


def test_what_is_not_changed_runs():
    definition = _built(PROGRAMS["functions/calls_in_functions"])
    assert _outcome(definition)[-1] == 25.0
