"""Small data sets that travel with the package: nothing is downloaded."""

from tinytf._src.datasets.alice import load_alice
from tinytf._src.datasets.digits import load_digits
from tinytf._src.exports import tf_export

__all__ = ["load_alice", "load_digits"]

tf_export("datasets.*").constants(__name__, *__all__)
