"""PNG and WAV files have the contents of TensorFlow 1.15.5's; errors have its messages."""

import numpy as np
import pytest
from summary_programs import _pixels

import tinytf as tf

COLORS = {1: 0, 2: 4, 3: 2, 4: 6}
IMAGE = "image must have 1, 2, 3, or 4 channels, got "


def _run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


def _hidden(value):
    """The value with an unknown static shape."""
    return tf.placeholder_with_default(tf.constant(value), None)


@pytest.mark.parametrize("channels", COLORS)
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
@pytest.mark.parametrize("compression", [-1, 0, 9])
def test_pngs_hold_the_pixels(channels, dtype, compression):
    random = np.random.RandomState(channels)
    image = random.randint(0, np.iinfo(dtype).max + 1, [5, 7, channels]).astype(dtype)
    image[2:] = np.arange(7, dtype=dtype)[:, None] * 9  # to exercise the row filters
    file = _run(tf.image.encode_png(tf.constant(image), compression))
    head = bytes([0, 7, 0, 5, COLORS[channels]])
    assert _pixels(file, 8 * image.itemsize) == head + image.astype(image.dtype.newbyteorder(">")).tobytes()


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (np.zeros([2, 3], np.uint8), "image must be 3-dimensional[2,3]"),
        (np.zeros([1, 2, 3, 1], np.uint8), "image must be 3-dimensional[1,2,3,1]"),
        (np.zeros([2, 3, 5], np.uint8), f"{IMAGE}5"),
        (np.zeros([2, 3, 0], np.uint8), f"{IMAGE}0"),
        # TensorFlow ends the process.
        (np.zeros([0, 3, 1], np.uint8), "An image of 3 by 0 pixels is empty or too large for a PNG"),
    ],
)
def test_what_is_no_image(image, message):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _run(tf.image.encode_png(_hidden(image)))
    assert caught.value.message.split("\n")[0] == message


@pytest.mark.parametrize("compression", [-2, 10])
def test_compression_has_limits(compression):
    message = rf"compression should be in \[-1,9\], got {compression}"
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        _run(tf.image.encode_png(np.zeros([1, 1, 1], np.uint8), compression))


def test_wavs_hold_the_samples():
    samples = np.array([[1.0, -1.0], [0.5, 2.0], [0.0, -0.5]], np.float32)
    file = _run(tf.audio.encode_wav(samples, 8000))
    head = "524946463000000057415645666d74201000000001000200401f0000007d000004001000646174610c000000"
    assert file.hex() == head + "ff7f00800040ff7f000000c0"


@pytest.mark.parametrize(
    ("audio", "rate", "message"),
    [
        (np.zeros([3]), 1, "audio must be 2-dimensional[3]"),
        (np.zeros([0, 2]), 1, "audio is null"),
        (np.zeros([2, 0]), 1, "audio is null"),
        (np.zeros([2, 1]), 0, "sample_rate must be in (0, 2^32), got: 0"),
        (np.zeros([2, 1]), -1, "sample_rate must be in (0, 2^32), got: 18446744073709551615"),
        (np.zeros([2, 1]), [1, 2], "Input sample_rate should be a scalar tensor, got [2] instead."),
        (np.zeros([1, 70000]), 1, "num_channels must be in (0, 2^16), got: 70000"),
    ],
)
def test_what_is_no_sound(audio, rate, message):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        _run(tf.audio.encode_wav(_hidden(audio.astype(np.float32)), _hidden(rate)))
    assert caught.value.message.split("\n")[0] == message


def test_ranks_are_known_when_nodes_are_made():
    with pytest.raises(ValueError, match="Shape must be rank 3 but is rank 2 for 'EncodePng'"):
        tf.image.encode_png(np.zeros([2, 3], np.uint8))
    with pytest.raises(ValueError, match="Shape must be rank 2 but is rank 1 for 'EncodeWav"):
        tf.audio.encode_wav(np.zeros([3], np.float32), 1)
    with pytest.raises(ValueError, match="Shape must be rank 0 but is rank 1 for 'EncodeWav"):
        tf.audio.encode_wav(np.zeros([3, 1], np.float32), [1])
