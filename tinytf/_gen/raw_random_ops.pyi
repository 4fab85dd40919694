"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def Multinomial(*, logits: TensorLike, num_samples: TensorLike, seed: int | None = 0, seed2: int | None = 0, output_dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Class numbers [batch, num_samples] drawn from the unnormalised log-probabilities `logits` [batch, classes]."""

def RandomGamma(*, shape: TensorLike, alpha: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Samples of shape `shape` + alpha.shape from the gamma distributions with the parameters `alpha` and scale 1."""

def RandomPoissonV2(*, shape: TensorLike, rate: TensorLike, seed: int | None = 0, seed2: int | None = 0, dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """Samples of shape `shape` + rate.shape from the Poisson distributions with the means `rate`. Equal non-zero seeds give equal streams; seeds 0, 0 a stream that nobody can predict."""

def RandomShuffle(*, value: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """The rows of `value` (its slices along dimension 0) in a random order."""

def RandomStandardNormal(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Values of the given `shape` from the normal distribution with mean 0 and deviation 1. Equal non-zero seeds give equal streams; seeds 0, 0 a stream that nobody can predict."""

def RandomUniform(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Values of the given `shape`, uniform in [0, 1). Equal non-zero seeds give equal streams; seeds 0, 0 a stream that nobody can predict."""

def RandomUniformInt(*, shape: TensorLike, minval: TensorLike, maxval: TensorLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Integers of the given `shape`, uniform in [minval, maxval); both bounds are scalars. InvalidArgument unless minval < maxval (or the output is empty)."""

def StatelessMultinomial(*, logits: TensorLike, num_samples: TensorLike, seed: TensorLike, output_dtype: DTypeLike | None = _dtypes.int64, name: str | None = None) -> Tensor:
    """`Multinomial` whose draws are a function of `seed` [2] and the other inputs."""

def StatelessRandomNormal(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Values of the given `shape` from the normal distribution with mean 0 and deviation 1. The values are a function of `seed` [2] and `shape`."""

def StatelessRandomUniform(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Values of the given `shape`, uniform in [0, 1). The values are a function of `seed` [2] and `shape`."""

def StatelessRandomUniformInt(*, shape: TensorLike, seed: TensorLike, minval: TensorLike, maxval: TensorLike, name: str | None = None) -> Tensor:
    """`RandomUniformInt` whose values are a function of `seed` [2] and `shape`."""

def StatelessTruncatedNormal(*, shape: TensorLike, seed: TensorLike, dtype: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Values of the given `shape` from the normal distribution with mean 0 and deviation 1, those beyond two deviations redrawn. The values are a function of `seed` [2] and `shape`."""

def TruncatedNormal(*, shape: TensorLike, dtype: DTypeLike, seed: int | None = 0, seed2: int | None = 0, name: str | None = None) -> Tensor:
    """Values of the given `shape` from the normal distribution with mean 0 and deviation 1, those beyond two deviations redrawn. Equal non-zero seeds give equal streams; seeds 0, 0 a stream that nobody can predict."""
