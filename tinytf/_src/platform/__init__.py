"""Services around graphs: flags, files, records and resources. Nothing here depends on the engine's sessions."""
