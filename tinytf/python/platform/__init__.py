"""TensorFlow's path to what programs use around their graphs: `tf_logging` has the names of `tf.logging`, `gfile` those of
`tf.gfile`; `app`, `flags`, `test` and others are no files."""

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {"tf_logging": "tinytf.framework.tf_logging", "gfile": "tinytf.platform.gfile"})
