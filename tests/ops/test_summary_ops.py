"""Summary ops give the bytes or errors of TensorFlow 1.15.5; no argument crashes the process."""

import numpy as np
import pytest
import summary_programs
from recorded import recorded
from summary_programs import outcome, programs

import tinytf as tf

# Programs that crash TensorFlow, with the error they give here.
REFUSED = {
    "audio_rates": "sample_rate must be a scalar, got: [2]",
    "audio_rates_hidden": "sample_rate must be a scalar, got: [2]",
    "tensor_metadatas": "serialized_summary_metadata must be scalar",
    "tensor_metadatas_hidden": "serialized_summary_metadata must be scalar",
}


def _run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


test_like_tensorflow, test_no_program_is_left_out, test_the_table_is_1_15s = recorded(
    summary_programs,
    "summaries_of_1_15.json",
    there="_outcome_in_a_child(tf, program)",
    crashes=[*REFUSED, "histogram_largest"],
)


@pytest.mark.parametrize("name", REFUSED)
def test_better_than_tensorflow(name):
    assert outcome(tf, programs(tf)[name]) == f"() InvalidArgumentError: {REFUSED[name]}"


def test_the_largest_number_is_in_the_last_bucket():
    value = np.array([np.finfo(np.float64).max])
    histogram = (
        tf.Summary.FromString(_run(tf.raw_ops.HistogramSummary(tag="h", values=tf.constant(value)))).value[0].histo
    )
    assert histogram.bucket_limit[-1] == value[0]
    assert list(histogram.bucket) == [0, 1]


def _histogram(values):
    """The expected bucket counts by TensorFlow's rule, found by a search for each number."""
    limits, limit = [], 1e-12
    while limit < 1e20:
        limits.append(limit)
        limit *= 1.1
    largest = np.finfo(np.float64).max
    limits = np.array([-largest, *(-x for x in reversed(limits)), 0.0, *limits, largest])
    places = np.searchsorted(limits, values, "right")
    counts = np.bincount(places, minlength=len(limits))
    kept = [i for i in range(len(limits)) if counts[i] or i + 1 == len(limits) or counts[i + 1]]
    return limits[kept].tolist(), counts[kept].tolist()


@pytest.mark.parametrize("scale", [-300, -13, -12, -3, 0, 3, 19, 20, 300])
def test_every_number_is_in_its_bucket(scale):
    random = np.random.RandomState(scale + 400)
    values = random.normal(size=20_000) * 10.0 ** (scale + random.uniform(-1, 1, 20_000))
    told = tf.Summary.FromString(_run(tf.raw_ops.HistogramSummary(tag="h", values=tf.constant(values)))).value[0].histo
    assert (list(told.bucket_limit), list(told.bucket)) == _histogram(values)
    assert (told.min, told.max, told.num) == (values.min(), values.max(), 20_000)


def test_merges_take_what_others_wrote():
    """Merging accepts fields in any order, split fields, and several alternatives of a oneof."""
    image = tf.Summary.Value(tag="i", image=tf.Summary.Image(height=2)).SerializeToString()
    more = tf.Summary.Value(image=tf.Summary.Image(width=3), node_name="n").SerializeToString()
    scalar = tf.Summary.Value(simple_value=0.0).SerializeToString()
    metadata = tf.Summary.Value(metadata=tf.SummaryMetadata(display_name="d")).SerializeToString()
    for parts in ([image, more], [more, image], [image, scalar], [scalar, more, metadata], [metadata, image, scalar]):
        value = b"".join(parts)
        summary = b"\x0a" + bytes([len(value)]) + value
        merged = _run(tf.raw_ops.MergeSummary(inputs=[tf.constant(summary)]))
        assert tf.Summary.FromString(merged) == tf.Summary.FromString(summary)


def test_damaged_summaries_are_refused_or_read_as_protobuf_reads_them():
    values = [
        tf.Summary.Value(tag="s", simple_value=1.5),
        tf.Summary.Value(tag="i", image=tf.Summary.Image(height=2, width=3, encoded_image_string=b"\x01\x02")),
        tf.Summary.Value(tag="h", histo=tf.HistogramProto(min=1, bucket_limit=[1, 2], bucket=[3, 4])),
    ]
    whole = tf.Summary(value=values).SerializeToString()
    random = np.random.RandomState(5)
    given = tf.placeholder(tf.string)
    merged = tf.raw_ops.MergeSummary(inputs=[given])
    with tf.Session() as session:
        for _ in range(2000):
            damaged = bytearray(whole[: random.randint(1, len(whole) + 1)])
            for _ in range(random.randint(0, 4)):
                damaged[random.randint(len(damaged))] = random.randint(256)
            try:
                session.run(merged, {given: bytes(damaged)})
            except tf.errors.InvalidArgumentError as error:
                assert "Could not parse" in error.message or "Duplicate tag" in error.message


def test_photographs_are_compressed():
    across = np.arange(64, dtype=np.uint8)
    gradient = (across[:, None, None] + across[None, :, None] + np.array([0, 80, 160], np.uint8)).astype(np.uint8)
    summary = _run(tf.raw_ops.ImageSummary(tag="i", tensor=tf.constant(gradient[None])))
    assert len(summary) < 500  # compressed from 12,288 bytes
