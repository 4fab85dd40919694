"""Small data sets that travel with the package: nothing is downloaded."""

from tinytf._src.datasets.alice import load_alice
from tinytf._src.datasets.digits import load_digits

__all__ = ["load_alice", "load_digits"]
