"""Estimators: models as functions, with what trains, evaluates, asks and exports them."""
