"""Sequences of calls of traced functions: the number of traces after each call and its result equal TensorFlow's."""

import pytest

import tinytf

# By topic: a program, calls, and for each call (number of traces so far, result or class of the error). A program calls
# `traced()` in the traced functions; tensors in results are given as lists and numbers.
AGREED = {
    "functions within functions": (
        "@tf.function\ndef g(x):\n  traced()\n  return x + 1.\n"
        "@tf.function\ndef f(x):\n  traced()\n  return g(x) * g(x)",
        {"f(c(1.))": (2, 4.0), "f(c(2.))": (2, 9.0)},
    ),
    "tensors: type and shape": (
        "@tf.function\ndef f(x):\n  traced()\n  return x * 2",
        {
            "f(c(1.))": (1, 2.0),
            "f(c(2.))": (1, 4.0),
            "f(c(2))": (2, 4),
            "f(c([2.]))": (3, [4.0]),
            "f(c([2., 3.]))": (4, [4.0, 6.0]),
            "f(c([0., 1.]))": (4, [0.0, 2.0]),
        },
    ),
    "arrays are tensors": (
        "@tf.function\ndef f(x):\n  traced()\n  return x * 2",
        {
            "f(np.float32([1, 2]))": (1, [2.0, 4.0]),
            "f(np.float32([3, 4]))": (1, [6.0, 8.0]),
            "f(c([5., 6.]))": (1, [10.0, 12.0]),
            "f(np.float64([5, 6]))": (2, [10.0, 12.0]),
        },
    ),
    "Python values: by value": (
        "@tf.function\ndef f(x, y=None):\n  traced()\n  return x",
        {
            "f(1)": (1, 1),
            "f(1 )": (1, 1),
            "f(2)": (2, 2),
            "f(2.5)": (3, 2.5),
            "f('a')": (4, b"a"),
            "f('a' )": (4, b"a"),
            "f(None)": (5, None),
            "f(None, None)": (5, None),
            "f(3, tf.float32)": (6, 3),
            "f(3, tf.float32 )": (6, 3),
            "f(3, tf.int32)": (7, 3),
            "f(float('nan')) is None": (8, False),
            "f(float('nan')) is not None": (8, True),
        },
    ),
    "objects: by identity": (
        "class C: pass\none, two = C(), C()\n@tf.function\ndef f(x):\n  traced()",
        {"f(one)": (1, None), "f(two)": (2, None), "f(one) ": (2, None), "f(len)": (3, None), "f(len) ": (3, None)},
    ),
    "objects that are equal": (
        "class C:\n"
        "  def __init__(self, v): self.v = v\n"
        "  def __eq__(self, other): return isinstance(other, C) and self.v == other.v\n"
        "  def __hash__(self): return hash(self.v)\n"
        "one, two, three = C(1), C(1), C(3)\n@tf.function\ndef f(x):\n  traced()",
        {"f(one)": (1, None), "f(two)": (1, None), "f(three)": (2, None)},
    ),
    "what cannot be hashed": (
        "@tf.function\ndef f(x):\n  traced()",
        {"f({1, 2})": (0, "TypeError"), "f(c(1.))": (1, None)},
    ),
    "structures": (
        "@tf.function\ndef f(x):\n  traced()\n  return tf.add_n(flat(x))",
        {
            "f([c(1.), c(2.)])": (1, 3.0),
            "f([c(3.), c(4.)])": (1, 7.0),
            "f((c(3.), c(4.)))": (2, 7.0),
            "f({'a': c(1.), 'b': c(2.)})": (3, 3.0),
            "f({'b': c(1.), 'a': c(3.)})": (3, 4.0),
            "f({'b': c(1.), 'z': c(3.)})": (4, 4.0),
            "f([[c(1.)], c(2.)])": (5, 3.0),
        },
    ),
    "values in structures": (
        "@tf.function\ndef f(x, **more):\n  traced()\n  return x",
        {
            "f([1, [2, 3]])": (1, [1, [2, 3]]),
            "f([1, [2, 3]]) ": (1, [1, [2, 3]]),
            "f([1, [2, 4]])": (2, [1, [2, 4]]),
            "f(0, a=1, b=2)": (3, 0),
            "f(0, b=2, a=1)": (3, 0),
            "f(0, b=1, a=2)": (4, 0),
        },
    ),
    "keywords, positions and defaults": (
        "@tf.function\ndef f(x, y=2., *, z=3.):\n  traced()\n  return x * y - z",
        {
            "f(c(1.))": (1, -1.0),
            "f(x=c(2.))": (1, 1.0),
            "f(c(2.), 2.)": (1, 1.0),
            "f(y=2., x=c(2.))": (1, 1.0),
            "f(c(2.), z=3., y=2.)": (1, 1.0),
            "f(c(2.), z=4.)": (2, 0.0),
            "f(c(2.), z=c(4.))": (3, 0.0),
        },
    ),
    "keyword-only tensors": (
        "@tf.function\ndef f(*, minuend, less, **more):\n  traced()\n  return minuend - less + more.get('a', 0.)",
        {
            "f(minuend=c(5.), less=c(1.))": (1, 4.0),
            "f(less=c(2.), minuend=c(5.))": (1, 3.0),
            "f(z=c(0.), less=c(2.), minuend=c(5.), a=c(.5))": (2, 3.5),
        },
    ),
    "a tensor as a default": (
        "@tf.function\ndef f(x, y=c(2.)):\n  traced()\n  return x * y",
        {"f(c(1.))": (1, 2.0), "f(c(1.), c(3.))": (1, 3.0), "f(c(1.), 3.)": (2, 3.0)},
    ),
    "any number of arguments": (
        "@tf.function\ndef f(*x):\n  traced()\n  return len(x)",
        {"f()": (1, 0), "f(c(1.))": (2, 1), "f(c(2.))": (2, 1), "f(c(1.), c(1.))": (3, 2), "f(y=1)": (3, "TypeError")},
    ),
    "the same tensor twice": (
        "x = c(1.)\n@tf.function\ndef f(a, b):\n  traced()\n  return a + b",
        {"f(x, x)": (1, 2.0), "f(x, c(2.))": (1, 3.0)},
    ),
    "arguments that do not fit": (
        "@tf.function\ndef f(x, y=2, *, z=1):\n  traced()\n  return x",
        {
            "f()": (0, "TypeError"),
            "f(1, 2, 3)": (0, "TypeError"),
            "f(1, w=2)": (0, "TypeError"),
            "f(1, x=2)": (0, "TypeError"),
        },
    ),
    "relaxed shapes": (
        "@tf.function(experimental_relax_shapes=True)\ndef f(x, k=None):\n  traced()\n  return tf.reduce_sum(x)",
        {
            "f(tf.ones([1]))": (1, 1.0),
            "f(tf.ones([2]))": (2, 2.0),
            "f(tf.ones([3]))": (2, 3.0),
            "f(tf.ones([4]))": (2, 4.0),
            "f(c([1, 2]))": (3, 3),
            "f(tf.ones([1]), tf.float32)": (4, 1.0),
            "f(tf.ones([2]), tf.float32)": (5, 2.0),
            "f(tf.ones([3]), tf.float32)": (5, 3.0),
            "f(tf.ones([3]), ())": (6, 3.0),
        },
    ),
    "relaxed shapes of keywords and structures": (
        "@tf.function(experimental_relax_shapes=True)\n"
        "def f(*, x, y):\n  traced()\n  return tf.reduce_sum(x[0]) + tf.reduce_sum(y['a'])",
        {
            "f(x=[tf.ones([1])], y={'a': tf.ones([1, 2])})": (1, 3.0),
            "f(x=[tf.ones([2])], y={'a': tf.ones([2, 2])})": (2, 6.0),
            "f(y={'a': tf.ones([3, 2])}, x=[tf.ones([3])])": (2, 9.0),
            "f(y={'a': tf.ones([1, 2])}, x=[tf.ones([4])])": (2, 6.0),
        },
    ),
    "sparse tensors: any number of elements": (
        "@tf.function\ndef f(x):\n  traced()\n  return tf.scatter_nd(x.indices, x.values, x.dense_shape)\n"
        "def sparse(where, values): return tf.SparseTensor(where, values, [2, 2])",
        {
            "f(sparse([[0, 0]], [1.]))": (1, [[1.0, 0.0], [0.0, 0.0]]),
            "f(sparse([[1, 1]], [5.]))": (1, [[0.0, 0.0], [0.0, 5.0]]),
            "f(sparse([[0, 0], [1, 1]], [1., 2.]))": (1, [[1.0, 0.0], [0.0, 2.0]]),
        },
    ),
    "an input signature": (
        "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])\n"
        "def f(x, k=2.):\n  traced()\n  return tf.reduce_sum(x) * k",
        {
            "f(c([1.]))": (1, 2.0),
            "f([1., 2.])": (1, 6.0),
            "f(x=[1., 2., 3.])": (1, 12.0),
            "f(np.float32([1]))": (1, 2.0),
        },
    ),
    "an input signature of structures": (
        "s = tf.TensorSpec([], tf.float32)\n"
        "@tf.function(input_signature=[{'a': s, 'b': [s, s]}])\n"
        "def f(x):\n  traced()\n  return x['a'] + x['b'][0] * x['b'][1]",
        {"f({'a': c(1.), 'b': [c(2.), c(3.)]})": (1, 7.0), "f({'b': [2., 3.], 'a': 2.})": (1, 8.0)},
    ),
    "a function with some arguments given": (
        "import functools\n"
        "def g(a, b, k=1.):\n  traced()\n  return a - b * k\n"
        "first, second = tf.function(functools.partial(g, 10.)), tf.function(functools.partial(g, k=2.))\n"
        "spec = tf.TensorSpec([], tf.float32)\n"
        "third = tf.function(functools.partial(g, c(3.)), input_signature=[spec])",
        {
            "first(c(1.))": (1, 9.0),
            "first(c(2.))": (1, 8.0),
            "first(b=c(2.))": (1, 8.0),
            "first(c(2.), k=3.)": (2, 4.0),
            "second(c(1.), c(2.))": (3, -3.0),
            "second(b=c(2.), a=c(3.))": (3, -1.0),
            "second(c(1.), c(2.), k=3.)": (4, -5.0),
            "third(1.)": (5, 2.0),
        },
    ),
    "methods": (
        "class C:\n"
        "  def __init__(self, k): self.k = k\n"
        "  @tf.function\n  def f(self, x):\n    traced()\n    return x * self.k\n"
        "  @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])\n"
        "  def g(self, x):\n    traced()\n    return x * self.k\n"
        "  def __call__(self, x):\n    traced()\n    return x * self.k\n"
        "  @classmethod\n  def of_class(cls, x): return x + 1\n"
        "  @staticmethod\n  def of_none(x): return x + 2\n"
        "two, three = C(2.), C(3.)\n"
        "whole, bound = tf.function(two), tf.function(three.__call__)",
        {
            "two.f(c(1.))": (1, 2.0),
            "two.f(c(2.))": (1, 4.0),
            "three.f(c(1.))": (2, 3.0),
            "C.f(two, c(5.))": (3, 10.0),
            "two.g(1.)": (4, 2.0),
            "two.g(x=3.)": (4, 6.0),
            "whole(c(1.))": (5, 2.0),
            "whole(c(2.))": (5, 4.0),
            "bound(c(1.))": (6, 3.0),
            "tf.function(C.of_class)(c(1.))": (6, 2.0),
            "tf.function(C.of_none)(c(1.))": (6, 3.0),
        },
    ),
    "what is returned": (
        "import collections\nPair = collections.namedtuple('Pair', 'a b')\nv = tf.Variable(3.)\nx = c(1.)\n"
        "def given(value): return tf.function(lambda x: value(x))(c(1.))",
        {
            "given(lambda x: None)": (0, None),
            "given(lambda x: (x, None))": (0, (1.0, None)),
            "given(lambda x: [x, [None, 3]])": (0, [1.0, [None, 3]]),
            "given(lambda x: {'b': [x], 'a': 1.5})": (0, {"b": [1.0], "a": 1.5}),
            "given(lambda x: Pair(x, True))": (0, (1.0, True)),
            "type(given(lambda x: Pair(x, True))).__name__": (0, "Pair"),
            "given(lambda x: ())": (0, ()),
            "given(lambda x: {'a': []})": (0, {"a": []}),
            "given(lambda x: np.ones(2))": (0, [1.0, 1.0]),
            "given(lambda x: 'text')": (0, b"text"),
            "given(lambda x: v)": (0, 3.0),
            "given(lambda x: v.assign_add(x))": (0, 4.0),
            "given(lambda x: x.shape)": (0, []),
            "given(lambda x: object())": (0, "TypeError"),
            "given(lambda x: tf.float32)": (0, "TypeError"),
            "given(lambda x: {1, 2})": (0, "TypeError"),
            "given(lambda x: x.op)": (0, "TypeError"),
            "given(lambda x: len)": (0, "TypeError"),
        },
    ),
    "variables made at the first call": (
        "made = []\n@tf.function\ndef f(x):\n  traced()\n"
        "  if not made: made.append(tf.Variable(5.))\n  return made[0].assign_add(x)",
        {
            "f(c(1.))": (2, 6.0),
            "f(c(1.)) ": (2, 7.0),
            "f(c(1.)) + 0.": (2, 8.0),
            "f(tf.reduce_sum(c([1., 2.])))": (2, 11.0),
            "f(1.)": (3, 12.0),
        },
    ),
    "initial values from arguments": (
        "made = []\n@tf.function\ndef f(x):\n  traced()\n"
        "  if not made:\n"
        "    made.append(tf.Variable(lambda: x * 2.))\n"
        "    made.append(tf.Variable(made[0].read_value() + 1.))\n"
        "    made.append(tf.Variable(10.))\n"
        "  made[1].assign_add(1.)\n  return made[0] + made[1] + made[2]",
        {"f(c(1.))": (2, 16.0), "f(c(5.))": (2, 17.0), "[v.numpy() for v in made]": (2, [2.0, 5.0, 10.0])},
    ),
    "variables made at every call": (
        "@tf.function\ndef f(x):\n  return tf.Variable(x)",
        {"f(1.)": (0, "ValueError")},
    ),
    "arguments that are altered": (
        "@tf.function\ndef f(x):\n  x.append(c(1.))\n  return x[0]",
        {"f([c(2.)])": (0, "ValueError"), "f(3)": (0, "AttributeError")},
    ),
    "errors of the Python function": (
        "calls = []\n@tf.function\ndef f(x):\n  traced()\n"
        "  calls.append(1)\n  if len(calls) == 1: raise KeyError\n  return x",
        {"f(c(1.))": (1, "KeyError"), "f(c(2.))": (2, 2.0), "f(c(3.))": (2, 3.0)},
    ),
    "errors of operations": (
        "@tf.function\ndef f(x, i):\n  traced()\n  return tf.gather(x, i)",
        {
            "f(c([1., 2.]), c(5))": (1, "InvalidArgumentError"),
            "f(c([1., 2.]), c(1))": (1, 2.0),
            "f(c([1., 2.]), c(.5))": (2, "TypeError"),
        },
    ),
    "a function of a function": (
        "f = tf.function(tf.function(lambda x: x + 1.))",
        {"f(c(1.))": (0, 2.0)},
    ),
    "concrete functions": (
        "@tf.function\ndef f(x, k):\n  traced()\n  return x * k\n"
        "concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), 3.)",
        {
            "concrete(c([1.]))": (1, [3.0]),
            "concrete(x=c([1., 2.]))": (1, [3.0, 6.0]),
            "concrete()": (1, "TypeError"),
            "concrete(z=c([1.]))": (1, "TypeError"),
            "concrete(c([1.]), c(1.))": (1, "TypeError"),
            "[t.shape.as_list() for t in concrete.inputs]": (1, [[None]]),
            "concrete.structured_outputs.dtype.name": (1, "float32"),
        },
    ),
    "what is no function": ("", {"tf.function(3)": (0, "TypeError")}),
    "derivatives: of what the tape watches": (
        "v, n = tf.Variable([1., 2.]), tf.Variable(3., trainable=False)\nx, w = c([3., 4.]), c(2.)\n"
        "@tf.function\ndef f(x, w):\n  traced()\n  return tf.reduce_sum(v * x) * n * w\n"
        "def by(targets, watched):\n"
        "  with tf.GradientTape() as tape:\n    tape.watch(watched)\n    y = f(x, w)\n"
        "  return tape.gradient(y, targets)",
        {
            "by([v, n, x, w], x)": (1, [[18.0, 24.0], None, [6.0, 12.0], None]),
            "by([v, n, x, w], [w, n.handle])": (1, [[18.0, 24.0], 22.0, None, 33.0]),
        },
    ),
    "derivatives of derivatives": (
        "@tf.function\ndef f(x):\n  traced()\n"
        "  with tf.GradientTape() as tape:\n    tape.watch(x)\n    y = x * x * x\n"
        "  return tape.gradient(y, x)\n"
        "def second(x):\n"
        "  with tf.GradientTape() as tape:\n    tape.watch(x)\n    y = f(x)\n"
        "  return y, tape.gradient(y, x)",
        {"second(c(2.))": (1, (12.0, 12.0)), "second(c(1.))": (1, (3.0, 6.0))},
    ),
    "unwatched tensors inside": (
        "n = tf.Variable(1., trainable=False)\n"
        "@tf.function\ndef f(x, w):\n"
        "  with tf.GradientTape(persistent=True) as tape:\n    tape.watch(w)\n    y = x * w * n\n    z = y * x\n"
        "  return tape.gradient(y, [x, w, n]), tape.gradient(z, [x, y, w])",
        {"f(c(2.), c(3.))": (0, ([None, 2.0, None], [None, 2.0, 4.0]))},
    ),
    "an optimizer inside": (
        "w = tf.Variable(2.)\noptimizer = tf.train.AdamOptimizer(.1)\n"
        "@tf.function\ndef f():\n  traced()\n  optimizer.minimize(lambda: w * w)\n  return w.read_value()\n"
        "def rounded(x): return round(float(x), 3)",
        {"rounded(f())": (2, 1.9), "rounded(f()) ": (2, 1.8), "rounded(f())  ": (2, 1.701)},
    ),
    "static shapes inside": (
        "v, u = tf.Variable([[1., 2.]]), tf.Variable([1.], shape=tf.TensorShape([None]))\nx = c([1., 2., 3.])\n"
        "shapes = []\n@tf.function\ndef f():\n"
        "  all = [v, v + 0., v.read_value(), v.sparse_read([0, 0]), u + 0., x]\n"
        "  shapes.extend(str(t.shape).replace('?', 'None') for t in all)",
        {
            "f()": (0, None),
            "shapes": (0, ["(1, 2)", "(1, 2)", "(1, 2)", "(2, 2)", "(None,)", "(3,)"]),
        },
    ),
}

# Cases in which the newer TensorFlow behaves differently.
OWN = {
    "a concrete function of unknown sizes does not serve calls": (
        "@tf.function\ndef f(x):\n  traced()\n  return x\nf.get_concrete_function(tf.TensorSpec([None], tf.float32))",
        {"f(c([1.]))": (2, [1.0]), "f(c([2.]))": (2, [2.0])},
    ),
    "numbers of different types": (
        "@tf.function\ndef f(x):\n  traced()\n  return x",
        {"f(1)": (1, 1), "f(1.)": (2, 1.0), "f(True)": (3, True), "f(np.int32(1))": (4, 1), "f(np.int32(2))": (5, 2)},
    ),
    "variables: by identity": (
        "v, w = tf.Variable(1.), tf.Variable(2.)\n@tf.function\ndef f(x):\n  traced()\n  return x * 2.",
        {"f(v)": (1, 2.0), "f(w)": (2, 4.0), "f(v) + 0.": (2, 2.0)},
    ),
    "relaxed shapes of other ranks": (
        "@tf.function(experimental_relax_shapes=True)\ndef f(x):\n  traced()\n  return tf.size(x)",
        {
            "f(tf.ones([1]))": (1, 1),
            "f(tf.ones([2, 1]))": (2, 2),
            "f(tf.ones([2, 3]))": (3, 6),
            "f(tf.ones([2, 4]))": (3, 8),
            "f(tf.ones([]))": (4, 1),
            "f(tf.ones([3]))": (5, 3),
        },
    ),
    "sparse tensors of other sizes": (
        "@tf.function\ndef f(x):\n  traced()\n  return x.dense_shape",
        {
            "f(tf.SparseTensor([[0]], [1.], [3]))": (1, [3]),
            "f(tf.SparseTensor([[0]], [1.], [4]))": (1, [4]),
            "f(tf.SparseTensor([[0, 0]], [1.], [4, 5]))": (2, [4, 5]),
        },
    ),
    "an input signature, and what does not fit": (
        "@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])\n"
        "def f(x, k=2., **more):\n  traced()\n  return x",
        {
            "f(c(1.))": (0, "ValueError"),
            "f(c([1]))": (0, "ValueError"),
            "f('a')": (0, "ValueError"),
            "f(object())": (0, "ValueError"),
            "f({'a': c([1.])})": (0, "ValueError"),
            "f()": (0, "TypeError"),
            "f(c([1.]), 3.)": (0, "TypeError"),
            "f(c([1.]), k=3.)": (0, "TypeError"),
            "f(c([1.]), z=3.)": (0, "TypeError"),
        },
    ),
    "a first call that failed": (
        "made = []\n@tf.function\ndef f(x):\n  traced()\n"
        "  if not made: made.append(tf.Variable(tf.reshape(x, [3])))\n  return made[0] + 1.",
        {"f(c([1., 2.]))": (1, "ValueError"), "f(c([1., 2., 3.]))": (3, [2.0, 3.0, 4.0])},
    ),
}

_PROGRAM = """
import numpy as np

def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    value = value.numpy() if hasattr(value, "numpy") else value
    return value.tolist() if hasattr(value, "tolist") else value

def flat(value):
    items = [value[k] for k in sorted(value)] if isinstance(value, dict) else value
    return [t for item in items for t in (flat(item) if isinstance(item, (list, tuple, dict)) else [item])]

def observed(setup, calls):
    traces = []
    names = {"tf": tf, "np": np, "c": tf.constant, "flat": flat, "traced": lambda: traces.append(1)}
    exec(setup, names)
    found = []
    for call in calls:
        try:
            value = plain(eval(call.strip(), names))
        except Exception as error:
            value = type(error).__name__
        found.append((len(traces), value))
    return found
"""


def _observed(tf, setup, calls):
    names = {"tf": tf}
    exec(_PROGRAM, names)
    return names["observed"](setup, list(calls))


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("case", [*AGREED, *OWN])
def test_calls(case):
    setup, calls = {**AGREED, **OWN}[case]
    assert _observed(tinytf, setup, calls) == list(calls.values())


@pytest.fixture(scope="module")
def theirs(oracle):
    """The outcomes of TensorFlow by case."""
    program = f"{_PROGRAM}\nfrom tensorflow.python.eager import context\nwith context.eager_mode():\n"
    program += "    result = {name: observed(setup, calls) for name, (setup, calls) in cases.items()}"
    return oracle(program, cases={name: (setup, list(calls)) for name, (setup, calls) in AGREED.items()})


@pytest.mark.oracle
@pytest.mark.parametrize("case", AGREED)
def test_tensorflow_agrees(case, theirs):
    assert theirs[case] == list(AGREED[case][1].values())
