"""A first tinytf program: a small convolutional network learns to read hand-written digits.

Run it with `python -m tinytf.demos.digits`; it takes a few seconds. What it has learned stays in the folder `digits_demo`, or
one that is named behind: run again, also after Ctrl-C, it goes on from there. It is an ordinary TensorFlow 1 program: the same
lines run on TensorFlow 1.15 once the import of `tf` is changed.
"""

import os
import sys
import time

import numpy as np

import tinytf as tf
from tinytf.datasets import load_digits

FOLDER = "digits_demo"
EPOCHS = 20
EPOCHS_A_CHECKPOINT = 5
BATCH_SIZE = 32
LEARNING_RATE = 2e-3
TEST_FRACTION = 0.2
SEED = 7


# 1. Data: NumPy arrays, shuffled once with a fixed seed and split into a training and a test part.
def load_data():
    """Returns `(train_images, train_labels, test_images, test_labels)`; images are (n, 8, 8, 1) float32."""
    images, labels = load_digits()
    order = np.random.RandomState(SEED).permutation(len(images))
    images, labels = images[order, :, :, np.newaxis], labels[order]
    test_size = int(TEST_FRACTION * len(images))
    return images[test_size:], labels[test_size:], images[:test_size], labels[:test_size]


# 2. Model: these calls compute nothing. They add nodes to a graph, which a session runs later.
def convolution(inputs, channels_in, channels_out, seed):
    """3x3 convolution with bias and ReLU, then a pool that halves width and height."""
    stddev = (2.0 / (9 * channels_in)) ** 0.5
    kernel = tf.Variable(tf.truncated_normal([3, 3, channels_in, channels_out], stddev=stddev, seed=seed))
    bias = tf.Variable(tf.zeros([channels_out]))
    hidden = tf.nn.relu(tf.nn.conv2d(inputs, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias)
    return tf.nn.max_pool(hidden, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def dense(inputs, size_in, size_out, seed):
    """`inputs @ weights + bias`."""
    stddev = (2.0 / size_in) ** 0.5
    weights = tf.Variable(tf.truncated_normal([size_in, size_out], stddev=stddev, seed=seed))
    return tf.matmul(inputs, weights) + tf.Variable(tf.zeros([size_out]))


def build_model():
    """Adds the network to the default graph; returns the tensors and the operation that a program needs."""
    images = tf.placeholder(tf.float32, [None, 8, 8, 1], name="images")
    labels = tf.placeholder(tf.int64, [None], name="labels")
    hidden = convolution(images, 1, 16, seed=SEED + 1)  # (n, 4, 4, 16)
    hidden = convolution(hidden, 16, 32, seed=SEED + 2)  # (n, 2, 2, 32)
    hidden = tf.reshape(hidden, [-1, 2 * 2 * 32])
    hidden = tf.nn.relu(dense(hidden, 128, 64, seed=SEED + 3))
    logits = dense(hidden, 64, 10, seed=SEED + 4)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    step = tf.train.get_or_create_global_step()
    train_step = tf.train.AdamOptimizer(LEARNING_RATE).minimize(loss, global_step=step)
    return {
        "images": images,
        "labels": labels,
        "loss": loss,
        "step": step,
        "train_step": train_step,
        "prediction": tf.argmax(logits, 1),
    }


# 3. Training: each `sess.run` computes what it is asked for, with the arrays that it is fed.
def batches(images, labels, first_step, last_step):
    """Yields the images and labels of each step. What a step gets follows from its number: training that was stopped anywhere
    goes on as if it had not been."""
    steps_an_epoch = -(-len(images) // BATCH_SIZE)
    shuffle = np.random.RandomState(SEED)
    for epoch in range(-(-last_step // steps_an_epoch)):
        order = shuffle.permutation(len(images))
        for place in range(steps_an_epoch):
            if first_step <= epoch * steps_an_epoch + place < last_step:
                batch = order[place * BATCH_SIZE : (place + 1) * BATCH_SIZE]
                yield images[batch], labels[batch]


def train(sess, model, images, labels, epochs=EPOCHS, first_step=0, after_step=None):
    """Runs Adam up to the end of a number of passes over the data; returns the loss of each step."""
    losses = []
    steps_an_epoch = -(-len(images) // BATCH_SIZE)
    for some_images, some_labels in batches(images, labels, first_step, epochs * steps_an_epoch):
        _, loss = sess.run(
            [model["train_step"], model["loss"]],
            feed_dict={model["images"]: some_images, model["labels"]: some_labels},
        )
        losses.append(float(loss))
        if after_step:
            after_step(first_step + len(losses))
    return losses


def predict(sess, model, images):
    """Returns the most probable digit of each image. `sess`: an ordinary session, which calls no hooks."""
    return sess.run(model["prediction"], feed_dict={model["images"]: images})


# 4. What stays is the business of a monitored session: it goes on from the newest checkpoint, writes checkpoints and a file of
# events, which TensorBoard shows, and calls hooks around each step: `Progress`, which is what the user sees.
def monitored_session(folder, model, steps_an_epoch, last_step):
    """A session that does that. Ctrl-C saves the training, too."""
    tf.summary.scalar("loss", model["loss"])
    return tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        hooks=[Progress(model["loss"], last_step)],
        save_checkpoint_steps=EPOCHS_A_CHECKPOINT * steps_an_epoch,
        save_summaries_steps=1,
        log_step_count_steps=None,
    )


class Progress(tf.train.SessionRunHook):
    """One live line on a terminal, a plain line every 200 steps elsewhere."""

    def __init__(self, loss, last_step, stream=None):
        self.loss = loss
        self.last_step = last_step
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()

    def after_create_session(self, session, coord):
        """Called when there is a session: a new one, or one that goes on from a checkpoint."""
        self.first_step = self.step = int(session.run(tf.train.get_global_step(session.graph)))
        self.started = self.shown = time.perf_counter()

    def before_run(self, run_context):
        """Called before each step: what is returned is computed in the same step."""
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        """Called after each step."""
        self.step += 1
        self.show(run_values.results)

    def show(self, loss):
        """Writes the line if it is time."""
        now = time.perf_counter()
        last = self.step == self.last_step
        if not last and (now - self.shown < 0.1 if self.live else self.step % 200):
            return
        self.shown = now
        speed = (self.step - self.first_step) / (now - self.started)
        line = f"step {self.step:4d}/{self.last_step}   loss {loss:6.4f}   {speed * BATCH_SIZE:7,.0f} images/s   "
        line += f"{(self.last_step - self.step) / speed:4.1f} s left"
        self.stream.write("\r" + line + ("\n" if last else "") if self.live else line + "\n")
        self.stream.flush()


# 5. What it has learned.
def confusion_matrix(labels, predictions):
    """Counts as a (10, 10) array: a row per true digit, a column per predicted one."""
    counts = np.zeros((10, 10), int)
    np.add.at(counts, (labels, predictions), 1)
    return counts


def print_confusion(counts):
    """Prints the matrix with dots for zeros, so that mistakes stand out."""
    print("\n        predicted\n  true   " + "".join(f"{digit:4d}" for digit in range(10)))
    for digit, row in enumerate(counts):
        print(f"{digit:6d}   " + "".join(f"{count:4d}" if count else "   ." for count in row))


def print_what_there_is(folder):
    """Prints how to look at the files."""
    print(
        f"\nWhat it has learned is in {folder}: run it again, and it goes on from there. Its files, and the course of training:"
    )
    print(f"  python -m tinytf inspect-checkpoint {folder}")
    print(f"  tensorboard --logdir {folder}")
    print("or, without TensorBoard, in Python:")
    print("  import glob, tinytf as tf")
    print(f"  for file in sorted(glob.glob({os.path.join(folder, 'events*')!r})):")
    print("      for event in tf.train.summary_iterator(file):")
    print("          for value in event.summary.value:")
    print("              print(event.step, value.tag, value.simple_value)")


def trained_steps(folder):
    """How many steps are behind what the folder has."""
    checkpoint = tf.train.latest_checkpoint(folder)
    return int(tf.train.load_variable(checkpoint, "global_step")) if checkpoint else 0


def main(folder=FOLDER):
    """Trains, tests and prints; returns the accuracy on the test images."""
    started = time.perf_counter()
    train_images, train_labels, test_images, test_labels = load_data()
    print(f"{len(train_images)} training and {len(test_images)} test images of 8x8 pixels")
    model = build_model()
    steps_an_epoch = -(-len(train_images) // BATCH_SIZE)
    first_step = trained_steps(folder)
    # A run that was stopped is brought to its end; one that was over is followed by another one.
    epochs = (first_step // (EPOCHS * steps_an_epoch) + 1) * EPOCHS
    if first_step:
        print(f"resumes from {tf.train.latest_checkpoint(folder)}, after {first_step} steps")
    with monitored_session(folder, model, steps_an_epoch, epochs * steps_an_epoch) as sess:

        def predictions():
            # Hooks are for steps of the training: this one is run by the session below the monitored one.
            return sess.run_step_fn(lambda step_context: predict(step_context.session, model, test_images))

        def after_step(step):
            if step % steps_an_epoch == 0:
                accuracy = np.mean(predictions() == test_labels)
                value = tf.Summary.Value(tag="accuracy", simple_value=accuracy)
                tf.summary.FileWriterCache.get(folder).add_summary(tf.Summary(value=[value]), step)

        train(sess, model, train_images, train_labels, epochs, first_step, after_step)
        predicted = predictions()
    tf.summary.FileWriterCache.clear()
    accuracy = float(np.mean(predicted == test_labels))
    print_confusion(confusion_matrix(test_labels, predicted))
    print(f"\ntest accuracy {accuracy:.2%} on images never seen in training")
    print(f"total time {time.perf_counter() - started:.1f} s")
    print_what_there_is(folder)
    print("\nNext: read this program, it is meant for that (tinytf/demos/digits.py), change a layer and run it again;")
    print("then open notebooks/01_first_session.ipynb, which takes the same steps one at a time.")
    return accuracy


if __name__ == "__main__":
    main(*sys.argv[1:])
