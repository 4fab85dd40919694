"""Programs that parse Examples, records and strings, and their outcomes on TensorFlow 1.15.

`python tests/ops/parsing_programs.py`, run by an interpreter with TensorFlow 1.15, prints the contents of
`parsing_of_1_15.json`.
"""

import json
import zlib

import numpy as np


def _shown(value):
    """A value as text, independent of the NumPy version."""
    if isinstance(value, dict):
        return "{{{}}}".format(", ".join(f"{key}: {_shown(value[key])}" for key in sorted(value)))
    if isinstance(value, (tuple, list)):
        return "({})".format(", ".join(_shown(each) for each in value))
    array = np.asarray(value)
    dtype = "string" if array.dtype.kind in "OS" else array.dtype.name
    return f"{dtype}{list(array.shape)} {array.tolist()!r}"


def _static(tensors):
    """The static shapes as text."""
    if isinstance(tensors, dict):
        return "{{{}}}".format(", ".join(f"{key}: {_static(tensors[key])}" for key in sorted(tensors)))
    if isinstance(tensors, (tuple, list)):
        return "({})".format(", ".join(_static(each) for each in tensors))
    return str(tensors.get_shape())


def outcome(tf, build):
    """The static shapes and values of the tensors that a program builds, or its error."""
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        try:
            tensors, feeds = build(), {}
            if isinstance(tensors, tuple) and len(tensors) == 2 and isinstance(tensors[1], dict) and tensors[1]:
                if not isinstance(next(iter(tensors[1])), str):
                    tensors, feeds = tensors
            return f"{_static(tensors)} = {_shown(session.run(tensors, feeds))}"
        except tf.errors.OpError as error:
            # TensorFlow truncates messages at a NUL byte.
            return "{}: {}".format(type(error).__name__, error.message.split("\n\t [[")[0].split("\0")[0])
        except (ValueError, TypeError) as error:
            return f"{type(error).__name__}: {error}"


def programs(tf):
    """Functions that build tensors, by name."""
    found = {}
    for family in (_examples, _sequences, _decoders, _strings):
        for number, build in enumerate(family(tf)):
            found[f"{family.__name__[1:]} {number:03}"] = build
    return found


def feature(tf, value):
    """A Feature with these values and their type; an empty Feature for None; a Feature is returned unchanged."""
    kinds = tf.train
    if value is None or isinstance(value, kinds.Feature):
        return value or kinds.Feature()
    if not value:
        return kinds.Feature(float_list=kinds.FloatList())
    if isinstance(value[0], bytes):
        return kinds.Feature(bytes_list=kinds.BytesList(value=value))
    if isinstance(value[0], float):
        return kinds.Feature(float_list=kinds.FloatList(value=value))
    return kinds.Feature(int64_list=kinds.Int64List(value=value))


def _example(tf, **values):
    features = {key: feature(tf, value) for key, value in values.items()}
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def _sequence(tf, context, **lists):
    kinds = tf.train
    features = {key: feature(tf, value) for key, value in context.items()}
    mapped = {key: kinds.FeatureList(feature=[feature(tf, v) for v in values]) for key, values in lists.items()}
    return kinds.SequenceExample(
        context=kinds.Features(feature=features), feature_lists=kinds.FeatureLists(feature_list=mapped)
    ).SerializeToString()


def _field(number, content):
    return bytes([number << 3 | 2, len(content)]) + content


def _entries(*entries):
    """A Features message with these keys and serialized features, in order."""
    return b"".join(_field(1, _field(1, key) + _field(2, content)) for key, content in entries)


# Serialized features: one integer, two, one float, other encodings of them.
_ONE, _TWO = b"\x1a\x03\x0a\x01\x05", b"\x1a\x04\x0a\x02\x06\x07"
_FLOAT = b"\x12\x06\x0a\x04\0\0\x80?"
_SINGLY = b"\x1a\x04\x08\x06\x08\x07"
_FLOATS_SINGLY = b"\x12\x0a\x0d\0\0\x80?\x0d\0\0\0@"
_ODD = [
    b"",
    b"\x12\0",
    b"\x1a\0",
    b"\x0a\0",
    b"\x1a\x02\x0a\0",
    b"\x22\0",
    _ONE + _FLOAT,
    _ONE + _ONE,
    _ONE + b"\x20\x05",
]
_ODD += [_SINGLY, _FLOATS_SINGLY, b"\x1a\x03\x0a\x01\x85", b"\x1a\x07\x0a\x01\x05", b"\x12\x05\x0a\x03\0\0\x80"]


def _examples(tf):
    io = tf.io

    def batch(serialized, features, **more):
        return lambda: io.parse_example(serialized, features, **more)

    def single(serialized, features, **more):
        return lambda: io.parse_single_example(serialized, features, **more)

    def example(**values):
        return _example(tf, **values)

    fixed = {"a": io.FixedLenFeature([2], tf.int64)}
    strings = {"a": io.FixedLenFeature([2], tf.string)}
    floats = {"a": io.FixedLenFeature([], tf.float32, 7.0), "b": io.FixedLenFeature([1, 2], tf.float32, [[1, 2]])}
    rows = {"a": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}
    padded = {"a": io.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="pad")}
    loose = {"a": io.VarLenFeature(tf.string)}
    loose_ints = {"a": io.VarLenFeature(tf.int64)}
    sparse = {"s": io.SparseFeature("i", "v", tf.float32, 10)}
    matrix = {"s": io.SparseFeature(["i", "j"], "v", tf.float32, [10, 20], already_sorted=True)}
    everything = {**fixed, "b": floats["b"], "c": loose["a"], "d": padded["a"], "s": sparse["s"]}
    values = [
        example(a=[1, 2]),
        example(b=[1]),
        example(a=[1.0, 2.0]),
        example(a=[1]),
        example(a=[1, 2, 3]),
        example(a=[b"x"]),
        example(a=[b"x", b"yy"]),
        example(a=None),
        example(a=[]),
        b"junk",
        b"",
        _field(1, _entries((b"a", _ONE), (b"a", _TWO))),
        _field(1, _entries((b"a", _FLOAT), (b"a", _TWO))),
        _field(1, _entries((b"a", _TWO), (b"a", b""))),
        _field(1, _entries((b"a", _TWO))) + b"\x10\x05",
        b"\x10\x05" + _field(1, _entries((b"a", _TWO))) + b"\x1a\x01x",
        _field(1, _entries((b"a", _TWO)) + b"\x10\x05"),
        _field(1, _field(1, _field(2, _TWO) + _field(1, b"a"))),
        _field(1, _entries((b"a", _TWO))) + _field(1, _entries((b"a", _SINGLY))),
    ]
    values += [_field(1, _entries((b"a", content))) for content in _ODD]
    for value in values:
        for features in (fixed, strings, floats, rows, padded, loose, loose_ints):
            yield batch([example(a=[3, 4]), value], features)
            yield batch([value], features)
            yield single(value, features)
    for features in (fixed, rows, loose, sparse, everything):
        yield batch([], features)
    named = [example(a=[1, 2]), example(b=[1])]
    yield batch(named, fixed, example_names=["first", "second"])
    yield batch(named, fixed, example_names=["first"])
    yield batch(named, fixed, example_names="first")
    yield single(named[0], fixed, example_names="first")
    yield single(named[1], fixed, example_names="first")
    yield single(named[0], {**rows, "c": loose["a"]}, example_names="first")
    yield batch(named[0], fixed)
    yield single([named[0]], fixed)
    yield single([named[0]], fixed, example_names="x")
    for pair in ([3, 1], [1.0, 2.0]), ([3], [1.0, 2.0]), ([30], [1.0]), ([], []):
        yield batch([example(i=pair[0], v=pair[1])], sparse)
        yield single(example(i=pair[0], v=pair[1]), sparse)
    yield batch([example(i=[3, 1], j=[5, 6], v=[1.0, 2.0]), example()], matrix)
    yield batch([example(a=[1, 2], c=[b"x", b"y"], d=[b"p", b"q", b"r"], i=[4, 2], v=[0.5, 1.5]), named[0]], everything)
    yield batch([named[0]] * 70, fixed)
    yield batch([example(a=[b"x"] * n) for n in range(40)], loose)
    yield batch([example(a=[b"x"] * n) for n in range(40)], padded)
    yield batch([named[0]] * 50 + [named[1]] + [b"\x0a\x05"], fixed)
    # Incomplete feature specs.
    ints = tf.int64
    for features in (
        {},
        None,
        {"a": io.FixedLenFeature(None, ints)},
        {"a": io.FixedLenFeature([2], None)},
        {"a": io.FixedLenFeature([None], ints)},
        {"a": io.FixedLenFeature([2, None], ints)},
        {"a": io.VarLenFeature(None)},
        {"a": io.SparseFeature([], "v", ints, 1)},
        {"a": io.SparseFeature("i", "", ints, 1)},
        {"a": io.SparseFeature("i", "v", None, 1)},
        {"a": io.SparseFeature("i", "i", tf.float32, 1)},
        {"a": io.SparseFeature("i", "v", tf.float32, [1])},
        {"a": io.SparseFeature(["i", "j"], "v", tf.float32, [1])},
        {"a": io.FixedLenSequenceFeature([2], ints)},
        {"a": 3},
        {"a": io.FixedLenFeature([2], ints, [1, 2, 3])},
        {"a": io.FixedLenFeature([2], tf.float64)},
        {"i": io.FixedLenFeature([2], ints), "s": sparse["s"]},
    ):
        yield batch([named[0]], features)
        yield single(named[0], features)

    def raw(**more):
        arguments = {"serialized": [example()], "names": [], "sparse_keys": [], "dense_keys": ["a"]}
        arguments.update({"dense_defaults": [np.int64([1])], "sparse_types": [], "dense_shapes": [[1]]})
        arguments.update(more)
        return lambda: list(tf.raw_ops.ParseExample(**arguments))

    yield raw()
    yield raw(dense_shapes=[[None, 2]], dense_defaults=[np.int64([1, 2])])
    yield raw(dense_shapes=[[2, None]])
    yield raw(dense_shapes=[[2]])
    yield raw(dense_shapes=[])
    yield raw(dense_keys=["a", "b"])
    yield raw(sparse_keys=["x"])
    yield raw(sparse_keys=["x", "x"], sparse_types=[ints, ints])
    yield raw(names="x")
    yield raw(names=[["x"]])
    fed = lambda value, build: lambda: (lambda p: (build(p), {p: value}))(tf.compat.v1.placeholder(tf.string))  # noqa: E731
    for value in (named[0], [named[0]], [[named[0]]]):
        yield fed(value, lambda p: io.parse_example(p, fixed))
        yield fed(value, lambda p: io.parse_single_example(p, fixed))
        yield fed(value, lambda p: io.parse_single_example(p, fixed, example_names="x"))


def _sequences(tf):
    io = tf.io
    context = {"c": io.FixedLenFeature([1], tf.int64)}
    default = {"c": io.FixedLenFeature([1], tf.int64, [7])}
    loose = {"c": io.VarLenFeature(tf.int64)}
    lists = {"f": io.FixedLenSequenceFeature([2], tf.float32)}
    may_miss = {"f": io.FixedLenSequenceFeature([2], tf.float32, True)}
    scalars = {"f": io.FixedLenSequenceFeature([], tf.int64, True)}
    strings = {"f": io.FixedLenSequenceFeature([2], tf.string, True)}
    loose_lists = {"f": io.VarLenFeature(tf.float32)}
    loose_strings = {"f": io.VarLenFeature(tf.string)}
    pairs = [(context, lists), (default, may_miss), (loose, loose_lists), (loose, loose_strings), (None, lists)]
    pairs += [(context, None), (None, scalars), (None, strings)]

    def sequence(values, **more):
        return _sequence(tf, values, **more)

    good = sequence({"c": [5]}, f=[[1.0, 2.0], [3.0, 4.0]])
    values = [
        good,
        sequence({}, f=[[1.0, 2.0]]),
        sequence({"c": [5]}),
        sequence({"c": [5, 6]}, f=[[1.0, 2.0]]),
        sequence({"c": [5.0]}, f=[[1.0, 2.0]]),
        sequence({"c": None}, f=[[1.0, 2.0]]),
        sequence({"c": [5]}, f=[[1.0], [3.0, 4.0]]),
        sequence({"c": [5]}, f=[[1]]),
        sequence({"c": [5]}, f=[[1], [2], [3]]),
        sequence({"c": [5]}, f=[[b"x", b"y"], [b"p", b"q"]]),
        sequence({"c": [5]}, f=[None, [1.0, 2.0]]),
        sequence({"c": [5]}, f=[[]]),
        sequence({"c": [5]}, f=[]),
        b"",
        good + b"\x18\x05",
        good + good,
        good[:-1],
        b"junk",
        _field(1, _entries((b"c", _TWO), (b"c", _ONE))),
        _field(1, _entries((b"c", _FLOAT), (b"c", _ONE))),
        _field(2, _entries((b"f", _field(1, _ONE)), (b"f", _field(1, _ONE) + _field(1, _ONE)))),
    ]
    values += [_field(1, _entries((b"c", content))) for content in _ODD[:6]]
    values += [_field(2, _entries((b"f", _field(1, content)))) for content in _ODD[:6]]

    def batch(serialized, pair, **more):
        return lambda: io.parse_sequence_example(serialized, pair[0], pair[1], **more)

    def single(serialized, pair, **more):
        return lambda: io.parse_single_sequence_example(serialized, pair[0], pair[1], **more)

    for value in values:
        for pair in pairs:
            yield batch([good, value], pair)
            yield batch([value], pair)
            yield single(value, pair)
    pair = pairs[0]
    for number in (1, 2, 6):
        yield batch([good, values[number]], pair, example_names=["first", "second"])
        yield single(values[number], pair, example_name="second")
    yield batch([good], pair, example_names=["first", "second"])
    yield batch([good], pair, example_names="first")
    yield single(good, pair, example_name=["first"])
    yield batch(good, pair)
    yield single([good], pair)
    for each in pairs:
        yield batch([], each)
    yield batch([sequence({}, f=[[1]] * n) for n in range(40)], (None, scalars))
    yield batch([sequence({"c": [1] * n}, f=[[1.0] * n, [], [2.0]]) for n in range(40)], pairs[2])
    ints = tf.int64
    for features in (
        (None, None),
        ({"c": io.FixedLenSequenceFeature([1], ints)}, None),
        (None, {"f": io.FixedLenFeature([1], ints)}),
        (None, {"f": io.FixedLenSequenceFeature([None], ints)}),
        (None, {"f": io.FixedLenSequenceFeature([2], tf.float32, False, [1.0])}),
        ({"c": io.FixedLenFeature([1], ints, 7)}, lists),
        ({"c": io.FixedLenFeature([2], ints, [7])}, may_miss),
        ({"c": io.SparseFeature("i", "v", ints, 1)}, None),
    ):
        yield batch([good], features)
        yield single(good, features)
    messages = [[1 / 3.0, 0.1, 1e10, 1e-7, float("nan"), -1.5, 16777216.0], [b"a\x01\n\"'\\\xff\xc3\xa9b\t"], [5, -1]]
    for value, dtype in zip(messages, (ints, ints, tf.string)):
        yield single(sequence({"c": value}), ({"c": io.FixedLenFeature([1], dtype)}, None))


def _decoders(tf):
    io = tf.io
    types = [tf.uint8, tf.int16, tf.half, tf.bool, tf.complex64, tf.int64, tf.float32, tf.float64]
    raw = lambda *args, **more: lambda: io.decode_raw(*args, **more)  # noqa: E731
    for dtype in types:
        yield raw([b"\0\1\2\3\4\5\6\7", b"\x80\3\2\1\0\0\0\0"], dtype)
        yield raw([b"\0\1\2\3\4\5\6\7"], dtype, little_endian=False)
    for value in ([b"ab", b"a"], [b"abc"], b"ab", np.array([], object), [b"", b""], [[b"ab"], [b"cd"]]):
        yield raw(value, tf.int16)
    yield lambda: io.decode_raw(bytes=[b"ab"], out_type=tf.uint8)
    yield lambda: io.decode_raw([b"ab"])
    yield lambda: io.decode_raw([b"ab"], tf.uint8, bytes=[b"cd"])

    def padded(length, dtype, value=(b"abc",), **more):
        return lambda: tf.raw_ops.DecodePaddedRaw(input_bytes=list(value), fixed_length=length, out_type=dtype, **more)

    for length in (2, 4, 3, 0, -2, [2]):
        yield padded(length, tf.int16)
        yield padded(length, tf.uint8, (b"abc", b"a"))
        yield padded(length, tf.int16, little_endian=False)

    def csv(records, defaults, **more):
        return lambda: io.decode_csv(records, defaults, **more)

    none = [np.int32([]), np.float64([])]
    for records, defaults, more in [
        (["1,2.5,a", "3,,b"], [[0], [1.0], [""]], {}),
        (["1,2.5,a"], [[0], [1.0]], {}),
        (["1"], [[0], [1.0]], {}),
        (["x"], [[0]], {}),
        (["9999999999"], [[0]], {}),
        (["1.5"], [[0]], {}),
        ([""], [[0]], {}),
        (['"a,b",c', '"a""b",d'], [[""], [""]], {}),
        (['"a'], [[""]], {}),
        (['a"b'], [[""]], {}),
        (['"a"b'], [[""]], {}),
        (['"a,b",c'], [[""], [""], [""]], {"use_quote_delim": False}),
        (["a;b"], [[""], [""]], {"field_delim": ";"}),
        (["a;b"], [[""], [""]], {"field_delim": ";;"}),
        (["a;b"], [[""], [""]], {"field_delim": ""}),
        (["NA,1"], [[5], [6]], {"na_value": "NA"}),
        (['"NA"'], [[5]], {"na_value": "NA"}),
        (["a,b,c"], [[""]], {"select_cols": [1]}),
        (["1,2,3"], [[0], [0]], {"select_cols": [0, 2]}),
        (["1,2,3"], [[0], [0]], {"select_cols": [2, 0]}),
        (["1,2,3"], [[0], [0]], {"select_cols": [-1, 0]}),
        (["1,2,3"], [[0]], {"select_cols": [0, 1]}),
        (["1,2"], [[0], [0]], {"select_cols": [0, 2]}),
        (["1,2,"], [[0], [0], [7]], {}),
        (["1,2\n"], [[0], [0]], {}),
        (["a\nb"], [[""]], {}),
        (['"a\nb"'], [[""]], {}),
        ([" 1 , 2 "], [[0], [0.0]], {}),
        ([["1"], ["2"]], [[0]], {}),
        ("1,2", [[0], [0]], {}),
        (["1", "2"], [[0, 1]], {}),
        (["1"], [[[0]]], {}),
        (["1"], [0], {}),
        (np.array([], object), [[0]], {}),
        (["1,2"], none, {}),
        ([",2"], none, {}),
        (["nan,inf,1e3,0x10"], [[0.0]] * 4, {}),
        (["1f"], [[0.0]], {}),
        (["1e400"], [np.float64([0])], {}),
        (["-"], [[0]], {}),
        (["+5"], [[0]], {}),
        ([" "], [[""]], {}),
        (['""'], [["d"]], {}),
        (['"5"'], [[5]], {}),
        (['a,"b'], [[""], [""]], {}),
        (['"a"\r\n'], [[""]], {}),
        (["\n"], [[""]], {}),
        ([f"{n},x" for n in range(200)], [[0], [""]], {}),
        (["1"] * 100 + ["x"] + ["1,2"], [[0]], {}),
    ]:
        yield csv(records, defaults, **more)
    texts = ["1", "-1", " 2 ", "3.5", "1e3", "x", "", "nan", "inf", "-inf", "-Infinity", "0x1f", "-0x1f", "1e400", "+5"]
    texts += [
        "99999999999",
        "9223372036854775808",
        "1 2",
        ".5",
        "5.",
        "1e",
        "--1",
        "\t7\n",
        "1f",
        "1e-400",
        "1e39",
        ".",
    ]
    texts += ["0.1", "123456789", "3.4028235e38", "1.17549435e-38", "4.9e-324", "0.30000000000000004", "0x"]
    texts += ["1.7976931348623157e308", "8.5e-3", "16777217", "123456789012345678901234567890", "0x1p3", "NAN", "iNf"]
    for dtype in (tf.float32, tf.float64, tf.int32, tf.int64):
        for text in texts:
            yield lambda text=text, dtype=dtype: tf.strings.to_number([text], dtype)
    yield lambda: tf.strings.to_number([["1", "2"]], tf.int32)
    yield lambda: tf.string_to_number("5")
    stream = zlib.compress(b"hello" * 10)
    for value in (stream, b"", stream[:-1], stream[:5], stream + b"junk", stream + stream, stream[:-1] + b"x", b"junk"):
        for kind in ("ZLIB", "GZIP", "", "BAD"):
            yield lambda value=value, kind=kind: io.decode_compressed([value], compression_type=kind)
    proto = b"\x08\x01\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02\x22\x08\0\0\x80?\0\0\0@"
    for value, dtype in [
        (proto, tf.float32),
        (proto, tf.int32),
        ([proto], tf.float32),
        (b"\x08\x01\x12\x04\x12\x02\x08\x02", tf.float32),
        (b"\x08\x07\x12\x04\x12\x02\x08\x02", tf.string),
        (b"\x08\x01\x12\x04\x12\x02\x08\x02\x2a\x04\0\0\x80?", tf.float32),
        (b"\x08\x07\x12\x04\x12\x02\x08\x03\x42\x01a\x42\x02bc", tf.string),
    ]:
        yield lambda value=value, dtype=dtype: io.parse_tensor(value, dtype)
    for value in (np.float32(1), np.float32([1, 2]), np.int32([]), np.array([True, False]), np.array([[1 + 2j]])):
        yield lambda value=value: io.serialize_tensor(value)
    for value in ([b"a", b"text"], np.float16([1, 2]), np.uint16(3), [[b"x"]]):
        yield lambda value=value: io.serialize_tensor(value)


def _strings(tf):
    io = tf.io
    for pad in (False, True):
        for text in (b"", b"a", b"ab", b"abc", b"\xff\xfe\xfd?>"):
            yield lambda text=text, pad=pad: io.encode_base64([text], pad=pad)
    for text in (
        b"",
        b"YQ",
        b"YQ==",
        b"YWI",
        b"YWI=",
        b"YWJj",
        b"//79Pz4",
        b"__79Pz4",
        b"Y",
        b"YQ=",
        b"Y!==",
        b"YW Jj",
    ):
        yield lambda text=text: io.decode_base64([text])
    for text in (b"YR==", b"YWJj====", b"=", b"====", b"YQ==YQ==", b"\xc3\xa9", b"YWJjYQ", b"YWJjY", b"YQ=a"):
        yield lambda text=text: io.decode_base64([text])
    for args in [
        ("hello", 1, 3),
        (["hello", "abc"], 1, 2),
        (["hello", "abc"], [1, 0], [2, 3]),
        (["hello", "abc"], [1], [2]),
        ("hello", 5, 1),
        ("hello", 6, 1),
        ("hello", -2, 1),
        ("hello", -6, 1),
        ("hello", 1, 100),
        ("hello", 1, -1),
        (["hello", "a"], 3, 1),
        ([["hello", "abc"], ["xyz", "uvw"]], [1, 2], [1, 1]),
        (["a", "b", "c"], [0, 0], [1, 1]),
        ("abc", [0, 1], [1, 1]),
        ("abc", [0, 1], [1]),
        ("abc", [0, 1], 1),
        ("abc", np.int64(1), np.int64(1)),
        ("", 0, 1),
    ]:
        yield lambda args=args: tf.strings.substr(*args)
    for args in [(1, 1), (-2, 1), (3, 1), (4, 1), (-4, 1), (1, 5), (1, -1), (0, 0)]:
        yield lambda args=args: tf.strings.substr(b"a\xc3\xa9b", *args, unit="UTF8_CHAR")
    yield lambda: tf.strings.substr(b"\xff\xc3z", 1, 1, unit="UTF8_CHAR")
    for source, more in [
        (["a b  c", "", " "], {}),
        (["a,b;c"], {"sep": ",;"}),
        (["a,,b", ",a,", ""], {"sep": ","}),
        (["a,,b", ",a,", ""], {"sep": ",", "skip_empty": False}),
        (["abc", ""], {"sep": ""}),
        (np.array([], object), {"sep": ","}),
        ("a b", {}),
        ([["a b"]], {}),
        (["a<>b<>c"], {"sep": "<>"}),
        (["a b"], {"sep": [" "]}),
        (["a b"], {"sep": " ", "delimiter": " "}),
    ]:
        yield lambda source=source, more=more: tf.string_split(source, **more)
    for source, more in [
        (["a b  c", "", " x "], {}),
        (["a,b;c"], {"sep": ",;"}),
        (["a,,b", ",a,", ""], {"sep": ","}),
        (["abc"], {"sep": ""}),
        (["a b c d"], {"maxsplit": 1}),
        (["a,b,c"], {"sep": ",", "maxsplit": 2}),
        (["a  b   c "], {"maxsplit": 1}),
        (["a,b"], {"sep": ",", "maxsplit": 0}),
        (["a<>b<><>c"], {"sep": "<>"}),
        ([" a\tb\nc "], {}),
        (["a,b"], {"sep": [","]}),
        (["a"], {"result_type": "x"}),
    ]:
        yield lambda source=source, more=more: tf.strings.split(source, **more)
    yield lambda: tf.strings.length(["abc", b"\xc3\xa9"])
    yield lambda: tf.strings.length(["abc", b"\xc3\xa9"], unit="UTF8_CHAR")


if __name__ == "__main__":
    import tensorflow

    print(json.dumps({name: outcome(tensorflow, build) for name, build in programs(tensorflow).items()}, indent=0))
