"""TensorFlow's path to `Timeline`."""

from tinytf._src.profiler.timeline import AllocationMaximum, StepStatsAnalysis, Timeline

__all__ = ["AllocationMaximum", "StepStatsAnalysis", "Timeline"]
