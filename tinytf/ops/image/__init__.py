"""Ops of images."""
