"""fusetrack from Python, in cells."""

# %% [markdown]
# # fusetrack from Python
#
# An editor that knows cells (VS Code, Spyder, PyCharm, Jupyter with jupytext) runs them one by one, `python
# app/examples/tour.py` all of them. The clips are rendered here ("sim:..."), so no file is needed.

# %%
import fusetrack
import numpy as np

# %% [markdown]
# ## A clip is a sequence of pictures
# A file's path goes as well as "sim:vortex": cine, mraw, avi, mp4, TIFF, images, HDF5, npy.

# %%
clip = fusetrack.open("sim:vortex?frames=40&width=160&height=120&particles=12&seed=3")
print(clip, clip.shape, clip.fps)
picture = clip[5]  # an array (height, width)
part = clip[10:20]  # again a clip, nothing is read yet
background = np.median(clip, axis=0)  # NumPy takes it as an array
print(picture.shape, len(part), background.shape)

# %% [markdown]
# ## Tracks of a clip, or of arrays
# The rows are those of `fusetrack run`, bit for bit; nothing is written. `fps` is needed where an array cannot tell it.

# %%
frames = np.asarray(clip)
tracks = fusetrack.track(frames, "blobs", fps=clip.fps)
print(tracks)
seen = tracks.tracked  # what was seen and believed: the rows to count with
print(seen["x"][:3], seen["sigma"][:3], tracks.units["vx"])

# %% [markdown]
# Rows are columns of arrays; each track by itself; a DataFrame where pandas is installed.

# %%
for number, path in list(tracks.by_track().items())[:3]:
    way = np.hypot(np.diff(path["x"]), np.diff(path["y"])).sum()
    print(f"track {number}: {len(path)} frames, {way:.1f} px")
try:
    print(tracks.to_pandas().groupby("track")[["vx_px_per_s", "vy_px_per_s"]].mean().head(3))
except fusetrack.InputError as error:
    print(error)  # pandas is not installed

# %% [markdown]
# ## Settings
# By name as on the command line, or as keywords: `bright__level` is "bright.level". What is misspelt is said.

# %%
found = fusetrack.track(frames, "blobs", fps=clip.fps, settings={"bright.level": 0.03}, follow__min_hits=5)
print(len(found.ids), "tracks;", tracks.found["bright.level"], "was found for bright.level before")
try:
    fusetrack.track(frames, "blobs", bright__levle=0.03)
except TypeError as error:
    print(error)

# %% [markdown]
# ## Stages and pipelines on arrays
# `help(fusetrack.stages.gaussian)` explains a stage; `print(fusetrack.stages)` lists all.

# %%
smooth = fusetrack.stages.gaussian(frames, sigma=1.5)
edges = fusetrack.apply(frames, "gradient")["magnitude"]
inside = fusetrack.apply(frames, "blobs", taps=["band", "bright"])  # what a shipped pipeline computes on its way
print(smooth.dtype, edges.shape, {name: values.dtype for name, values in inside.items()})

# %% [markdown]
# A pipeline of one's own is built step by step, is checked as its file would be, and is written as one.

# %%
mine = (
    fusetrack.Pipeline(name="mine")
    .gray()
    .normalize()
    .dog(name="band", sigma=1.2)
    .threshold(name="bright", level=0.03)
    .components(inputs={"mask": "bright", "weights": "normalize"}, min_area=3)
    .blob(min_hits=5)
)
print(mine)
print(fusetrack.track(frames, mine, fps=clip.fps))

# %% [markdown]
# ## Points that you choose
# `template` and `vibration` follow given points, x and y in px; `shapes` says how they move at each peak.

# %%
beam = fusetrack.open("sim:beam?frames=200&width=192&height=96")
height, width = beam.shape[1:3]
points = [[x, height / 2] for x in np.linspace(0.2, 0.9, 5) * width]
bent = fusetrack.track(beam, "vibration", points=points)
print(fusetrack.shapes(bent))

# %% [markdown]
# ## Diffusion
# Of tracks in memory, of a run's folder, of a table, of a DataFrame of another program.

# %%
beads = fusetrack.track("sim:brownian?frames=60&width=160&height=120", "blobs")
diffusion = fusetrack.msd(beads, scale="0.1 um/px")
print(diffusion)
print(diffusion.d, "+-", diffusion.d_error, "um^2/s")

# %% [markdown]
# ## Figures
# Functions take and give matplotlib's Axes.

# %%
axes = diffusion.plot()
axes.figure.savefig("msd.png")
tracks.plot().figure.savefig("paths.png")

# %% [markdown]
# ## A camera
# `on_batch` hears of frames as they come: "cam:0", or here a simulated one. Returning False ends it.

# %%
heard: list[fusetrack.LiveBatch] = []
report = fusetrack.live("cam:sim?fps=200&size=96x80&frames=40", mine, on_batch=heard.append, latency=2.0)
ledger = report.ledger  # where every frame is
print(ledger.processed, "of", ledger.announced, "frames;", len(heard[-1].tracks), "rows in the last batch")
