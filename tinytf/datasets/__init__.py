"""Small data sets that travel with the package, as NumPy arrays: nothing is downloaded."""

from tinytf.datasets.digits import load_digits

__all__ = ["load_digits"]
