"""The version of the package: the build reads it from this file, and no other file repeats it."""

__version__ = "0.1.0"
