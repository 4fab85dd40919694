"""What the build writes: functions that add an op, a module for each family (`math_ops`, …), and the tables of them
(`op_functions`) and of public names. Nothing of that is in the sources but the stubs, for editors and type checkers."""
