"""A first tinytf program: a small convolutional network learns to read handwritten digits.

Run it with `python -m tinytf.demos.digits`; it takes a few seconds. The trained variables are saved in the folder
`digits_demo`, or in the one given as an argument; another run, even after Ctrl-C, resumes from there. It is an ordinary
TensorFlow 1 program: it also runs on TensorFlow 1.15 once the import of `tf` is changed.
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


# 2. Input and model: these calls compute nothing. They add nodes to a graph, which a session runs later.
class Batches(tf.train.SessionRunHook):
    """The input pipeline. `images` and `labels` are the tensors of the next batch: each step takes another one. A batch
    depends only on the number of its step, so interrupted training resumes with the same batches."""

    def __init__(self, images, labels):
        arrays = images, labels
        placeholders = tuple(tf.placeholder(array.dtype, array.shape) for array in arrays)
        dataset = tf.data.Dataset.from_tensor_slices(placeholders)
        dataset = dataset.shuffle(len(images), seed=SEED).batch(BATCH_SIZE).repeat()
        dataset = dataset.skip(tf.train.get_or_create_global_step())
        self.iterator = tf.data.make_initializable_iterator(dataset)
        self.arrays = dict(zip(placeholders, arrays))
        self.images, self.labels = self.iterator.get_next()

    def after_create_session(self, session, coord):
        """Called after a session was created, with or without a checkpoint to resume from; starts the pipeline."""
        session.run(self.iterator.initializer, self.arrays)


def convolution(inputs, channels_in, channels_out, seed):
    """Adds a 3x3 convolution with bias and ReLU, and max pooling that halves width and height."""
    stddev = (2.0 / (9 * channels_in)) ** 0.5
    kernel = tf.Variable(tf.truncated_normal([3, 3, channels_in, channels_out], stddev=stddev, seed=seed))
    bias = tf.Variable(tf.zeros([channels_out]))
    hidden = tf.nn.relu(tf.nn.conv2d(inputs, kernel, strides=[1, 1, 1, 1], padding="SAME") + bias)
    return tf.nn.max_pool(hidden, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")


def dense(inputs, size_in, size_out, seed):
    """Adds `inputs @ weights + bias`."""
    stddev = (2.0 / size_in) ** 0.5
    weights = tf.Variable(tf.truncated_normal([size_in, size_out], stddev=stddev, seed=seed))
    return tf.matmul(inputs, weights) + tf.Variable(tf.zeros([size_out]))


def build_model(images, labels):
    """Adds the network to the default graph; returns its tensors and operations by name."""
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


# 3. Training: each `sess.run` computes the requested tensors and operations, here with the next batch.
def train(sess, model, steps, after_step=None):
    """Trains with Adam; returns the loss of each step. `after_step` is called with the number of steps so far."""
    losses = []
    for _ in range(steps):
        _, loss = sess.run([model["train_step"], model["loss"]])
        losses.append(float(loss))
        if after_step:
            after_step(len(losses))
    return losses


def predict(sess, model, images):
    """Returns the most probable digit of each image, which is fed in place of a batch. `sess` must be a plain session,
    which calls no hooks."""
    return sess.run(model["prediction"], feed_dict={model["images"]: images})


# 4. A monitored session resumes from the newest checkpoint, writes checkpoints and an event file for TensorBoard, and
# calls hooks around each step: `Batches`, which starts the input, and `Progress`, which writes the status line.
def monitored_session(folder, model, batches, steps_an_epoch, last_step):
    """Returns such a session. It also saves a checkpoint on Ctrl-C."""
    tf.summary.scalar("loss", model["loss"])
    return tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder,
        hooks=[batches, Progress(model["loss"], last_step)],
        save_checkpoint_steps=EPOCHS_A_CHECKPOINT * steps_an_epoch,
        save_summaries_steps=1,
        log_step_count_steps=None,
    )


class Progress(tf.train.SessionRunHook):
    """Shows a live status line on a terminal; on other streams it writes a line every 200 steps."""

    def __init__(self, loss, last_step, stream=None):
        self.loss = loss
        self.last_step = last_step
        self.stream = stream or sys.stdout
        self.live = self.stream.isatty()

    def after_create_session(self, session, coord):
        """Called after a session was created, with or without a checkpoint to resume from."""
        self.first_step = self.step = int(session.run(tf.train.get_global_step(session.graph)))
        self.started = self.shown = time.perf_counter()

    def before_run(self, run_context):
        """Called before each step; the returned fetches are added to the step."""
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values):
        """Called after each step."""
        self.step += 1
        self.show(run_values.results)

    def show(self, loss):
        """Writes the status line if it is due."""
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


# 5. Results.
def confusion_matrix(labels, predictions):
    """Returns counts as a (10, 10) array: one row per true digit, one column per predicted digit."""
    counts = np.zeros((10, 10), int)
    np.add.at(counts, (labels, predictions), 1)
    return counts


def print_confusion(counts):
    """Prints the matrix with dots for zeros, so that errors stand out."""
    print("\n        predicted\n  true   " + "".join(f"{digit:4d}" for digit in range(10)))
    for digit, row in enumerate(counts):
        print(f"{digit:6d}   " + "".join(f"{count:4d}" if count else "   ." for count in row))


def print_what_there_is(folder):
    """Prints commands that inspect the saved files."""
    print(
        f"\nThe trained model is saved in {folder}; the next run resumes from it. To inspect the files and the training:"
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
    """Returns the number of training steps in the newest checkpoint of the folder, 0 without one."""
    checkpoint = tf.train.latest_checkpoint(folder)
    return int(tf.train.load_variable(checkpoint, "global_step")) if checkpoint else 0


def main(folder=FOLDER):
    """Trains the network, tests it and prints the results; returns the accuracy on the test images."""
    started = time.perf_counter()
    train_images, train_labels, test_images, test_labels = load_data()
    print(f"{len(train_images)} training and {len(test_images)} test images of 8x8 pixels")
    steps_an_epoch = -(-len(train_images) // BATCH_SIZE)
    first_step = trained_steps(folder)
    batches = Batches(train_images, train_labels)
    model = build_model(batches.images, batches.labels)
    # An interrupted run is completed; after a completed one, EPOCHS more are trained.
    epochs = (first_step // (EPOCHS * steps_an_epoch) + 1) * EPOCHS
    if first_step:
        print(f"resuming from {tf.train.latest_checkpoint(folder)}, after {first_step} steps")
    with monitored_session(folder, model, batches, steps_an_epoch, epochs * steps_an_epoch) as sess:

        def predictions():
            # The hooks must see training steps only, so the prediction runs in the wrapped plain session.
            return sess.run_step_fn(lambda step_context: predict(step_context.session, model, test_images))

        def after_step(count):
            step = first_step + count
            if step % steps_an_epoch == 0:
                accuracy = np.mean(predictions() == test_labels)
                value = tf.Summary.Value(tag="accuracy", simple_value=accuracy)
                tf.summary.FileWriterCache.get(folder).add_summary(tf.Summary(value=[value]), step)

        train(sess, model, epochs * steps_an_epoch - first_step, after_step)
        predicted = predictions()
    tf.summary.FileWriterCache.clear()
    accuracy = float(np.mean(predicted == test_labels))
    print_confusion(confusion_matrix(test_labels, predicted))
    print(f"\ntest accuracy {accuracy:.2%} on images never seen in training")
    print(f"total time {time.perf_counter() - started:.1f} s")
    print_what_there_is(folder)
    print(
        "\nNext: read this program (tinytf/demos/digits.py), which is written as an example, change a layer and run it"
    )
    print("again; then open notebooks/01_first_session.ipynb, which goes through the same steps one by one.")
    return accuracy


if __name__ == "__main__":
    main(*sys.argv[1:])
