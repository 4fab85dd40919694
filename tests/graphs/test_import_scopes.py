"""Imported nodes are affected by open scopes, and a failed import leaves the graph unchanged."""

import pytest

import tinytf as tf
from tinytf._src import protos

FLOAT = protos.AttrValue(type=1)


def node(name, op="NoOp", inputs=(), device="", groups=(), **attrs):
    made = protos.NodeDef(name=name, op=op, input=inputs, device=device)
    for key, value in attrs.items():
        made.attr[key].CopyFrom(value)
    if groups:
        made.attr["_class"].list.s.extend(f"loc:@{group}".encode() for group in groups)
    return made


def graph_of(*nodes):
    return protos.GraphDef(node=nodes, versions={"producer": 134})


X = node("x", "Placeholder", dtype=FLOAT)
CHAIN = graph_of(X, node("y", "Identity", ["x"], T=FLOAT), node("z", "Identity", ["y"], T=FLOAT))
PLACED = graph_of(
    node("plain"),
    node("cpu", device="/cpu:0"),
    node("task", device="/job:worker/task:1"),
    node("alone", device="/gpu:1", groups=["alone"]),
    node("beside_plain", device="/gpu:2", groups=["plain"]),
    node("beside_cpu", device="/gpu:2", groups=["cpu"]),
    node("beside_both", groups=["beside_both", "task", "cpu"]),
    node("chain", groups=["beside_cpu"]),
)
SCOPES = {
    "none": "tf.control_dependencies([])",
    "name": 'tf.device("/job:ps/device:GPU:7")',
    "function": 'tf.device(lambda op: "/job:" + op.name.replace("_", "") + (op.device or "/cpu:3"))',
    "replaced": "tf.device(None)",
}


@pytest.mark.oracle
@pytest.mark.parametrize("scope", SCOPES)
def test_devices_are_tensorflows(scope, oracle1):
    source = f"""
with {SCOPES[scope]}:
    tf.import_graph_def(tf.GraphDef.FromString(data), name="")
result = [(op.name, op.device) for op in tf.get_default_graph().get_operations()]
"""
    ours = {"tf": tf, "data": PLACED.SerializeToString()}
    exec(source, ours)
    assert ours["result"] == oracle1(source, data=PLACED.SerializeToString())


def test_devices_are_written_in_full_and_noted():
    tf.import_graph_def(PLACED, name="")
    graph = tf.get_default_graph()
    cpu = graph.get_operation_by_name("cpu")
    assert cpu.device == "/device:CPU:0"
    assert [scope.obj for scope in cpu._device_assignments] == ["/cpu:0"]
    assert graph.get_operation_by_name("beside_cpu").device == "/device:CPU:0"
    assert graph.get_operation_by_name("beside_both").device == "/job:worker/task:1"


def test_bad_devices_are_refused_unless_others_decide():
    tf.import_graph_def(graph_of(node("a"), node("b", device="nonsense", groups=["a"])), name="")
    with pytest.raises(ValueError, match="Unknown attribute: 'nonsense' in 'nonsense'"):
        tf.import_graph_def(graph_of(node("c"), node("d", device="nonsense")), name="")
    assert [op.name for op in tf.get_default_graph().get_operations()] == ["a", "b"]


def test_control_inputs_of_a_scope_go_to_those_that_have_no_input_in_it():
    wait = tf.no_op(name="wait")
    with tf.control_dependencies([wait]):
        x, y, z = tf.import_graph_def(CHAIN, return_elements=["x", "y", "z"])
    assert [op.control_inputs for op in (x, y, z)] == [[wait], [], []]


def test_attrs_of_scopes_are_not_added():
    graph = tf.get_default_graph()
    x = protos.AttrValue(i=3)
    with graph._attr_scope({"_x": x}), graph.gradient_override_map({"Identity": "Other"}), graph.container("c"):
        with graph.colocate_with(tf.no_op(name="elsewhere")):
            _, y = tf.import_graph_def(CHAIN, return_elements=["x", "y"])
    assert set(y.node_def.attr) == {"T"}


def test_operations_say_where_they_were_imported():
    (x,) = tf.import_graph_def(CHAIN, return_elements=["x"])
    assert any(name == "test_operations_say_where_they_were_imported" for _, _, name, _ in x.traceback)


def test_an_import_that_fails_leaves_nothing():
    graph = tf.get_default_graph()
    tf.constant(1.0, name="before")
    written, version = graph.as_graph_def(), graph.version
    bad = graph_of(*CHAIN.node, node("w", "Identity", ["z:7"], T=FLOAT))
    for _ in range(2):
        with pytest.raises(ValueError, match="Node 'w': Connecting to invalid output 7 of source node z"):
            tf.import_graph_def(bad, name="")
    with pytest.raises(ValueError, match="Attempted to map inputs that were not found"):
        tf.import_graph_def(CHAIN, {"q": tf.get_default_graph().get_tensor_by_name("before:0")}, name="")
    assert graph.version == version and graph.as_graph_def() == written
    assert graph._core.last_id() == version
    tf.import_graph_def(CHAIN, name="")
    assert [op.name for op in graph.get_operations()] == ["before", "x", "y", "z"]


def test_attrs_that_are_not_declared_keep_their_kinds():
    given = {
        "_string": protos.AttrValue(s=b"\xff"),
        "_int": protos.AttrValue(i=0),
        "_float": protos.AttrValue(f=0.5),
        "_bool": protos.AttrValue(b=False),
        "_type": protos.AttrValue(type=101),
        "_shape": protos.AttrValue(shape={"dim": [{"size": -1}, {"size": 2}]}),
        "_unknown": protos.AttrValue(shape={"unknown_rank": True}),
        "_tensor": protos.AttrValue(tensor=tf.make_tensor_proto([1, 2])),
        "_func": protos.AttrValue(func={"name": "f", "attr": {"T": FLOAT}}),
        "_nothing": protos.AttrValue(),
        "_bools": protos.AttrValue(list={"b": [True, False]}),
        "_types": protos.AttrValue(list={"type": [1, 3]}),
        "_shapes": protos.AttrValue(list={"shape": [{}, {"unknown_rank": True}]}),
        "_tensors": protos.AttrValue(list={"tensor": [tf.make_tensor_proto(1.0)]}),
        "_funcs": protos.AttrValue(list={"func": [{"name": "f"}, {"name": "g"}]}),
    }
    tf.import_graph_def(graph_of(node("n", **given)), name="")
    (written,) = tf.get_default_graph().as_graph_def().node
    assert dict(written.attr) == given
