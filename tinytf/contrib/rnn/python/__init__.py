"""TensorFlow's module path of `tf.contrib.rnn`."""
