# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#       jupytext_version: 1.19.6
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Loops and branches
#
# A graph can decide and repeat by itself: `tf.while_loop` and `tf.cond` make loops and branches of it, which run within one
# step of a session. This notebook shows what they yield, what the session makes of them, and how to look into them while they
# run.
#
# Every point has its reference in `docs/usage/control_flow.md`.

# %%
import json
import sys
import time

import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

sess = tf.Session()

# %% [markdown]
# ## A loop
#
# Newton's method finds a square root: of a guess `y`, the mean of `y` and `x / y` is a better one. The first function says
# whether to go on, the second makes the next guess. Both are called once, when the graph is
# built.

# %%
x = tf.placeholder(tf.float64, [], name="x")
root = tf.while_loop(lambda y: tf.abs(y * y - x) > 1e-14 * x, lambda y: (y + x / y) / 2.0, [x])

for value in (2.0, 9.0, 1e6):
    print(value, sess.run(root, {x: value}))

# %% [markdown]
# Loops have gradients: the derivative is led back through as many iterations as there were. That of a root is known:
# $1 / (2 \sqrt{x})$.

# %%
slope = tf.gradients(root, x)[0]

for value in (2.0, 9.0, 1e6):
    found, known = sess.run(slope, {x: value}), 0.5 / np.sqrt(value)
    print(value, found)
    assert np.isclose(found, known)

# %% [markdown]
# A TensorArray keeps something of each iteration. The number of digits that are right doubles from guess to guess:


# %%
def better(i, y, guesses):
    return i + 1, (y + x / y) / 2.0, guesses.write(i, y)


start = [0, x, tf.TensorArray(tf.float64, size=0, dynamic_size=True)]
*_, guesses = tf.while_loop(lambda i, *_: i < 6, better, start)

for guess in sess.run(guesses.stack(), {x: 2.0}):
    print(f"{guess:.15f}  off by {abs(guess - np.sqrt(2.0)):.0e}")

# %% [markdown]
# Values may be tensors of any shape. Here the method looks for a complex number whose cube is 1, from 90,000 points at once.
# There are three of them; the colours say which one was found.

# %%
across, down = np.meshgrid(np.linspace(-1.5, 1.5, 300), np.linspace(-1.5, 1.5, 300))
points = tf.placeholder(tf.complex128, [None, None], name="points")
_, cube_roots = tf.while_loop(
    lambda i, z: i < 40, lambda i, z: (i + 1, z - (z * z * z - 1.0) / (3.0 * z * z)), [0, points], name="cube"
)
found = sess.run(cube_roots, {points: across + 1j * down})

plt.figure(figsize=(3, 3))
plt.imshow(np.angle(found), cmap="viridis")
plt.axis("off")
plt.title("Which root of $z^3 = 1$?")

# %% [markdown]
# ## What a session makes of it
#
# The graph has TensorFlow's nodes: Enter, Merge, Switch and so on lead the values around. The session compiles them to jumps,
# and only what computes is left. `plan_report` tells of it:

# %%
report = sess.plan_report(root, feed_list=[x])
print(report)

(loop,) = report.loops
print(loop.name, "is compiled:", loop.is_compiled)
assert loop.is_compiled

# %% [markdown]
# So an iteration is cheap. A loop that counts to a million:

# %%
count = tf.while_loop(lambda i: i < 1_000_000, lambda i: i + 1, [0], name="count")
sess.run(count)
began = time.perf_counter()
sess.run(count)
print(f"{(time.perf_counter() - began) * 1e3:.0f} ns for each iteration")

# %% [markdown]
# ## Looking into it
#
# A trace says of each operation in which iteration it ran, counted from 0:

# %%
with sess.trace("newton.json"):
    sess.run(root, {x: 2.0})

with open("newton.json") as file:
    events = json.load(file)["traceEvents"]
nodes = [event for event in events if event.get("cat") == "Op" and "iterations" in event["args"]]
for event in nodes[:12]:
    print(f"{event['args']['op']:8} {event['name']:18} {event['args']['iterations']}")

# %% [markdown]
# And so does an error. There are three numbers to take, and the fourth iteration takes a fourth one:

# %%
total = tf.while_loop(
    lambda i, _: i < 5,
    lambda i, total: (i + 1, total + tf.gather([1.0, 2.0, 4.0], i, name="take")),
    [0, 0.0],
    name="sum",
)[1]

try:
    sess.run(total)
except tf.errors.InvalidArgumentError as error:
    print(error.message)
    assert "in iteration 3 of sum/while_context" in error.message

# %% [markdown]
# ## Branches
#
# `tf.cond` has two functions as well, and of what they make only one branch runs:

# %%
number = tf.placeholder(tf.int32, [], name="number")


def halved():
    with tf.control_dependencies([tf.print("even", output_stream=sys.stdout)]):
        return number // 2


def tripled():
    with tf.control_dependencies([tf.print("odd", output_stream=sys.stdout)]):
        return 3 * number + 1


following = tf.cond(tf.equal(number % 2, 0), halved, tripled)
print(sess.run(following, {number: 26}))
print(sess.run(following, {number: 27}))
print(sess.plan_report(following, feed_list=[number]).guards, "runs of nodes depend on the predicate")

# %% [markdown]
# What was made before runs in any case, even if only one branch uses it: make in a branch what only that branch needs.
#
# ## Python's own words
#
# `tf.function` makes loops and branches of `while`, `for` and `if` where tensors decide. The function is one node of the graph:


# %%
@tf.function
def collatz(n):
    steps = 0
    while n > 1:
        if n % 2 > 0:
            n = 3 * n + 1
        else:
            n //= 2
        steps += 1
    return steps


steps = collatz(number)
print(steps.op.type)
print(sess.run(steps, {number: 26}), sess.run(steps, {number: 27}))
print(*sess.plan_report(steps, feed_list=[number]).loops)

# %% [markdown]
# ## Loops that are there already
#
# `tf.map_fn` calls a function for each element, here with a loop in it; `tf.scan` hands a value on from one to the next.

# %%
numbers = tf.placeholder(tf.int32, [None], name="numbers")
lengths = tf.map_fn(collatz, numbers)
longest = tf.scan(tf.maximum, lengths)

found, so_far = sess.run([lengths, longest], {numbers: np.arange(1, 301)})
plt.figure(figsize=(7, 2.5))
plt.plot(np.arange(1, 301), found, ".", markersize=3)
plt.plot(np.arange(1, 301), so_far, linewidth=1)
plt.xlabel("number")
plt.ylabel("steps to 1")

# %% [markdown]
# `tf.nn.dynamic_rnn` is a loop over time, and training goes back through it. This cell learns to say whether a sequence of
# ones and minus ones, of any length, has a sum above zero; then it is asked about longer ones than it has learned from.

# %%
sequences = tf.placeholder(tf.float32, [None, None, 1], name="sequences")
answers = tf.placeholder(tf.float32, [None], name="answers")
tf.set_random_seed(1)
_, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(8), sequences, dtype=tf.float32)
logits = tf.reduce_sum(state, 1)
loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=answers, logits=logits))
train = tf.train.AdamOptimizer(0.02).minimize(loss)
sess.run(tf.global_variables_initializer())

random = np.random.RandomState(0)


def batch(size, length):
    signs = random.choice([-1.0, 1.0], [size, length, 1])
    return {sequences: signs, answers: signs.sum((1, 2)) > 0}


for length in random.choice([3, 5, 7, 9], 500):
    sess.run(train, batch(32, length))

for length in (5, 15):
    test = batch(500, length)
    right = np.mean((sess.run(logits, test) > 0) == test[answers])
    print(f"sequences of {length}: {right:.0%} right")
    assert right > 0.9

# %%
sess.close()

# %% [markdown]
# ## Where to go from here
#
# `docs/usage/control_flow.md` has what is missing here: derivatives of higher order, functions in graphs, threads, and when a
# loop is not compiled. `docs/usage/autograph.md` is about `tf.function`, `docs/usage/recurrent_nets.md` about cells.
