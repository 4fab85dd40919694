"""Variables: their kinds, the scopes and stores that find them by name, partitions, collections and initializers."""
