"""Randomly damaged serialized Examples, and the results of parsing them here and, as text, in TensorFlow 1.15.

All bytes are ASCII, because TensorFlow can crash on errors that show other bytes.
"""

import numpy as np


def changed(data, rng):
    """The bytes with up to three random changes."""
    data = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(len(data) + 1))
        change = rng.integers(4)
        if change == 0 and at < len(data):
            data[at] ^= 1 << int(rng.integers(7))
        elif change == 1:
            del data[at : at + int(rng.integers(1, 4))]
        elif change == 2:
            data[at:at] = bytes(rng.integers(0, 128, int(rng.integers(1, 4))).tolist())
        elif at < len(data):
            data[at] = int(rng.integers(128))
    return bytes(data)


def examples(tf, count, seed):
    """Serialized Examples with random changes; most are no longer valid."""
    train, rng = tf.train, np.random.default_rng(seed)
    found = []
    for _ in range(count):
        features = {
            "a": train.Feature(int64_list=train.Int64List(value=rng.integers(0, 128, 2))),
            "b": train.Feature(float_list=train.FloatList(value=rng.choice([0.0, 2.0, 8.0], 2))),
            "c": train.Feature(bytes_list=train.BytesList(value=[b"x" * n for n in rng.integers(0, 4, 2)])),
        }
        found.append(changed(train.Example(features=train.Features(feature=features)).SerializeToString(), rng))
    return found


# Runs on both sides.
PARSE_ALL = '''
def parse_all(tf, serialized):
    """For each of some strings what parsers make of it, as text."""
    io, found = tf.io, []
    types = {"a": tf.int64, "b": tf.float32, "c": tf.string}
    kinds = [
        {key: io.FixedLenFeature([2], dtype) for key, dtype in types.items()},
        {key: io.FixedLenSequenceFeature([], dtype, True) for key, dtype in types.items()},
        {key: io.VarLenFeature(dtype) for key, dtype in types.items()},
    ]
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        text = tf.compat.v1.placeholder(tf.string, [])
        programs = [io.parse_example([text], kind) for kind in kinds]
        programs += [io.parse_single_example(text, kind) for kind in kinds]
        for example in serialized:
            for program in programs:
                try:
                    values = session.run(program, {text: example})
                    shown = [[getattr(part, "tolist", lambda: part)() for part in getattr(v, "_fields", 0) and v or [v]]
                             for _, v in sorted(values.items())]
                    found.append(repr(shown))
                except tf.errors.InvalidArgumentError as error:
                    found.append(error.message.split("\\n\\t [[")[0].split("\\0")[0])
    return found
'''
