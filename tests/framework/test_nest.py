"""Nested structures: flattening in a defined order, and packing other leaves into the same structure."""

import collections

import attr
import pytest

import tinytf as tf
from tinytf._src.framework.nest import nest


@attr.s
class Last:
    """The attributes are not in alphabetical order."""

    right = attr.ib()
    left = attr.ib()


@attr.s
class Later(Last):
    pass


Pair = collections.namedtuple("Pair", "left right")
STRUCTURES = [
    (1, [1]),
    ("text", ["text"]),
    ([], []),
    ([1, (2, [3])], [1, 2, 3]),
    ({"b": 1, "a": [2, 3]}, [2, 3, 1]),
    (Pair([1], {"x": 2}), [1, 2]),
    (collections.OrderedDict([("z", 1), ("y", 2)]), [2, 1]),
    (collections.defaultdict(list, {"z": 1, "y": 2}), [2, 1]),
    (Last(1, [2, {"k": 3}]), [1, 2, 3]),
    ([Last(Last(1, 2), 3), Later(4, ())], [1, 2, 3, 4]),
]


@pytest.mark.parametrize(("structure", "leaves"), STRUCTURES)
def test_flatten_and_pack(structure, leaves):
    assert nest.flatten(structure) == leaves
    packed = nest.pack_sequence_as(structure, leaves)
    assert packed == structure and type(packed) is type(structure)
    if isinstance(structure, dict):
        assert list(packed) == list(structure)


def test_map_structure():
    assert nest.map_structure(str, Pair([1], {"x": 2})) == Pair(["1"], {"x": "2"})


def test_wrong_leaves_are_refused():
    with pytest.raises(ValueError, match="Structure had 2 elements, but flat_sequence had 1 elements"):
        nest.pack_sequence_as([1, 2], [1])
    with pytest.raises(ValueError, match="Structure is a scalar but"):
        nest.pack_sequence_as(1, [1, 2])
    with pytest.raises(TypeError, match="must be a sequence"):
        nest.pack_sequence_as([1], 1)
    with pytest.raises(TypeError, match="sortable keys"):
        nest.flatten({1: 1, "a": 2})


def test_classes_of_attrs_are_structures():
    structure = Last(1, [2, {"k": 3}])
    assert nest.is_nested(structure) and not nest.is_nested(Last)
    assert nest.map_structure(lambda a, b: a + b, structure, structure) == Last(2, [4, {"k": 6}])
    nest.assert_same_structure(structure, Last(4, [5, {"k": 6}]))
    nest.assert_same_structure(structure, Later(4, [5, {"k": 6}]), check_types=False)
    for other in (Later(4, [5, {"k": 6}]), (4, [5, {"k": 6}])):
        with pytest.raises(TypeError, match="don't have the same sequence type"):
            nest.assert_same_structure(structure, other)
    with pytest.raises(ValueError, match="don't have the same nested structure"):
        nest.assert_same_structure(Last(1, 2), Last(1, (2,)))
    with pytest.raises(ValueError, match="Structure had 2 elements, but flat_sequence had 1"):
        nest.pack_sequence_as(Last(1, 2), [1])
    with pytest.raises(AttributeError):
        nest.map_structure(lambda value: value.none, structure)


def test_graphs_take_classes_of_attrs():
    [loop] = tf.while_loop(lambda s: s.right < 3, lambda s: [Last(s.right + 1, s.left * 2)], [Last(0, 1)])
    branch = tf.cond(
        tf.constant(True), lambda: Last(tf.constant(1), 2 * tf.ones([])), lambda: Last(tf.zeros([], tf.int32), 0.0)
    )
    with tf.Session() as sess:
        assert sess.run(loop) == Last(3, 8)
        assert sess.run([branch, {"a": Last(loop.left, loop)}]) == [Last(1, 2.0), {"a": Last(8, Last(3, 8))}]
