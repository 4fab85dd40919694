"""What is told of sessions and their steps: traces, records and what compares them, reports, warnings of growth."""
