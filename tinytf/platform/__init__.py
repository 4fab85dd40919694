"""What programs use around their graphs: flags, files, records and resources. Nothing here needs the engine's sessions."""
