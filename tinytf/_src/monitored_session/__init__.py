"""Monitored sessions, which are initialized, recovered and closed automatically, and the hooks around their steps."""
