"""Files of events, which TensorBoard shows."""
