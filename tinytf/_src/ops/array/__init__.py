"""Ops that create tensors and rearrange their elements."""
