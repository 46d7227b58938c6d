"""Operators of ONNX, one file a family; all are registered by `kernels.networks.importing`."""
