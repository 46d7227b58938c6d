"""Parameters that are "auto": numbers found on some frames of a clip before it runs, a way of finding a file.

What is found is in the pipeline in the place of "auto" (`settling.settle`), so that everything behind it, a run, a
session, a replay, knows numbers only: results depend on no executor, batch or thread, and a replay is exact.
"""
