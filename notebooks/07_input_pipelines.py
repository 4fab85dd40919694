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
# # Input that keeps up
#
# A training is as fast as its input. This notebook reads handwritten digits from record files through `tf.data`, finds the stage
# that is slow, mends it, finds the line of an error, and continues where a session ended.
#
# Every point has its reference in `docs/usage/input_pipelines.md`.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

import tinytf as tf
from tinytf.datasets import load_digits

# %% [markdown]
# ## Record files
#
# Data that does not fit into memory lies in files. Here the digits are written to four of them, an `Example` for each image.


# %%
def example(image, label):
    pixels = tf.train.Feature(float_list=tf.train.FloatList(value=image.ravel()))
    number = tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))
    return tf.train.Example(features=tf.train.Features(feature={"image": pixels, "label": number}))


images, labels = load_digits()
for part in range(4):
    with tf.python_io.TFRecordWriter(f"digits-{part}.tfrecord") as writer:
        for image, label in zip(images[part::4], labels[part::4], strict=True):
            writer.write(example(image, label).SerializeToString())
print(len(images), "images in", len([name for name in os.listdir() if name.endswith(".tfrecord")]), "files")

# %% [markdown]
# ## A pipeline
#
# The files are read alternately, the records are shuffled, parsed, changed by a Python function, and collected in batches.
# Nothing is read yet: a dataset is a description, as a graph is.

# %%
FEATURES = {"image": tf.FixedLenFeature([8, 8], tf.float32), "label": tf.FixedLenFeature([], tf.int64)}
generator = np.random.RandomState(0)


def shifted(image):
    """Moves the image by up to a pixel. It computes far more than it has to, as functions of this kind often do."""
    median = np.sort(generator.rand(20_000))[10_000]
    return np.roll(image, int(1000 * median) % 3 - 1, axis=1)


def parsed(record):
    features = tf.io.parse_single_example(record, FEATURES)
    image = tf.numpy_function(shifted, [features["image"]], tf.float32)
    image.set_shape([8, 8])
    return image, features["label"]


def pipeline(parallel_calls=None):
    files = tf.data.Dataset.list_files("digits-*.tfrecord", shuffle=False)
    records = files.interleave(tf.data.TFRecordDataset, cycle_length=4).shuffle(500, seed=1)
    return records.map(parsed, num_parallel_calls=parallel_calls).batch(32).prefetch(2)


iterator = tf.data.make_one_shot_iterator(pipeline())
batch_of_images, batch_of_labels = iterator.get_next()
print(batch_of_images)

# %%
sess = tf.InteractiveSession()
first_images, first_labels = sess.run([batch_of_images, batch_of_labels])
figure, axes = plt.subplots(1, 8, figsize=(8, 1.4))
for one, image, label in zip(axes, first_images, first_labels, strict=False):
    one.imshow(image, cmap="gray_r")
    one.set_title(label)
    one.axis("off")
plt.show()

# %% [markdown]
# ## Which stage is slow
#
# `tf.experimental.data_report` measures a pipeline from its first call on, also one that runs already.

# %%
tf.experimental.data_report(iterator)
for _ in range(20):
    sess.run(batch_of_images)
tf.experimental.data_report(iterator)

# %% [markdown]
# The stages stand in the order of requests: each one takes its elements from the stage below it. Blue is the time in which a
# stage worked, orange the time for which its consumer waited. The map, which became one stage with the batch, has the work;
# reading and shuffling cost nothing beside it, and the prefetch, which can hold two batches, has nothing to hand out at once.
#
# The map may work on several elements at a time, on as many as is best for this machine. The elements and their order stay the
# same.

# %%
tuned = tf.data.make_one_shot_iterator(pipeline(tf.data.experimental.AUTOTUNE))
tuned_batch = tuned.get_next()
tf.experimental.data_report(tuned)
for _ in range(20):
    sess.run(tuned_batch)
report = tf.experimental.data_report(tuned)
print([stage.kind for stage in report.stages[:2]])
print("parallel:", report.stages[1].parallelism > 0)

# %% [markdown]
# ## The line of an error
#
# A function of a pipeline runs far away from the code that made it. Its errors name both lines: the one of the operation, and the
# one that made the stage.


# %%
def inverse(image, label):
    return tf.debugging.check_numerics(1.0 / image, "a pixel is 0"), label


broken = tf.data.make_one_shot_iterator(pipeline().map(inverse)).get_next()
try:
    sess.run(broken)
except tf.errors.InvalidArgumentError as error:
    for line in error.message.splitlines():
        if "function of" in line:
            print(line.split(" at ")[0])

# %% [markdown]
# ## Stop and continue
#
# The position of an iterator is saved like a variable: the same elements come next, those in the buffer of the shuffle among
# them. `tf.train.MonitoredTrainingSession(save_input_state=True)` does this for a whole training.

# %%
numbers = tf.data.make_initializable_iterator(tf.data.Dataset.range(1000).shuffle(100, seed=1).batch(5))
five = numbers.get_next()
saver = tf.train.Saver({"input": tf.data.experimental.make_saveable_from_iterator(numbers)})
sess.run(numbers.initializer)
for _ in range(10):
    sess.run(five)
path = saver.save(sess, "./position", write_meta_graph=False)
print("next:           ", sess.run(five))
sess.close()

with tf.Session() as sess:
    sess.run(numbers.initializer)
    saver.restore(sess, path)
    print("after a restore:", sess.run(five))
