"""Random programs of nested functions, branches and loops with captured tensors and gradients at each level. They
are data, so that tinytf, TensorFlow 1.15 and the independent `Reference` can run the same ones. Runs on Python 3.7.
"""

import math
import random


def generated(seed):
    """A program: (steps, the control flow version of its plain graph)."""
    choose = random.Random(seed)
    return _steps(choose, 7, 3, "graph"), choose.choice((1, 2))


_WEIGHTS = {"unary": 4, "binary": 6, "read": 4, "grad": 4, "tape": 2, "call": 5, "cond": 2, "loop": 2, "map": 1}
_BLOCKS = {"tape": 1, "call": 1, "cond": 2, "loop": 1, "map": 1}


def _steps(choose, most, depth, where):
    """Up to `most` steps (kind, three numbers in [0, 1), nested blocks of steps); a step may take any visible value."""
    weights = {kind: weight for kind, weight in _WEIGHTS.items() if depth or kind not in _BLOCKS}
    if where == "defun":  # bodies of Defuns contain plain operations only
        weights = {kind: weights[kind] for kind in ("unary", "binary", "read", "grad")}
    found = []
    for kind in choose.choices(list(weights), list(weights.values()), k=choose.randrange(2, most + 1)):
        numbers = [choose.random() for _ in range(3)]
        inside = "defun" if kind == "call" and numbers[0] < 0.2 else kind
        blocks = [_steps(choose, 4, depth - 1, inside) for _ in range(_BLOCKS.get(kind, 0))]
        found.append((kind, numbers, blocks))
    return found


def has_defun(steps):
    """Whether steps or nested steps call a Defun, a function of the first generation."""
    return any((kind == "call" and numbers[0] < 0.2) or any(map(has_defun, blocks)) for kind, numbers, blocks in steps)


def derives_on_tapes(steps, is_called=False, on_tape=False):
    """Whether gradients are taken while a tape records, possibly through earlier calls, branches or loops. A tape
    does not record operations inside these, in TensorFlow either, whereas the reference differentiates them.
    """
    for kind, _, blocks in steps:
        if kind == "grad" and on_tape:
            return True
        tape = on_tape or (kind == "tape" and is_called)
        if any(derives_on_tapes(block, is_called, tape) for block in blocks):
            return True
        is_called |= kind in ("call", "cond", "loop", "map")
    return False


def execute(api, steps, around):
    """The sum of the results of the steps, which can use the values `around` and the results of earlier steps."""
    values = list(around)

    def block(steps):
        return lambda *more: execute(api, steps, values + list(more))

    for kind, (which, first, second), blocks in steps:
        a, b = values[int(first * len(values))], values[int(second * len(values))]
        if kind == "unary":
            values.append(api.unary(int(which * 3), a))
        elif kind == "binary":
            values.append(api.binary(int(which * 2), a, b))
        elif kind == "read":
            values.append(api.read(api.variable(int(which * api.variables))))
        elif kind == "grad":
            x = api.variable(int(first * api.variables)) if which > 0.6 else a
            values.append(api.gradient(b if which < 0.3 else values[-1], x))
        elif (
            kind == "tape"
        ):  # by a resource variable: while loops yield no gradient of an outer reference variable's value
            x = api.variable(2 * int(first * 2)) if which > 0.6 else a
            values.append(api.tape(x, block(blocks[0])))
        elif kind == "call":
            values.append(api.call(which < 0.2, a, block(blocks[0])))
        elif kind == "cond":
            values.append(api.cond(b, block(blocks[0]), block(blocks[1])))
        elif kind == "loop":
            values.append(api.loop(1 + int(which * 3), a, block(blocks[0])))
        elif kind == "map":
            values.append(api.map(a, block(blocks[0])))
    total = values[len(around)]
    for value in values[len(around) + 1 :]:
        total = api.binary(1, total, value)
    return total


LEAVES = (0.7, -0.4, 1.3)  # two constants and a placeholder, or three eager tensors
VARIABLES = (0.9, -1.1, 0.6)


class Reference:
    """Runs programs on numbers that record how they were computed."""

    variables = len(VARIABLES)

    def __init__(self):
        self._made = 0
        self._variables = [Number(self, value) for value in VARIABLES]

    def leaves(self):
        return [Number(self, value) for value in LEAVES]

    def number(self):
        self._made += 1
        return self._made

    def unary(self, kind, a):
        if kind == 0:
            return a.sin()
        return a * Number(self, 0.5) + Number(self, 0.25) if kind == 1 else a * a * Number(self, 0.5)

    def binary(self, kind, a, b):
        return (a + b) * Number(self, 0.5) if kind else a * b

    def variable(self, i):
        return self._variables[i]

    def read(self, variable):
        return variable * Number(self, 1.0)

    def gradient(self, y, x, since=0):
        return y.derivative(x, since) * Number(self, 1.0)

    def tape(self, x, build):
        since = self._made
        return self.gradient(build(), x, since)

    def inside(self, a, function):
        """The result of a body for an argument; gradients taken inside the body stop at the argument."""
        argument = a * Number(self, 1.0)
        argument.is_leaf = True
        result = function(argument)
        argument.is_leaf = False
        return result * Number(self, 1.0)

    def call(self, plain, a, function):
        return self.inside(a, function)

    def cond(self, choice, yes, no):
        return (yes if choice.value > 0.1 else no)() * Number(self, 1.0)

    def loop(self, count, a, body):
        for _ in range(count):
            a = self.inside(a, body) * Number(self, 0.5)
        return a * Number(self, 1.0)

    def map(self, a, function):
        return function(a * Number(self, 1.0)) + function(a * Number(self, 2.0))


class Number:
    """A value and the (input, derivative) pairs it was computed from; `order` is the order of creation."""

    def __init__(self, owner, value, parts=()):
        self.owner, self.value, self.parts, self.order, self.is_leaf = owner, value, parts, owner.number(), False

    def __add__(self, other):
        one = lambda: Number(self.owner, 1.0)  # noqa: E731
        return Number(self.owner, self.value + other.value, ((self, one), (other, one)))

    def __mul__(self, other):
        return Number(self.owner, self.value * other.value, ((self, lambda: other), (other, lambda: self)))

    def sin(self):
        return Number(self.owner, math.sin(self.value), ((self, self.cos),))

    def cos(self):
        minus = Number(self.owner, -1.0)
        return Number(self.owner, math.cos(self.value), ((self, lambda: self.sin() * minus),))

    def derivative(self, x, since):
        """The derivative by `x`, through numbers created after the first `since`."""
        seeds, pending, found = {id(self): Number(self.owner, 1.0)}, {self.order: self}, None
        while pending:
            node = pending.pop(max(pending))
            seed = seeds.pop(id(node))
            if node is x:
                found = seed
            elif node.order > since and not node.is_leaf:
                for part, local in node.parts:
                    term = seed * local()
                    seeds[id(part)] = seeds[id(part)] + term if id(part) in seeds else term
                    pending[part.order] = part
        return Number(self.owner, 0.0) if found is None else found


class OnTensorFlow:
    """Runs programs on tinytf or TensorFlow: in a graph, or as a traced function in eager mode."""

    variables = len(VARIABLES)

    def __init__(self, tf, defun):
        self._tf, self._defun = tf, defun
        eager = tf.executing_eagerly()
        self._variables = [
            tf.contrib.eager.Variable(value, dtype=tf.float64)
            if eager
            else tf.Variable(value, dtype=tf.float64, use_resource=i % 2 == 0)
            for i, value in enumerate(VARIABLES)
        ]

    def leaves(self):
        tf = self._tf
        first = [tf.constant(value, tf.float64) for value in LEAVES[:2]]
        if tf.executing_eagerly():
            return first + [tf.constant(LEAVES[2], tf.float64)]
        return first + [tf.placeholder_with_default(tf.constant(LEAVES[2], tf.float64), [])]

    def unary(self, kind, a):
        return self._tf.sin(a) if kind == 0 else a * 0.5 + 0.25 if kind == 1 else a * a * 0.5

    def binary(self, kind, a, b):
        return (a + b) * 0.5 if kind else a * b

    def variable(self, i):
        return self._variables[i]

    def read(self, variable):
        return variable * 1.0

    def _dense(self, value):
        return self._tf.constant(0.0, self._tf.float64) if value is None else value * 1.0

    def gradient(self, y, x):
        return self._dense(self._tf.gradients(y, x)[0])

    def tape(self, x, build):
        if hasattr(x, "handle") or not hasattr(x, "assign"):
            watched = x
        else:
            watched = x = x.value()  # a tape records only reads of reference variables
        with self._tf.GradientTape() as tape:
            tape.watch(watched)
            y = build()
        return self._dense(tape.gradient(y, x))

    def call(self, plain, a, function):
        tf = self._tf

        def body(t):
            return function(t)

        made = self._defun(tf.float64)(body) if plain else tf.function(body, autograph=False)
        result = made(a * 1.0)
        result.set_shape([])  # a Defun does not infer the shape
        return result * 1.0

    def cond(self, choice, yes, no):
        return self._tf.cond(choice > 0.1, lambda: yes() * 1.0, lambda: no() * 1.0)

    def loop(self, count, a, body):
        return self._tf.while_loop(lambda i, t: i < count, lambda i, t: (i + 1, body(t) * 0.5), [0, a * 1.0])[1]

    def map(self, a, function):
        return self._tf.reduce_sum(self._tf.map_fn(function, self._tf.stack([a, a * 2.0])))
