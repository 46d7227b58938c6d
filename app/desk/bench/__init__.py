"""The parts of the workbench, each a kind of thing that can be done."""
