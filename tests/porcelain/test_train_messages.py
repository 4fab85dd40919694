"""Messages of `tf.train`, clusters, and graphs and events in files."""

import os

import pytest

import tinytf as tf
from tinytf._src import protos

# Runs on both sides: messages with every field as bytes, and messages parsed from bytes.
_MESSAGES = """
def made(tf):
    t = tf.train
    image = t.Feature(bytes_list=t.BytesList(value=[b"", b"\\xff\\x00", b"text"]))
    numbers = t.Feature(float_list=t.FloatList(value=[0.5, -1e30, float("inf")]))
    label = t.Feature(int64_list=t.Int64List(value=[-1, 0, 2**63 - 1]))
    features = t.Features(feature={"image": image, "numbers": numbers, "label": label, "none": t.Feature()})
    lists = t.FeatureLists(feature_list={"frames": t.FeatureList(feature=[image, label]), "empty": t.FeatureList()})
    cluster = t.ClusterDef(job=[t.JobDef(name="ps", tasks={0: "a:1", 7: "b:2"}), t.JobDef(name="worker")])
    config = tf.ConfigProto(intra_op_parallelism_threads=3)
    return [
        t.Example(features=features),
        t.SequenceExample(context=features, feature_lists=lists),
        t.ServerDef(cluster=cluster, job_name="ps", task_index=7, protocol="grpc", default_session_config=config),
        t.SaverDef(filename_tensor_name="f", save_tensor_name="s", restore_op_name="r", max_to_keep=5, sharded=True,
                   keep_checkpoint_every_n_hours=0.5, version=t.SaverDef.V2),
    ]

def told(message):
    return sorted((field.name, told_value(value)) for field, value in message.ListFields())

def told_value(value):
    if hasattr(value, "ListFields"):
        return told(value)
    if hasattr(value, "items"):
        return sorted((key, told_value(item)) for key, item in value.items())
    if isinstance(value, (str, bytes, int, float)):
        return value
    return [told_value(item) for item in value]

def read(tf, serialized):
    return [told(type(m).FromString(s)) for m, s in zip(made(tf), serialized)]
"""


@pytest.mark.oracle
def test_messages_of_each_are_read_by_the_other(oracle1):
    here = {}
    exec(_MESSAGES, here)
    ours = [message.SerializeToString() for message in here["made"](tf)]
    theirs = oracle1(_MESSAGES + "result = [m.SerializeToString() for m in made(tf)]")
    wanted = [here["told"](message) for message in here["made"](tf)]
    assert here["read"](tf, theirs) == wanted
    assert oracle1(_MESSAGES + "result = read(tf, serialized)", serialized=ours) == wanted


@pytest.mark.oracle
def test_records_of_examples_are_read_by_the_other(oracle1, tmp_path):
    here = {}
    exec(_MESSAGES, here)
    example = here["made"](tf)[0]
    with tf.python_io.TFRecordWriter(str(tmp_path / "a"), "GZIP") as writer:
        for _ in range(3):
            writer.write(example.SerializeToString())
    source = (
        _MESSAGES
        + "result = [told(tf.train.Example.FromString(r)) for r in tf.python_io.tf_record_iterator(p, 'GZIP')]"
    )
    assert oracle1(source, p=str(tmp_path / "a")) == [here["told"](example)] * 3


def test_messages_are_the_package_s():
    assert tf.train.Example is protos.Example and "Example" in dir(tf.train)
    example = tf.train.Example()
    example.features.feature["a"].int64_list.value.extend([1, 2])
    assert list(tf.train.Example.FromString(example.SerializeToString()).features.feature["a"].int64_list.value) == [
        1,
        2,
    ]


def test_graphs_in_files(tmp_path):
    tf.constant(1.5, name="c")
    wanted = tf.get_default_graph().as_graph_def()
    folder = str(tmp_path / "new" / "folder")
    path = tf.train.write_graph(tf.get_default_graph(), folder, "g.pb", as_text=False)
    assert path == os.path.join(folder, "g.pb") and tf.GraphDef.FromString(tf.gfile.Open(path, "rb").read()) == wanted
    assert tf.io.write_graph(wanted, folder, "g.pbtxt") == os.path.join(folder, "g.pbtxt")
    from google.protobuf import text_format

    assert text_format.Parse(tf.gfile.Open(os.path.join(folder, "g.pbtxt")).read(), tf.GraphDef()) == wanted
    assert sorted(os.listdir(folder)) == ["g.pb", "g.pbtxt"]


@pytest.mark.oracle
def test_graphs_in_files_are_read_by_tensorflow(oracle1, tmp_path):
    tf.add(tf.constant(1.5, name="c"), [0.1, 1e-30], name="sum")
    tf.train.write_graph(tf.get_default_graph(), str(tmp_path), "g.pbtxt")
    source = """
from google.protobuf import text_format
tf.import_graph_def(text_format.Parse(tf.gfile.Open(path).read(), tf.GraphDef()), name="")
with tf.Session() as sess:
    result = sess.run("sum:0")
"""
    with tf.Session() as sess:
        assert (oracle1(source, path=str(tmp_path / "g.pbtxt")) == sess.run("sum:0")).all()


def test_events_in_files(tmp_path):
    path = str(tmp_path / "events")
    with tf.python_io.TFRecordWriter(path) as writer:
        for step in range(3):
            writer.write(tf.Event(step=step, wall_time=1.0).SerializeToString())
    assert [event.step for event in tf.train.summary_iterator(path)] == [0, 1, 2]
