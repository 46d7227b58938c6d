"""The commands of `fusetrack`, a file each; each has `add(subparsers)`."""
