"""TensorFlow's path to platform services: `tf_logging` is `tf.logging`, `gfile` is `tf.gfile`; `app`, `flags`, `test`
and others have no files."""

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {"tf_logging": "tinytf._src.framework.logs.tf_logging", "gfile": "tinytf._src.platform.gfile"})
