"""Networks side by side in one run: fusetrack, and the engines that could run the same ONNX file instead."""
