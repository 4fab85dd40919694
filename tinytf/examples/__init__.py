"""What TensorFlow 1's tutorials import from `tensorflow.examples`."""
