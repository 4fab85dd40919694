"""TensorFlow's path to snapshots of datasets."""

from tinytf._src.data.experimental.snapshot import COMPRESSION_GZIP, COMPRESSION_NONE, snapshot

__all__ = ["COMPRESSION_GZIP", "COMPRESSION_NONE", "snapshot"]
