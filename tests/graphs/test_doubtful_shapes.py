"""Wrong shapes that early graphs record for handles of queues, readers and tables, and for references, are ignored
as in TensorFlow 1.15; wrong shapes of other operations are errors.
"""

import pytest

import tinytf as tf
from tinytf import _core
from tinytf._src import protos

_EARLY = 20  # a GraphDef version that has the reader ops
QUEUES = ("RandomShuffleQueue", "PaddingFIFOQueue", "FIFOQueue", "PriorityQueue", "Barrier")
READERS = ("WholeFileReader", "TextLineReader", "TFRecordReader", "IdentityReader", "FixedLengthRecordReader")
HANDLES = (*QUEUES, *READERS, "Stack", "ConditionalAccumulator", "SparseConditionalAccumulator")
SIZES = ("QueueSize", "BarrierReadySize", "BarrierIncompleteSize")
REFERENCES = ("RefSwitch", "RefMerge", "RefEnter", "RefNextIteration", "RefIdentity")
CHECKED = (
    "FIFOQueueV2",
    "StackV2",
    "WholeFileReaderV2",
    "VariableV2",
    "RefExit",
    "RefSelect",
    "QueueIsClosed",
    "ReaderRead",
)
RANKS = range(5)


def _fill(graph_def, node, op):
    """Sets attrs without a default, and inputs."""
    for attr in op.attr:
        value = node.attr[attr.name]
        if attr.HasField("default_value"):
            value.CopyFrom(attr.default_value)
        elif attr.type == "type":
            value.type = 1
        elif attr.type == "int":
            value.i = 2
        elif attr.type == "list(type)":
            value.list.type.append(1)
        elif attr.type == "shape":
            value.shape.SetInParent()
        elif attr.type == "string":
            value.s = b"x"
        else:
            assert attr.type == "list(shape)", attr
            value.list.shape.add()
    for arg in op.input_arg:
        for _ in range(2 if arg.number_attr else 1):
            source = graph_def.node.add(name=f"in{len(graph_def.node)}")
            if arg.is_ref and arg.type == 7:
                source.op = "FIFOQueue"
                source.attr["component_types"].list.type.append(1)
            elif arg.is_ref:
                source.op = "VariableV2"
                source.attr["dtype"].type = 1
                source.attr["shape"].shape.dim.add(size=3)
            else:
                source.op = "Placeholder"
                source.attr["dtype"].type = arg.type or 1
                source.attr["shape"].shape.SetInParent()
            node.input.append(source.name)


def _imported(op, rank):
    graph_def = protos.GraphDef(versions=protos.VersionDef(producer=_EARLY))
    node = graph_def.node.add(name="n", op=op)
    _fill(graph_def, node, protos.OpDef.FromString(_core.op_def_proto(op)))
    for _ in range(3):
        node.attr["_output_shapes"].list.shape.add().dim.extend([protos.TensorShapeProto.Dim(size=7)] * rank)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        return str(graph.get_operation_by_name("n").outputs[0].shape)


@pytest.mark.parametrize("rank", RANKS)
@pytest.mark.parametrize(
    ("op", "shape"),
    [(op, "(2,)") for op in HANDLES] + [(op, "()") for op in SIZES] + [(op, "(3,)") for op in REFERENCES],
)
def test_what_is_told_counts_for_nothing(op, shape, rank):
    assert _imported(op, rank) == shape


@pytest.mark.parametrize("op", CHECKED)
def test_of_other_operations_it_is_an_error(op):
    refused = 0
    for rank in RANKS:
        try:
            _imported(op, rank)
        except ValueError as error:
            assert "has an _output_shapes attribute inconsistent with the GraphDef for output #0" in str(error)
            refused += 1
    assert refused >= 4


def test_the_shape_of_an_early_variable_is_not_known_where_it_is_a_scalar():
    assert [_imported("Variable", rank) for rank in RANKS] == ["()", "(7,)", "(7, 7)", "(7, 7, 7)", "(7, 7, 7, 7)"]


def test_such_a_queue_runs():
    graph_def = protos.GraphDef(versions=protos.VersionDef(producer=_EARLY))
    node = graph_def.node.add(name="q", op="FIFOQueue")
    node.attr["component_types"].list.type.append(1)
    node.attr["_output_shapes"].list.shape.add()
    graph_def.node.add(name="n", op="QueueSize", input=["q"])
    with tf.Session() as sess:
        tf.import_graph_def(graph_def, name="")
        assert sess.run("n:0") == 0
