"""Estimators: models defined by functions, with their training, evaluation, prediction and export."""
