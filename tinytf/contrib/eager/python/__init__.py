"""The module path of `tf.contrib.eager` in TensorFlow."""
