"""What windows are compared with: reference subsets, when they are updated, where points begin."""
