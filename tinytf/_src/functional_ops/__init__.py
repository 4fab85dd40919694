"""Functions that apply a callable to each element of tensors: `tf.map_fn`, `tf.foldl`, `tf.foldr`, `tf.scan`."""
