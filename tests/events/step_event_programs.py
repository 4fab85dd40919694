"""Programs whose steps write events, by name; each gets the handle of a writer and returns the op to run. `python
step_event_programs.py` prints the outcomes on TensorFlow 1.15.
"""

import glob
import json
import os
import tempfile

import numpy as np

ENDS = "ends the process"
_WALL_TIME = 9  # size in bytes of the wall time at the start of an event


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    raw, found = tf.raw_ops, {}

    def program(name, op, **inputs):
        found[name] = lambda writer: getattr(raw, op)(
            **({} if op == "ImportEvent" else {"step": np.int64(5)}), writer=writer, **inputs_of(inputs)
        )

    def inputs_of(inputs):
        return {name: value() if callable(value) else value for name, value in inputs.items()}

    def hidden(value, dtype=None):
        """A function that makes a tensor with this value and an unknown static shape in the program's graph."""
        return lambda: tf.placeholder_with_default(tf.constant(value, dtype), None)

    color = np.array([1, 2, 3, 4], np.uint8)
    summary = b"\n\x08\n\x01b\x15\x00\x00\x80?"
    pixels = np.zeros([2, 1, 1, 3], np.float32)

    program("scalar", "WriteScalarSummary", tag="a", value=1.5)
    program("scalar_of_ints", "WriteScalarSummary", tag="a", value=lambda: tf.constant(3, tf.int64))
    program("scalar_of_a_vector", "WriteScalarSummary", tag="a", value=hidden([1.0, 2.0]))
    program("scalar_tags", "WriteScalarSummary", tag=hidden(["a", "b"]), value=1.0)
    program("scalar_tag_of_one", "WriteScalarSummary", tag=hidden(["a"]), value=1.0)
    program("histogram", "WriteHistogramSummary", tag="a", values=[1.0, 2.0])
    program("histogram_nan", "WriteHistogramSummary", tag="a", values=[1.0, np.nan])
    program("histogram_infinite", "WriteHistogramSummary", tag="a", values=[1.0, np.inf])
    program("image_channels", "WriteImageSummary", tag="a", tensor=hidden(pixels[..., :2]), bad_color=color)
    program("image_short_color", "WriteImageSummary", tag="a", tensor=hidden(pixels), bad_color=color[:1])
    program("image_color_matrix", "WriteImageSummary", tag="a", tensor=hidden(pixels), bad_color=hidden(color[None]))
    program("audio", "WriteAudioSummary", tag="a", tensor=[[1.0]], sample_rate=8000.0)
    program("audio_one", "WriteAudioSummary", tag="a", tensor=[[1.0]], sample_rate=8000.0, max_outputs=1)
    program("audio_vector", "WriteAudioSummary", tag="a", tensor=hidden([1.0]), sample_rate=8000.0)
    program("audio_rate", "WriteAudioSummary", tag="a", tensor=[[1.0]], sample_rate=-1.0)
    program("tensor", "WriteSummary", tag="a", tensor=[1.0, 2.0], summary_metadata=b"")
    program("tensor_described", "WriteSummary", tag="a", tensor=["x"], summary_metadata=b"\x12\x01d")
    program("tensor_damaged", "WriteSummary", tag="a", tensor=1.0, summary_metadata=b"\xff")
    program("raw", "WriteRawProtoSummary", tensor=summary)
    program("raw_twice", "WriteRawProtoSummary", tensor=[summary] * 2)
    program("raw_damaged", "WriteRawProtoSummary", tensor=[summary, b"\xff"])
    program("graph", "WriteGraphSummary", tensor=b"\x0a\x03\x0a\x01n")
    program("graph_damaged", "WriteGraphSummary", tensor=b"\xff")
    program("graphs", "WriteGraphSummary", tensor=hidden([b"", b""]))
    program("event", "ImportEvent", event=tf.Event(wall_time=3, step=4, file_version="q").SerializeToString())
    program("event_damaged", "ImportEvent", event=b"\xff")
    program("events", "ImportEvent", event=hidden([b"", b""]))
    return found


def outcome(tf, build):
    """The events without their times, or the error."""
    with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default(), tf.Session() as session:
        writer = tf.raw_ops.SummaryWriter()
        settings = {"max_queue": 10, "flush_millis": 1000, "filename_suffix": ".s"}
        session.run(tf.raw_ops.CreateSummaryFileWriter(writer=writer, logdir=folder + "/a/b", **settings))
        told = []
        try:
            session.run(build(writer))
        except tf.errors.OpError as error:
            told.append(f"{type(error).__name__}: {error.message}".split("\n")[0])
        session.run(tf.raw_ops.CloseSummaryWriter(writer=writer))
        for file in glob.glob(folder + "/a/b/*.s"):
            told += [record[_WALL_TIME:].hex() for record in list(tf.io.tf_record_iterator(file))[1:]]
    return told


def _outcome_in_a_child(tf, build):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.write(writer, json.dumps(outcome(tf, build)).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as told:
        text = told.read()
    status = os.waitpid(child, 0)[1]
    assert status == 0 or os.WIFSIGNALED(status)
    return ENDS if status else json.loads(text)


if __name__ == "__main__":
    import tensorflow

    table = {name: _outcome_in_a_child(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
