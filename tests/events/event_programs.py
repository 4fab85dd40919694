"""Programs that write events, by name; each gets a writer. `python event_programs.py` runs them on TensorFlow 1.15
and prints the contents of its files.
"""

import glob
import json
import os
import tempfile
import warnings

import numpy as np

_WALL_TIME = 9  # size in bytes of the wall time at the start of an event


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    found = {}
    value = tf.Summary.Value
    metadata = tf.SummaryMetadata(display_name="d")

    def program(function):
        found[function.__name__] = function

    def scalar(tag, number=1.0, **fields):
        return tf.Summary(value=[value(tag=tag, simple_value=number, **fields)])

    @program
    def summaries(writer):
        writer.add_summary(scalar("a"), 3)
        writer.add_summary(scalar("a").SerializeToString())
        writer.add_summary(scalar("a", 0.0), 0)
        writer.add_summary(tf.Summary(), 1)
        writer.add_summary(b"", 1)

    @program
    def steps(writer):
        for step in (None, 0, 1, 127, 128, 2**31, 2**63 - 1, -1, -(2**63), 1.9, True, np.int64(5), np.array(6), "7"):
            writer.add_summary(scalar("a"), step)

    @program
    def bad_step(writer):
        writer.add_summary(scalar("a"), 2**63)

    @program
    def text_step(writer):
        writer.add_summary(scalar("a"), "x")

    @program
    def damaged(writer):
        writer.add_summary(b"\xff\xff", 1)

    @program
    def metadata_once(writer):
        for _ in range(3):
            writer.add_summary(scalar("m", metadata=metadata), 1)
        writer.add_summary(scalar("m", metadata=metadata).SerializeToString(), 2)
        writer.add_summary(scalar("n", metadata=metadata).SerializeToString(), 2)
        writer.reopen()
        writer.add_summary(scalar("n", metadata=metadata), 3)

    @program
    def metadata_of_several(writer):
        both = tf.Summary(
            value=[value(tag="x", simple_value=1.0, metadata=metadata), value(tag="y", metadata=metadata)]
        )
        writer.add_summary(scalar("x", metadata=metadata), 1)
        writer.add_summary(both, 2)
        writer.add_summary(both, 3)

    @program
    def metadata_that_come_late(writer):
        writer.add_summary(scalar("x"), 1)
        writer.add_summary(scalar("x", metadata=metadata), 2)

    @program
    def empty_metadata(writer):
        for _ in range(2):
            writer.add_summary(scalar("x", metadata=tf.SummaryMetadata()), 1)

    @program
    def session_logs(writer):
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.START), 7)
        writer.add_session_log(tf.SessionLog(status=tf.SessionLog.CHECKPOINT, checkpoint_path="d/model.ckpt"))

    @program
    def events(writer):
        event = tf.Event(wall_time=1.5, step=3, file_version="mine")
        writer.add_event(event)

    @program
    def run_metadata(writer):
        told = tf.RunMetadata()
        told.step_stats.dev_stats.add(device="/cpu:0")
        writer.add_run_metadata(told, "one", 2)
        writer.add_run_metadata(tf.RunMetadata(), "two")

    @program
    def run_metadata_twice(writer):
        writer.add_run_metadata(tf.RunMetadata(), "one", 2)
        writer.add_run_metadata(tf.RunMetadata(), "one", 3)

    @program
    def run_metadata_tag(writer):
        writer.add_run_metadata(tf.RunMetadata(), 3)

    @program
    def graph_of_nothing(writer):
        writer.add_graph(tf.Graph(), 4)

    @program
    def graph_defs(writer):
        graph_def = tf.GraphDef()
        graph_def.node.add(name="n", op="NoOp")
        writer.add_graph(graph_def, 4)
        writer.add_graph(None, 5, graph_def)

    @program
    def graph_and_graph_def(writer):
        writer.add_graph(tf.Graph(), 5, tf.GraphDef())

    @program
    def no_graph(writer):
        writer.add_graph(None)

    @program
    def other_graph(writer):
        writer.add_graph(3)

    @program
    def meta_graphs(writer):
        meta_graph = tf.MetaGraphDef()
        meta_graph.meta_info_def.tags.append("t")
        writer.add_meta_graph(meta_graph, 5)
        writer.add_meta_graph(tf.MetaGraphDef())

    @program
    def other_meta_graph(writer):
        writer.add_meta_graph(3)

    @program
    def closed(writer):
        writer.add_summary(scalar("a"), 1)
        writer.close()
        writer.close()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            writer.flush()

    @program
    def after_close(writer):
        writer.close()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            writer.add_summary(scalar("a"), 1)
            writer.add_event(tf.Event())
            writer.add_graph(tf.Graph())
            writer.add_meta_graph(tf.MetaGraphDef())
            writer.add_session_log(tf.SessionLog())
            writer.add_run_metadata(tf.RunMetadata(), "t")
            writer.flush()
        raise ValueError({str(warning.message) for warning in told if "FileWriter" in str(warning.message)})

    @program
    def reopened(writer):
        writer.close()
        writer.reopen()
        writer.reopen()
        writer.add_summary(scalar("a"), 1)

    return found


def outcome(tf, program):
    """The names and events of the files, without times, hosts and the order of attrs, and the error if any."""
    lines = []
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
        with tf.summary.FileWriter(folder + "/a/b") as writer:
            try:
                program(writer)
            except (ValueError, TypeError) as error:
                lines.append(f"{type(error).__name__}: {error}")
            except Exception as error:
                if type(error).__name__ != "DecodeError":  # the exception of any version of protobuf
                    raise
                lines.append("DecodeError")
        for file in sorted(glob.glob(folder + "/a/b/*")):
            first, *name = os.path.basename(file).split(".")
            assert (first, name[:2], len(name[2])) == ("events", ["out", "tfevents"], 10)
            for record in tf.io.tf_record_iterator(file):
                lines.append(record[_WALL_TIME:].hex())
    return lines


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, program) for name, program in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
