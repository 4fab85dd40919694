"""Raw ops take concrete functions and `Defun` functions as attrs, which are added to the graph."""

import re

import pytest

import tinytf as tf
from tinytf.python.framework.function import Defun

_FLOAT = tf.TensorSpec([], tf.float32)
_INT = tf.TensorSpec([], tf.int32)
R = tf.raw_ops


def _concrete(function, *specs):
    return tf.function(function).get_concrete_function(*specs)


def _defined(function, *specs):
    return Defun(*[spec.dtype for spec in specs])(function)


def product(x, y):
    return x * y


def square_of_y(x, y):
    return x * y * y


def is_small(i, x):
    return x < 20.0


def squared(i, x):
    return i + 1, x * x


def _two(kind):
    return [kind(product, _FLOAT, _FLOAT), kind(square_of_y, _FLOAT, _FLOAT)]


def _if(op):
    def build(kind, x, y):
        one, other = _two(kind)
        return op(cond=False, input=[x, y], Tout=[tf.float32], then_branch=one, else_branch=other)

    return build


def _call(op):
    return lambda kind, x, y: op(args=[x, y], Tout=[tf.float32], f=_two(kind)[1])


def _while(op):
    def build(kind, x, y):
        loop = {"cond": kind(is_small, _INT, _FLOAT), "body": kind(squared, _INT, _FLOAT)}
        return op(input=[tf.constant(0), x * y], **loop)

    return build


def _case(kind, x, y):
    return R.Case(branch_index=1, input=[x, y], Tout=[tf.float32], branches=_two(kind))


# Each with its result for 4 and 3, and the gradients of the result.
_OPERATIONS = {
    "If": (_if(R.If), 36.0, [9.0, 24.0]),
    "StatelessIf": (_if(R.StatelessIf), 36.0, [9.0, 24.0]),
    "Case": (_case, 36.0, [9.0, 24.0]),
    "While": (_while(R.While), 144.0, [72.0, 96.0]),
    "StatelessWhile": (_while(R.StatelessWhile), 144.0, [72.0, 96.0]),
    "PartitionedCall": (_call(R.PartitionedCall), 36.0, [9.0, 24.0]),
    "StatefulPartitionedCall": (_call(R.StatefulPartitionedCall), 36.0, [9.0, 24.0]),
}
_KINDS = {"concrete": _concrete, "defined": _defined}


def _values(build, *more):
    with tf.Session() as session:
        return [float(value) for value in session.run(build())]


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("name", _OPERATIONS)
def test_the_graph_is_given_the_functions(name, kind):
    build, result, _ = _OPERATIONS[name]
    assert _values(lambda: [build(_KINDS[kind], tf.constant(4.0), tf.constant(3.0))[-1]]) == [result]


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("name", _OPERATIONS)
def test_gradients_go_through_them(name, kind):
    build, _, gradients = _OPERATIONS[name]

    def derived():
        inputs = [tf.constant(4.0), tf.constant(3.0)]
        return tf.gradients(build(_KINDS[kind], *inputs)[-1], inputs)

    assert _values(derived) == gradients


@pytest.mark.parametrize("kind", _KINDS)
def test_a_symbolic_gradient_is_of_them(kind):
    def built():
        inputs = [tf.constant(4.0), tf.constant(3.0), tf.constant(1.0)]
        return R.SymbolicGradient(input=inputs, Tout=[tf.float32] * 2, f=_two(_KINDS[kind])[1])

    assert _values(built) == [9.0, 24.0]


@pytest.mark.parametrize("kind", _KINDS)
def test_in_a_function(kind):
    def built():
        def outer(x, y):
            return _if(R.If)(_KINDS[kind], x, y)[0] + _call(R.PartitionedCall)(_KINDS[kind], x, y)[0]

        inputs = [tf.constant(4.0), tf.constant(3.0)]
        result = tf.function(outer)(*inputs)
        return [result, *tf.gradients(result, inputs)]

    assert _values(built) == [72.0, 18.0, 48.0]


def test_the_gradient_function_of_a_defined_function_counts():
    @Defun(tf.float32, tf.float32, python_grad_func=lambda op, gradient: (gradient * 7.0, gradient * 5.0))
    def taught(x, y):
        return x * y

    def derived():
        inputs = [tf.constant(4.0), tf.constant(3.0)]
        return tf.gradients(R.PartitionedCall(args=inputs, Tout=[tf.float32], f=taught), inputs)

    assert _values(derived) == [7.0, 5.0]


def test_captured_tensors_are_given_as_further_arguments():
    c = tf.constant(5.0)
    concrete = _concrete(lambda x: x + c, _FLOAT)
    call = R.PartitionedCall(args=[tf.constant(4.0), *concrete.captured_inputs], Tout=[tf.float32], f=concrete)
    assert _values(lambda: call) == [9.0]


@pytest.mark.parametrize("wanted", [tf.function(product), Defun()(product), 3, None])
def test_others_are_refused(wanted):
    with pytest.raises(TypeError, match="Don't know how to convert .* to a func for argument f"):
        R.PartitionedCall(args=[tf.constant(4.0)], Tout=[tf.float32], f=wanted)


def test_concrete_functions_add_themselves_and_what_they_call():
    @tf.function
    def inner(x):
        return x * 2.0

    def outer(x):
        return inner(x) + 1.0

    concrete = _concrete(outer, _FLOAT)
    assert re.fullmatch(rb"__inference_outer_\d+", concrete.name)
    with tf.Graph().as_default() as graph:
        concrete.add_to_graph(graph)
        concrete.add_to_graph()
        names = [function.signature.name for function in graph.as_graph_def().library.function]
        assert sorted(re.sub(r"\d+", "", name) for name in names) == ["__inference_inner_", "__inference_outer_"]
        assert _values(lambda: R.PartitionedCall(args=[tf.constant(4.0)], Tout=[tf.float32], f=concrete.name)) == [9.0]
    assert concrete.function_def.signature.name.encode() == concrete.name
    assert [arg.name for arg in concrete.function_def.signature.input_arg] == ["x"]


def test_nothing_is_added_where_operations_are_executed(eager):
    concrete = _concrete(product, _FLOAT, _FLOAT)
    concrete.add_to_graph()
    graph = tf.Graph()
    concrete.add_to_graph(graph)
    assert len(graph.as_graph_def().library.function) == 1
