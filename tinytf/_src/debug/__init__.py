"""Observation of sessions: traces, recorded steps and their replay, reports, and warnings about growing graphs."""
