"""TensorFlow's path to `Timeline`."""

from tinytf.insight.timeline import AllocationMaximum, StepStatsAnalysis, Timeline

__all__ = ["AllocationMaximum", "StepStatsAnalysis", "Timeline"]
