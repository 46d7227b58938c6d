"""The language that loops over arrays are written in, compiled by LLVM; and its library."""
