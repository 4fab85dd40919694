"""The two faces of `tf.data.experimental`: that of version 1, and that of version 2 in `tf.compat.v2`."""

import inspect

import pytest

import tinytf as tf

_V1_ONLY = {
    "DatasetStructure",
    "OptionalStructure",
    "SparseTensorStructure",
    "Structure",
    "TensorArrayStructure",
    "TensorStructure",
    "map_and_batch_with_legacy_function",
}
_DIFFERENT = {
    "Counter",
    "CsvDataset",
    "RandomDataset",
    "SqlDataset",
    "StatsAggregator",
    "choose_from_datasets",
    "make_batched_features_dataset",
    "make_csv_dataset",
    "sample_from_datasets",
}


def _names(module):
    return {name for name in dir(module) if name[0] != "_"}


def test_names_of_version_2():
    v1, v2 = tf.data.experimental, tf.compat.v2.data.experimental
    assert _names(v1) - _names(v2) == _V1_ONLY
    assert {name for name in _names(v2) if getattr(v1, name) is not getattr(v2, name)} == _DIFFERENT


@pytest.mark.parametrize("name", sorted(_DIFFERENT))
def test_both_take_the_same_arguments(name):
    v1, v2 = (getattr(module, name) for module in (tf.data.experimental, tf.compat.v2.data.experimental))
    assert list(inspect.signature(v1).parameters) == list(inspect.signature(v2).parameters)


def test_datasets_of_version_1_make_iterators():
    with tf.Graph().as_default():
        numbers = tf.data.experimental.RandomDataset(seed=1)
        assert isinstance(numbers, tf.data.Dataset)
        assert not isinstance(tf.compat.v2.data.experimental.RandomDataset(seed=1), tf.data.Dataset)
        assert isinstance(tf.data.experimental.Counter(), tf.data.Dataset)


def test_aggregator_of_version_2_writes_events():
    with tf.Graph().as_default() as graph:
        tf.compat.v2.data.experimental.StatsAggregator()
        assert [op.type for op in graph.get_collection("_SUMMARY_WRITER_V2")] == ["CreateSummaryFileWriter"]
        assert graph.get_operations()[-1].type == "StatsAggregatorSetSummaryWriter"
