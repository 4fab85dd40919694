"""Benchmarks of summaries: in steps, and on the thread that passes them to a file writer."""

from __future__ import annotations

import shutil
import tempfile
import time

import numpy as np
from case import Case, Measured, sessions

EVENTS = 20_000
NUMBERS = 1_000_000  # per histogram
_SCALAR = b"\n\x0b\n\x04loss\x15\x00\x00\x80?"


def _written(peer):
    """The time from writing the first scalar summary until the file is complete."""

    def sample():
        folder = tempfile.mkdtemp()
        try:
            with peer.tf.Graph().as_default():
                writer = peer.tf.summary.FileWriter(folder)
            start = time.perf_counter()
            for step in range(EVENTS):
                writer.add_summary(_SCALAR, step)
            writer.close()
            return (time.perf_counter() - start) / EVENTS
        finally:
            shutil.rmtree(folder)

    return Measured(sample)


def _added(peer):
    """The time that `add_summary` blocks its caller."""

    def sample():
        folder = tempfile.mkdtemp()
        try:
            with peer.tf.Graph().as_default():
                writer = peer.tf.summary.FileWriter(folder)
            start = time.perf_counter()
            for step in range(EVENTS):
                writer.add_summary(_SCALAR, step)
            seconds = time.perf_counter() - start
            writer.close()
            return seconds / EVENTS
        finally:
            shutil.rmtree(folder)

    return Measured(sample)


def _step(summarize, value):
    """A step that computes a summary of the fed value."""

    def program(peer):
        session = peer.session()
        given = peer.tf.placeholder(value.dtype, value.shape)
        call = session.make_callable(summarize(peer.tf, given), [given])
        return lambda: call(value)

    return program


CASES = [
    Case("event_writing", "a summary, from add_summary to the file", "µs", 5.0, sessions(_written)),
    Case("event_adding", "add_summary alone", "µs", 5.0, sessions(_added)),
    Case(
        "scalar_summary",
        "step: a summary of a number",
        "µs",
        2.0,
        sessions(_step(lambda tf, x: tf.summary.scalar("loss", x), np.float32(1))),
    ),
    Case(
        "histogram_summary",
        "step: a histogram of 1 M numbers",
        "ms",
        3.0,
        sessions(
            _step(
                lambda tf, x: tf.summary.histogram("weights", x),
                np.random.default_rng(0).normal(size=NUMBERS).astype(np.float32),
            )
        ),
    ),
]
