"""TensorFlow's messages are in a private descriptor pool."""

import os
import subprocess
import sys

import pytest

import tinytf as tf
from tinytf._src import protos
from tinytf._src.tools import build_protos

if build_protos.compiler():  # the test exists only if protoc is installed

    def test_descriptors_and_stub_are_fresh():
        serialized = build_protos.compile_sources()
        assert build_protos.DESCRIPTORS.read_bytes() == serialized
        assert build_protos.STUB.read_text() == build_protos.stub(serialized)


def test_wire_bytes():
    # Bytes written by hand from the field numbers, because a round trip does not detect a wrong number.
    node = protos.NodeDef(name="n", op="Add", input=["a", "^b"], attr={"T": protos.AttrValue(type=1)})
    expected = b"\x0a\x01n\x12\x03Add\x1a\x01a\x1a\x02^b\x2a\x07\x0a\x01T\x12\x02\x30\x01"
    assert node.SerializeToString() == expected and protos.NodeDef.FromString(expected) == node
    assert protos.TensorProto(dtype=1, float_val=[1.0]).SerializeToString() == bytes.fromhex("08012a040000803f")
    assert protos.Event(wall_time=0, step=1, file_version="v").SerializeToString() == b"\x10\x01\x1a\x01v"
    entry = protos.BundleEntryProto(dtype=1, shape={"dim": [{"size": 1}]}, size=4, crc32c=0x2BDAA581)
    assert entry.SerializeToString() == bytes.fromhex("080112041202080128043581a5da2b")
    header = protos.BundleHeaderProto(num_shards=1, version={"producer": 1})
    assert header.SerializeToString() == bytes.fromhex("08011a020801")


@pytest.mark.parametrize(
    "message, field, member",
    [
        ("AttrValue", "i", "value"),
        ("Event", "step", None),
        ("Event", "summary", "what"),
        ("CollectionDef", "bytes_list", "kind"),
        ("TensorInfo", "name", "encoding"),
        ("Feature", "int64_list", "kind"),
        ("ControlFlowContextDef", "while_ctxt", "ctxt"),
    ],
)
def test_oneofs_are_named_as_programs_ask_for_them(message, field, member):
    oneof = getattr(protos, message).DESCRIPTOR.fields_by_name[field].containing_oneof
    assert (oneof and oneof.name) == member


def test_enums():
    assert protos.DataType.Name(protos.DT_FLOAT) == "DT_FLOAT" and protos.DT_UINT64_REF == 123
    assert protos.Code.Value("NOT_FOUND") == protos.NOT_FOUND == 5
    assert protos.RunOptions.FULL_TRACE == 3 and protos.OptimizerOptions.L0 == -1 and protos.SaverDef.V2 == 2
    assert protos.VARIABLE_AGGREGATION_MEAN == 2 and protos.RewriterConfig.OFF == 2


def test_names():
    assert protos.GraphDef is protos.GraphDef and protos.GraphDef.DESCRIPTOR.full_name == "tensorflow.GraphDef"
    assert protos.message_class("tensorflow.ConfigProto.Experimental") is not None
    with pytest.raises(AttributeError, match="no attribute 'NoSuchMessage'"):
        _ = protos.NoSuchMessage


def _class_in(pool, name):
    """The class of the message with this full name in a pool of the test, with any protobuf release."""
    from google.protobuf import message_factory

    descriptor = pool.FindMessageTypeByName(name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)  # protobuf before 4.22


def test_messages_of_other_pools_are_adopted():
    from google.protobuf import descriptor_pb2, descriptor_pool

    other = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(build_protos.DESCRIPTORS.read_bytes()).file:
        other.AddSerializedFile(file.SerializeToString())
    foreign = _class_in(other, "tensorflow.NodeDef")(name="n")
    assert not isinstance(foreign, protos.NodeDef)
    ours = protos.adopt(foreign)
    assert isinstance(ours, protos.NodeDef) and ours.name == "n" and protos.adopt(ours) is ours
    with pytest.raises(TypeError, match="not a protocol-buffer message: 3"):
        protos.adopt(3)


def test_unknown_fields_survive():
    newer = protos.NodeDef(name="n").SerializeToString() + b"\xa2\x06\x01x"  # field 100
    assert protos.NodeDef.FromString(newer).SerializeToString() == newer


def test_text_of_any_values():
    from google.protobuf import text_format

    meta = protos.MetaGraphDef()
    meta.meta_info_def.any_info.Pack(protos.NodeDef(name="n"))
    text = text_format.MessageToString(meta, descriptor_pool=protos.pool())
    assert "[type.googleapis.com/tensorflow.NodeDef]" in text
    parsed = text_format.Parse(text, protos.MetaGraphDef(), descriptor_pool=protos.pool())
    assert parsed.SerializeToString() == meta.SerializeToString()


def test_the_default_pool_stays_untouched_and_nothing_is_loaded_early():
    program = """
import sys
from tinytf._src import protos
assert "google.protobuf" not in sys.modules
protos.GraphDef()
from google.protobuf import descriptor_pool
try:
    descriptor_pool.Default().FindMessageTypeByName("tensorflow.GraphDef")
except KeyError:
    sys.exit(0)
sys.exit("tensorflow.GraphDef is in the default pool")
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=os.path.dirname(__file__))  # the installed package


def test_protobuf_written_in_python_serves_too():
    program = """
import tinytf as tf
from google.protobuf.internal import api_implementation
assert api_implementation.Type() == "python"
assert tf.AttrValue.ListValue(i=[1]) == tf.AttrValue(list=tf.AttrValue.ListValue(i=[1])).list
assert tf.GPUOptions.Experimental.VirtualDevices.DESCRIPTOR.name == "VirtualDevices"
tf.add(1, 2, name="sum")
graph = tf.GraphDef.FromString(tf.get_default_graph().as_graph_def().SerializeToString())
with tf.Graph().as_default(), tf.Session() as sess:
    assert sess.run(tf.import_graph_def(graph, return_elements=["sum:0"])) == [3]
"""
    environment = {**os.environ, "PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python"}
    subprocess.run([sys.executable, "-c", program], check=True, cwd=os.path.dirname(__file__), env=environment)


def test_threads_get_the_same_classes():
    program = """
import threading
from tinytf._src import protos
found, start = [], threading.Barrier(8)
def work():
    start.wait()
    found.append((protos.GraphDef, protos.ConfigProto, protos.DataType.DESCRIPTOR))
threads = [threading.Thread(target=work) for _ in range(8)]
for t in threads: t.start()
for t in threads: t.join()
assert len(found) == 8 and len(set(map(tuple, found))) == 1, found
protos.GraphDef().CopyFrom(found[3][0]())
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=os.path.dirname(__file__))  # the installed package


def _class_of_tensorboard(name):
    """The class of a TensorBoard message; TensorBoard has a copy of TensorFlow's messages in a package of its own."""
    from google.protobuf import descriptor_pb2, descriptor_pool, text_format

    files, pending = [], [protos.message_class(f"tensorflow.{name}").DESCRIPTOR.file]
    while pending:
        files.append(pending.pop())
        pending += files[-1].dependencies
    pool = descriptor_pool.DescriptorPool()
    for file in dict.fromkeys(reversed(files)):
        copy = descriptor_pb2.FileDescriptorProto()
        file.CopyToProto(copy)
        renamed = text_format.MessageToString(copy).replace("tensorflow", "tensorboard")
        pool.Add(text_format.Parse(renamed, descriptor_pb2.FileDescriptorProto()))
    return _class_in(pool, f"tensorboard.{name}")


def test_messages_of_tensorboard_are_taken(tmp_path):
    summary, metadata = _class_of_tensorboard("Summary"), _class_of_tensorboard("SummaryMetadata")
    about = metadata(plugin_data={"plugin_name": "mesh", "content": b"x"}, display_name="d")
    with tf.Graph().as_default(), tf.Session() as sess:
        made = tf.Summary.FromString(sess.run(tf.summary.tensor_summary("t", [1.0], summary_metadata=about)))
    assert made.value[0].metadata.SerializeToString() == about.SerializeToString()
    assert protos.is_message(about, "SummaryMetadata") and not protos.is_message(about, "Summary")
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(summary(value=[{"tag": "a", "simple_value": 2.0}]), 3)
    (file,) = tmp_path.iterdir()
    _, event = tf.train.summary_iterator(str(file))
    assert (event.step, event.summary.value[0].tag) == (3, "a")
    with pytest.raises(KeyError, match="tensorflow.None"):
        protos.adopt(type("M", (), {"DESCRIPTOR": type("D", (), {"full_name": "tensorboard.None"})})())
