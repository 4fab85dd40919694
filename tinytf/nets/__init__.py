"""Building blocks of neural networks: layers with variables, and recurrent networks."""
