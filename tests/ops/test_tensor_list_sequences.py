"""Random sequences of list ops agree with Python lists; earlier lists stay unchanged."""

from hypothesis import given, settings
from hypothesis import strategies as st

import tinytf as tf
from tinytf._src.framework.context.execution import eager_mode

_NUMBERS = st.integers(-9, 9)
_PLACES = st.integers(0, 12)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("push"), _NUMBERS),
        st.tuples(st.just("pop"), st.none()),
        st.tuples(st.just("set"), st.tuples(_PLACES, _NUMBERS)),
        st.tuples(st.just("resize"), _PLACES),
        st.tuples(st.just("scatter"), st.lists(st.tuples(_PLACES, _NUMBERS), max_size=4)),
        st.tuples(st.just("join"), _PLACES),
        st.tuples(st.just("from"), st.lists(_NUMBERS, max_size=5)),
        st.tuples(st.just("add"), _PLACES),
        st.tuples(st.just("copy"), _PLACES),
    ),
    max_size=25,
)


def _padded(values, size):
    return values[:size] + [None] * (size - len(values))


class Pair:
    """A tensor list and its expected contents: None for elements that are not set."""

    def __init__(self, handle, values):
        self.handle, self.values = handle, values

    def push(self, value):
        handle = tf.raw_ops.TensorListPushBack(input_handle=self.handle, tensor=value)
        return Pair(handle, [*self.values, value]), None

    def pop(self, _):
        if not self.values:
            return self, None
        handle, last = tf.raw_ops.TensorListPopBack(input_handle=self.handle, element_shape=-1, element_dtype=tf.int32)
        return Pair(handle, self.values[:-1]), (last, self.values[-1] or 0)

    def set(self, item):
        place, value = item
        if place >= len(self.values):
            return self, None
        handle = tf.raw_ops.TensorListSetItem(input_handle=self.handle, index=place, item=value)
        return Pair(handle, [*self.values[:place], value, *self.values[place + 1 :]]), None

    def resize(self, size):
        return Pair(tf.raw_ops.TensorListResize(input_handle=self.handle, size=size), _padded(self.values, size)), None

    def scatter(self, items):
        places, values = ([item[i] for item in items] for i in (0, 1))
        handle = tf.raw_ops.TensorListScatterIntoExistingList(
            input_handle=self.handle, tensor=tf.constant(values, tf.int32), indices=tf.constant(places, tf.int32)
        )
        expected = _padded(self.values, max([len(self.values), *(place + 1 for place in places)]))
        for place, value in items:
            expected[place] = value
        return Pair(handle, expected), None

    def join(self, other):
        handle = tf.raw_ops.TensorListConcatLists(input_a=self.handle, input_b=other.handle, element_dtype=tf.int32)
        return Pair(handle, self.values + other.values), None

    def add(self, other):
        if len(self.values) != len(other.values):
            return self, None
        sums = zip(self.values, other.values, strict=True)
        values = [x if y is None else y if x is None else x + y for x, y in sums]
        return Pair(tf.add_n([self.handle, other.handle]), values), None

    def checks(self):
        """Tensors and their expected values."""
        stacked = tf.raw_ops.TensorListStack(
            input_handle=self.handle, element_shape=-1, element_dtype=tf.int32, num_elements=-1
        )
        numbers = [value or 0 for value in self.values]
        places = list(range(len(numbers)))[::-2]
        gathered = tf.raw_ops.TensorListGather(
            input_handle=self.handle,
            indices=tf.constant(places, tf.int32),
            element_shape=tf.constant([], tf.int32),
            element_dtype=tf.int32,
        )
        length = tf.raw_ops.TensorListLength(input_handle=self.handle)
        return [(stacked, numbers), (gathered, [numbers[i] for i in places]), (length, len(numbers))]


def _played(steps, looks):
    """Applies the steps, each to the list of the previous one; returns the tensors to check on the way and at the
    end.
    """
    empty = tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant([], tf.int32), max_num_elements=-1, element_dtype=tf.int32
    )
    pairs, found = [Pair(empty, [])], []
    for step, (name, argument) in enumerate(steps):
        last = pairs[-1]
        if name in ("join", "add"):
            argument = pairs[argument % len(pairs)]
            if len(last.values) + len(argument.values) > 200:
                continue
        if name == "copy":
            made, seen = pairs[argument % len(pairs)], None
        elif name == "from":
            handle = tf.raw_ops.TensorListFromTensor(
                tensor=tf.constant(argument, tf.int32), element_shape=tf.constant([], tf.int32)
            )
            made, seen = Pair(handle, argument), None
        else:
            made, seen = getattr(last, name)(argument)
        pairs.append(made)
        found += [] if seen is None else [seen]
        if looks[step % len(looks)]:
            found += made.checks()
    return found + pairs[-1].checks()


def _compare(found, values):
    for (_, expected), value in zip(found, values, strict=True):
        assert value.tolist() == expected


@settings(max_examples=150)
@given(_STEPS, st.lists(st.booleans(), min_size=1, max_size=4))
def test_lists_of_graphs(steps, looks):
    with tf.Graph().as_default(), tf.Session() as session:
        found = _played(steps, looks)
        _compare(found, session.run([tensor for tensor, _ in found]))


@settings(max_examples=60)
@given(_STEPS, st.lists(st.booleans(), min_size=1, max_size=4))
def test_eager_lists(steps, looks):
    with eager_mode(), tf.EagerSession():
        found = _played(steps, looks)
        _compare(found, [tensor.numpy() for tensor, _ in found])
