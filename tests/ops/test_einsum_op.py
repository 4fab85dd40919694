"""The op Einsum, which TensorFlow 2 writes into graphs: malformed equations, mismatched inputs, gradients with
unknown shapes, and random equations. rows_einsum.py tests selected values and gradients.
"""

import numpy as np
import pytest
import rows_einsum

import tinytf as tf

_EQUATIONS = [
    ("ab,bc->ac", [(2, 3), (3, 2)]),
    ("...ab,...bc->...ac", [(2, 1, 2, 3), (3, 3, 2)]),
    ("...ab,bc->...ac", [(4, 2, 3), (3, 2)]),
    ("a...b,b...->a...", [(2, 1, 3, 2), (2, 4, 1)]),
    ("a...,...->a", [(3,), ()]),
    ("ab...c,c->...", [(2, 3, 4, 2), (2,)]),
    ("...ab,c->bc...", [(2, 3, 2), (2,)]),
    ("aab,bcc->a", [(2, 2, 3), (3, 2, 2)]),
    ("a...b,...->...b", [(2, 1, 3), (4, 1)]),
    ("abb...->...", [(2, 3, 3, 4)]),
    ("abb->", [(2, 3, 3)]),
    ("a...->...aa", [(3, 2)]),
    ("...a->a...", [(2, 3)]),
    ("é...,...->é...", [(2, 2, 3), (3,)]),
]


def _einsum(equation, inputs):
    return tf.raw_ops.Einsum(inputs=inputs, equation=equation)


@pytest.mark.parametrize("rank_known", [True, False])
@pytest.mark.parametrize(("equation", "shapes"), _EQUATIONS)
def test_gradients_of_unknown_shapes(equation, shapes, rank_known):
    rng = np.random.default_rng(7)
    arrays = [rng.normal(size=shape) for shape in shapes]
    with tf.Graph().as_default(), tf.Session() as sess:
        known = [tf.constant(array) for array in arrays]
        fed = [tf.placeholder(tf.float64, [None] * len(shape) if rank_known else None) for shape in shapes]
        gradients = []
        for inputs in (known, fed):
            y = _einsum(equation, inputs)
            first = tf.gradients(y * y, inputs)
            gradients.append([*first, *tf.gradients(sum(tf.reduce_sum(g * g) for g in first), inputs)])
        expected, got = sess.run(gradients, dict(zip(fed, arrays, strict=True)))
    for want, value in zip(expected, got, strict=True):
        assert value.shape == want.shape
        np.testing.assert_allclose(value, want, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("equation", "shapes", "message"),
    [
        ("ab,bc", [(2, 3), (3, 2)], "Expecting exactly one '->' in einsum equation: ab,bc"),
        ("ab->ba->", [(2, 3)], "Expecting exactly one '->'"),
        ("ab,bc->ac", [(2, 3)], "Expected 2 inputs for equation ab,bc->ac but got: 1"),
        ("ab->ab", [(2, 3), (2, 3)], "Expected 1 inputs for equation ab->ab but got: 2"),
        ("a,a,a->a", [(2,)] * 3, "Expecting 1 or 2 input subscripts in equation 'a,a,a->a' but got: 3"),
        ("...a...->a", [(2,)], "found 6 periods .* in the input subscript: ...a..."),
        ("a.b->ab", [(2, 3)], "found 1 periods"),
        ("a->..a", [(2,)], "found 2 periods .* in the output subscript"),
        ("a->ab", [(2,)], "has label 'b' which is not present in the input subscripts"),
        ("\0a->a", [(2, 2)], "must not contain the byte 0"),
        ("abc->ac", [(2, 3)], "Shape must be rank 3 but is rank 2"),
        ("...ab->...", [(2,)], "Shape must be at least rank 2 but is rank 1"),
        ("a...->a", [(2, 3)], "Shape must be at most rank 0 but is rank 1"),
        ("ab,bc->ac", [(2, 3), (4, 2)], "Dimensions must be equal, but are 3 and 4"),
        ("aa->a", [(2, 3)], "Dimensions must be equal, but are 2 and 3"),
        ("ab,ab->b", [(2, 1), (2, 3)], "Dimensions must be equal, but are 1 and 3"),
        ("...,...->...", [(2,), (3,)], "Dimensions must be equal, but are 2 and 3"),
    ],
)
def test_refused_while_the_graph_is_built(equation, shapes, message):
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        _einsum(equation, [tf.zeros(shape) for shape in shapes])


@pytest.mark.parametrize(
    ("equation", "shapes", "message"),
    [
        ("abc->ac", [(2, 3)], "Expected input 0 to have rank 3 but got: 2"),
        ("...ab->...", [(2,)], "Expected input 0 to have rank at least 2 but got: 1"),
        ("a...->a", [(2, 3)], r"Output contains 1 broadcasting dimension\(s\) but no ellipsis"),
        (
            "ab,bc->ac",
            [(2, 3), (4, 2)],
            r"Expected dimension 3 at axis 0 of the input shaped \[4,2\] but got dimension 4",
        ),
        ("aa->a", [(2, 3)], r"Expected dimension 2 at axis 1 of the input shaped \[2,3\] but got dimension 3"),
        ("...,...->...", [(2,), (3,)], "Invalid broadcasting dimensions"),
        ("ab,cd->abcd", [(0, 2**40), (2**40, 0)], "Shape|shape"),
    ],
)
def test_refused_in_the_step(equation, shapes, message):
    arrays = [np.zeros(shape, np.float32) for shape in shapes]
    with tf.Graph().as_default(), tf.Session() as sess:
        fed = [tf.placeholder(tf.float32) for _ in shapes]
        y = _einsum(equation, fed)
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            sess.run(y, dict(zip(fed, arrays, strict=True)))
    with tf.EagerSession(), pytest.raises(tf.errors.InvalidArgumentError, match=message):
        _einsum(equation, [tf.constant(array) for array in arrays])


def test_sizes_come_from_all_inputs():
    with tf.Graph().as_default():
        a, b, c = (tf.placeholder(tf.float32, shape) for shape in (None, [3, 4], [None, None, 2]))
        assert _einsum("ab,bc->ac", [a, b]).shape.as_list() == [None, 4]
        assert _einsum("ab,bc->acc", [a, b]).shape.as_list() == [None, 4, 4]
        assert _einsum("...ab,...bc->...ac", [c, tf.zeros([3, 2, 4])]).shape.as_list() == [3, None, 4]
        assert _einsum("...ab,...bc->...ac", [a, b]).shape.ndims is None
        assert _einsum("...a->a", [a]).shape.as_list() == [None]


def _random_equation(rng):
    """A random equation and matching shapes."""
    labels = "abcde"[: rng.integers(1, 6)]
    sizes = {label: int(rng.choice([0, 1, 2, 3, 5], p=[0.04, 0.2, 0.26, 0.25, 0.25])) for label in labels}
    broadcast = [int(n) for n in rng.choice([1, 2, 3], rng.integers(0, 3))]
    subscripts, shapes = [], []
    for _ in range(rng.integers(1, 3)):
        own = [labels[i] for i in rng.integers(0, len(labels), rng.integers(0, 5))]
        shape = [sizes[label] for label in own]
        if rng.random() < 0.4:
            at = rng.integers(0, len(own) + 1)
            own.insert(at, "...")
            some = broadcast[rng.integers(0, len(broadcast) + 1) :]
            shape[at:at] = [n if rng.random() < 0.7 else 1 for n in some]
        subscripts.append("".join(own))
        shapes.append(shape)
    found = sorted(set("".join(subscripts)) - {"."})
    output = [found[i] for i in rng.permutation(len(found))[: rng.integers(0, len(found) + 1)]]
    if output and rng.random() < 0.2:
        output.insert(rng.integers(0, len(output) + 1), output[0])
    if any("..." in own for own in subscripts):
        output.insert(rng.integers(0, len(output) + 1), "...")
    return ",".join(subscripts) + "->" + "".join(output), shapes


@pytest.mark.parametrize("seed", range(4))
def test_random_equations(seed):
    rng = np.random.default_rng(seed)
    for _ in range(100):
        equation, shapes = _random_equation(rng)
        arrays = [rng.integers(-3, 4, shape).astype(np.float64) for shape in shapes]
        expected = rows_einsum.einsum(arrays, equation)
        weights = rng.integers(-3, 4, expected.shape).astype(np.float64)
        with tf.Graph().as_default(), tf.Session() as sess:
            fed = [tf.placeholder(tf.float64, shape if rng.random() < 0.5 else None) for shape in shapes]
            y = _einsum(equation, fed)
            gradients = tf.gradients(y, fed, [tf.constant(weights)])
            got, slopes = sess.run([y, gradients], dict(zip(fed, arrays, strict=True)))
        np.testing.assert_array_equal(got, expected, err_msg=equation)
        assert y.shape.is_compatible_with(expected.shape), equation
        for i, array in enumerate(arrays):  # linear in each input, so that a finite step gives the exact slope
            step = rng.integers(-2, 3, array.shape).astype(np.float64)
            moved = [*arrays[:i], array + step, *arrays[i + 1 :]]
            change = ((rows_einsum.einsum(moved, equation) - expected) * weights).sum()
            assert slopes[i].shape == array.shape and (slopes[i] * step).sum() == change, f"{equation}, input {i}"
