"""Namespaces of the public API that no other module is: `tf.math`, `tf.random`, `tf.initializers`, …"""

from __future__ import annotations

import sys
from typing import Any

from tinytf.api.building import attach, namespace, pick


def install(tf: Any, endpoints: dict[str, str], gen_ops: Any) -> None:
    """Builds the public namespaces of the package `tf`."""
    from tinytf.api import lazy, namespaces

    namespaces.build(tf)
    for public, function in endpoints.items():
        attach(tf, public, getattr(gen_ops, function))
    namespaces.add_other_names(tf)
    _install_compat(tf)
    for name, loaders in lazy.INNER.items():
        lazy.load_when_used(getattr(tf, name), loaders)


def _install_compat(tf: Any) -> None:
    """`tf.compat.v1` is the package itself; also importable as `tinytf.compat.v1`."""
    compat = namespace("compat", "Names of other versions: everything here is version 1.", {"v1": tf})
    from tinytf.platform import compat as helpers

    compat.__dict__.update(pick(helpers, helpers.__all__))
    sys.modules["tinytf.compat.v1"] = tf
    tf.compat = compat
