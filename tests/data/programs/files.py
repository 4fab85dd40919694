"""Datasets of files and generators."""

import gzip
import zlib


def _write(folder, name, content):
    with open(folder + "/" + name, "wb") as file:
        file.write(content)
    return folder + "/" + name


def _two(folder):
    return [_write(folder, "a.txt", b"one\ntwo\r\n\nfour"), _write(folder, "b.txt", b"x\ny\n")]


def text_lines(tf, folder):
    return tf.data.TextLineDataset(_two(folder))


def text_lines_of_one(tf, folder):
    return tf.data.TextLineDataset(_two(folder)[0])


def text_lines_of_dataset(tf, folder):
    return tf.data.TextLineDataset(tf.data.Dataset.from_tensor_slices(_two(folder)))


def text_lines_gzip(tf, folder):
    name = _write(folder, "a.gz", gzip.compress(b"one\ntwo\n"))
    return tf.data.TextLineDataset(name, "GZIP", buffer_size=16)


def text_lines_zlib(tf, folder):
    name = _write(folder, "a.z", zlib.compress(b"one\ntwo\n"))
    return tf.data.TextLineDataset([name], compression_type="ZLIB")


def text_lines_parallel(tf, folder):
    return tf.data.TextLineDataset(_two(folder), num_parallel_reads=2)


def text_lines_autotune(tf, folder):
    return tf.data.TextLineDataset(_two(folder)[:1], num_parallel_reads=tf.data.experimental.AUTOTUNE)


def text_lines_missing(tf, folder):
    return tf.data.TextLineDataset(folder + "/none")


def text_lines_unknown_compression(tf, folder):
    return tf.data.TextLineDataset(_two(folder), "LZ4")


def text_lines_of_numbers(tf):
    return tf.data.TextLineDataset(tf.data.Dataset.range(3))


def text_lines_of_vectors(tf):
    return tf.data.TextLineDataset(tf.data.Dataset.from_tensors(["a"]))


def _records(tf, folder, name="r", count=3, kind=""):
    path = folder + "/" + name
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(kind)) as writer:
        for i in range(count):
            writer.write(b"%d" % i * (i + 1))
    return path


def tf_records(tf, folder):
    return tf.data.TFRecordDataset([_records(tf, folder), _records(tf, folder, "s", 1)])


def tf_records_gzip(tf, folder):
    return tf.data.TFRecordDataset(_records(tf, folder, kind="GZIP"), "GZIP", 1 << 20)


def tf_records_parallel(tf, folder):
    return tf.data.TFRecordDataset([_records(tf, folder), _records(tf, folder, "s", 2)], num_parallel_reads=2)


def tf_records_damaged(tf, folder):
    path = _records(tf, folder)
    with open(path, "rb") as file:
        content = bytearray(file.read())
    content[20] ^= 1
    return tf.data.TFRecordDataset(_write(folder, "damaged", bytes(content)))


def tf_records_cut(tf, folder):
    with open(_records(tf, folder), "rb") as file:
        content = file.read()
    return tf.data.TFRecordDataset(_write(folder, "cut", content[:-3]))


def fixed_records(tf, folder):
    return tf.data.FixedLengthRecordDataset([_write(folder, "f", b"abcdef"), _write(folder, "g", b"ghi")], 3)


def fixed_records_with_ends(tf, folder):
    return tf.data.FixedLengthRecordDataset(_write(folder, "f", b"Habcdeftt"), 2, header_bytes=1, footer_bytes=2)


def fixed_records_gzip(tf, folder):
    name = _write(folder, "f", gzip.compress(b"Habcdeft"))
    return tf.data.FixedLengthRecordDataset(name, 2, 1, 1, 100, "GZIP")


def fixed_records_parallel(tf, folder):
    names = [_write(folder, "f", b"abcdef"), _write(folder, "g", b"ghi")]
    return tf.data.FixedLengthRecordDataset(names, 3, num_parallel_reads=2)


def fixed_records_wrong_length(tf, folder):
    return tf.data.FixedLengthRecordDataset(_write(folder, "f", b"abcde"), 3)


def fixed_records_zero(tf, folder):
    return tf.data.FixedLengthRecordDataset(_write(folder, "f", b"abcde"), 0)


def list_files(tf, folder):
    _two(folder)
    names = tf.data.Dataset.list_files(folder + "/*.txt", shuffle=False)
    return names.map(lambda name: tf.strings.split([name], "/").values[-1])


def list_files_shuffled(tf, folder):
    _two(folder)
    return tf.data.Dataset.list_files([folder + "/a*", folder + "/b*"], seed=1).map(
        lambda name: tf.strings.substr(name, -5, 5)
    )


def list_files_none(tf, folder):
    return tf.data.Dataset.list_files("/nowhere/*.txt")


def generator(tf):
    def numbers():
        yield 1
        yield 2

    return tf.data.Dataset.from_generator(numbers, tf.int32)


def generator_shapes(tf):
    return tf.data.Dataset.from_generator(lambda: ([i] * 2 for i in range(3)), tf.float32, [2])


def generator_nested(tf):
    def pairs():
        for i in range(3):
            yield {"a": i, "b": ("text", [1.0] * i)}

    return tf.data.Dataset.from_generator(
        pairs, {"a": tf.int64, "b": (tf.string, tf.float32)}, {"a": [], "b": ([], [None])}
    )


def generator_args(tf):
    return tf.data.Dataset.from_generator(
        lambda n, text: (text for _ in range(n)), tf.string, args=(2, tf.constant("x"))
    )


def generator_repeat(tf):
    return tf.data.Dataset.from_generator(lambda: iter([1, 2]), tf.int64, []).repeat(2).batch(3)


def generator_not_callable(tf):
    return tf.data.Dataset.from_generator([1, 2], tf.int32)


def generator_wrong_type(tf):
    return tf.data.Dataset.from_generator(lambda: iter([1, "text"]), tf.int32)


def generator_wrong_shape(tf):
    return tf.data.Dataset.from_generator(lambda: iter([[1, 2], [1]]), tf.int32, [2])


def generator_wrong_structure(tf):
    return tf.data.Dataset.from_generator(lambda: iter([(1, 2), 3]), (tf.int32, tf.int32))


def generator_raises(tf):
    def numbers():
        yield 1
        raise KeyError("broken")

    return tf.data.Dataset.from_generator(numbers, tf.int32)


def generator_shapes_structure(tf):
    return tf.data.Dataset.from_generator(lambda: iter([1]), (tf.int32, tf.int32), [])
