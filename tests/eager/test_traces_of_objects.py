"""Traces are distinguished by object arguments, keep none of them alive, and are dropped with them."""

import collections
import contextvars
import functools
import gc
import threading
import weakref

import pytest

import tinytf as tf

pytestmark = pytest.mark.usefixtures("eager")

_Pair = collections.namedtuple("_Pair", "one other")


class _Model:
    def __init__(self):
        self.w = tf.Variable(2.0)

    def loss(self, x):
        return self.w * x

    __call__ = loss

    @tf.function
    def traced(self, x):
        return self.w * x


class _Equal(_Model):
    """All instances are equal."""

    def __eq__(self, other):
        return isinstance(other, _Equal)

    def __hash__(self):
        return 5


_KINDS = {
    "method": lambda model: model.loss,
    "object": lambda model: model,
    "method of a traced function": lambda model: model.traced,
    "method of the class": lambda model: model.__init__,
    "slot of the class": lambda model: model.__str__,
    "partial of a method": lambda model: functools.partial(model.loss),
    "partial of an object": lambda model: functools.partial(_Model.loss, model),
    "closure": lambda model: lambda x: model.loss(x),
    "traced closure": lambda model: tf.function(lambda x: model.loss(x)),
    "list": lambda model: [model.loss],
    "tuple": lambda model: (model, 1),
    "dict": lambda model: {"a": model.loss, "b": [model]},
    "named tuple": lambda model: _Pair(model.loss, model),
    "frozen set": lambda model: frozenset([model.loss, 3]),
}


@pytest.mark.parametrize("relaxes", [False, True])
@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("model_class", [_Model, _Equal])
def test_arguments_go_when_the_program_lets_go_of_them(model_class, kind, relaxes):
    run = tf.function(lambda g, x: x * 2.0, experimental_relax_shapes=relaxes)
    model = model_class()
    argument = _KINDS[kind](model)
    for value in (1.0, [1.0], [1.0, 2.0]):
        run(argument, tf.constant(value))
    gone = weakref.ref(model)
    del model, argument
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("kind", _KINDS)
def test_a_trace_goes_with_what_it_is_for(kind):
    weights = []

    @tf.function
    def run(g, x):
        return weights[-1] * x

    model = _Model()
    argument = _KINDS[kind](model)
    weights.append(model.w)
    assert run(argument, tf.constant(3.0)).numpy() == 6.0
    trace = weakref.ref(run._traces.all()[0])
    weights.clear()
    del model, argument
    gc.collect()
    assert trace() is None
    assert run._traces.all() == []


@pytest.mark.parametrize("kind", ["method", "method of a traced function", "object", "tuple", "list", "frozen set"])
def test_the_same_object_has_one_trace(kind):
    traced = []

    @tf.function
    def run(g, x):
        traced.append(g)
        return x

    model = _Model()
    for _ in range(3):
        run(_KINDS[kind](model), tf.constant(1.0))
    assert len(traced) == 1


def test_methods_of_equal_objects_have_traces_of_their_own():
    run = tf.function(lambda g, x: g(x))
    one, other = _Equal(), _Equal()
    other.w.assign(5.0)
    assert [run(model.loss, tf.constant(1.0)).numpy() for model in (one, other)] == [2.0, 5.0]


def test_a_new_object_never_meets_the_trace_of_an_old_one():
    run = tf.function(lambda g, x: g(x))
    for i in range(30):
        model = _Model()
        model.w.assign(float(i))
        assert run(model.loss, tf.constant(1.0)).numpy() == i
        gc.collect()
        del model
    assert len(run._traces.all()) == 0


def test_methods_of_objects_without_weak_references_are_told_by_identity():
    class Slots:
        __slots__ = ("factor",)

        def scaled(self, x):
            return x * self.factor

    run = tf.function(lambda g, x: g(x))
    results = []
    for factor in (2.0, 3.0):
        slots = Slots()
        slots.factor = factor
        results.append(run(slots.scaled, tf.constant(1.0)).numpy())
    assert results == [2.0, 3.0]


def test_the_object_of_a_traced_method_goes():
    model = _Model()
    assert model.traced(tf.constant(3.0)).numpy() == 6.0
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None
    assert _Model.traced._methods == {}


def test_objects_may_go_while_other_threads_trace():
    run = tf.function(lambda g, x: g(x))
    found = []

    def work(number):
        for i in range(10):
            model = _Model()
            model.w.assign(float(number * 100 + i))
            found.append(run(model.loss, tf.constant(1.0)).numpy() == number * 100 + i)
            del model
            gc.collect()

    threads = [threading.Thread(target=contextvars.copy_context().run, args=(work, number)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 30
    gc.collect()
    assert run._traces.all() == []
