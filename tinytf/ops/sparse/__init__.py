"""Ops of SparseTensors."""
