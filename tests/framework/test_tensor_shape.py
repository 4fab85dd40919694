"""Dimensions and shapes, which may be partially unknown."""

import operator
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tinytf as tf
from tinytf._src.framework.values import dtypes, tensor_shape
from tinytf._src.framework.values.tensor_shape import Dimension, TensorShape, as_shape, unknown_shape

extents = st.none() | st.integers(0, 9)
dims_lists = st.none() | st.lists(extents, max_size=4)
ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod]
COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


class TestDimension:
    @pytest.mark.parametrize("op", ARITHMETIC + COMPARISONS)
    def test_as_ints_when_known(self, op):
        expected = op(17, 5)
        for result in (op(Dimension(17), Dimension(5)), op(Dimension(17), 5), op(17, Dimension(5))):
            assert (result.value if op in ARITHMETIC else result) == expected

    @pytest.mark.parametrize("op", ARITHMETIC)
    def test_arithmetic_with_unknown_is_unknown(self, op):
        for a, b in ((None, None), (None, 2), (2, None)):
            assert op(Dimension(a), Dimension(b)).value is None
        assert op(2, Dimension(None)).value is None and op(Dimension(None), 2).value is None

    @pytest.mark.parametrize("op", COMPARISONS)
    def test_comparison_with_unknown_is_none(self, op):
        for a, b in ((None, None), (None, 2), (2, None)):
            assert op(Dimension(a), Dimension(b)) is None

    def test_text(self):
        assert (str(Dimension(3)), repr(Dimension(3))) == ("3", "Dimension(3)")
        assert (str(Dimension(None)), repr(Dimension(None))) == ("?", "Dimension(None)")

    def test_conversions(self):
        assert int(Dimension(3)) == 3 and list(range(Dimension(3))) == [0, 1, 2] and [10, 20][Dimension(1)] == 20
        assert Dimension("7").value == 7 and Dimension(np.int64(4)).value == 4 and Dimension(Dimension(2)).value == 2
        assert Dimension(2.0).value == 2
        assert pickle.loads(pickle.dumps(Dimension(None))).value is None
        assert tensor_shape.dimension_value(Dimension(5)) == 5 and tensor_shape.dimension_value(6) == 6

    def test_bad_values(self):
        with pytest.raises(ValueError, match=r"^Ambiguous dimension: 2.5$"):
            Dimension(2.5)
        with pytest.raises(ValueError, match=r"^Dimension -1 must be >= 0$"):
            Dimension(-1)
        with pytest.raises(TypeError, match=r"^Cannot convert <dtype: 'float32'> to Dimension$"):
            Dimension(dtypes.float32)
        with pytest.raises(ValueError, match="must be >= 0"):
            Dimension(2) - Dimension(3)

    def test_true_division_is_refused(self):
        with pytest.raises(TypeError, match="for /: 'Dimension' and 'int', please use // instead"):
            Dimension(4) / 2
        with pytest.raises(TypeError, match="for /: 'int' and 'Dimension', please use // instead"):
            4 / Dimension(2)

    def test_foreign_operands(self):
        assert Dimension(2) != "x" and not Dimension(2) == "x"
        with pytest.raises(TypeError):
            Dimension(2) + "x"

    def test_merge(self):
        assert Dimension(None).merge_with(3).value == 3 and Dimension(3).merge_with(None).value == 3
        assert Dimension(3).is_compatible_with(None) and not Dimension(3).is_compatible_with(4)
        with pytest.raises(ValueError, match=r"^Dimensions 3 and 4 are not compatible$"):
            Dimension(3).merge_with(4)


class TestConstruction:
    def test_sources(self):
        assert TensorShape([2, None, Dimension(3), np.int32(4)]).as_list() == [2, None, 3, 4]
        assert TensorShape(5).as_list() == [5] and TensorShape(Dimension(None)).as_list() == [None]
        assert TensorShape(d for d in (1, 2)).as_list() == [1, 2]
        assert TensorShape(TensorShape([1])).as_list() == [1]
        assert TensorShape(None).dims is None and TensorShape([]).dims == []
        assert TensorShape(np.array([2, 3])).as_list() == [2, 3]

    def test_bad_sources(self):
        with pytest.raises(
            TypeError, match="A string has ambiguous TensorShape, please wrap in a list or convert to an int: 12"
        ):
            TensorShape("12")
        with pytest.raises(ValueError, match="Dimension -2 must be >= 0"):
            TensorShape([-2])
        with pytest.raises(TypeError):
            TensorShape([[1, 2]])

    def test_named_constructors(self):
        assert tensor_shape.scalar().as_list() == []
        assert tensor_shape.vector(3).as_list() == [3]
        assert tensor_shape.matrix(None, 2).as_list() == [None, 2]
        assert unknown_shape().ndims is None and unknown_shape(2).as_list() == [None, None]
        assert unknown_shape(ndims=1).as_list() == [None]
        with pytest.raises(TypeError, match="Unknown argument: {'rnk': 1}"):
            unknown_shape(rnk=1)

    @given(dims_lists)
    def test_fast_constructor_and_pickle_agree(self, dims):
        shape = TensorShape(dims)
        fast = TensorShape._from_tuple(None if dims is None else tuple(dims))
        assert repr(fast) == repr(shape) == repr(pickle.loads(pickle.dumps(shape)))
        assert as_shape(shape) is shape


class TestText:
    @pytest.mark.parametrize(
        "dims, text, code",
        [
            (None, "<unknown>", "TensorShape(None)"),
            ([], "()", "TensorShape([])"),
            ([None], "(?,)", "TensorShape([Dimension(None)])"),
            ([2, None], "(2, ?)", "TensorShape([Dimension(2), Dimension(None)])"),
        ],
    )
    def test_str_and_repr(self, dims, text, code):
        assert str(TensorShape(dims)) == text and repr(TensorShape(dims)) == code

    def test_version_2(self):
        tensor_shape.enable_v2_tensorshape()
        try:
            shape = TensorShape([2, None])
            assert list(shape) == [2, None] and shape[0] == 2 and shape[1] is None
            assert repr(shape) == "TensorShape([2, None])" and str(shape) == "(2, None)"
            assert TensorShape(None)[0] is None
        finally:
            tensor_shape.disable_v2_tensorshape()
        assert isinstance(shape[0], Dimension)


class TestAccess:
    def test_items(self):
        shape = TensorShape([2, None, 4])
        assert shape[0].value == 2 and shape[-1].value == 4 and [d.value for d in shape] == [2, None, 4]
        assert shape[1:].as_list() == [None, 4] and shape[::2].as_list() == [2, 4] and len(shape) == 3
        with pytest.raises(IndexError):
            shape[3]
        assert tensor_shape.dimension_at_index(shape, 0).value == 2

    def test_items_of_unknown_rank(self):
        shape = unknown_shape()
        assert shape[5].value is None and shape[1:].ndims is None and shape[-2:].ndims is None
        assert shape[:3].as_list() == [None] * 3 and shape[1:3].as_list() == [None] * 2 and shape[4:2].as_list() == []
        assert tensor_shape.dimension_at_index(shape, 0).value is None
        with pytest.raises(ValueError, match="Steps are not yet handled"):
            shape[::2]
        with pytest.raises(ValueError, match="Cannot take the length of shape with unknown rank."):
            len(shape)
        with pytest.raises(ValueError, match="Cannot iterate over a shape with unknown rank."):
            list(shape)
        with pytest.raises(ValueError, match=r"as_list\(\) is not defined on an unknown TensorShape."):
            shape.as_list()

    def test_truth_and_size(self):
        assert TensorShape([]) and not TensorShape(None)
        assert TensorShape([2, 3]).num_elements() == 6 and TensorShape([]).num_elements() == 1
        assert TensorShape([2, None]).num_elements() is None and TensorShape(None).num_elements() is None

    def test_equality(self):
        assert TensorShape([2, 3]) == [2, 3] and TensorShape([2]) != [3] and TensorShape([2]) != [2, 3]
        assert TensorShape(None) == TensorShape(None)
        assert not TensorShape([None]) == TensorShape([None]) and TensorShape([None]) != TensorShape([None])
        assert TensorShape([2]) == 2 and not TensorShape([2]) == "2"
        shape = TensorShape([None])
        assert shape == shape
        with pytest.raises(ValueError, match="The inequality of unknown TensorShapes is undefined."):
            _ = TensorShape(None) != TensorShape([1])


class TestAlgebra:
    @given(dims_lists, dims_lists)
    def test_compatible_is_symmetric_and_merges(self, a, b):
        a, b = TensorShape(a), TensorShape(b)
        assert a.is_compatible_with(b) == b.is_compatible_with(a)
        if a.is_compatible_with(b):
            merged = a.merge_with(b)
            assert repr(merged) == repr(b.merge_with(a))
            assert merged.is_compatible_with(a) and merged.is_compatible_with(b)
        else:
            with pytest.raises(ValueError, match="are not compatible"):
                a.merge_with(b)

    @given(dims_lists, dims_lists)
    def test_most_specific_compatible_shape_accepts_both(self, a, b):
        common = TensorShape(a).most_specific_compatible_shape(b)
        assert common.is_compatible_with(a) and common.is_compatible_with(b)

    @given(dims_lists, dims_lists)
    def test_concatenate(self, a, b):
        joined = TensorShape(a).concatenate(b)
        assert joined.dims is None if a is None or b is None else joined.as_list() == a + b

    def test_operators(self):
        assert (TensorShape([1]) + [2]).as_list() == [1, 2] and ([1] + TensorShape([2])).as_list() == [1, 2]

    def test_ranks(self):
        shape = TensorShape([1, 2])
        assert shape.with_rank(2) is shape and shape.with_rank_at_least(1) is shape
        assert shape.with_rank_at_most(2) is shape and unknown_shape().with_rank(2).as_list() == [None, None]
        unknown_shape().assert_has_rank(3)
        shape.assert_same_rank(None)
        for call, message in [
            (lambda: shape.with_rank(3), "Shape (1, 2) must have rank 3"),
            (lambda: shape.with_rank_at_least(3), "Shape (1, 2) must have rank at least 3"),
            (lambda: shape.with_rank_at_most(1), "Shape (1, 2) must have rank at most 1"),
            (lambda: shape.assert_has_rank(0), "Shape (1, 2) must have rank 0"),
            (lambda: shape.assert_same_rank([1]), "Shapes (1, 2) and (1,) must have the same rank"),
            (lambda: shape.assert_is_compatible_with([1, 3]), "Shapes (1, 2) and [1, 3] are incompatible"),
            (lambda: shape.merge_with([1, 3]), "Shapes (1, 2) and (1, 3) are not compatible"),
            (lambda: TensorShape([None]).assert_is_fully_defined(), "Shape (?,) is not fully defined"),
        ]:
            with pytest.raises(ValueError) as error:
                call()
            assert str(error.value) == message


def test_tensors_tell_their_shapes_as_lists():
    """Not public, but called by programs for TensorFlow 1."""
    assert tf.zeros([2, 3])._shape_as_list() == [2, 3]
    assert tf.placeholder(tf.float32, [None, 3])._shape_as_list() == [None, 3]
    assert tf.placeholder(tf.float32)._shape_as_list() is None
