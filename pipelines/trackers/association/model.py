"""What the association assumes about things and their detections: every constant of this room.

Each has one meaning and one test in tests/pipelines/trackers/association/test_model.py, which fails when it is twice or
half as large.
"""

from __future__ import annotations

# Motion: constant velocity, white-noise acceleration (Bar-Shalom, Li, Kirubarajan 2001, 6.2), whose standard deviation
# is the setting `acceleration` times a scale that each track finds by its own innovations (Mehra 1970).
LEAST_SCALE, MOST_SCALE = 0.35, 30.0
SCALE_RATE = 0.05  # share of a frame's normalised innovation squared in the logarithm of the scale
STEADY_INNOVATION = 10.0  # largest normalised innovation squared that counts for it: 0.7 % of all of a right filter's
SURPRISE = 9.0  # from which on the prediction's covariance is raised until it is plausible (1.1 % of a right filter's)
FIRST_SPEED = 1.0  # px/frame, least standard deviation of the velocity of a new track, on each axis
SPEED_SPREAD = 1.0  # the same in units of the root mean square velocity of the tracks that are believed
FIRST_STEP = 0.05  # the same in units of the mean spacing of things, while there is no track to learn from

# Measurement: the detection's own variance, and what its mass says (measured on Gaussian spots beside bars).
UNKNOWN_SIGMA, LEAST_SIGMA, MOST_SIGMA = 0.2, 0.005, 100.0  # px; of a detection that states none, and the bounds
USUAL_WIDTH = 1.4  # px, standard deviation of a spot whose second moments are unknown
HIDDEN_SHIFT = 2.8  # shift of a centre per missing share of the mass, in widths of the spot
DOUBLED_SHIFT = 1.7  # the same per share in excess of DOUBLED: two things in one
FARTHEST = 3.0  # widths that a centre is off at most, hidden or doubled
CUT, CUT_SHIFT = 2.0, 0.8  # widths from the border within which it cuts a thing, and by how many widths it shifts a
# centre that lies on it; between as (1 - x / CUT)^2, near phi(x) / Phi(x) of a Gaussian spot
CROWD = 10.0  # detections of a frame from which on their median second moment is that of a thing
MOMENT_RATE = 0.1  # step of that median in its logarithm
WIDTH_RATE = 0.02  # share of a sighting in the width of a track, which begins with the usual one
MASS_WANDER = 0.12  # share of the mass that may be missing without anything being hidden
DOUBLED = 1.35  # ratio of masses from which on it may be two
MASS_SPREAD = 0.2  # standard deviation of the logarithm of the mass from frame to frame
MASS_CAP = 3.0  # largest cost of a mass, in units of the log likelihood
USUAL_LOW, USUAL_HIGH = 0.85, 1.5  # ratios of masses that the running mass follows
LIGHT_STEP = 0.4  # share by which the light of a frame changes at most, as one thing tells
MASS_RATE, STRANGE_RATE = 0.05, 0.01  # shares with which it follows these, and all others
YOUNG = 4  # sightings up to which it is the plain mean

# Assignment: global nearest neighbour (Blackman, Popoli 1999, 6.4).
NEW_DENSITY = 1e-5  # things that appear, 1/px^2 and frame: the price of a track without a detection is -log of it
SPAN = 1.0  # farthest candidate in units of the mean spacing of things: bounds the cost of a frame, also after gaps
NEAREST = 6.0  # px, up to which candidates are looked at whatever the spacing

# Second association (Cao et al. 2023, Zhang et al. 2022): sharp turns.
REACH = 5.0  # px, least reach around the last sighting or the prediction
TURN = 1.2  # the same in units of the way that the thing would have gone since the last sighting
START = 0.05  # newcomers expected within the reach of what was seen in the last frame: it rather started than left
TURN_MEMORY = 3.0  # frames without a sighting for which it is tried
BORDER = 3.0  # the same for what left the picture, in standard deviations of the prediction around its place

# Merged measurements (Blackman, Popoli 1999, unresolved measurements).
TOGETHER = 4.0  # widths between two things that may be one detection
MERGER_MISSES = 1.0  # frames without a sighting after which a track begins no merger
MERGER_SIGMA = 0.6  # px, by how much a centre of two may be off their common centre of mass
HALVED = 0.7  # mass below which, in units of what it was, a young track was two things until now
SPLIT_SHARE = 0.85  # share of a track's mass that it has lost in a split, and within which both parts make it up again
LASTING = 10.0  # frames after which a merger is no crossing any more
MERGER_GAIN = 0.9  # share of the gain by which the covariance of each shrinks: what one says of two is shared

# Life of a track.
YOUNG_MISSES = 1  # frames in a row that a track not yet believed may miss
WAIT = 0.2  # coasting ends when the prediction's standard deviation reaches this share of the mean spacing of things
SPACING_RATE = 0.05  # share of a frame in the mean spacing, and in the mean square velocity
