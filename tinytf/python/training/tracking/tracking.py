"""TensorFlow's path to objects that track their attributes for checkpoints."""

from tinytf._src.trackable.auto_trackable import AutoTrackable

__all__ = ["AutoTrackable"]
