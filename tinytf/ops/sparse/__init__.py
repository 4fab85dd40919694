"""What makes SparseTensors of others."""
