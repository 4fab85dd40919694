"""Layers: objects that keep the variables of what they compute."""
