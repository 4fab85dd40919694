"""TensorFlow's path to `compat` (conversions of `tf.compat`), `deprecation` and `nest` (nested structures)."""

from tinytf.python.paths import adopt as _adopt

_adopt(
    __name__,
    {
        "compat": "tinytf.platform.compat",
        "deprecation": "tinytf.platform.deprecation",
        "nest": "tinytf.framework.nest_util",
    },
)
