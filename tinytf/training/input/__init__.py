"""Input by queues: readers of files, and pipelines that make batches."""
