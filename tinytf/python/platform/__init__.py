"""TensorFlow's path to `tf_logging`, which is `tf.logging`."""

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {"tf_logging": "tinytf.framework.tf_logging"})
