"""What the tutorials share: `mnist.input_data`."""
