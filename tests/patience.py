"""How long a test waits for what must come.

Nothing that is right ever takes so long: it is as if there were no limit, but that a test which waits for nothing says
where it does. Anything shorter is a guess at what else the machine has to do.
"""

PATIENCE = 300.0
"""Seconds; less than pytest's own limit of a test (`faulthandler_timeout`), which ends the whole run."""
OF_THE_PROGRAM = (
    ("app.cameras.simulated.camera", "START_PATIENCE"), ("app.cameras.simulated.camera", "PATIENCE"),
    ("app.desk.sidecars.sidecar", "PATIENCE"), ("app.sessions.recorder", "START_PATIENCE"),
    ("app.sessions.resuming", "PATIENCE"),
)  # fmt: skip
"""Modules and names of the seconds after which the program gives up waiting for another process of its own, which a
busy machine may not have let run yet. They are `PATIENCE` in tests, and in the processes that tests start."""
