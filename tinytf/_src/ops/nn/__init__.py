"""Neural network ops and losses."""
