"""Fetches, feeds, errors and random values of runs equal TensorFlow's."""

import numpy as np
import pytest

import tinytf

_PROGRAM = """
import collections, re
import numpy as np

Point = collections.namedtuple("Point", "x y")
class MyList(list): pass

def described(value):
    "Types and contents, as what pickle carries between the two."
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value).__name__, [described(item) for item in value]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [described(item) for item in value]
    if isinstance(value, dict):
        return type(value).__name__, [(key, described(item)) for key, item in value.items()]
    if isinstance(value, np.generic):
        return "scalar", value.dtype.str, value.item()
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.tolist()
    return value

def classes(error):
    kinds = (TypeError, ValueError, KeyError, RuntimeError, tf.errors.OpError)
    found = [k.__name__ for k in kinds if isinstance(error, k)]
    return [type(error).__name__] if "OpError" in found else found

def outcome(call):
    with tf.Graph().as_default():
        foreign = tf.constant(5, name="foreign")
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        a, b = tf.constant(1, name="a"), tf.constant([[1.5, 2.5]], name="b")
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.multiply(x, 2.0, name="y")
        i, s = tf.placeholder(tf.int32, name="i"), tf.placeholder(tf.string, name="s")
        u8, f16, flag = (tf.placeholder(t) for t in (tf.uint8, tf.float16, tf.bool))
        sparse = tf.SparseTensor(tf.constant([[0, 1]], tf.int64), tf.constant([2.5]), tf.constant([2, 3], tf.int64))
        fed = tf.sparse_placeholder(tf.float32, name="fed")
        slices = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([3]))
        dense = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([3]), tf.constant([9, 1]))
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=False)
        r = tf.get_variable("r", initializer=[3.0, 4.0], use_resource=True)
        blank = tf.get_variable("blank", [2], use_resource=False)
        sess.run([v.initializer, r.initializer])
        names = {**globals(), **locals()}
        ones = np.ones([2, 3])
        names["ones"] = ones
        try:
            for _ in range(2):  # the second time the call is a known one
                result = described(eval(call, names))
            return result
        except Exception as error:
            text = getattr(error, "message", None) or str(error)
            return "error", classes(error), text

result = [outcome(call) for call in calls]
"""

RESULTS = """
sess.run(a)
sess.run(b)
sess.run("a:0")
sess.run("a")
sess.run(a.op)
sess.run([a, [b, (a, b)], {}])
sess.run((a,))
sess.run(Point(a, Point(b, a)))
sess.run(MyList([a, b]))
sess.run({"z": a, "y": {"x": [b]}})
sess.run(collections.OrderedDict([("z", a), ("y", b)]))
sess.run([])
sess.run({})
sess.run(())
sess.run([tf.no_op(), a, a.op])
sess.run(tf.group(a, b))
sess.run([sparse, slices, dense])
sess.run({"s": sparse, "v": sparse.values})
sess.run([v, r, "v:0"])
sess.run(tf.constant("text"))
sess.run(tf.constant(["text", "more"]))
sess.run(tf.constant([], tf.string))
sess.run(tf.zeros([2, 0, 3]))
sess.run([tf.constant(1, t) for t in (tf.int8, tf.uint16, tf.int64, tf.float16, tf.float64, tf.complex64)])
sess.run(tf.constant(True))
sess.run(y, {x: ones})
sess.run(y, {"x:0": ones.tolist()})
sess.run(y, {x: ones[:, ::-1]})
sess.run(y, {x: np.asfortranarray(ones)})
sess.run(y + 1.0, {y: [[1, 2, 3]]})
sess.run(x, {x: [[1, 2, 3]]})
sess.run([x, y], {x: [[1, 2, 3]]})
sess.run(a + 1, {a: 41})
sess.run(v + 1.0, {v: [7, 8]})
sess.run(r, {r: [7, 8]})
sess.run([v, v + 1.0], {v: [7, 8]})
sess.run(fed.values * 2.0, {fed: ([[0, 0]], [4.0], [1, 1])})
sess.run(fed, {fed: tf.SparseTensorValue([[0, 0]], [4.0], [1, 1])})
sess.run(sparse, {sparse: ([[0, 0]], [4.0])})
sess.run(slices, {slices: ([[4.0]], [5])})
sess.run([a, i], {(a, i): (3, 4)})
sess.run([a, i], {((a,), i): ((3,), 4)})
sess.run([a, i], {Point(a, i): Point(3, 4)})
sess.run(a, {})
sess.run(a, [])
sess.run(i, {i: 3})
sess.run(i, {i: 3.9})
sess.run(i, {i: True})
sess.run(i, {i: [1.9, -1.9]})
sess.run(i, {i: np.int64(2**40)})
sess.run(flag, {flag: 1})
sess.run(tf.identity(flag), {flag: [0, 2, 0.5]})
sess.run(f16 * 2, {f16: 1.0009765625})
sess.run(tf.identity(s), {s: "text"})
sess.run(tf.identity(s), {s: b"a\\x00b"})
sess.run(tf.identity(s), {s: ["a", b"b"]})
sess.run(tf.identity(s), {s: np.array(["a", "bcd"])})
sess.run(tf.identity(s), {s: np.array([b"a", b"bcd"])})
sess.run(tf.identity(s), {s: []})
sess.make_callable(y, [x])(ones)
sess.make_callable([a, {"b": b}])()
sess.make_callable(a.op)()
y.eval({x: ones})
tf.group(a).run()
""".strip().splitlines()

# Maps calls to text that both messages contain; the classes must be equal anyway.
ERRORS = {
    "sess.run(None)": "None has invalid type",
    "sess.run([a, None])": "None has invalid type",
    "sess.run(3)": "must be a string or Tensor. (Can not convert a int into a Tensor or Operation.)",
    "sess.run({'k': 2.5})": "must be a string or Tensor. (Can not convert a float into a Tensor or Operation.)",
    "sess.run('z')": "cannot be interpreted as a Tensor. (\"The name 'z' refers to an Operation not in the graph.\")",
    "sess.run('^a')": "cannot be interpreted as a Tensor. (\"The name '^a' refers to an Operation not in the graph.\")",
    "sess.run('z:0')": "cannot be interpreted as a Tensor. (\"The name 'z:0' refers to a Tensor which does not exist. "
    "The operation, 'z', does not exist in the graph.\")",
    "sess.run('a:1')": "cannot be interpreted as a Tensor. (\"The name 'a:1' refers to a Tensor which does not exist. "
    "The operation, 'a', exists but only has 1 outputs.\")",
    "sess.run('a:b')": "cannot be interpreted as a Tensor. (The name 'a:b' looks a like a Tensor name, but is not a valid "
    'one. Tensor names must be of the form "<op_name>:<output_index>".)',
    "sess.run(foreign)": 'cannot be interpreted as a Tensor. (Tensor Tensor("foreign:0", shape=(), dtype=int32) is not an '
    "element of this graph.)",
    "sess.run(foreign.op)": " is not an element of this graph.)",
    "sess.run(a, {foreign: 1})": 'Cannot interpret feed_dict key as Tensor: Tensor Tensor("foreign:0", shape=(), '
    "dtype=int32) is not an element of this graph.",
    "sess.run(a, {'a': 1})": "Cannot interpret feed_dict key as Tensor: The name 'a' refers to an Operation, not a Tensor. "
    'Tensor names must be of the form "<op_name>:<output_index>".',
    "sess.run(a, {'z': 1})": "Cannot interpret feed_dict key as Tensor: The name 'z' looks like an (invalid) Operation "
    'name, not a Tensor. Tensor names must be of the form "<op_name>:<output_index>".',
    "sess.run(a, {'z:0': 1})": "Cannot interpret feed_dict key as Tensor: The name 'z:0' refers to a Tensor which does not "
    "exist. The operation, 'z', does not exist in the graph.",
    "sess.run(a, {a.op: 1})": "Cannot interpret feed_dict key as Tensor: Can not convert a Operation into a Tensor.",
    "sess.run(a, {3: 1})": "Cannot interpret feed_dict key as Tensor: Can not convert a int into a Tensor.",
    "sess.run(a, {None: 1})": "Cannot interpret feed_dict key as Tensor: Can not convert a NoneType into a Tensor.",
    "sess.run(a, [a])": "must be a dictionary",
    "sess.run(a, {(a, i): (1, 2, 3)})": "Key had 2 elements, but value had 3 elements",
    "sess.run(a, {(a, a): (1, 2)})": "not unique",
    "sess.run(y, {x: b})": "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
    "scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was "
    'Tensor("b:0", shape=(1, 2), dtype=float32) which was passed to the ',
    "sess.run(i, {i: 2**40})": "Type of feed value 1099511627776 with type <class 'int'> is not compatible with Tensor "
    "type <class 'numpy.int32'>. Try explicitly setting the type of the feed tensor to a larger type (e.g. int64).",
    "sess.run(u8, {u8: -1})": "Type of feed value -1 with type <class 'int'> is not compatible with Tensor type <class "
    "'numpy.uint8'>.",
    "sess.run(flag, {flag: 2})": "Type of feed value 2 with type <class 'int'> is not compatible with Tensor type",
    "sess.run(s, {s: 3})": "Type of feed value 3 with type <class 'int'> is not compatible with Tensor type <class "
    "'object'>.",
    "sess.run(y, {x: 'abc'})": "could not convert string to float",
    "sess.run(y, {x: [[1, 2, 3], [1]]})": "setting an array element with a sequence.",
    "sess.run(y, {x: [1, 2, 3]})": "Cannot feed value of shape (3,) for Tensor",
    "sess.run(x, {x: ones.T})": "Cannot feed value of shape (3, 2) for Tensor",
    "(graph.prevent_feeding(x), sess.run(y, {x: ones}))": " may not be fed.",
    "(graph.prevent_fetching(a.op), sess.run(a))": " has been marked as not fetchable. Typically this happens when it is "
    "defined in another function or code block.",
    "sess.run(tf.identity(s), {s: [1.5]})": "Unsupported object type float",
    "sess.run(tf.identity(s), {s: None})": "Unsupported object type NoneType",
    "sess.run(y)": "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]",
    "sess.run(i + 0)": "You must feed a value for placeholder tensor 'i' with dtype int32",
    "sess.make_callable(y)()": "You must feed a value for placeholder tensor 'x' with dtype float and shape [?,3]\n\t "
    "[[{{node x}}]]",
    "sess.make_callable(y, x)": "`feed_list` must be a list or tuple.",
    "sess.run(blank)": "Attempting to use uninitialized value blank",
    "sess.run(blank + 1.0)": "Attempting to use uninitialized value blank",
    "sess.run(tf.assign_add(blank, [1.0, 1.0]))": "Attempting to use uninitialized value blank",
    "sess.run(tf.assign(v, tf.placeholder_with_default([1.0], None)))": "Assign requires shapes of both tensors to match. "
    "lhs shape= [2] rhs shape= [1]",
    "sess.run(tf.Assert(tf.constant(False), [[1, 2], 'x']))": "assertion failed: [1 2] [x]",
    "sess.run(tf.reshape(y, i), {x: ones, i: [7]})": "Input to reshape is a tensor with 6 values, but the requested shape "
    "has 7",
    "sess.run(tf.gather([1, 2], i), {i: [5]})": "indices[0] = 5 is not in [0, 2)",
    "sess.run(tf.check_numerics(tf.log(y), 'bad'), {x: -ones})": "bad : Tensor had NaN values",
    "(sess.close(), sess.run(a))": "Attempted to use a closed Session.",
    "(sess.close(), sess.make_callable(a)())": "Session has been closed.",
    "sess.__enter__()": "Session context managers are not re-entrant.",
    "(graph.finalize(), tf.constant(1))": "Graph is finalized and cannot be modified.",
    "tf.add(a, foreign)": 'Tensor("foreign:0", shape=(), dtype=int32) must be from the same graph as Tensor("a:0", '
    "shape=(), dtype=int32)",
    "foreign.eval()": "Cannot use the default session to evaluate tensor: the tensor's graph is different from the "
    "session's graph. Pass an explicit session to `eval(session=sess)`.",
}

RANDOM = """
tf.random_uniform([1001], seed=7)
tf.random_uniform([33], -2.0, 3.0, tf.float64, seed=7)
tf.random_uniform([33], dtype=tf.float16, seed=7)
tf.random_uniform([33], -9, 1000, tf.int32, seed=7)
tf.random_uniform([33], -9, 10**14, tf.int64, seed=7)
tf.random_normal([1001], seed=7)
tf.random_normal([33], 2.0, 3.0, tf.float64, seed=7)
tf.truncated_normal([1001], seed=7)
tf.truncated_normal([33], dtype=tf.float64, seed=7)
tf.random_shuffle(tf.range(100), seed=7)
tf.random_shuffle(tf.reshape(tf.range(100), [20, 5]), seed=7)
tf.multinomial(tf.log([[0.1, 0.2, 0.7]]), 64, seed=7)
tf.random_gamma([64], [0.5, 2.0], seed=7)
tf.random_gamma([5, 3], tf.constant(3.0, tf.float64), 2.0, tf.float64, seed=7)
tf.random_poisson(4.0, [64], seed=7)
tf.random_crop(tf.reshape(tf.range(100), [10, 10]), [3, 4], seed=7)
tf.nn.dropout(tf.ones([100]), rate=0.3, seed=7)
tf.random.stateless_uniform([33], seed=[7, 8])
tf.random.stateless_uniform([33], [7, 8], -9, 1000, tf.int32)
tf.random.stateless_normal([33], seed=[7, 8])
tf.random.stateless_normal([33], seed=[7, 8], dtype=tf.float64)
tf.random.stateless_truncated_normal([33], seed=[7, 8])
tf.random.stateless_multinomial(tf.log([[0.1, 0.2, 0.7]]), 64, seed=[7, 8])
""".strip().splitlines()

# Three runs in one session of an op created under a graph seed; their values are compared.
_DRAW = """
def draw(call, graph_seed):
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=1)) as sess:
        tf.set_random_seed(graph_seed)
        tensor = eval(call, {"tf": tf})
        return [sess.run(tensor) for _ in range(3)]

result = [[draw(call, seed) for seed in (None, 41)] for call in calls]
"""


def _both(oracle, program, calls):
    """By call: the outcomes of TensorFlow and of this package."""
    names = {"tf": tinytf, "calls": calls}
    exec(program, names)
    return dict(zip(calls, zip(oracle(program, calls=calls), names["result"])))


@pytest.fixture(scope="module")
def outcomes(oracle):
    return _both(oracle, _PROGRAM, [*RESULTS, *ERRORS])


@pytest.fixture(scope="module")
def draws(oracle):
    return _both(oracle, _DRAW, RANDOM)


@pytest.mark.oracle
@pytest.mark.parametrize("call", RESULTS)
def test_results(call, outcomes):
    theirs, ours = outcomes[call]
    assert not (isinstance(theirs, tuple) and theirs[0] == "error"), theirs
    assert ours == theirs


@pytest.mark.oracle
@pytest.mark.parametrize("call", ERRORS)
def test_errors(call, outcomes):
    theirs, ours = outcomes[call]
    assert ours[:2] == theirs[:2], (ours, theirs)
    assert ERRORS[call] in theirs[2]
    assert ERRORS[call] in ours[2]


@pytest.mark.oracle
@pytest.mark.parametrize("call", RANDOM)
def test_random_values(call, draws):
    theirs, ours = draws[call]
    for runs, expected_runs in zip(ours, theirs, strict=True):
        for value, expected in zip(runs, expected_runs, strict=True):
            assert (value.dtype, value.shape) == (expected.dtype, expected.shape)
            if value.dtype.kind == "f":
                np.testing.assert_allclose(value, expected, rtol=2e-5, atol=4e-6)
            else:
                np.testing.assert_array_equal(value, expected)
