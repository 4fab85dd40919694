"""TensorFlow's path to files (`file_io`) and records (`tf_record`)."""

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {name: f"tinytf._src.platform.{name}" for name in ("file_io", "tf_record")})
