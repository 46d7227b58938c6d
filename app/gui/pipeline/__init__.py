"""The pipeline: its graph, its parameters, the stages that there are."""
