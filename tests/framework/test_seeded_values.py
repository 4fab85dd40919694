"""Random ops return the values of TensorFlow 1 on a CPU for the same seeds."""

import numpy as np
import philox
import pytest

import tinytf as tf

DEFAULT = 87654321  # the graph seed that is used if only the op has a seed


def _run(*fetches):
    with tf.Session() as sess:
        got = sess.run(list(fetches))
    return got if len(got) > 1 else got[0]


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (
            lambda: tf.random_normal([6], seed=1),
            [-0.81131822, 1.48459876, 0.06532937, -2.4427042, 0.0992484, 0.59122431],
        ),
        (lambda: tf.truncated_normal([4], seed=2), [-0.85811085, -0.19662298, 0.13895047, -1.22127676]),
        (
            lambda: tf.random_uniform([8], seed=1),
            [0.2390374, 0.92039955, 0.05051243, 0.49574447, 0.8355223, 0.02647042, 0.08811307, 0.4566604],
        ),
        (lambda: tf.random_uniform([8], 0, 100, tf.int32, seed=1), [27, 59, 93, 22, 77, 94, 86, 33]),
        (lambda: tf.random_shuffle(tf.range(10), seed=1), [7, 9, 3, 6, 5, 1, 8, 4, 0, 2]),
        (lambda: tf.random_uniform([2], dtype=tf.float64, seed=1), [0.9122999234504989, 0.4040997484619626]),
        (lambda: tf.random.stateless_uniform([4], seed=[1, 2]), [0.84406042, 0.19204533, 0.99622321, 0.16038740]),
    ],
)
def test_known_values(make, values):
    np.testing.assert_allclose(_run(make()), values, rtol=2e-7)


def test_known_values_of_a_graph_seed():
    tf.set_random_seed(1234)
    x = tf.random_uniform([4])  # the constants for shape, min and max have the op ids 1 to 3
    np.testing.assert_allclose(_run(x), [0.96046877, 0.58115160, 0.64159, 0.96217656], rtol=1e-7)


def test_known_values_of_a_second_run():
    x = tf.random_uniform([1], seed=1)
    with tf.Session() as sess:
        np.testing.assert_allclose([sess.run(x)[0], sess.run(x)[0]], [0.2390374, 0.22267115], rtol=1e-7)


# -- Comparison with the specification of the generator ----------------------------------------------------------------

SIZES = [1, 3, 4, 5, 1001, 20000]  # partial groups, and enough for several threads


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [1, 77, 2**31 - 2])
def test_uniform_bits(size, seed):
    f, d, h = (tf.random_uniform([size], dtype=t, seed=seed) for t in (tf.float32, tf.float64, tf.float16))
    i = tf.random_uniform([size], -5, 1000, tf.int32, seed=seed)
    j = tf.random_uniform([size], -5, 10**15, tf.int64, seed=seed)
    f, d, h, i, j = _run(f, d, h, i, j)
    stream = philox.words(DEFAULT, seed, 2 * size)
    np.testing.assert_array_equal(f, philox.uniform32(stream[:size]))
    np.testing.assert_array_equal(d, philox.uniform64(stream))
    np.testing.assert_array_equal(h, philox.uniform16(stream[:size]))
    np.testing.assert_array_equal(i, -5 + (stream[:size] % np.uint32(1005)).astype(np.int64))
    np.testing.assert_array_equal(j, -5 + (philox.pairs(stream) % np.uint64(10**15 + 5)).astype(np.int64))


@pytest.mark.parametrize("size", SIZES)
def test_normal_values(size):
    x = _run(tf.random_normal([size], seed=3))
    expected = philox.normal32(philox.words(DEFAULT, 3, size + size % 2))[:size]
    np.testing.assert_allclose(x, expected, rtol=2e-5, atol=4e-6)


def test_shuffled_rows():
    rows = np.arange(60).reshape(20, 3)
    vector, matrix = _run(tf.random_shuffle(tf.range(500), seed=5), tf.random_shuffle(rows, seed=5))
    stream = philox.words(DEFAULT, 5, 500)
    assert vector.tolist() == philox.shuffled(range(500), stream)
    np.testing.assert_array_equal(matrix, philox.shuffled(rows.tolist(), stream))
    np.testing.assert_array_equal(_run(tf.random_shuffle([7], seed=5)), [7])


@pytest.mark.parametrize("size", [1, 5, 300])
def test_each_run_moves_the_stream_on(size):
    u, n = tf.random_uniform([size], seed=9), tf.random_normal([size], seed=9)
    s = tf.random_shuffle(tf.range(size + 1), seed=9)
    with tf.Session() as sess:
        for run in range(3):
            x, y, z = sess.run([u, n, s])
            stream = philox.words(DEFAULT, 9, size + size % 2, skip=run * 256 * size)
            np.testing.assert_array_equal(x, philox.uniform32(stream[:size]))
            np.testing.assert_allclose(y, philox.normal32(stream)[:size], rtol=2e-5, atol=4e-6)
            stream = philox.words(DEFAULT, 9, size + 1, skip=run * -(-size // 4))
            assert z.tolist() == philox.shuffled(range(size + 1), stream)


@pytest.mark.parametrize("seed", [(1, 2), (0, 0), (2**40 + 3, 5)])
def test_stateless_values(seed):
    for _ in range(2):
        u, n = _run(
            tf.random.stateless_uniform([7], seed=np.array(seed, np.int64)),
            tf.random.stateless_normal([7], seed=np.array(seed, np.int64)),
        )
        stream = philox.stateless_words(seed, 8)
        np.testing.assert_array_equal(u, philox.uniform32(stream[:7]))
        np.testing.assert_allclose(n, philox.normal32(stream)[:7], rtol=2e-5, atol=4e-6)


def test_truncated_values_are_normal_ones_without_the_tails():
    x = _run(tf.truncated_normal([3000], seed=4))
    for group in (0, 1, 7, 500):  # each group of four starts a new sequence, 256 calls apart
        candidates = philox.normal32(philox.words(DEFAULT, 4, 64, skip=group * 256))
        expected = candidates[np.abs(candidates) < 2][:4]
        np.testing.assert_allclose(x[4 * group : 4 * group + 4], expected, rtol=2e-5, atol=4e-6)


def test_values_do_not_depend_on_threads():
    from tinytf._src import protos

    make = [
        tf.random_uniform([100003], seed=1),
        tf.random_normal([100003], seed=1),
        tf.truncated_normal([100003], seed=1),
        tf.random_gamma([5003], [0.5, 3.0], seed=1),
    ]
    results = []
    for threads in (1, 2, 3):
        with tf.Session(config=protos.ConfigProto(intra_op_parallelism_threads=threads)) as sess:
            results.append(sess.run(make))
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


# -- Seeds -------------------------------------------------------------------------------------------------------------


def test_without_seeds_each_session_draws_its_own():
    x = tf.random_uniform([4])
    assert not np.array_equal(_run(x), _run(x))


@pytest.mark.parametrize(
    ("make", "types", "seed2"),
    [
        (lambda: tf.random_uniform([2]), "Const Const Const RandomUniform Sub Mul Add", 3),
        (lambda: tf.random_uniform([2], 0, 9, tf.int32), "Const Const Const RandomUniformInt", 3),
        (lambda: tf.random_normal([2]), "Const Const Const RandomStandardNormal Mul Add", 3),
        (lambda: tf.truncated_normal([2]), "Const Const Const TruncatedNormal Mul Add", 3),
        (lambda: tf.random_shuffle([1, 2]), "Const RandomShuffle", 0),
        (lambda: tf.multinomial([[1.0, 2.0]], 2), "Const Const Multinomial", 1),
        (
            lambda: tf.random_gamma([2], 1.0),
            "Const Const Const Const Add RandomGamma RealDiv Const Maximum",
            5,
        ),
        (lambda: tf.random_poisson(1.0, [2]), "Const Const RandomPoissonV2", 1),
    ],
)
def test_the_default_seed_of_an_op_is_the_number_of_the_last_one(make, types, seed2):
    tf.set_random_seed(11)
    tf.no_op()
    make()
    ops = tf.get_default_graph().get_operations()[1:]
    assert [op.type.replace("AddV2", "Add") for op in ops] == types.split()
    random = next(op for op in ops if "Random" in op.type or op.type in ("TruncatedNormal", "Multinomial"))
    assert (random.get_attr("seed"), random.get_attr("seed2")) == (11, 1 + seed2)


def test_a_graph_seed_holds_for_later_ops_only():
    def seeds(tensor):
        op = next(o for o in reversed(tensor.graph.get_operations()) if o.type == "RandomUniform")
        return op.get_attr("seed"), op.get_attr("seed2")

    assert seeds(tf.random_uniform([2])) == (0, 0)
    assert seeds(tf.random_uniform([2], seed=2**31 + 4)) == (DEFAULT, 5)
    tf.set_random_seed(3)
    assert seeds(tf.random_uniform([2], seed=4)) == (3, 4)
    tf.set_random_seed(0)
    assert seeds(tf.random_uniform([2], seed=0)) == (0, 2**31 - 1)
    tf.set_random_seed(None)
    assert seeds(tf.random_uniform([2])) == (0, 0)


def test_one_node_keeps_its_stream_while_others_come_and_go():
    x = tf.random_uniform([2], seed=1)
    with tf.Session() as sess:
        first = sess.run(x)
        second = sess.run([x, tf.constant(1)])[0]  # another plan, the same kernel
    with tf.Session() as sess:
        np.testing.assert_array_equal([sess.run(x), sess.run(x)], [first, second])
    assert not np.array_equal(first, second)
