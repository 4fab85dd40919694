"""Programs that parse Examples, records and strings."""


def _serialized(tf, shape=(None,)):
    return tf.placeholder(tf.string, shape, name="serialized")


def _features(tf):
    return {
        "fixed": tf.FixedLenFeature([2], tf.int64),
        "fixed default": tf.FixedLenFeature([2], tf.float32, [1.0, 2.0]),
        "tensor": tf.FixedLenFeature([1], tf.int64, tf.constant([5], tf.int64)),
        "rows": tf.FixedLenSequenceFeature([2, 3], tf.float32, allow_missing=True),
        "texts": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="?"),
        "loose": tf.VarLenFeature(tf.string),
        "sparse": tf.SparseFeature("index", "value", tf.float32, 10),
        "matrix": tf.SparseFeature(["row", "column"], "value", tf.float32, [10, 20]),
        "sorted": tf.SparseFeature("index", "value", tf.float32, 10, already_sorted=True),
    }


def examples(tf):
    tf.parse_example(_serialized(tf), _features(tf))
    tf.io.parse_example(["a", "b"], {"x": tf.VarLenFeature(tf.int64)}, name="named", example_names=["p", "q"])


def single_examples(tf):
    tf.parse_single_example(_serialized(tf, ()), _features(tf))
    tf.parse_single_example("a", {"x": tf.VarLenFeature(tf.int64)}, name="named")


def named_single_examples(tf):
    tf.parse_single_example(_serialized(tf, ()), _features(tf), example_names="p", name="named")
    tf.parse_single_example(
        _serialized(tf, None), {"x": tf.FixedLenFeature([], tf.int64)}, example_names=_serialized(tf, None)
    )


def sequence_examples(tf):
    context = {
        "a": tf.FixedLenFeature([2], tf.int64),
        "b c": tf.FixedLenFeature([2], tf.float32, [1.0, 2.0]),
        "d": tf.VarLenFeature(tf.string),
    }
    lists = {
        "e": tf.FixedLenSequenceFeature([2], tf.int64),
        "f": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
        "g": tf.VarLenFeature(tf.float32),
    }
    tf.io.parse_sequence_example(_serialized(tf), context, lists)
    tf.io.parse_sequence_example(["a"], context, None, example_names=["x"], name="named")
    tf.parse_single_sequence_example(_serialized(tf, ()), context, lists)
    tf.parse_single_sequence_example("a", None, lists, example_name="x", name="named")


def decoders(tf):
    texts = _serialized(tf)
    tf.decode_raw(texts, tf.int16)
    tf.decode_raw(texts, tf.int16, little_endian=False, name="raw")
    tf.decode_csv(texts, [[1], [2.0], [""]])
    tf.decode_csv(texts, [[1], tf.constant([], tf.string)], ";", False, "csv", "NA", [1, 3])
    tf.decode_compressed(texts, "GZIP")
    tf.parse_tensor("", tf.float32)
    tf.serialize_tensor([1.0], name="tensor")
    tf.string_to_number(texts, tf.int64)
    tf.strings.to_number(input=["1"], name="number")


def strings(tf):
    texts = _serialized(tf)
    tf.encode_base64(texts, pad=True)
    tf.decode_base64(texts)
    tf.strings.length(texts)
    tf.strings.length(texts, "name", "UTF8_CHAR")
    tf.strings.substr(texts, 1, 2)
    tf.substr(texts, [1], [2], name="part")
    tf.string_split(texts)
    tf.string_split(texts, ",", skip_empty=False, name="split")
    tf.strings.split(texts)
    tf.strings.split(texts, ",", 3, name="split")


def merged(tf):
    texts = tf.string_split(_serialized(tf))
    ids = tf.SparseTensor(texts.indices, tf.string_to_number(texts.values, tf.int32), texts.dense_shape)
    tf.sparse_merge(ids, texts, 10)
    tf.sparse_merge([ids, ids], texts, [10, 20], name="several")
    tf.sparse_reorder(texts)
    tf.sparse_reorder(tf.SparseTensor([[1], [0]], [1, 2], [3]), name="ordered")
