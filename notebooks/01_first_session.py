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
# # A first session
#
# A TensorFlow 1 program has two halves. The first half *describes* a computation as a graph of operations; nothing is
# computed yet. The second half hands the graph to a **session**, which computes whatever it is asked for.
#
# Below, a small convolutional network learns to read hand-written digits. It takes a few seconds on one processor core.

# %%
import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf

# %% [markdown]
# ## The smallest possible session
#
# `a + b` does not add: it makes a node called `add`. `sess.run` adds.

# %%
a = tf.constant(2.0, name="a")
b = tf.placeholder(tf.float32, shape=[], name="b")
total = a + b
print(total)

with tf.Session() as sess:
    print(sess.run(total, feed_dict={b: 40.0}))

# %% [markdown]
# A **placeholder** is an input: its value comes with each call, in `feed_dict`. What comes back is a NumPy array or
# number.
#
# ## The data
#
# 1,797 images of 8x8 pixels travel with the package. They are shuffled once, with a fixed seed, and every fifth is kept
# away from training.

# %%
images, labels = tf.datasets.load_digits()
order = np.random.RandomState(7).permutation(len(images))
images, labels = images[order, :, :, np.newaxis], labels[order]
test_size = len(images) // 5
test_images, test_labels = images[:test_size], labels[:test_size]
train_images, train_labels = images[test_size:], labels[test_size:]

figure, axes = plt.subplots(2, 8, figsize=(8, 2.4))
for axis, image, label in zip(axes.flat, train_images, train_labels, strict=False):
    axis.imshow(image[:, :, 0], cmap="gray_r")
    axis.set_title(label)
    axis.axis("off")

# %% [markdown]
# ## The model
#
# A **variable** keeps its value from one `run` to the next: these are the numbers that training changes. Their initial
# values are random; with a seed of its own each of them starts the same way every time, here as in TensorFlow.

# %%
tf.reset_default_graph()


def convolution(inputs, channels_in, channels_out, seed):
    stddev = (2.0 / (9 * channels_in)) ** 0.5
    kernel = tf.Variable(tf.truncated_normal([3, 3, channels_in, channels_out], stddev=stddev, seed=seed))
    bias = tf.Variable(tf.zeros([channels_out]))
    hidden = tf.nn.relu(tf.nn.conv2d(inputs, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias)
    return tf.nn.max_pool(hidden, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def dense(inputs, size_in, size_out, seed):
    stddev = (2.0 / size_in) ** 0.5
    weights = tf.Variable(tf.truncated_normal([size_in, size_out], stddev=stddev, seed=seed))
    return tf.matmul(inputs, weights) + tf.Variable(tf.zeros([size_out]))


x = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
y = tf.placeholder(tf.int64, [None], name="labels")

hidden = convolution(x, 1, 16, seed=8)
hidden = convolution(hidden, 16, 32, seed=9)
hidden = tf.reshape(hidden, [-1, 2 * 2 * 32])
hidden = tf.nn.relu(dense(hidden, 128, 64, seed=10))
logits = dense(hidden, 64, 10, seed=11)

loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
train_step = tf.train.AdamOptimizer(2e-3).minimize(loss)
prediction = tf.argmax(logits, 1)

print(logits)
print(len(tf.get_default_graph().get_operations()), "operations in the graph")

# %% [markdown]
# The shape `(?, 10)` says: any number of images, ten scores each. Shapes and types are checked when the graph is built,
# so most mistakes show up here, on the line that made them, and not in the middle of training:

# %%
try:
    tf.matmul(hidden, tf.zeros([128, 10]))
except ValueError as error:
    print(error)

# %% [markdown]
# ## Training
#
# One call of `sess.run` with `train_step` is one step: forward, backward, and an update of every variable. A session
# holds the variables, so it stays open as long as they are needed.

# %%
sess = tf.Session()
sess.run(tf.global_variables_initializer())

shuffle = np.random.RandomState(7)
losses = []
for _ in range(20):
    order = shuffle.permutation(len(train_images))
    for first in range(0, len(order), 32):
        batch = order[first : first + 32]
        _, value = sess.run([train_step, loss], feed_dict={x: train_images[batch], y: train_labels[batch]})
        losses.append(value)

plt.figure(figsize=(7, 2.5))
plt.semilogy(losses, linewidth=0.5)
plt.xlabel("step")
plt.ylabel("loss")
plt.title("Training loss")

# %% [markdown]
# ## Does it read digits that it has never seen?

# %%
predictions = sess.run(prediction, feed_dict={x: test_images})
accuracy = np.mean(predictions == test_labels)
print(f"test accuracy {accuracy:.1%}")
assert accuracy >= 0.97

# %%
wrong = np.flatnonzero(predictions != test_labels)[:8]
figure, axes = plt.subplots(1, 8, figsize=(8, 1.5))
for axis in axes:
    axis.axis("off")
for axis, i in zip(axes, wrong, strict=False):
    axis.imshow(test_images[i, :, :, 0], cmap="gray_r")
    axis.set_title(f"{test_labels[i]}, read {predictions[i]}", fontsize=7)

# %% [markdown]
# These are the ones that it got wrong; some of them are hard for people too.
#
# A session owns threads and memory: close it when you are done, or write `with tf.Session() as sess:` as in the first
# example.

# %%
sess.close()

# %% [markdown]
# ## Where to go from here
#
# Change something in the model cell - more channels, another layer, another optimizer - and run the notebook again. The
# same program as a script, with a live progress line and a confusion matrix, is `tinytf/demos/digits.py`; run it with
# `python -m tinytf.demos.digits`.
