"""TensorFlow's path to `compat` (conversions of `tf.compat`), `deprecation` and `nest` (nested structures)."""

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "compat": "tinytf._src.platform.compat",
        "deprecation": "tinytf._src.platform.deprecation",
        "nest": "tinytf._src.framework.nest.nest_util",
    },
)
