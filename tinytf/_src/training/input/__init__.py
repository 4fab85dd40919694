"""Input by queues: file readers, and pipelines that create batches."""
