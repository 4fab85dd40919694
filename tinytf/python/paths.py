"""Modules of the package under TensorFlow's paths."""

from __future__ import annotations

import sys
from importlib import import_module


def adopt(package: str, modules: dict[str, str]) -> None:
    """Makes modules importable as parts of a package: its names for them, and their own full names."""
    for name, home in modules.items():
        module = import_module(home)
        sys.modules[f"{package}.{name}"] = module
        setattr(sys.modules[package], name, module)
