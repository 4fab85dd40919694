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
# # Stop and go on
#
# Training that takes long is stopped before its end: by a machine, by a person, by an error. This notebook trains, stops, goes
# on from a checkpoint as if nothing had been, and plots from the file of events what both parts of the run noted.
#
# Every point has its reference in `docs/usage/saving.md` and `docs/usage/summaries.md`.

# %%
import glob
import os

import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

FOLDER = "training"

# %% [markdown]
# ## A model
#
# A network that learns the sine. The *global step* counts what the optimizer has done; it is a variable like others, so
# checkpoints have it. `tf.summary.scalar` makes an operation that yields the loss as TensorBoard wants it.


# %%
def layer(inputs, size, name):
    with tf.variable_scope(name):
        weights = tf.get_variable("weights", [inputs.shape[1], size], initializer=tf.glorot_uniform_initializer(seed=3))
        bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
        return tf.matmul(inputs, weights) + bias


def build_model():
    tf.reset_default_graph()
    x = tf.placeholder(tf.float32, [None, 1], name="x")
    y = tf.placeholder(tf.float32, [None, 1], name="y")
    hidden = tf.tanh(layer(x, 32, "first"))
    hidden = tf.tanh(layer(hidden, 32, "second"))
    result = layer(hidden, 1, "result")
    loss = tf.reduce_mean(tf.square(result - y))
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer(0.01).minimize(loss, global_step=step)
    return x, y, step, train, tf.summary.scalar("loss", loss)


# %% [markdown]
# ## Training that can be stopped
#
# `restore_latest` gives the variables what the newest checkpoint of the folder has, and says which that is; where there is none,
# they are initialized. Batches depend on the step alone: a run that goes on sees those that it would have seen.
#
# `async_save=True` has a thread write the checkpoint: `save` takes the values and returns. Nothing is copied for that; a step
# that changes a variable while it is being written puts the new value elsewhere.


# %%
def batch(step):
    x = np.random.RandomState(step).uniform(-np.pi, np.pi, [64, 1])
    return x, np.sin(x)


def run(last_step, folder=FOLDER, stop_at=None):
    x, y, step, train, summary = build_model()
    saver = tf.train.Saver(max_to_keep=2, async_save=True)
    with tf.Session() as sess, tf.summary.FileWriter(folder) as events:
        checkpoint = saver.restore_latest(sess, folder)
        if checkpoint is None:
            sess.run(tf.global_variables_initializer())
        first = sess.run(step)
        print("begins at step", first, "with", checkpoint)
        events.add_session_log(tf.SessionLog(status=tf.SessionLog.START), first)
        try:
            for number in range(first, last_step):
                if number == stop_at:
                    raise KeyboardInterrupt
                inputs, targets = batch(number)
                _, loss = sess.run([train, summary], {x: inputs, y: targets})
                events.add_summary(loss, number + 1)
                if (number + 1) % 100 == 0:
                    saver.save(sess, os.path.join(folder, "model"), step)
        finally:
            saver.wait()


try:
    run(400, stop_at=250)
except KeyboardInterrupt:
    print("stopped")

# %% [markdown]
# ## What is there
#
# The last complete checkpoint, the one before, and the file of events. `python -m tinytf inspect-checkpoint training` tells the
# same on the command line.

# %%
print(tf.train.latest_checkpoint(FOLDER))
for name, shape in tf.train.list_variables(FOLDER):
    if "Adam" not in name:
        print(name, shape)

# %% [markdown]
# ## And on
#
# The same call goes on after step 200: the fifty steps behind the checkpoint are computed once more.

# %%
run(400)

# %% [markdown]
# ## What was noted
#
# `tensorboard --logdir training` shows it in a browser; here the files are read. The log of a session says from where on what
# was noted before is no longer true.


# %%
def losses(folder):
    found = {}
    for file in sorted(glob.glob(os.path.join(folder, "events*"))):
        for event in tf.train.summary_iterator(file):
            if event.session_log.status == tf.SessionLog.START:
                found = {step: value for step, value in found.items() if step <= event.step}
            for value in event.summary.value:
                found[event.step] = value.simple_value
    return found


noted = losses(FOLDER)
print(len(noted), "steps in", len(glob.glob(os.path.join(FOLDER, "events*"))), "files")

# %%
plt.figure(figsize=(6, 3))
plt.semilogy(list(noted), list(noted.values()), lw=0.8)
plt.axvline(200, color="gray", ls="--", lw=0.8)
plt.xlabel("step")
plt.ylabel("loss")

# %% [markdown]
# Is it the run that it would have been? Train without a stop, in another folder, and compare: not one number differs.

# %%
run(400, "whole")
print(losses("whole") == noted)
