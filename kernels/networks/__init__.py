"""Networks: files of ONNX read, and their layers written as expressions (`kernels.ir.volumes`)."""
