"""What `import fusetrack` offers, and where it is: loaded when it is first asked for."""

from __future__ import annotations

PUBLIC = {
    "track": "app.api.tracking",
    "grid": "app.api.tracking",
    "apply": "app.api.applying",
    "open": "app.api.clip",
    "Pipeline": "app.api.pipeline",
    "stages": "app.api.applying",
    "library": "app.api.library",
    "Tracks": "app.api.tracks",
    "Clip": "app.api.clip",
    "live": "app.api.live",
    "LiveBatch": "app.api.live",
    "msd": "app.api.analysis",
    "shapes": "app.api.analysis",
    "frf": "app.api.analysis",
    "motion": "app.api.motion",
    "calibrate": "app.api.stereo",
    "reconstruct": "app.api.stereo",
    "strain": "app.api.strain",
    "channel": "app.api.channel",
    "Msd": "app.api.analysis",
    "Shapes": "app.api.analysis",
    "Frf": "app.api.analysis",
    "run_clip": "app.controller",
    "export_results": "app.exports.export",
    "__version__": "app.version",
}
"""In the order in which help shows them."""

MORE = {
    "FusetrackError": "kernels.errors",
    "InputError": "kernels.errors",
    "stage": "kernels.stage",
    "Param": "kernels.param",
    "load_plugin": "kernels.plugins",
    "evaluate": "pipelines.evaluation",
    "open_source": "app.sources.opening",
    "open_scene": "app.sources.simulated.source",
    "read_tracks": "app.exports.tables",
    "Motion": "app.api.motion",
    "Places": "app.api.stereo",
    "DataChannel": "app.api.channel",
    "Strain": "app.api.strain",
    "PointGrid": "pipelines.analysis.point_grid",
    "load_pipeline": "pipelines.definition:load",
    "find_stage": "kernels.plugins",
}
"""Public, too, but for those who write stages, or build on the parts; help shows the others."""
