"""Rows of the ops that draw random numbers."""

import numpy as np
from random_table import RandomRow

_FLOATS = ("float16", "bfloat16", "float32", "float64")
_INTS = ("int32", "int64")
_SHAPE = np.array([20, 50], np.int32)
_DRAWS = np.array(100, np.int32)
_SEED = np.array([1, 5], np.int64)
_NORMAL = {"mean": 0, "deviation": 1}
_CUT = {"mean": 0, "deviation": 0.8796, "low": -2, "high": 2}  # at two deviations
_UNIFORM = {"mean": 0.5, "deviation": 12**-0.5, "low": 0, "high": 1}
_DIE = {"mean": 3.5, "deviation": np.sqrt(35 / 12), "low": 1, "high": 6}
_PROBABILITIES = {"mean": 0.75, "deviation": np.sqrt(3) / 4, "low": 0, "high": 1}


def _row(op, inputs, types, moments, attrs=None, typed="dtype", seeded=True):
    seeds = {"seed": 1, "seed2": 2} if seeded else {}
    return RandomRow(
        op,
        None,
        (((),) * len(inputs),),
        types,
        fixed=dict(enumerate(inputs)),
        attrs={**seeds, **(attrs or {})},
        typed=typed,
        seed_input=next((i for i, value in enumerate(inputs) if value is _SEED), 0),
        repeats=not seeded,
        **moments,
    )


def _both(name, types, moments):
    """Rows of an op with seeds as attrs, and of the one with a seed as an input."""
    op = name.replace("Standard", "")
    attrs = {"dtype": "float32"}
    yield _row(name if name.startswith("Truncated") else f"Random{name}", [_SHAPE], types, moments, attrs)
    yield _row(
        f"Stateless{'' if op.startswith('Truncated') else 'Random'}{op}",
        [_SHAPE, _SEED],
        types,
        moments,
        attrs,
        seeded=False,
    )


def _like(value):
    """The value in the type of the case."""
    return lambda rng, shape, arrays: value


_LOGITS = np.log(np.float32([[1, 3]] * 10))

ROWS = [
    *_both("Uniform", _FLOATS, _UNIFORM),
    *_both("StandardNormal", _FLOATS, _NORMAL),
    *_both("TruncatedNormal", _FLOATS, _CUT),
    _row("RandomUniformInt", [_SHAPE, _like(1), _like(7)], _INTS, _DIE, typed="Tout"),
    _row("StatelessRandomUniformInt", [_SHAPE, _SEED, _like(1), _like(7)], _INTS, _DIE, seeded=False),
    _row(
        "RandomGamma",
        [_SHAPE, _like(4.0)],
        ("float16", "float32", "float64"),
        {"mean": 4, "deviation": 2, "low": 0},
        typed="T",
    ),
    _row(
        "RandomPoissonV2",
        [_SHAPE, np.float32(4)],
        (*_FLOATS[:1], *_FLOATS[2:], *_INTS),
        {"mean": 4, "deviation": 2, "low": 0},
        {"dtype": "int64"},
    ),
    _row(
        "Multinomial",
        [_LOGITS, _DRAWS],
        _INTS,
        _PROBABILITIES,
        {"output_dtype": "int64"},
        "output_dtype",
    ),
    _row(
        "StatelessMultinomial",
        [_LOGITS, _DRAWS, _SEED],
        _INTS,
        _PROBABILITIES,
        {"output_dtype": "int64"},
        "output_dtype",
        False,
    ),
    _row(
        "RandomShuffle",
        [_like(np.arange(500) % 100)],
        ("float32", "int64"),
        {"mean": 49.5, "deviation": 28.87, "low": 0, "high": 99},
        typed="T",
    ),
]
