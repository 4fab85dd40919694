"""Printing, summaries, and the messages of failed assertions in eager execution."""
