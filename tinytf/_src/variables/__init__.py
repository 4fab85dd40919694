"""Variables: their kinds, scopes and stores, partitioning, collections and initializers."""
