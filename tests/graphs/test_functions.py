"""Nodes that call functions of an imported GraphDef run, whether tinytf or TensorFlow wrote it."""

import pytest
from google.protobuf import text_format

import tinytf as tf

SQUARES = """
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "y" op: "PartitionedCall" input: "x" input: "x"
  attr { key: "Tin" value { list { type: DT_FLOAT type: DT_FLOAT } } }
  attr { key: "Tout" value { list { type: DT_FLOAT type: DT_FLOAT } } }
  attr { key: "f" value { func { name: "squares" attr { key: "T" value { type: DT_FLOAT } } } } } }
node { name: "z" op: "Sub" input: "y:1" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
library { function {
  signature { name: "squares"
    input_arg { name: "a" type_attr: "T" } input_arg { name: "b" type_attr: "T" }
    output_arg { name: "sum" type_attr: "T" } output_arg { name: "first" type_attr: "T" }
    attr { name: "T" type: "type" } }
  node_def { name: "total" op: "Add" input: "aa:z:0" input: "bb:z:0" attr { key: "T" value { placeholder: "T" } } }
  node_def { name: "aa" op: "Mul" input: "a" input: "a" attr { key: "T" value { placeholder: "T" } } }
  node_def { name: "bb" op: "Mul" input: "b" input: "b" attr { key: "T" value { placeholder: "T" } } }
  ret { key: "sum" value: "total:z:0" } ret { key: "first" value: "a" } } }
"""


def imported(text):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(text_format.Parse(text, tf.GraphDef()), name="")
    return graph


def run(graph, fetch, **feeds):
    with tf.Session(graph=graph) as session:
        return session.run(fetch, {f"{name}:0": value for name, value in feeds.items()})


def test_imported_functions_run():
    assert run(imported(SQUARES), ["y:0", "y:1", "z:0"], x=3.0) == [18.0, 3.0, -15.0]


def test_outputs_of_calls_may_be_fed():
    graph = imported(SQUARES)
    with tf.Session(graph=graph) as session:
        assert session.run("z:0", {"x:0": 3.0, "y:0": 1.0}) == 2.0
        assert session.run("z:0", {"y:0": 1.0, "y:1": 5.0}) == 4.0


def test_calls_in_partial_runs():
    graph = imported(SQUARES)
    with tf.Session(graph=graph) as session:
        handle = session.partial_run_setup(["z:0", "y:0"], ["x:0"])
        assert session.partial_run(handle, "y:0", {"x:0": 2.0}) == 8.0
        assert session.partial_run(handle, "z:0") == -6.0


def test_traces_see_what_functions_do():
    graph = imported(SQUARES)
    metadata = tf.RunMetadata()
    with tf.Session(graph=graph) as session:
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run("z:0", {"x:0": 3.0}, options=options, run_metadata=metadata)
    names = {node.node_name for device in metadata.step_stats.dev_stats for node in device.node_stats}
    assert {"y/aa", "y/total", "z"} <= names


def test_errors_in_imported_functions_name_the_call():
    broken = SQUARES.replace('op: "Mul" input: "a" input: "a"', 'op: "MatMul" input: "a" input: "a"')
    broken = broken.replace("aa:z:0", "aa:product:0")
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"\[\[node y/aa \(defined at .*test_functions.py:"
    ) as caught:
        run(imported(broken), "z:0", x=3.0)
    assert caught.value.op.name == "y"


def test_steps_with_functions_are_recorded_and_replayed(tmp_path):
    graph = imported(SQUARES.replace('op: "Mul" input: "a" input: "a"', 'op: "Div" input: "a" input: "a"'))
    path = tmp_path / "steps.zip"
    with tf.Session(graph=graph) as session, session.record(path):
        for x in (3.0, 0.0):
            session.run("z:0", {"x:0": x})
    good, bad = tf.replay(path), tf.replay(path, step=1)
    assert good.matches and good.first_nan is None
    assert bad.first_nan.name == "y/aa"


def test_written_functions_are_read_again():
    text = text_format.MessageToString(imported(SQUARES).as_graph_def())
    assert run(imported(text), "z:0", x=2.0) == -6.0


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('name: "squares" attr', 'name: "cubes" attr', "Function cubes is not defined."),
        ('op: "Add"', 'op: "Odd"', "Op type not registered 'Odd'"),
        ("aa:z:0", "ab:z:0", "input ab:z:0 is not found"),
        ('ret { key: "first" value: "a" }', "", "Return first missing."),
        (
            ' attr { key: "T" value { type: DT_FLOAT } } } } } }\nnode { name: "z"',
            ' } } } }\nnode { name: "z"',
            "Attr T is not",
        ),
        (
            'Tin" value { list { type: DT_FLOAT type: DT_FLOAT',
            'Tin" value { list { type: DT_FLOAT',
            "do not match 2 inputs",
        ),
    ],
)
def test_what_is_wrong_with_a_function_is_said(old, new, error):
    assert old in SQUARES
    with pytest.raises((tf.errors.OpError, ValueError), match=error):
        run(imported(SQUARES.replace(old, new, 1)), "z:0", x=1.0)


def test_imported_functions_have_gradients():
    graph = imported(SQUARES)
    with graph.as_default():
        gradient = tf.gradients(graph.get_tensor_by_name("y:0"), graph.get_tensor_by_name("x:0"))[0]
    assert run(graph, gradient, x=3.0) == 12.0


def test_traced_functions_are_written_and_run_elsewhere():
    text = _traced_text()
    graph = imported(text)
    with tf.Session(graph=graph) as session:
        assert session.run("result:0", {"x:0": 3.0}) == pytest.approx(60.0)


def _traced_text():
    """A GraphDef with traced functions: 2 x (x² + 1), where x² is a call of another function."""

    @tf.function
    def square(x):
        return x * x

    @tf.function
    def g(x):
        return square(x) + 1.0

    @tf.function
    def f(x):
        return tf.identity(g(x) * (x + x), name="result")

    with tf.Graph().as_default():
        graph = f.get_concrete_function(tf.TensorSpec([], tf.float32, name="x")).graph
    return text_format.MessageToString(graph.as_graph_def())


@pytest.mark.oracle
def test_tensorflow_runs_traced_functions(oracle1):
    found = oracle1(
        """
from google.protobuf import text_format
graph = tf.Graph()
with graph.as_default():
    tf.import_graph_def(text_format.Parse(text, tf.GraphDef()), name="")
with tf.Session(graph=graph) as session:
    result = session.run("result:0", {"x:0": 3.0})
""",
        text=_traced_text(),
    )
    assert found == pytest.approx(60.0)


@pytest.mark.oracle
def test_functions_that_tensorflow_traced_run_here(oracle1):
    text = oracle1(
        """
from google.protobuf import text_format
graph = tf.Graph()
with graph.as_default():
    v = tf.get_variable("v", initializer=2.0, use_resource=True)

    @tf.function
    def g(x):
        return x * v

    @tf.function
    def f(x):
        return g(x) + g(x + 1.0)

    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.identity(f(x), name="y")
    tf.identity(tf.gradients(y, v)[0], name="dv")
    tf.group(tf.global_variables_initializer(), name="init")
result = text_format.MessageToString(graph.as_graph_def())
"""
    )
    with tf.Session(graph=imported(text)) as session:
        session.run("init")
        assert session.run(["y:0", "dv:0"], {"x:0": 3.0}) == [14.0, 7.0]
