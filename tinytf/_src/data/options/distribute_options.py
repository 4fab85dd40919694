"""`DistributeOptions`: how a dataset is divided among workers and devices."""

from __future__ import annotations

from tinytf._src.data.options.base import OptionsBase, create_option
from tinytf._src.exports import tf_export


@tf_export("data.experimental.DistributeOptions")
class DistributeOptions(OptionsBase):
    """Options of datasets of which several workers or devices take parts, for `tf.data.Options.experimental_distribute`.

    Example:
      options = tf.data.Options()
      options.experimental_distribute.num_devices = 2
    """

    auto_shard = create_option(
        "auto_shard",
        bool,
        "Whether each of several workers gets a part of the dataset by itself; True by default.",
        lambda: True,
    )
    _make_stateless = create_option(
        "_make_stateless", bool, "Whether transformations with state are replaced, so that the graph can move."
    )
    num_devices = create_option("num_devices", int, "The number of devices that take elements of this dataset.")
