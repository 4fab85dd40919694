"""The names of `tf.contrib.data`, and its warnings."""

import logging

import pytest

import tinytf as tf

_KEPT = {"AUTOTUNE", "LMDBDataset", "Optional", "assert_element_shape", "get_next_as_optional"}


def test_every_name_can_be_loaded():
    assert all(hasattr(tf.contrib.data, name) for name in tf.contrib.data.__all__)


@pytest.mark.parametrize("name", sorted(set(tf.contrib.data.__all__) - _KEPT))
def test_replaced_names_say_so(name):
    value = getattr(tf.contrib.data, name)
    doc = (value.__init__ if isinstance(value, type) else value).__doc__
    assert "THIS FUNCTION IS DEPRECATED" in doc


def test_a_call_warns(caplog):
    with caplog.at_level(logging.WARNING, "tensorflow"):
        tf.contrib.data.unbatch()
    assert "Use `tf.data.experimental.unbatch()`." in caplog.text


def test_paths_of_tensorflow_lead_to_datasets():
    from tinytf.python.data.experimental.ops import batching
    from tinytf.python.data.ops import dataset_ops
    from tinytf.python.data.util import nest

    assert batching.map_and_batch is tf.data.experimental.map_and_batch
    assert dataset_ops.Dataset is tf.data.Dataset
    assert nest.flatten(([1, 2], {"a": 3})) == [[1, 2], 3]
