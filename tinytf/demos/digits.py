"""A first tinytf program: a small convolutional network learns to read hand-written digits.

Run it with `python -m tinytf.demos.digits`; it takes a few seconds. What it has learned stays in the folder `digits_demo`, or
one that is named behind: run again, it goes on from there. It is an ordinary TensorFlow 1 program: the same lines run on
TensorFlow 1.15 once the import of `tf` is changed.
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
def train(sess, model, images, labels, epochs=EPOCHS, report=None, first_epoch=0, after_epoch=None):
    """Runs Adam for passes over the data, from number `first_epoch` to `epochs`; returns the loss of each step."""
    shuffle = np.random.RandomState(SEED)
    orders = [shuffle.permutation(len(images)) for _ in range(epochs)]
    losses = []
    for epoch, order in list(enumerate(orders))[first_epoch:]:
        for first in range(0, len(order), BATCH_SIZE):
            batch = order[first : first + BATCH_SIZE]
            _, loss = sess.run(
                [model["train_step"], model["loss"]],
                feed_dict={model["images"]: images[batch], model["labels"]: labels[batch]},
            )
            losses.append(float(loss))
            if report:
                report(len(losses), loss, len(batch))
        if after_epoch:
            after_epoch(epoch + 1)
    return losses


def predict(sess, model, images):
    """Returns the most probable digit of each image."""
    return sess.run(model["prediction"], feed_dict={model["images"]: images})


# 4. What stays: checkpoints, from which the next run goes on, and a file of events, which TensorBoard shows.
class Records:
    """Files of a run in a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.saver = tf.train.Saver()
        self.events = tf.summary.FileWriter(folder, tf.get_default_graph())

    def begin(self, sess):
        """Gives the variables the values that the last run has left, or first ones; returns the checkpoint, or None."""
        state = tf.train.get_checkpoint_state(self.folder)
        if state:
            self.saver.restore(sess, state.model_checkpoint_path)
            self.saver.recover_last_checkpoints(state.all_model_checkpoint_paths)  # of which the oldest go
        else:
            sess.run(tf.global_variables_initializer())
        step = sess.run(tf.train.get_global_step())  # what was noted of later ones, TensorBoard forgets
        self.events.add_session_log(tf.SessionLog(status=tf.SessionLog.START), step)
        return state.model_checkpoint_path if state else None

    def add(self, name, value, step):
        """Notes a number."""
        self.events.add_summary(tf.Summary(value=[tf.Summary.Value(tag=name, simple_value=value)]), step)

    def save(self, sess, step):
        """Writes a checkpoint of that step."""
        self.saver.save(sess, os.path.join(self.folder, "model"), global_step=step)
        self.events.flush()


# 5. What the user sees.
class Progress:
    """One live line on a terminal, a plain line every 200 steps elsewhere."""

    def __init__(self, total_steps, stream=None, steps_before=0):
        self.total_steps = total_steps
        self.steps_before = steps_before
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()
        self.started = self.shown = time.perf_counter()
        self.seen = 0

    def __call__(self, step, loss, batch_size):
        now = time.perf_counter()
        self.seen += batch_size
        last = step == self.total_steps
        if not last and (now - self.shown < 0.1 if self.live else step % 200):
            return
        self.shown = now
        elapsed = now - self.started
        left = elapsed / step * (self.total_steps - step)
        line = f"step {self.steps_before + step:4d}/{self.steps_before + self.total_steps}   loss {loss:6.4f}   "
        line += f"{self.seen / elapsed:7,.0f} images/s   {left:4.1f} s left"
        self.stream.write("\r" + line + ("\n" if last else "") if self.live else line + "\n")
        self.stream.flush()


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


def main(folder=FOLDER):
    """Trains, tests and prints; returns the accuracy on the test images."""
    started = time.perf_counter()
    train_images, train_labels, test_images, test_labels = load_data()
    print(f"{len(train_images)} training and {len(test_images)} test images of 8x8 pixels")
    model = build_model()
    records = Records(folder)
    steps_an_epoch = -(-len(train_images) // BATCH_SIZE)
    with tf.Session() as sess:
        checkpoint = records.begin(sess)
        epochs_before = sess.run(model["step"]) // steps_an_epoch
        # A run that was stopped is brought to its end; one that was over is followed by another one.
        epochs = (epochs_before // EPOCHS + 1) * EPOCHS
        steps_before = epochs_before * steps_an_epoch
        progress = Progress(epochs * steps_an_epoch - steps_before, steps_before=steps_before)
        if checkpoint:
            print(f"resumes from {checkpoint}, after {epochs_before} epochs")

        def report(step, loss, batch_size):
            records.add("loss", loss, steps_before + step)
            progress(step, loss, batch_size)

        def after_epoch(epoch):
            accuracy = np.mean(predict(sess, model, test_images) == test_labels)
            records.add("accuracy", accuracy, epoch * steps_an_epoch)
            if epoch % EPOCHS_A_CHECKPOINT == 0:
                records.save(sess, epoch * steps_an_epoch)

        train(sess, model, train_images, train_labels, epochs, report, epochs_before, after_epoch)
        predictions = predict(sess, model, test_images)
    records.events.close()
    accuracy = float(np.mean(predictions == test_labels))
    print_confusion(confusion_matrix(test_labels, predictions))
    print(f"\ntest accuracy {accuracy:.2%} on images never seen in training")
    print(f"total time {time.perf_counter() - started:.1f} s")
    print_what_there_is(folder)
    print("\nNext: read this program, it is meant for that (tinytf/demos/digits.py), change a layer and run it again;")
    print("then open notebooks/01_first_session.ipynb, which takes the same steps one at a time.")
    return accuracy


if __name__ == "__main__":
    main(*sys.argv[1:])
