"""TensorFlow's path to `io`, files and records."""
