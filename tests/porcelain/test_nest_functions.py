"""`tf.nest` and TensorFlow 1.15's internal `nest`, with its messages."""

import collections
import types

import attr
import pytest

import tinytf as tf
from tinytf.python.util import nest


@attr.s
class _Point:
    x = attr.ib()
    y = attr.ib()


def test_it_is_the_package_s_own():
    from tinytf._src.framework.nest import nest as inner

    assert tf.nest.flatten is nest.flatten and nest.flatten.__wrapped__ is inner.flatten
    assert sorted(name for name in dir(tf.nest) if name[0] != "_") == [
        "assert_same_structure",
        "flatten",
        "is_nested",
        "map_structure",
        "pack_sequence_as",
    ]
    assert isinstance(tf.nest, types.ModuleType)


def test_classes_of_attrs():
    point = _Point(1, [2, 3])
    assert nest.is_nested(point) and nest.flatten(point) == [1, 2, 3]
    assert nest.map_structure(str, point) == _Point("1", ["2", "3"])
    assert nest.pack_sequence_as(point, [5, 6, 7]) == _Point(5, [6, 7])
    assert nest.flatten_with_joined_string_paths(point) == [("x", 1), ("y/0", 2), ("y/1", 3)]
    assert nest.flatten_up_to(_Point(0, 0), point) == [1, [2, 3]]
    nest.assert_same_structure(point, _Point(0, [0, 0]))
    with pytest.raises(TypeError, match="has type _Point, while second structure type=list"):
        nest.assert_same_structure(point, [1, [2, 3]])


def test_keys_without_an_order():
    """TensorFlow raises Python's own message here."""
    for call in (nest.flatten, lambda s: nest.map_structure(str, s), lambda s: nest.pack_sequence_as(s, [1, 2])):
        with pytest.raises(TypeError, match="nest only supports dicts with sortable keys."):
            call({1: 1, "a": 2})


def test_counters_stay_counters():
    assert nest.map_structure(lambda x: x + 1, collections.Counter(a=2)) == collections.Counter(a=3)


def test_leaves_are_given_as_a_sequence():
    with pytest.raises(TypeError, match="flat_sequence must be a sequence"):
        nest.pack_sequence_as([1, 2], {"a": 1, "b": 2})


def test_composites_need_all_their_parts():
    sparse = tf.SparseTensor([[0, 1]], [3.0], [1, 2])
    with pytest.raises(ValueError, match="Structure had 3 elements, but flat_sequence had 1 elements"):
        nest.pack_sequence_as(sparse, [1], expand_composites=True)
