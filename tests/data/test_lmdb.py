"""Datasets of LMDB files are refused with a way around."""

import pytest

import tinytf as tf


def test_lmdb():
    with tf.Graph().as_default(), tf.Session() as session:
        dataset = tf.contrib.data.LMDBDataset(["/no/such/a.lmdb"])
        iterator = tf.data.make_initializable_iterator(dataset)
        with pytest.raises(tf.errors.UnimplementedError, match="Read the file with the Python package `lmdb`"):
            session.run(iterator.initializer)
            session.run(iterator.get_next())
