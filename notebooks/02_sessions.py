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
# # Sessions from all sides
#
# The first notebook made a session and trained with it. This one shows how to hold a session, how to set it up, and how to
# look into it while it works: at its time, at its memory, at numbers that went wrong and at graphs that grow by mistake.
#
# Every point has its reference in `docs/usage/sessions.md`.

# %%
import json

import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

# %% [markdown]
# ## Three ways to hold a session
#
# Close it yourself, let a `with` block do it, or make it the default session for a whole notebook.

# %%
tf.reset_default_graph()
a = tf.constant([1.0, 2.0], name="a")
b = tf.constant([2.0, 3.0], name="b")
c = a + b

sess = tf.Session()
print(sess.run(c))
sess.close()

with tf.Session() as sess:
    print(sess.run(c))

sess = tf.InteractiveSession()
print(c.eval())
sess.close()

# %% [markdown]
# `c.eval()` asks the *default session*, which the interactive one is from its making to its closing. Without one:

# %%
try:
    c.eval()
except ValueError as error:
    print(error)

# %% [markdown]
# ## A model to look at
#
# A network of two layers that learns the sine. `tf.reset_default_graph()` at the top lets you execute the cell as often as
# you like; without it the graph would hold the model once more each time.

# %%
tf.reset_default_graph()

x = tf.placeholder(tf.float32, [None, 1], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")


def layer(inputs, size, name):
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", [inputs.shape[1], size], initializer=tf.glorot_uniform_initializer(seed=3))
        bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, weights) + bias


hidden = tf.tanh(layer(x, 32, "hidden"))
output = layer(hidden, 1, "output")
loss = tf.reduce_mean(tf.square(output - y), name="loss")
train_step = tf.train.AdamOptimizer(0.02).minimize(loss)
init = tf.global_variables_initializer()

tf.get_default_graph()

# %% [markdown]
# A graph as the last value of a cell is drawn: its scopes open at a click.
#
# ## Setting it up
#
# A `ConfigProto` says how the session works: how many threads, how long a step may take, what may be rewritten. This one
# uses one thread and gives up steps that take longer than ten seconds.

# %%
config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1, operation_timeout_in_ms=10_000)
sess = tf.Session(config=config)
sess.run(init)

inputs = np.linspace(-3, 3, 64, dtype=np.float32)[:, np.newaxis]
batch = {x: inputs, y: np.sin(inputs)}
losses = [sess.run([train_step, loss], feed_dict=batch)[1] for _ in range(300)]

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 2.5))
left.semilogy(losses)
left.set_title("loss")
right.plot(inputs, np.sin(inputs), label="sine")
right.plot(inputs, sess.run(output, feed_dict={x: inputs}), "--", label="learned")
right.legend()
assert losses[-1] < 0.01 * losses[0]

# %% [markdown]
# A step that waits for what never comes ends with its time limit. The limit of one step goes into `RunOptions`:

# %%
queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
take = queue.dequeue()
try:
    sess.run(take, options=tf.RunOptions(timeout_in_ms=50))
except tf.errors.DeadlineExceededError as error:
    print(error.message)

sess.run(queue.enqueue(7.0))
print(sess.run(take))

# %% [markdown]
# Ctrl-C, or the notebook's stop button, ends such a step as well; the session stays usable.
#
# ## What a step does
#
# `plan_report` says what a `run` would execute, before anything runs. `sess.trace` writes down what steps really did: open
# the file at <https://ui.perfetto.dev>, or look at it here.

# %%
print(sess.plan_report(loss, feed_list=[x, y]))

# %%
with sess.trace("steps.json"):
    for _ in range(3):
        sess.run(train_step, feed_dict=batch)

with open("steps.json") as file:
    events = json.load(file)["traceEvents"]
nodes = [event for event in events if event.get("cat") == "Op" and event["args"]["step"] == 3]
start = min(event["ts"] for event in nodes)
longest = sorted(nodes, key=lambda event: -event["dur"])[:12]

plt.figure(figsize=(9, 3))
for row, event in enumerate(sorted(longest, key=lambda event: event["ts"])):
    plt.barh(row, event["dur"], left=event["ts"] - start, color="tab:blue")
    plt.text(
        event["ts"] - start + event["dur"], row, f" {event['args']['op']} {event['name']}", va="center", fontsize=7
    )
plt.xlim(0, 1.4 * (longest[0]["dur"] + max(event["ts"] - start for event in longest)))  # room for the names
plt.yticks([])
plt.xlabel("microseconds")
plt.title(f"The 12 longest of {len(nodes)} nodes of one training step")

# %% [markdown]
# And the memory that the session's tensors use:

# %%
print(sess.memory_stats())

# %% [markdown]
# ## Numbers that went wrong
#
# The square root of a negative number is NaN, and a NaN in one place is soon everywhere. `watch_nan` makes steps fail at the
# first node that yields one; the error names it, its line, and what went into it. The graph stays as it is.

# %%
risky = tf.reduce_mean(tf.sqrt(tf.log(output + 1.5), name="root"), name="risky")
print(sess.run(risky, feed_dict={x: inputs}))

sess.watch_nan()
try:
    print(sess.run(risky, feed_dict={x: inputs}))
except tf.errors.InvalidArgumentError as error:
    print(error.message)
    assert error.op.name == "root"
sess.watch_nan(False)

# %% [markdown]
# ## Graphs that grow
#
# `output * factor` with a number makes nodes: in a loop it makes them again and again. tinytf warns once it has seen the same
# line do that often enough, and the report names the lines.

# %%
for factor in range(25):
    sess.run(output * factor, feed_dict={x: inputs})

report = tf.get_default_graph().growth_report()
print(report)
assert report.nodes >= 50

# %% [markdown]
# The cure is a placeholder for what changes, made once. `graph.finalize()` turns every addition into an error:

# %%
factor = tf.placeholder(tf.float32, [], name="factor")
scaled = output * factor
tf.get_default_graph().finalize()

for value in range(25):
    sess.run(scaled, feed_dict={x: inputs, factor: value})

try:
    output * 2.0
except RuntimeError as error:
    print(error)

# %% [markdown]
# ## Errors
#
# What can be known while the graph is built fails there, on the line that is wrong. What depends on the values fails in `run`,
# and the message names the node and the line that made it.

# %%
with tf.Graph().as_default(), tf.Session() as other:
    index = tf.placeholder(tf.int32, [], name="index")
    picked = tf.gather(tf.constant([10, 20, 30]), index, name="picked")
    print(other.run(picked, feed_dict={index: 2}))
    try:
        other.run(picked, feed_dict={index: 3})
    except tf.errors.InvalidArgumentError as error:
        print(error.message)
        print("operation:", error.op.name, "of type", error.op.type)
    try:
        other.run(picked)
    except tf.errors.InvalidArgumentError as error:
        print(error.message)
    try:
        other.run("picked_1:0")
    except ValueError as error:
        print(error)

# %%
sess.close()
try:
    sess.run(loss, feed_dict=batch)
except RuntimeError as error:
    print(error)

# %% [markdown]
# ## Where to go from here
#
# `docs/usage/sessions.md` has what is missing here: session handles, partial runs, threads and forks, devices, every field of
# the configuration, and what differs from TensorFlow.
