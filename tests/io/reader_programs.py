"""Programs with readers, and their outcomes on TensorFlow 1.15.

`python tests/io/reader_programs.py`, run by an interpreter with TensorFlow 1.15, prints the contents of
`readers_of_1_15.json`.
"""

import gzip
import json
import os
import re
import shutil
import tempfile
import zlib

FILES = {
    "a.txt": b"one\r\ntwo\n\nthree\r",
    "b.txt": b"h1\nh2\nx\n",
    "empty.txt": b"",
    "return.txt": b"\r",
    "long.txt": b"l" * 300000 + b"\n" + b"m" * 600000,
    "f.bin": b"HHaabbccF",
    "f.gz": gzip.compress(b"HHaabbccF"),
    "f.z": zlib.compress(b"HHaabbccF"),
}


class Folder:
    """A folder with the input files, and the output shown by a program."""

    def __init__(self, tf):
        self.path = os.path.realpath(tempfile.mkdtemp())
        for name, content in FILES.items():
            with open(self[name], "wb") as file:
                file.write(content)
        for name, compression in {"r.rec": "", "r.gz": "GZIP", "r.z": "ZLIB"}.items():
            with tf.python_io.TFRecordWriter(self[name], compression) as writer:
                for i in range(3):
                    writer.write(b"r%d" % i)
        self.shown = []

    def __getitem__(self, name):
        return os.path.join(self.path, name)

    def show(self, value):
        """Records a value, or the result or error of a callable."""
        try:
            text = repr(value() if callable(value) else value)
        except Exception as error:
            text = "{}: {}".format(type(error).__name__, str(error).split("\n\t ")[0].split("\nOriginal")[0])
        text = re.sub(r"\bnp\.\w+\(([^()]*)\)", r"\1", text)  # scalars as NumPy 1 prints them
        text = text.replace(self.path, "$D").replace(" [[node", "\n[[node").split("\n[[node")[0].split("\n\t")[0]
        if len(text) > 1000:
            text = f"{len(text)} characters, {text[:80]}...{text[-80:]}"
        self.shown.append(" ".join(text.split()))


def _read_all(tf, folder, make, files, most=None):
    """Reads to the end and once more, with the counts after each record."""
    with tf.Graph().as_default(), tf.Session() as session:
        queue = tf.FIFOQueue(10, tf.string, shapes=[[]], shared_name="q")
        reader = make()
        session.run(queue.enqueue_many([files]))
        session.run(queue.close())
        record = reader.read(queue) if most is None else reader.read_up_to(queue, most)
        counts = [reader.num_records_produced(), reader.num_work_units_completed()]
        for tensor in [*record, *counts]:
            folder.show((tensor.name, tensor.shape.as_list()))
        for _ in range(12):
            folder.show(lambda: [part.tolist() if most is not None else part for part in session.run(record)])
            folder.show(lambda: [int(count) for count in session.run(counts)])


def programs(tf):
    """Functions by name, each of which takes a `Folder`."""
    made = {}

    def reads(name, make, *files, **options):
        def program(folder):
            _read_all(tf, folder, make, [folder[file] for file in files], **options)

        made[name] = program

    def program(function):
        made[function.__name__] = function

    texts = ["a.txt", "empty.txt", "none.txt", "b.txt", "return.txt"]
    reads("lines", lambda: tf.TextLineReader(), *texts)
    reads("lines_up_to", lambda: tf.TextLineReader(), *texts, most=3)
    reads("long_lines", lambda: tf.TextLineReader(), "long.txt", "a.txt", most=9)
    reads("lines_behind_headers", lambda: tf.TextLineReader(skip_header_lines=2, name="r"), *texts)
    reads("negative_header", lambda: tf.TextLineReader(skip_header_lines=-1), "b.txt")
    reads("whole_files", lambda: tf.WholeFileReader(), "a.txt", "empty.txt", "none.txt", "b.txt")
    reads("whole_files_up_to", lambda: tf.WholeFileReader(), "a.txt", "empty.txt", most=2)
    reads("identity", lambda: tf.IdentityReader(), "a.txt", "none.txt")
    reads("records", lambda: tf.TFRecordReader(), "r.rec", "none.txt", "a.txt")
    reads("records_up_to", lambda: tf.TFRecordReader(), "r.rec", "r.rec", most=2)
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    reads("records_gzip", lambda: tf.TFRecordReader(options=options), "r.gz", "r.rec", "r.gz")
    options_z = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.ZLIB)
    reads("records_zlib", lambda: tf.TFRecordReader(options=options_z), "r.z")
    for kwargs in [
        {"record_bytes": 2},
        {"record_bytes": 3},
        {"record_bytes": 0},
        {"record_bytes": 100},
        {"record_bytes": 2, "header_bytes": 2},
        {"record_bytes": 2, "header_bytes": 2, "footer_bytes": 1},
        {"record_bytes": 2, "header_bytes": 1, "hop_bytes": 1},
        {"record_bytes": 2, "hop_bytes": 5},
        {"record_bytes": 2, "hop_bytes": 50},
        {"record_bytes": 2, "header_bytes": 100},
        {"record_bytes": 2, "encoding": "unknown"},
        {"record_bytes": -1},
        {"record_bytes": 2, "header_bytes": -1},
        {"record_bytes": 2, "footer_bytes": -1},
        {"record_bytes": 2, "hop_bytes": -1},
    ]:
        name = "fixed_" + "_".join(f"{key[0]}{value}" for key, value in sorted(kwargs.items()))
        reads(name, lambda kwargs=kwargs: tf.FixedLengthRecordReader(**kwargs), "f.bin", "empty.txt", "f.bin")
    reads("fixed_gzip", lambda: tf.FixedLengthRecordReader(2, 2, 1, encoding="GZIP"), "f.gz", "f.bin", "f.gz")
    reads("fixed_zlib", lambda: tf.FixedLengthRecordReader(2, 2, 1, encoding="ZLIB"), "f.z", "f.z")
    reads("fixed_up_to", lambda: tf.FixedLengthRecordReader(2, 2, 1), "f.bin", "f.bin", most=2)

    @program
    def states(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            queue = tf.FIFOQueue(10, tf.string, shapes=[[]])
            reader = tf.IdentityReader(name="r")
            session.run(queue.enqueue_many([["a", "b", "c"]]))
            state = reader.serialize_state()
            counts = [state, reader.num_records_produced(), reader.num_work_units_completed()]
            folder.show(lambda: session.run(counts))
            session.run(reader.read(queue))
            folder.show(lambda: [part.tolist() for part in session.run(reader.read_up_to(queue, 0))])
            folder.show(lambda: session.run(counts))
            kept = session.run(state)
            folder.show(lambda: session.run(reader.reset()))
            folder.show(lambda: session.run(counts))
            for bytes_ in [
                kept,
                b"junk\xff",
                b"\x08\x02\x10\x01",
                b"\x08" + b"\xff" * 9 + b"\x01",
                b'\x22\x04a"\xff\n\x08\x05',
                b"\x08\x01\x10\x02\x18\x03\x22\x02ab",
            ]:
                folder.show(lambda bytes_=bytes_: session.run(reader.restore_state(bytes_)))
                folder.show(lambda: session.run(counts))
            folder.show(lambda: tuple(session.run(reader.read(queue))))  # continues the work unit of the restored state
            fed = tf.placeholder(tf.string)
            folder.show(lambda: session.run(reader.restore_state(fed), {fed: ["a", "b"]}))
            lines = tf.TextLineReader()
            folder.show(lambda: session.run(lines.serialize_state()))
            folder.show(lambda: session.run(lines.restore_state("")))
            folder.show([reader.supports_serialize, lines.supports_serialize, tf.WholeFileReader().supports_serialize])

    @program
    def shapes(folder):
        with tf.Graph().as_default():
            queue = tf.FIFOQueue(10, tf.string)
            reader = tf.IdentityReader(name="r")
            vector = tf.placeholder(tf.resource, [2])
            folder.show(lambda: reader.read_up_to(queue, [1]))
            folder.show(lambda: reader.read(vector))
            folder.show(lambda: reader.restore_state(["a"]))
            folder.show(lambda: tf.raw_ops.ReaderResetV2(reader_handle=vector))
            folder.show(lambda: tf.raw_ops.ReaderSerializeStateV2(reader_handle=vector))
            folder.show(lambda: reader.read(reader.reader_ref))

    @program
    def sharing(folder):
        with tf.Graph().as_default(), tf.Session() as session:
            queue = tf.FIFOQueue(10, tf.string)
            session.run(queue.enqueue_many([["a", "b", "c"]]))
            one = tf.raw_ops.IdentityReaderV2(shared_name="shared")
            other = tf.raw_ops.TextLineReaderV2(shared_name="shared")
            for reader in [one, other]:
                read = tf.raw_ops.ReaderReadV2(reader_handle=reader, queue_handle=queue.queue_ref)
                folder.show(lambda read=read: tuple(session.run(read)))
            folder.show(lambda: session.run(tf.raw_ops.ReaderNumRecordsProducedV2(reader_handle=one)))

    @program
    def elements(folder):
        def read(dtypes, shapes, element):
            with tf.Graph().as_default(), tf.Session() as session:
                queue = tf.FIFOQueue(10, dtypes, shapes=shapes)
                session.run(queue.enqueue(element))
                folder.show(lambda: tuple(session.run(tf.IdentityReader().read(queue))))

        read([tf.string] * 2, [[], []], ["a", "b"])
        read([tf.int32], [[]], [1])
        read([tf.string], [[2]], [["a", "b"]])
        read([tf.string], [[1]], [["a"]])

    return made


def outcome(tf, program):
    """The output that a program shows."""
    folder = Folder(tf)
    try:
        program(folder)
    finally:
        shutil.rmtree(folder.path)
    return folder.shown


if __name__ == "__main__":
    import tensorflow

    table = {name: outcome(tensorflow, each) for name, each in programs(tensorflow).items()}
    print(json.dumps(table, indent=0, sort_keys=True))
