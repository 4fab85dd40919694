"""Branches and loops that are not inlined into a plan: kernels call their functions."""

import pytest

import tinytf as tf

_FLOAT, _INT, _BOOL = (t.as_datatype_enum for t in (tf.float32, tf.int32, tf.bool))


def _function(library, name, arguments, results, *nodes):
    """Adds a function of floats; nodes are (name, op, inputs, attrs)."""
    function = library.function.add()
    function.signature.name = name
    for argument in arguments:
        function.signature.input_arg.add(name=argument, type=_FLOAT)
    for result, (source, dtype) in results.items():
        function.signature.output_arg.add(name=result, type=dtype)
        function.ret[result] = source
    for node_name, op, inputs, attrs in nodes:
        node = function.node_def.add(name=node_name, op=op, input=inputs)
        _set(node, attrs)


def _set(node, attrs):
    for name, value in attrs.items():
        attr = node.attr[name]
        if isinstance(value, str):
            attr.func.name = value
        elif isinstance(value, float):
            attr.tensor.CopyFrom(tf.make_tensor_proto(value))
        elif isinstance(value, list) and value and isinstance(value[0], str):
            for function in value:
                attr.list.func.add(name=function)
        elif isinstance(value, list):
            attr.list.type.extend(value)
        else:
            attr.type = value


def _constant(name, value):
    return name, "Const", [], {"dtype": _FLOAT, "value": value}


def _binary(name, op, a, b):
    return name, op, [a, b], {"T": _FLOAT}


def _graph(library, op, inputs, attrs):
    """A graph with a node `y` of the given op, whose inputs are placeholders `x0`, `x1`, …"""
    graph = tf.GraphDef()
    graph.versions.producer = 134
    graph.library.CopyFrom(library)
    for i, dtype in enumerate(inputs):
        _set(graph.node.add(name=f"x{i}", op="Placeholder"), {"dtype": dtype})
    node = graph.node.add(name="y", op=op, input=[f"x{i}" for i in range(len(inputs))])
    _set(node, attrs)
    return graph


@pytest.fixture
def library():
    made = tf.GraphDef().library
    _function(made, "same", ["n", "x"], {"y": ("x", _FLOAT)})
    # Computes x * 2 ** n.
    _function(
        made,
        "times",
        ["n", "x"],
        {"y": ("if:output:0", _FLOAT)},
        _constant("one", 1.0),
        _constant("zero", 0.0),
        _binary("less", "Sub", "n", "one:output:0"),
        _binary("twice", "Add", "x", "x"),
        ("more", "Greater", ["n", "zero:output:0"], {"T": _FLOAT}),
        ("argument", "Select", ["more:z:0", "twice:z:0", "x"], {"T": _FLOAT}),
        (
            "if",
            "StatelessIf",
            ["more:z:0", "less:z:0", "argument:output:0"],
            {
                "Tcond": _BOOL,
                "Tin": [_FLOAT] * 2,
                "Tout": [_FLOAT],
                "then_branch": "times",
                "else_branch": "same",
            },
        ),
    )
    _function(
        made,
        "above",
        ["x"],
        {"y": ("g:z:0", _BOOL)},
        _constant("five", 5.0),
        _binary("g", "Greater", "x", "five:output:0"),
    )
    # Calls itself recursively until no element is positive.
    _function(
        made,
        "down",
        ["x"],
        {"y": ("while:output:0", _FLOAT)},
        _constant("one", 1.0),
        _binary("less", "Sub", "x", "one:output:0"),
        ("while", "StatelessWhile", ["less:z:0"], {"T": [_FLOAT], "cond": "above", "body": "down"}),
    )
    for i in range(70):
        _function(
            made,
            f"plus{i}",
            ["x"],
            {"y": ("sum:z:0", _FLOAT)},
            _constant("i", float(i)),
            _binary("sum", "Add", "x", "i:output:0"),
        )
    return made


def _run(graph, *values):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.import_graph_def(graph, name="")
        return session.run("y:0", {f"x{i}:0": value for i, value in enumerate(values)})


def test_branches_that_call_the_function_they_are_in(library):
    call = {"Tin": [_FLOAT] * 2, "Tout": [_FLOAT], "f": "times"}
    graph = _graph(library, "PartitionedCall", [_FLOAT, _FLOAT], call)
    assert [_run(graph, n, 3.0) for n in (0, 1, 5)] == [3, 6, 96]


def test_loops_that_call_the_function_they_are_in(library):
    graph = _graph(library, "StatelessWhile", [_FLOAT], {"T": [_FLOAT], "cond": "above", "body": "down"})
    assert [_run(graph, x) for x in (8.0, 5.0, 20.5)] == [5, 5, 4.5]


def test_very_many_branches(library):
    attrs = {"Tin": [_FLOAT], "Tout": [_FLOAT], "branches": [f"plus{i}" for i in range(70)]}
    graph = _graph(library, "StatelessCase", [_INT, _FLOAT], attrs)
    assert [_run(graph, i, 0.5) for i in (0, 42, 69, 70, -1)] == [0.5, 42.5, 69.5, 69.5, 69.5]
    with pytest.raises(tf.errors.InvalidArgumentError, match="branch_index must be scalar"):
        _run(graph, [0], 0.5)


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        (1, True),
        (0, False),
        (2.5, True),
        (0.0, False),
        ("a", True),
        ("", False),
        ([0], True),
        ([], False),
        (True, True),
    ],
)
def test_what_counts_as_true(value, holds):
    with tf.Session() as session:
        assert session.run(tf.raw_ops.ToBool(input=tf.constant(value))) == holds


def test_what_counts_neither_way():
    with (
        tf.Session() as session,
        pytest.raises(tf.errors.InvalidArgumentError, match="complex64 cannot be converted to bool"),
    ):
        session.run(tf.raw_ops.ToBool(input=tf.placeholder_with_default(tf.constant(1j, tf.complex64), [])))


def test_what_nobody_reads():
    fake = [
        tf.raw_ops.FakeParam(dtype=tf.float32, shape=[None, 2]),
        tf.raw_ops.FakeParam(dtype=tf.string, shape=[2]),
        tf.raw_ops.FakeParam(dtype=tf.int32, shape=None),
    ]
    with tf.Session() as session:
        values = session.run(fake)
    assert [value.shape for value in values[:2]] == [(0, 2), (2,)] and values[2] == 0
