"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Multinomial(*, logits: TensorLike, num_samples: TensorLike, seed: int | None = 0, seed2: int | None = 0, output_dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Draws class indices [batch, num_samples] from the distributions whose unnormalized log-probabilities are `logits` [batch, classes]."""

def RandomGamma(*, shape: TensorLike, alpha: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Draws samples from the gamma distributions with shape parameters `alpha` and scale 1. `output` has the shape `shape` + alpha.shape."""

def RandomPoissonV2(*, shape: TensorLike, rate: TensorLike, seed: int | None = 0, seed2: int | None = 0, dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Draws samples from the Poisson distributions with means `rate`. `output` has the shape `shape` + rate.shape. Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is unpredictable."""

def RandomShuffle(*, value: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Shuffles `value` along dimension 0: returns its slices in a random order."""

def RandomStandardNormal(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the normal distribution with mean 0 and standard deviation 1. Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is unpredictable."""

def RandomUniform(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the uniform distribution on [0, 1). Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is unpredictable."""

def RandomUniformInt(*, shape: TensorLike, minval: TensorLike, maxval: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Draws uniform integers in [minval, maxval), as a tensor of the given `shape`. Both bounds are scalars. Fails with InvalidArgument unless minval < maxval or the output is empty."""

def StatelessMultinomial(*, logits: TensorLike, num_samples: TensorLike, seed: TensorLike, output_dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Draws the same kind of samples as `Multinomial`. They are a function of `seed` [2] and the other inputs."""

def StatelessRandomNormal(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the normal distribution with mean 0 and standard deviation 1. The values are a function of `seed` [2] and `shape`."""

def StatelessRandomUniform(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the uniform distribution on [0, 1). The values are a function of `seed` [2] and `shape`."""

def StatelessRandomUniformInt(*, shape: TensorLike, seed: TensorLike, minval: TensorLike, maxval: TensorLike, name: str | None = None) -> Tensor:
    """Draws the same kind of samples as `RandomUniformInt`. They are a function of `seed` [2] and `shape`."""

def StatelessTruncatedNormal(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the normal distribution with mean 0 and standard deviation 1. Values beyond two standard deviations are drawn again. The values are a function of `seed` [2] and `shape`."""

def TruncatedNormal(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Draws values of the given `shape` from the normal distribution with mean 0 and standard deviation 1. Values beyond two standard deviations are drawn again. Equal nonzero seeds give equal streams; if `seed` and `seed2` are 0 the stream is unpredictable."""
