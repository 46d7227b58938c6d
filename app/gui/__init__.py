"""The window: PyQt5 and pyqtgraph, thin views over `app.desk.bench.workbench`."""
