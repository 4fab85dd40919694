"""Traces, timelines, step statistics and cost graphs of steps."""
