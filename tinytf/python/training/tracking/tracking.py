"""TensorFlow's path to objects whose attributes are saved with them."""

from tinytf.tracking.auto_trackable import AutoTrackable

__all__ = ["AutoTrackable"]
