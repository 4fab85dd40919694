"""Graphs survive export and import as GraphDef: the same nodes and values, and TensorFlow's errors."""

import numpy as np
import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.framework.graph_defs.importer import import_graph_def


def _node(name, op, inputs=(), **attrs):
    node = protos.NodeDef(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)
    return node


def _type(dtype):
    return protos.AttrValue(type=dtype.as_datatype_enum)


def _placeholder(name, dtype=tf.float32):
    return _node(name, "Placeholder", dtype=_type(dtype))


def _identity(name, source, dtype=tf.float32, **attrs):
    return _node(name, "Identity", [source], T=_type(dtype), **attrs)


def _graph_def(*nodes, **versions):
    return protos.GraphDef(node=nodes, versions=protos.VersionDef(**(versions or {"producer": 134})))


def _model():
    """Builds nodes of many kinds; returns the names of a feed and of fetches."""
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    w = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2), name="w")
    v = tf.Variable([1.0, 2.0], name="v", use_resource=True)
    y = tf.add(tf.matmul(x, w), v, name="y")
    first, second = tf.split(y, 2, axis=1)
    with tf.control_dependencies([first, y]):
        tf.concat([second, first], 1, name="swapped")
    tf.constant(["a", "bc"], name="text")
    tf.constant(True, name="flag")
    tf.constant(1.5, tf.float16, name="half")
    tf.constant([1 + 2j, 3], tf.complex64, name="complex")
    tf.placeholder(tf.int32, name="anything")
    tf.reduce_sum(y, name="total")


_FEED = np.arange(12, dtype=np.float32).reshape(4, 3)
_FETCHES = ["y:0", "swapped:0", "text:0", "flag:0", "half:0", "complex:0", "total:0"]


def _run(prefix=""):
    graph = tf.get_default_graph()
    with tf.Session() as sess:
        sess.run([graph.get_operation_by_name(f"{prefix}{v}/Assign") for v in ("w", "v")])
        return sess.run([prefix + name for name in _FETCHES], {prefix + "x:0": _FEED})


def _same(ours, theirs):
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


# -- Writing ------------------------------------------------------------------------------------------------------------


def test_inputs_are_written_by_name_index_and_control():
    _model()
    nodes = {n.name: n for n in tf.get_default_graph().as_graph_def().node}
    assert list(nodes["swapped"].input) == ["split:1", "split", "swapped/axis"]
    assert list(nodes["swapped/axis"].input) == ["^split", "^y"]
    assert list(nodes["y"].input)[0] == "MatMul"


def test_versions():
    versions = tf.Graph().as_graph_def().versions
    assert (versions.producer, versions.min_consumer) == (134, 0)
    assert tf.Graph().graph_def_versions.producer == 134


def test_from_version_leaves_older_operations_out():
    tf.constant(1)
    graph = tf.get_default_graph()
    version = graph.version
    tf.constant(2, name="new")
    assert [n.name for n in graph.as_graph_def(from_version=version).node] == ["new"]


def test_all_attrs_are_written_defaults_too():
    tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]), name="m")
    attrs = tf.get_default_graph().get_operation_by_name("m").node_def.attr
    assert {name: attrs[name].WhichOneof("value") for name in attrs} == {
        "T": "type",
        "transpose_a": "b",
        "transpose_b": "b",
    }


def test_shapes_are_added_on_demand():
    tf.placeholder(tf.float32, [None, 3], name="x")
    tf.placeholder(tf.float32, name="any")
    tf.no_op(name="nothing")
    nodes = {n.name: n for n in tf.get_default_graph().as_graph_def(add_shapes=True).node}
    assert [d.size for d in nodes["x"].attr["_output_shapes"].list.shape[0].dim] == [-1, 3]
    assert nodes["any"].attr["_output_shapes"].list.shape[0].unknown_rank
    assert "_output_shapes" not in nodes["nothing"].attr
    assert "_output_shapes" not in tf.get_default_graph().as_graph_def().node[0].attr


def test_arrays_are_bytes_and_scalars_fields():
    tf.constant([1.0, 2.0], name="array")
    tf.constant(3, name="scalar")
    nodes = {n.name: n for n in tf.get_default_graph().as_graph_def().node}
    assert nodes["array"].attr["value"].tensor.tensor_content == np.array([1, 2], "<f4").tobytes()
    assert list(nodes["scalar"].attr["value"].tensor.int_val) == [3]


def test_variables_name_their_colocation_group():
    v = tf.Variable(1.0, name="v")
    assert v.initializer.node_def.attr["_class"].list.s == [b"loc:@v"]


def test_op_def():
    definition = tf.constant([1.0]).op.op_def
    assert definition.name == "Const"
    assert [a.name for a in definition.attr] == ["value", "dtype"]
    assert tf.Variable(1.0).op.op_def.is_stateful


# -- Reading ------------------------------------------------------------------------------------------------------------


def test_round_trip_keeps_nodes():
    _model()
    written = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        assert import_graph_def(written, name="") is None
        assert graph.as_graph_def() == written


def test_round_trip_keeps_values():
    _model()
    before = _run()
    written = tf.get_default_graph().as_graph_def(add_shapes=True)
    with tf.Graph().as_default():
        import_graph_def(written)
        _same(before, _run("import/"))


def test_prefix_is_made_unique_and_colocation_follows():
    tf.Variable(1.0, name="v")
    written = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        import_graph_def(written)
        import_graph_def(written)
        import_graph_def(written, name="mine")
        assert {op.name.split("/")[0] for op in graph.get_operations()} == {"import", "import_1", "mine"}
        assert graph.get_operation_by_name("import_1/v/Assign").colocation_groups() == [b"loc:@import_1/v"]


def test_without_prefix_names_are_made_unique():
    graph_def = _graph_def(_placeholder("A"), _identity("B", "A"))
    a, b = import_graph_def(graph_def, return_elements=["A", "B"], name="")
    a1, b1 = import_graph_def(graph_def, return_elements=["A", "B"], name="")
    assert [op.name for op in (a, b, a1, b1)] == ["A", "B", "A_1", "B_1"]
    assert b1.inputs[0].op is a1
    assert tf.placeholder(tf.float32, name="A").op.name == "A_2"


def test_nodes_may_come_before_their_inputs():
    (b,) = import_graph_def(_graph_def(_identity("B", "A"), _placeholder("A")), return_elements=["B:0"])
    assert b.op.inputs[0].name == "import/A:0"


def test_defaults_of_attrs_are_filled_in():
    node = _node("m", "MatMul", ["A", "A"], T=_type(tf.float32))
    (m,) = import_graph_def(_graph_def(_placeholder("A"), node), return_elements=["m"])
    assert m.get_attr("transpose_a") is False


def test_input_map_replaces_tensors_and_control_inputs():
    graph_def = _graph_def(
        _placeholder("A"), _node("B", "Identity", ["A", "^C"], T=_type(tf.float32)), _placeholder("C")
    )
    other, wait = tf.constant(7.0, name="other"), tf.constant(0, name="wait")
    b, a = import_graph_def(graph_def, {"A:0": other, "^C": wait}, return_elements=["B", "A:0"])
    assert b.inputs[0] is other and b.control_inputs == [wait.op]
    assert a is other


def test_input_map_converts_values_under_the_prefix():
    (b,) = import_graph_def(_graph_def(_identity("B", "A")), {"A": 5.0}, return_elements=["B"], name="p")
    assert b.inputs[0].op.name.startswith("p/_inputs/")


def test_control_dependencies_and_devices_of_the_scope_apply():
    node = _placeholder("A")
    node.device = "/device:CPU:0"
    wait = tf.constant(0, name="wait")
    with tf.control_dependencies([wait]), tf.device("/job:worker"):
        (a,) = import_graph_def(_graph_def(node), return_elements=["A"])
    assert a.control_inputs == [wait.op]
    assert a.device == "/job:worker/device:CPU:0"


def test_shapes_in_the_graph_def_count():
    shape = protos.AttrValue()
    shape.list.shape.add().dim.add().size = 5
    node = _placeholder("A")
    node.attr["_output_shapes"].CopyFrom(shape)
    (a,) = import_graph_def(_graph_def(node), return_elements=["A:0"])
    assert a.shape.as_list() == [5]
    assert "_output_shapes" not in a.op.node_def.attr


def test_attrs_unknown_here_with_the_producers_default_are_dropped():
    node = _placeholder("A")
    node.attr["fresh"].i = 3
    fresh = protos.OpDef.AttrDef(name="fresh", type="int", default_value=protos.AttrValue(i=3))
    ops = protos.OpList(op=[protos.OpDef(name="Placeholder", attr=[fresh])])
    import_graph_def(_graph_def(node), producer_op_list=ops)
    with pytest.raises(ValueError, match="NodeDef mentions attr 'fresh' not in Op<name=Placeholder"):
        import_graph_def(_graph_def(node))


_A_INT = _placeholder("A", tf.int32)
_ERRORS = [
    (_graph_def(_identity("B", "A")), {}, "Node 'B': Unknown input node 'A'"),
    (_graph_def(_identity("B", "A:0")), {}, "Node 'B': Unknown input node 'A:0'"),
    (_graph_def(_identity("B", "A:x")), {}, "Node 'B': Unknown input node 'A:x'"),
    (_graph_def(_node("B", "NoOp", ["^A"])), {}, "Node 'B': Unknown input node '^A'"),
    (
        _graph_def(_placeholder("A"), _identity("B", "A:1")),
        {},
        "Node 'B': Connecting to invalid output 1 of source node A which has 1 outputs.",
    ),
    (
        _graph_def(_A_INT, _identity("B", "A")),
        {},
        "Input 0 of node import/B was passed int32 from import/A:0 incompatible with expected float.",
    ),
    (
        _graph_def(_placeholder("A"), _node("B", "NoOp", ["A"])),
        {},
        "NodeDef expected inputs '' do not match 1 inputs specified; Op<name=NoOp; signature= -> >; NodeDef: {{node import/B}}",
    ),
    (
        _graph_def(_placeholder("A"), _node("B", "Add", ["A"], T=_type(tf.float32))),
        {},
        "NodeDef expected inputs 'float, float' do not match 1 inputs specified; Op<name=Add; signature=x:T, y:T -> z:T; "
        "attr=T:type,allowed=[DT_",
    ),
    (_graph_def(_placeholder("A"), _placeholder("A")), {}, "Node 'A' is not unique"),
    (_graph_def(_placeholder("A b")), {}, "Node 'A b': Node name contains invalid characters"),
    (
        _graph_def(_node("B", "VariableV2")),
        {},
        "NodeDef missing attrs 'dtype', 'shape' from Op<name=VariableV2; signature= -> ref:Ref(dtype); attr=shape:shape; "
        'attr=dtype:type; attr=container:string,default=""; attr=shared_name:string,default=""; is_stateful=true>; '
        "NodeDef: {{node import/B}}",
    ),
    (_graph_def(_placeholder("A")), {"return_elements": ["B"]}, "Requested return node 'B' not found in graph def"),
    (
        _graph_def(_placeholder("A")),
        {"return_elements": ["B:0"]},
        "Requested return tensor 'B:0' not found in graph def",
    ),
    (
        _graph_def(_placeholder("A")),
        {"return_elements": ["A:1"]},
        "Invalid return output 1 of node 'A', which has 1 output(s)",
    ),
    (_graph_def(_placeholder("A")), {"return_elements": ["A:B:0"]}, "Cannot convert 'A:B:0' to a tensor name."),
    (
        _graph_def(_placeholder("A")),
        {"input_map": {"B:0": 1.0}},
        "Attempted to map inputs that were not found in graph_def: [B:0]",
    ),
    (
        _graph_def(_placeholder("A")),
        {"input_map": {"A:2": 1.0}},
        "Attempted to map inputs that were not found in graph_def: [A:2]",
    ),
    (
        _graph_def(_identity("B", "A")),
        {"input_map": {"A:0": 1.0}, "name": ""},
        "tf.import_graph_def() requires a non-empty `name` if `input_map` contains non-Tensor values.",
    ),
    (
        _graph_def(
            _placeholder("A"),
            _identity("B", "A", _class=protos.AttrValue(list=protos.AttrValue.ListValue(s=[b"loc:@C"]))),
        ),
        {},
        "Node 'B' expects to be colocated with unknown node 'C'",
    ),
    (_graph_def(_identity("B", "C"), _identity("C", "B")), {}, "2 nodes in a cycle"),
    (_graph_def(producer=-1), {}, "GraphDef producer version -1 below min producer 0 supported by TensorFlow"),
    (_graph_def(min_consumer=2000), {}, "GraphDef min consumer version 2000 above current version 134 for TensorFlow"),
    (_graph_def(bad_consumers=[134]), {}, "GraphDef disallows consumer version 134."),
]


@pytest.mark.parametrize(("graph_def", "arguments", "message"), _ERRORS, ids=[e[2][:40] for e in _ERRORS])
def test_errors(graph_def, arguments, message):
    with pytest.raises(ValueError) as raised:
        import_graph_def(graph_def, **arguments)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x",), "graph_def must be a GraphDef proto."),
        ((protos.NodeDef(),), "graph_def must be a GraphDef proto."),
        ((protos.GraphDef(), [1]), "input_map must be a dictionary mapping strings to Tensor objects."),
        ((protos.GraphDef(), {1: 2}), "input_map must be a dictionary mapping strings to Tensor objects."),
        ((protos.GraphDef(), None, [7]), "return_elements must be a list of strings."),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(TypeError) as raised:
        import_graph_def(*arguments)
    assert str(raised.value) == message


def test_finalized_graph():
    tf.get_default_graph().finalize()
    with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified."):
        import_graph_def(_graph_def(_placeholder("A")), name="")


def _library(factor, *gradients):
    constant = _node("two", "Const", dtype=_type(tf.float32))
    constant.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(factor))
    mul = _node("mul", "Mul", ["x", "two:output:0"], T=protos.AttrValue(placeholder="T"))
    functions = [
        protos.FunctionDef(
            signature={
                "name": name,
                "input_arg": [{"name": "x", "type_attr": "T"}],
                "output_arg": [{"name": "y", "type_attr": "T"}],
                "attr": [{"name": "T", "type": "type"}],
                "description": "Twice x.",
            },
            node_def=[constant, mul],
            ret={"y": "mul:z:0"},
            control_ret={"done": "mul"},
            attr={"_noinline": protos.AttrValue(b=True)},
            arg_attr={0: protos.FunctionDef.ArgAttrs(attr={"_user": protos.AttrValue(i=7)})},
        )
        for name in ("f", "g")
    ]
    gradients = [{"function_name": name, "gradient_func": gradient} for name, gradient in gradients]
    versions = {"producer": 134, "min_consumer": 12}  # the first version with functions
    return protos.GraphDef(library={"function": functions, "gradient": gradients}, versions=versions)


def test_functions_are_kept_and_written_back():
    graph_def = _library(2.0, ("f", "g"))
    for _ in range(2):
        import_graph_def(graph_def, name="")
    graph = tf.get_default_graph()
    assert graph.as_graph_def() == graph_def
    import_graph_def(_graph_def(_placeholder("A")))
    assert graph.as_graph_def(from_version=1).library == graph_def.library


@pytest.mark.parametrize(
    ("library", "message"),
    [
        (_library(3.0), "Cannot add function 'f' because a different function with the same name already exists."),
        (_library(2.0, ("f", "h")), "FunctionDefLibrary missing 'h' FunctionDef"),
    ],
    ids=["different", "missing"],
)
def test_functions_that_do_not_fit_are_refused(library, message):
    import_graph_def(_library(2.0), name="")
    library.node.append(_placeholder("A"))
    with pytest.raises(ValueError) as raised:
        import_graph_def(library, name="")
    assert str(raised.value) == message
    assert tf.get_default_graph().get_operations() == []
    assert tf.get_default_graph().as_graph_def() == _library(2.0)


# -- With TensorFlow --------------------------------------------------------------------------------------------------


@pytest.mark.oracle
def test_tensorflow_reads_what_we_write(oracle):
    _model()
    ours = _run()
    theirs = oracle(
        """
graph_def = tf.GraphDef.FromString(data)
tf.import_graph_def(graph_def, name="")
graph = tf.get_default_graph()
with tf.Session() as sess:
    sess.run([graph.get_operation_by_name(v + "/Assign") for v in ("w", "v")])
    result = sess.run(fetches, {"x:0": feed})
""",
        data=tf.get_default_graph().as_graph_def(add_shapes=True).SerializeToString(),
        fetches=_FETCHES,
        feed=_FEED,
    )
    for a, b in zip(ours, theirs, strict=True):
        if np.asarray(a).dtype.kind in "fc":
            np.testing.assert_allclose(a, b, rtol=1e-6)
        else:
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


@pytest.mark.oracle
def test_functions_of_tensorflow_come_back_to_it(oracle):
    data = oracle(
        """
from tensorflow.python.framework import function
@function.Defun(tf.float32, func_name="twice")
def twice(x):
    return x * 2.0
twice(tf.constant(1.0))
graph_def = tf.get_default_graph().as_graph_def()
del graph_def.node[:]
result = graph_def.SerializeToString()
"""
    )
    written = protos.GraphDef.FromString(data)
    assert [f.signature.name for f in written.library.function] == ["twice"]
    import_graph_def(written, name="")
    again = tf.get_default_graph().as_graph_def()
    assert again.library == written.library
    names = oracle(
        """
tf.import_graph_def(tf.GraphDef.FromString(data), name="")
result = [f.signature.name for f in tf.get_default_graph().as_graph_def().library.function]
""",
        data=again.SerializeToString(),
    )
    assert names == ["twice"]


@pytest.mark.oracle
def test_we_read_what_tensorflow_writes(oracle):
    data, ops, theirs = oracle(
        """
import numpy as np
x = tf.placeholder(tf.float32, [None, 3], name="x")
product = tf.matmul(x, tf.constant(np.arange(6, dtype=np.float32).reshape(3, 2)))
first, second = tf.split(product * tf.Variable([0.1, 0.2], name="v"), 2, axis=1)
with tf.control_dependencies([first]):
    y = tf.concat([second, tf.tanh(first)], 1, name="y")
tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(y * y), name="train")
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess.run(init)
    for _ in range(3):
        sess.run("train", {"x:0": feed})
    ops = tf.train.export_meta_graph().meta_info_def.stripped_op_list.SerializeToString()
    result = tf.get_default_graph().as_graph_def(add_shapes=True).SerializeToString(), ops, sess.run("y:0", {"x:0": feed})
""",
        feed=_FEED,
    )
    # The current op definitions have attrs that 1.15 did not have.
    import_graph_def(protos.GraphDef.FromString(data), name="", producer_op_list=protos.OpList.FromString(ops))
    with tf.Session() as sess:
        sess.run("init")
        for _ in range(3):
            sess.run("train", {"x:0": _FEED})
        np.testing.assert_allclose(sess.run("y:0", {"x:0": _FEED}), theirs, rtol=1e-5)
