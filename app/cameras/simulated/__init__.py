"""A camera that is a process of its own, over shared memory, with faults that can be had on demand."""
