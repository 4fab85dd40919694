"""Programs that drive datasets of files and other sources by raw ops, alike in TensorFlow 1.15 and here.

A program is a function of `tf` and an empty folder that returns the dataset and its elements' dtypes and shapes.
"""

import gzip
import os
import shutil
import struct
import tempfile
import zlib

MOST = 40  # number of pulls, in case that a dataset does not end


def i64(tf, value):
    return tf.constant(value, tf.int64)


def text(tf, value):
    return tf.constant(value, tf.string)


def compressed(content, compression):
    if compression == "GZIP":
        return gzip.compress(content)
    return zlib.compress(content) if compression == "ZLIB" else content


def write(folder, name, content, compression=""):
    """Writes a file and returns its path."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(compressed(content, compression))
    return path


def crc(content):
    """The masked checksum of records."""
    value = 0xFFFFFFFF
    for byte in content:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def records(*contents):
    """The bytes of a file of records."""
    made = b""
    for content in contents:
        length = struct.pack("<Q", len(content))
        made += length + crc(length) + content + crc(content)
    return made


def plain(value, folder):
    """A component as JSON can hold it: bytes as text, without the folder's name, and infinite numbers as text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(one, folder) for one in value]
    if isinstance(value, bytes):
        return value.decode("latin-1").replace(folder, "DIR").replace(folder.replace("/", "\\"), "DIR")
    return str(value) if isinstance(value, float) and value - value != 0 else value


def told(error, folder):
    """The class and the text of an error, without the node and the folder."""
    message = getattr(error, "message", None) or str(error)
    return type(error).__name__ + ": " + message.split("\n\t [[")[0].replace(folder, "DIR")


def iterator(tf, dataset, types, shapes):
    """An iterator, its initialization, and its next element."""
    made = tf.raw_ops.IteratorV2(shared_name="", container="", output_types=types, output_shapes=shapes)
    begin = tf.raw_ops.MakeIterator(dataset=dataset, iterator=made)
    return made, begin, tf.raw_ops.IteratorGetNext(iterator=made, output_types=types, output_shapes=shapes)


def pulls(tf, session, next_element, folder, most=MOST):
    """What pulls yield, up to two ends or errors in a row."""
    found, failed = [], 0
    while len(found) < most and failed < 2:
        try:
            found.append(plain(session.run(next_element), folder))
            failed = 0
        except tf.errors.OpError as error:
            found.append(told(error, folder))
            failed += 1
    return found


def outcome(tf, program):
    """What an iterator of the program's dataset yields, or the error of its construction."""
    folder = tempfile.mkdtemp()
    try:
        with tf.Graph().as_default(), tf.Session() as session:
            _, begin, next_element = iterator(tf, *program(tf, folder))
            session.run(begin)
            return pulls(tf, session, next_element, folder)
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return told(error, folder)
    finally:
        shutil.rmtree(folder)
