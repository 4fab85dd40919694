"""Programs of summary ops, by name; each returns the summary to fetch. `python summary_programs.py` runs them on
TensorFlow 1.15 and prints the outcomes.
"""

import hashlib
import json
import os
import struct
import zlib

import numpy as np

_FLOATS = ("float16", "float32", "float64")
_NUMBERS = (*_FLOATS, "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ENDS = "ends the process"
_LONGEST = 600  # bytes; longer values are recorded as a digest


def programs(tf):
    """The programs by name; `tf` is tinytf or TensorFlow."""
    raw, found = tf.raw_ops, {}

    def program(name, build):
        assert name not in found
        found[name] = build

    def hidden(value, dtype=None):
        """The value with an unknown static shape."""
        return tf.placeholder_with_default(tf.constant(value, dtype), None)

    def scalar(tags, values):
        return raw.ScalarSummary(tags=tags, values=values)

    def histogram(values, tag="h"):
        return raw.HistogramSummary(tag=tag, values=tf.convert_to_tensor(values))

    def image(pixels, tag="i", **attrs):
        return raw.ImageSummary(tag=tag, tensor=tf.convert_to_tensor(pixels), **attrs)

    def audio(samples, tag="a", rate=44100.0, outputs=3):
        return raw.AudioSummaryV2(tag=tag, tensor=samples, sample_rate=rate, max_outputs=outputs)

    def old_audio(samples, tag="a", rate=44100.0, outputs=3):
        """An AudioSummary node, which only early graphs may contain."""
        graph_def = tf.GraphDef()
        graph_def.versions.producer = 10
        node = graph_def.node.add(name="AudioSummary", op="AudioSummary", input=["tag", "samples"])
        node.attr["sample_rate"].f = rate
        node.attr["max_outputs"].i = outputs
        for name in node.input:
            graph_def.node.add(name=name, op="Placeholder").attr["dtype"].type = 7 if name == "tag" else 1
        inputs = {"tag:0": tf.convert_to_tensor(tag), "samples:0": tf.convert_to_tensor(samples)}
        return tf.import_graph_def(graph_def, inputs, ["AudioSummary:0"], name="")[0]

    def tensor(value, tag="t", metadata=b""):
        return raw.TensorSummaryV2(tag=tag, tensor=value, serialized_summary_metadata=metadata)

    def old_tensor(value, **attrs):
        return raw.TensorSummary(tensor=value, **attrs)

    def merge(*inputs):
        return raw.MergeSummary(inputs=list(inputs))

    # Scalars.
    for name in _NUMBERS:
        program(f"scalar_{name}", lambda name=name: scalar("s", np.array(3, name)))
    program("scalar_bfloat16", lambda: scalar("s", tf.cast(1.5, tf.bfloat16)))
    for name, value in {"zero": 0.0, "minus_zero": -0.0, "nan": np.nan, "inf": np.inf, "large": 1e300}.items():
        program(f"scalar_{name}", lambda value=value: scalar("s", np.float64(value)))
    program("scalar_large_int", lambda: scalar("s", np.int64(2**62 + 12345)))
    program("scalar_empty_tag", lambda: scalar("", 1.0))
    program("scalar_bytes", lambda: scalar(b"\xff\x00a", 1.0))
    program("scalar_long_tag", lambda: scalar("t" * 200, 1.0))
    program("scalars", lambda: scalar(["a", "b"], [1.0, 2.0]))
    program("scalars_of_a_matrix", lambda: scalar([["a", "b"], ["a", "d"]], [[1, 2], [3, 4]]))
    program("scalars_none", lambda: scalar(np.zeros([0], object), np.zeros([0], np.float32)))
    program("scalar_misfit", lambda: scalar("n", [1.0, 2.0]))
    program("scalar_vector_of_one", lambda: scalar("n", [1.0]))
    program("scalar_tags_of_one", lambda: scalar(["n"], 1.0))
    program("scalars_misfit", lambda: scalar(["a", "b"], [1.0]))
    program("scalars_misfit_hidden", lambda: scalar(hidden(["a", "b"]), hidden([1.0])))
    program("scalar_no_tags", lambda: scalar(hidden(np.zeros([0], object), tf.string), hidden([1.0])))
    program("scalar_bool", lambda: scalar("n", True))

    # Histograms.
    random = np.random.RandomState(7)
    normal = random.normal(size=1000)
    values = {
        "none": [],
        "zero": [0.0],
        "minus_zero": [-0.0],
        "one": [1.0],
        "minus_one": [-1.0],
        "pair": [1.0, -1.0],
        "limit": [1e-12],
        "minus_limit": [-1e-12],
        "below_limit": [np.nextafter(1e-12, 0)],
        "tiny": [5e-324, -5e-324],
        "huge": [1e300],
        "minus_huge": [-1e300],
        "largest": [np.finfo(np.float64).max],
        "lowest": [-np.finfo(np.float64).max],
        "last_limit": [9.920775621859783e19, 1e20],
        "same": [2.5] * 100,
        "normal": normal,
        "wide": normal * 10.0 ** random.randint(-15, 25, 1000),
        "nan": [1.0, np.nan, np.inf],
        "inf": [1.0, np.inf, np.nan],
        "minus_inf": [-np.inf],
    }
    for name, numbers in values.items():
        program(f"histogram_{name}", lambda numbers=numbers: histogram(np.array(numbers, np.float64)))
    program("histogram_limits", lambda: histogram(_limits()))
    program("histogram_minus_limits", lambda: histogram(-_limits()))
    program("histogram_below_limits", lambda: histogram(np.nextafter(_limits(), 0)))
    program("histogram_above_limits", lambda: histogram(np.nextafter(_limits(), 1e300)))
    for name in _NUMBERS:
        program(f"histogram_{name}", lambda name=name: histogram(np.arange(100).astype(name).reshape([4, 25])))
    program("histogram_bfloat16", lambda: histogram(tf.cast([1.5, -2.5], tf.bfloat16)))
    program("histogram_scalar", lambda: histogram(3.0))
    program("histogram_nan_in_half", lambda: histogram(np.array([np.nan], np.float16)))
    program("histogram_tags", lambda: histogram([1.0], ["a", "b"]))
    program("histogram_tags_hidden", lambda: histogram([1.0], hidden(["a", "b"])))
    program("histogram_tag_of_one", lambda: histogram([1.0], hidden(["a"])))
    program("histogram_bool", lambda: histogram(True))
    program("histogram_of_the_default_type", lambda: raw.HistogramSummary(tag="h", values=True))

    # Images.
    def pixels(numbers, channels=1, dtype=np.float32):
        return np.array(numbers, dtype).reshape([1, 1, -1, channels])

    colors = random.randint(0, 256, [4, 5, 7, 3]).astype(np.uint8)
    for name, numbers in {
        "signed": [-1, 0, 1, 2],
        "unit": [0, 0.5, 1],
        "positive": [2, 4, 6, 8],
        "zeros": [0, 0],
        "small": [0, 9e-7],
        "small_signed": [-1e-7, 9e-7],
        "just_large": [0, 2e-6],
        "nan": [np.nan, 0, 1],
        "infinite": [np.inf, -np.inf, 5, -3],
        "only_nan": [np.nan, np.nan],
        "negative": [-1, -3],
        "huge": [-3e38, 3e38],
        "large": [-6e4, 6.5e4],
        "rounding": np.linspace(0, 1, 300),
        "rounding_signed": np.linspace(-1, 0.7, 300),
    }.items():
        for dtype in _FLOATS[name == "huge" :]:
            program(f"image_{name}_{dtype}", lambda n=numbers, d=dtype: image(pixels(n, dtype=d)))
    program("image_colors", lambda: image(colors))
    program("image_colors_one", lambda: image(colors, max_images=1))
    program("image_colors_all", lambda: image(colors, max_images=10))
    program("image_batch_of_one", lambda: image(colors[:1]))
    program("image_gray", lambda: image(colors[:2, :, :, :1]))
    program("image_alpha", lambda: image(np.concatenate([colors, colors[..., :1]], 3)))
    program("image_float_colors", lambda: image(random_image(3)))
    program("image_float_alpha", lambda: image(random_image(4)))
    program("image_nan_in_a_channel", lambda: image(pixels([1, np.nan, 2, 3, 4, 5], 3)))
    program("image_nan_with_alpha", lambda: image(pixels([1, np.nan, 2, 3, 4, 5, 6, 7], 4)))
    bad = np.array([1, 2, 3, 4], np.uint8)
    program("image_bad_color", lambda: image(pixels([1, np.nan, 2], 1), bad_color=tf.make_tensor_proto(bad)))
    short = np.array([9], np.uint8)
    program("image_short_bad_color", lambda: image(pixels([1, np.nan], 1), bad_color=tf.make_tensor_proto(short)))
    program("image_short_bad_color_of_3", lambda: image(pixels([1, 2, 3], 3), bad_color=tf.make_tensor_proto(short)))
    wide = np.array([1, 2, 3, 4], np.int32)
    program("image_bad_color_type", lambda: image(pixels([1], 1), bad_color=tf.make_tensor_proto(wide)))
    matrix = np.ones([2, 2], np.uint8)
    program("image_bad_color_matrix", lambda: image(pixels([1], 1), bad_color=tf.make_tensor_proto(matrix)))
    program("image_two_channels", lambda: image(np.zeros([1, 2, 2, 2], np.float32)))
    program("image_two_channels_hidden", lambda: image(hidden(np.zeros([1, 2, 2, 2], np.float32))))
    program("image_no_channels", lambda: image(hidden(np.zeros([1, 2, 2, 0], np.float32))))
    program("image_rank_3", lambda: image(np.zeros([1, 2, 2], np.float32)))
    program("image_rank_3_hidden", lambda: image(hidden(np.zeros([1, 2, 2], np.float32))))
    program("image_empty_batch", lambda: image(np.zeros([0, 2, 2, 1], np.float32)))
    program("image_empty_bytes", lambda: image(np.zeros([1, 0, 2, 1], np.uint8)))
    program("image_empty_floats", lambda: image(np.zeros([1, 2, 0, 1], np.float32)))
    program("image_tags", lambda: image(colors, hidden(["a", "b"])))
    program("image_tag_of_one", lambda: image(colors, hidden(["a"])))
    program("image_max_images", lambda: image(colors, max_images=0))
    program("image_int", lambda: image(np.zeros([1, 2, 2, 1], np.int32)))
    program("image_of_the_default_type", lambda: raw.ImageSummary(tag="i", tensor=np.zeros([1, 2, 2, 1], np.int32)))

    def random_image(channels):
        return np.random.RandomState(3).normal(size=[2, 5, 4, channels]).astype(np.float32)

    # Audio.
    wave = np.array([[[1.0], [-1.0], [0.5], [-0.5], [2.0], [-2.0], [0.0], [1e-5]]], np.float32)
    sound = random.normal(size=[4, 10, 2]).astype(np.float32)
    odd = np.array([np.nan, np.inf, -np.inf, 0.99998, 0.999985, -0.99999, 1.5 / 32768, 2.5 / 32768, 0.5 / 32767])
    for name, make in {"audio": audio, "old_audio": old_audio}.items():
        program(f"{name}_clipped", lambda make=make: make(wave))
        program(f"{name}_batch", lambda make=make: make(sound))
        program(f"{name}_one", lambda make=make: make(sound, outputs=1))
        program(f"{name}_all", lambda make=make: make(sound, outputs=9))
        program(f"{name}_matrix", lambda make=make: make(sound[:, :, 0]))
        program(f"{name}_batch_of_one", lambda make=make: make(sound[:1]))
        program(f"{name}_rank_1", lambda make=make: make(np.zeros([3], np.float32)))
        program(f"{name}_rank_1_hidden", lambda make=make: make(hidden(np.zeros([3], np.float32))))
        program(f"{name}_empty_batch", lambda make=make: make(np.zeros([0, 3], np.float32)))
        program(f"{name}_no_frames", lambda make=make: make(np.zeros([1, 0, 1], np.float32)))
        program(f"{name}_no_channels", lambda make=make: make(np.zeros([1, 3, 0], np.float32)))
        program(f"{name}_rate", lambda make=make: make(wave, rate=22050.7))
        program(f"{name}_rate_0", lambda make=make: make(wave, rate=0.0))
        program(f"{name}_rate_below_0", lambda make=make: make(wave, rate=-1.0))
        program(f"{name}_rate_large", lambda make=make: make(wave, rate=3e9))
        program(f"{name}_rate_just_above", lambda make=make: make(wave, rate=22050.3))
        program(f"{name}_rate_between", lambda make=make: make(wave, rate=22050.5))
        program(f"{name}_rate_between_odd", lambda make=make: make(wave, rate=22051.5))
        program(f"{name}_rate_small", lambda make=make: make(wave, rate=0.5))
        program(f"{name}_rate_tiny", lambda make=make: make(wave, rate=0.4))
        program(f"{name}_rate_too_large", lambda make=make: make(wave, rate=1e10))
        program(f"{name}_rate_nan", lambda make=make: make(wave, rate=float("nan")))
        program(f"{name}_empty_batch_rate", lambda make=make: make(np.zeros([0, 3], np.float32), rate=-1.0))
        program(f"{name}_no_frames_channels", lambda make=make: make(np.zeros([1, 0, 70000], np.float32)))
        program(f"{name}_tags", lambda make=make: make(wave, hidden(["a", "b"])))
        program(f"{name}_tag_of_one", lambda make=make: make(wave, hidden(["a"])))
        program(f"{name}_outputs_0", lambda make=make: make(wave, outputs=0))
        program(f"{name}_odd", lambda make=make: make(odd.astype(np.float32).reshape([1, -1, 1])))
        program(f"{name}_channels", lambda make=make: make(np.zeros([1, 1, 70000], np.float32)))
    program("audio_rates", lambda: audio(wave, rate=[1.0, 2.0]))
    program("audio_rates_hidden", lambda: audio(wave, rate=hidden([1.0, 2.0])))
    program("audio_rate_of_one", lambda: audio(wave, rate=hidden([1.0])))

    # Tensors.
    for name in (*_NUMBERS, "bool", "complex64", "complex128"):
        program(f"tensor_{name}", lambda name=name: tensor(np.array([[1, 0], [2, 3]]).astype(name)))
        program(f"old_tensor_{name}", lambda name=name: old_tensor(np.array([[1, 0], [2, 3]]).astype(name)))
    program("tensor_scalar", lambda: tensor(1.5))
    program("tensor_of_one", lambda: tensor([1.5]))
    program("tensor_same", lambda: tensor(np.ones([3, 2], np.float32)))
    program("tensor_empty", lambda: tensor(np.zeros([2, 0], np.float32)))
    program("tensor_strings", lambda: tensor([b"a", b"\xff", b""]))
    program("tensor_string", lambda: tensor("text"))
    program("tensor_bfloat16", lambda: tensor(tf.cast([1.5, -2.0], tf.bfloat16)))
    text = b"\n\x06\n\x04text"  # a SummaryMetadata with the name of a plugin
    program("tensor_metadata", lambda: tensor("text", metadata=text))
    program("tensor_metadata_is_none", lambda: tensor("text", metadata=b"\xff\xff"))
    program("tensor_metadata_unknown", lambda: tensor(1.0, metadata=b"\x12\x01d\x1a\x01e\x20\x05"))
    program("tensor_metadata_out_of_order", lambda: tensor(1.0, metadata=b"\x1a\x01e\x12\x01d\x12\x01f" + text))
    program("tensor_metadata_not_utf8", lambda: tensor(1.0, metadata=b"\x12\x01\xff"))
    program("tensor_metadatas", lambda: tensor(1.0, metadata=[text, text]))
    program("tensor_metadatas_hidden", lambda: tensor(1.0, metadata=hidden([text, text])))
    program("tensor_tags", lambda: tensor(1.0, ["a", "b"]))
    program("tensor_tags_hidden", lambda: tensor(1.0, hidden(["a", "b"])))
    program("tensor_tag_of_one", lambda: tensor(1.0, hidden(["a"])))
    program("old_tensor_strings", lambda: old_tensor(["a", "b"]))
    program("old_tensor_described", lambda: old_tensor(1.0, description="d", labels=["l"], display_name="n"))

    # Merges.
    one, two = lambda: scalar("a", 1.0), lambda: histogram([1.0, 2.0], "b")
    program("merge_one", lambda: merge(one()))
    program("merge_two", lambda: merge(one(), two()))
    program("merge_nothing", lambda: raw.MergeSummary(inputs=[]))
    program("merge_same", lambda: merge(one(), one()))
    program("merge_same_inside", lambda: merge(scalar(["x", "x"], [1.0, 2.0])))
    program("merge_lists", lambda: merge(hidden([b"", b""]), one()))
    program("merge_matrix", lambda: merge(hidden([[b""]]), one()))
    program("merge_empty_strings", lambda: merge(hidden(b""), hidden(b"")))
    program("merge_damaged", lambda: merge(hidden(b"\xff\xff\xff"), one()))
    program("merge_cut", lambda: merge(hidden(b"\x0a\x0a\x0a\x03"), one()))
    program("merge_unknown", lambda: merge(hidden(b"\x18\x05\x0a\x05\x0a\x01q\x50\x01"), one()))
    program("merge_without_tag", lambda: merge(hidden(b"\x0a\x05\x15\x00\x00\x80\x3f"), one()))
    program("merge_without_tags", lambda: merge(hidden(b"\x0a\x00"), hidden(b"\x0a\x00")))
    program("merge_tag_not_utf8", lambda: merge(hidden(b"\x0a\x03\x0a\x01\xff"), one()))
    program("merge_inner_damage", lambda: merge(hidden(b"\x0a\x03\x2a\x01\xff"), one()))
    program("merge_float_as_bytes", lambda: merge(hidden(b"\x0a\x03\x12\x01\xff"), one()))
    program("merge_two_values", lambda: merge(hidden(b"\x0a\x09\x15\x00\x00\x80\x3f\x2a\x02\x08\x01")))
    program("merge_type", lambda: merge(1.0))
    program("merge_node_name", lambda: merge(hidden(b"\x0a\x06\x3a\x01n\x0a\x01t")))
    return found


def _limits():
    limits, limit = [], 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    return np.array(limits)


def outcome(tf, build):
    """The outcome of a program's step as text: its value, with compressed images decoded, or its error."""
    with tf.Graph().as_default():
        try:
            fetch = build()
        except (ValueError, TypeError) as error:
            return f"{type(error).__name__}: {_first_line(str(error))}"
        shape = f"{fetch.shape} "
        with tf.Session() as session:
            try:
                value = session.run(fetch)
            except tf.errors.OpError as error:
                return f"{shape}{type(error).__name__}: {_first_line(error.message)}"
    return shape + (_with_pixels(value) if b"\x89PNG" in value else _bytes(value))


def _first_line(text):
    return text.split("\n")[0].split(" (defined at")[0]


def _bytes(value):
    return value.hex() if len(value) <= _LONGEST else f"{len(value)} bytes {hashlib.sha256(value).hexdigest()}"


def _with_pixels(summary):
    """The fields of an image summary as text, with pixels instead of PNG bytes, which depend on the zlib version."""
    return "; ".join(" ".join(_field_text(*field) for field in _fields(value)) for _, value in _fields(summary))


def _field_text(number, value):
    if number != 4:
        return value.decode()
    *numbers, (field, png) = _fields(value)
    assert field == 4
    return f"{numbers} {_bytes(_pixels(png))}"


def _fields(message):
    """The number and value of each field."""
    found, position = [], 0

    def number():
        nonlocal position
        result = shift = 0
        while True:
            byte = message[position]
            position += 1
            result |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return result

    while position < len(message):
        tag = number()
        if tag & 7 == 0:
            value = number()
        else:
            size = {1: 8, 2: None, 5: 4}[tag & 7] or number()
            value = message[position : position + size]
            position += size
        found.append((tag >> 3, value))
    return found


def _pixels(png, bits=8):
    """The pixel bytes of a PNG, after its width, height and color type."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    position, packed = 8, b""
    while position < len(png):
        size = struct.unpack(">I", png[position : position + 4])[0]
        kind, data = png[position + 4 : position + 8], png[position + 8 : position + 8 + size]
        assert zlib.crc32(kind + data) == struct.unpack(">I", png[position + 8 + size : position + 12 + size])[0]
        if kind == b"IHDR":
            width, height, depth, color, *rest = struct.unpack(">IIBBBBB", data)
            assert (depth, rest) == (bits, [0, 0, 0])
        elif kind == b"IDAT":
            packed += data
        position += size + 12
    step = {0: 1, 2: 3, 4: 2, 6: 4}[color] * bits // 8
    rows = _unfiltered(zlib.decompress(packed), width * step, height, step)
    return struct.pack(">HHB", width, height, color) + rows


def _unfiltered(rows, width, height, step):
    above, pixels = bytes(width), b""
    for y in range(height):
        kind, *row = rows[y * (width + 1) : (y + 1) * (width + 1)]
        for x in range(width):
            left = row[x - step] if x >= step else 0
            corner = above[x - step] if x >= step else 0
            near = min((left, above[x], corner), key=lambda value: abs(left + above[x] - corner - value))
            row[x] = (row[x] + (0, left, above[x], (left + above[x]) // 2, near)[kind]) & 255
        above, pixels = row, pixels + bytes(row)
    return pixels


def _outcome_in_a_child(tf, build):
    """The outcome computed in a child, or a note that TensorFlow crashed it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, outcome(tf, build).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as told:
        text = told.read()
    status = os.waitpid(child, 0)[1]
    assert status == 0 or os.WIFSIGNALED(status)
    return ENDS if status else text


if __name__ == "__main__":
    import tensorflow

    table = {name: _outcome_in_a_child(tensorflow, build) for name, build in programs(tensorflow).items()}
    print(json.dumps(table, indent=1))
