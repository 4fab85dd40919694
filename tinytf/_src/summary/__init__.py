"""Writers of event files for TensorBoard."""
