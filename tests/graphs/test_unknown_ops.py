"""Graphs with ops that are not declared here can be imported, exported unchanged, and run as long as no such op is
needed.
"""

import pytest

import tinytf as tf
from tinytf._src import protos

FLOAT = protos.AttrValue(type=1)


def _node(graph_def, name, op, inputs=(), **attrs):
    node = graph_def.node.add(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)
    return node


def _shapes(*shapes):
    value = protos.AttrValue()
    for shape in shapes:
        value.list.shape.add().CopyFrom(tf.TensorShape(shape).as_proto())
    return value


def _types(*dtypes):
    return protos.AttrValue(list=protos.AttrValue.ListValue(type=[t.as_datatype_enum for t in dtypes]))


def _graph_def():
    """x → y = x + x; files → decoded (unknown, two outputs) → z = cast(decoded) + crop (unknown)."""
    graph_def = protos.GraphDef(versions=protos.VersionDef(producer=134))
    _node(graph_def, "x", "Placeholder", dtype=FLOAT)
    _node(graph_def, "y", "AddV2", ["x", "x"], T=FLOAT)
    _node(graph_def, "file", "Placeholder", dtype=protos.AttrValue(type=7))
    channels = protos.AttrValue(i=3)
    _node(graph_def, "decoded", "Decode", ["file"], channels=channels, _output_shapes=_shapes([4], None, []))
    _node(graph_def, "decoded_1", "Decode", ["file"], channels=channels)
    cast = {"SrcT": protos.AttrValue(type=4), "DstT": FLOAT}
    _node(graph_def, "cast", "Cast", ["decoded:1"], **cast)
    _node(graph_def, "crop", "Crop", ["cast", "decoded_1"], T=FLOAT, box=_shapes([1, 2]))
    _node(graph_def, "z", "AddV2", ["cast", "crop"], T=FLOAT)
    return graph_def


def _imported(graph_def=None, **arguments):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_def or _graph_def(), name=arguments.pop("name", ""), **arguments)
    return graph


def _fails(graph, fetches, feeds=None):
    with tf.Session(graph=graph) as sess, pytest.raises(tf.errors.NotFoundError) as raised:
        sess.run(fetches, feeds)
    return raised.value.message


def test_what_needs_no_unknown_op_runs():
    with tf.Session(graph=_imported()) as sess:
        assert sess.run("y:0", {"x:0": 2.0}) == 4.0
        assert sess.run("z:0", {"cast:0": 2.0, "crop:0": 3.0}) == 5.0


def test_what_needs_some_names_all_of_them():
    message = _fails(_imported(), ["z:0", "y:0"], {"x:0": 1.0, "file:0": "f"})
    assert message.startswith("Op type not registered 'Crop', 'Decode' in binary running on ")
    assert "Make sure the Op and Kernel are registered in the binary running in this process." in message
    assert "1 node of 'Crop': 'crop'; 2 nodes of 'Decode', the first 'decoded'." in message


def test_only_those_that_the_run_needs_are_named():
    message = _fails(_imported(), "cast:0", {"file:0": "f"})
    assert "'Crop'" not in message and "1 node of 'Decode': 'decoded'." in message


def test_a_target_and_an_operation_without_outputs_fail_too():
    graph_def = _graph_def()
    _node(graph_def, "log", "Log4", ["y"])
    graph = _imported(graph_def)
    assert graph.get_operation_by_name("log").outputs == []
    assert "'Log4'" in _fails(graph, graph.get_operation_by_name("log"), {"x:0": 1.0})


def test_outputs_are_known_from_shapes_readers_and_attrs():
    graph = _imported()
    decoded = graph.get_operation_by_name("decoded")
    assert [str(t.shape) for t in decoded.outputs] == ["(4,)", "<unknown>", "()"]
    assert decoded.outputs[1].dtype == tf.uint8  # inferred from a consumer's declaration
    assert decoded.outputs[0].dtype == tf.variant  # unknown, because no consumer determines it
    assert graph.get_tensor_by_name("crop:0").dtype == tf.float32
    graph_def = _graph_def()
    _node(graph_def, "next", "GetNext", Tout=_types(tf.int64, tf.string))
    _node(graph_def, "made", "Make", dtype=protos.AttrValue(type=9))
    graph = _imported(graph_def)
    assert [t.dtype for t in graph.get_operation_by_name("next").outputs] == [tf.int64, tf.string]
    assert graph.get_operation_by_name("made").outputs == []  # its number of outputs is unknown


def test_the_producers_declaration_counts():
    ops = protos.OpList()
    op = ops.op.add(name="Decode")
    op.input_arg.add(name="file", type=7)
    op.output_arg.add(name="sound", type=1)
    op.output_arg.add(name="image", type=4)
    op.output_arg.add(name="rest", type_attr="R", number_attr="N")
    attr = op.attr.add(name="R", type="type")
    attr.default_value.type = 10
    op.attr.add(name="N", type="int").default_value.i = 2
    graph_def = _graph_def()
    for node in graph_def.node:
        node.attr.pop("_output_shapes", None)
    graph_def.node[4].attr["N"].i = 1
    graph = _imported(graph_def, producer_op_list=ops)
    types = [[t.dtype for t in graph.get_operation_by_name(name).outputs] for name in ("decoded", "decoded_1")]
    assert types == [[tf.float32, tf.uint8, tf.bool, tf.bool], [tf.float32, tf.uint8, tf.bool]]
    again = tf.train.export_meta_graph(graph=graph)
    assert [op.name for op in again.meta_info_def.stripped_op_list.op] == ["AddV2", "Cast", "Decode", "Placeholder"]
    assert again.meta_info_def.stripped_op_list.op[2] == op


def test_it_is_exported_as_it_came():
    graph_def = _graph_def()
    odd = graph_def.node[3].attr["odd"]
    odd.list.i.extend([1, 2])
    odd.list.s.append(b"several kinds")
    graph_def.node[3].attr["late"].type = 300  # a DType of later versions
    graph_def.node[3].attr["none"].SetInParent()
    again = _imported(_imported(graph_def).as_graph_def()).as_graph_def()
    for before, after in zip(graph_def.node, again.node, strict=True):
        if before.op in ("Decode", "Crop"):
            assert before == after
    shaped = _imported(graph_def).as_graph_def(add_shapes=True)
    assert shaped.node[3].attr["_output_shapes"] == graph_def.node[3].attr["_output_shapes"]
    with tf.Session(graph=_imported(again)) as sess:
        assert sess.run("y:0", {"x:0": 2.0}) == 4.0


def test_attrs_can_be_read_and_set():
    op = _imported().get_operation_by_name("crop")
    assert op.get_attr("T") == tf.float32
    assert [str(tf.TensorShape(shape)) for shape in op.get_attr("box")] == ["(1, 2)"]
    op._set_attr("T", protos.AttrValue(type=2))
    op._clear_attr("box")
    assert op.node_def.attr["T"].type == 2 and "box" not in op.node_def.attr
    assert op.type == "Crop" and op.inputs[0].name == "cast:0"


def test_names_groups_and_devices_are_those_of_imports():
    graph_def = _graph_def()
    graph_def.node[6].attr["_class"].list.s.append(b"loc:@decoded")
    graph_def.node[3].device = "/device:CPU:0"
    graph = _imported(graph_def, name="in")
    crop = graph.get_operation_by_name("in/crop")
    assert crop.colocation_groups() == [b"loc:@in/decoded"]
    assert crop.device == graph.get_operation_by_name("in/decoded").device == "/device:CPU:0"


def test_building_on_it_works():
    graph = _imported()
    with graph.as_default():
        doubled = graph.get_tensor_by_name("crop:0") * 2.0
        with pytest.raises(LookupError, match=r"No gradient defined for operation 'crop' \(op type: Crop\)"):
            tf.gradients(doubled, graph.get_tensor_by_name("cast:0"))
        slope = tf.gradients(doubled, graph.get_tensor_by_name("crop:0"))[0]
    with tf.Session(graph=graph) as sess:
        assert sess.run(doubled, {"crop:0": 4.0}) == 8.0
        assert sess.run(slope, {"crop:0": 4.0}) == 2.0
    assert "'Crop'" in _fails(graph, doubled, {"file:0": "f"})


def test_a_gradient_can_be_registered():
    graph_def = _graph_def()
    graph_def.node[6].op = "CropWithGradient"  # used by this test only, because registrations are permanent
    graph = _imported(graph_def)

    @tf.RegisterGradient("CropWithGradient")
    def _crop_grad(op, grad):
        return grad * 3.0, None

    with graph.as_default():
        slope = tf.gradients(graph.get_tensor_by_name("crop:0"), graph.get_tensor_by_name("cast:0"))[0]
    with tf.Session(graph=graph) as sess:
        assert sess.run(slope, {"crop:0": 1.0}) == 3.0


def test_a_branch_that_is_not_taken_does_not_fail():
    inner = protos.GraphDef(versions=protos.VersionDef(producer=134))
    _node(inner, "v", "Placeholder", dtype=FLOAT)
    _node(inner, "odd", "Crop", ["v"])
    _node(inner, "w", "Identity", ["odd"], T=FLOAT)
    with tf.Graph().as_default() as graph:
        x, p = tf.placeholder(tf.float32, [], name="x"), tf.placeholder(tf.bool, [], name="p")
        y = tf.cond(p, lambda: tf.import_graph_def(inner, {"v:0": x}, ["w:0"])[0], lambda: x * 2.0)
    with tf.Session(graph=graph) as sess:
        assert sess.run(y, {x: 3.0, p: False}) == 6.0
    assert "1 node of 'Crop': 'cond/import/odd'" in _fails(graph, y, {x: 3.0, p: True})


def _calls(returned="pasted:image:0"):
    """z = odd(x): calls a function that contains unknown ops and returns `returned`."""
    graph_def = protos.GraphDef(versions=protos.VersionDef(producer=134, min_consumer=12))
    function = graph_def.library.function.add()
    function.signature.name = "odd"
    function.signature.input_arg.add(name="a", type=1)
    function.signature.output_arg.add(name="b", type=1)
    _function_node(function, "crop", "Crop", ["a"])
    _function_node(function, "pasted", "Paste", ["crop:image:0", "crop:sound:0"])
    _function_node(function, "sum", "AddV2", ["a", "a"], T=FLOAT)
    function.ret["b"] = returned
    _node(graph_def, "x", "Placeholder", dtype=FLOAT)
    _node(graph_def, "z", "odd", ["x"])
    return graph_def


def _function_node(function, name, op, inputs, **attrs):
    node = function.node_def.add(name=name, op=op, input=inputs)
    for key, value in attrs.items():
        node.attr[key].CopyFrom(value)


def test_an_unknown_op_in_a_function_is_named_with_the_function():
    message = _fails(_imported(_calls()), "z:0", {"x:0": 1.0})
    assert message.startswith("Op type not registered 'Crop', 'Paste' in binary running on ")
    assert "1 node of 'Crop': 'z/crop' in function 'odd'; 1 node of 'Paste': 'z/pasted' in function 'odd'." in message


def test_a_function_that_needs_none_for_its_result_runs():
    with tf.Session(graph=_imported(_calls("sum:z:0"))) as sess:
        assert sess.run("z:0", {"x:0": 3.0}) == 6.0


def test_strict_imports_refuse_with_tensorflows_words():
    graph = tf.Graph()
    with graph.as_default(), tf.experimental.strict_imports():
        with pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Decode' in binary running on"):
            tf.import_graph_def(_graph_def(), name="")
        with pytest.raises(tf.errors.NotFoundError, match="Op type not registered 'Decode'"):
            tf.train.import_meta_graph(protos.MetaGraphDef(graph_def=_graph_def()))
    assert not graph.get_operations()
    _imported()  # outside of a MetaGraph the import succeeds


def test_no_operation_of_such_an_op_can_be_made():
    graph = _imported()
    text = "Op type not registered 'Crop' in binary running on .*. Make sure the Op and Kernel are registered in the "
    with pytest.raises(tf.errors.NotFoundError, match=text):
        graph.create_op("Crop", [], [tf.float32], name="made")
    with pytest.raises(tf.errors.NotFoundError, match=text):
        tf.Operation(protos.NodeDef(name="made", op="Crop"), graph, [], [tf.float32])


def test_inputs_that_no_node_has_are_refused():
    graph_def = _graph_def()
    _node(graph_def, "far", "Crop", ["decoded:9999999999"])
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Connecting to invalid output 9999999999"):
        tf.import_graph_def(graph_def)


def test_removed_ops_are_refused_as_before():
    graph_def = _graph_def()
    _node(graph_def, "train", "NegTrain")
    with tf.Graph().as_default(), pytest.raises(tf.errors.UnimplementedError):
        tf.import_graph_def(graph_def)


def test_meta_graphs_and_saved_models_keep_them(tmp_path):
    graph = _imported()
    tf.train.export_meta_graph(str(tmp_path / "m.meta"), graph=graph)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.train.import_meta_graph(str(tmp_path / "m.meta"))
        assert sess.run("y:0", {"x:0": 2.0}) == 4.0
    with tf.Session(graph=graph) as sess:
        x, y = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("y:0")
        tf.saved_model.simple_save(sess, str(tmp_path / "model"), {"x": x}, {"y": y})
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.saved_model.load(sess, [tf.saved_model.tag_constants.SERVING], str(tmp_path / "model"))
        assert sess.run("y:0", {"x:0": 2.0}) == 4.0
        assert sess.graph.get_operation_by_name("crop").type == "Crop"
