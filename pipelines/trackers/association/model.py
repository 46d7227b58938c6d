"""What the association assumes about things and their detections: every constant of this room.

Each has one meaning and one test in tests/pipelines/trackers/association/test_model.py, which fails when it is twice or
half as large.
"""

from __future__ import annotations

# Motion: constant velocity, white-noise acceleration (Bar-Shalom, Li, Kirubarajan 2001, 6.2), whose standard deviation
# is the setting `acceleration` times a scale that each track finds by its own innovations (Mehra 1970).
LEAST_SCALE, MOST_SCALE = 0.35, 30.0
SURPRISE = 9.0  # normalised innovation squared that is none of a right filter's (1.1 % of its own are larger): no more
# counts for the scale, and beyond it the prediction's covariance is raised until it is plausible
FIRST_SPEED = 1.0  # px/frame, least standard deviation of the velocity of a new track, on each axis
FIRST_STEP = 0.05  # the same in units of the mean spacing of things, while there is no track to learn from
NEAR = 2.0  # mean distances of things within which the nearest one tells how what begins moves (`flow.py`)
RATE = 0.05  # share of a frame in all that is learnt: spacing, velocities, moments, scale, and a track's mass and width

# Measurement: the detection's own variance, and what its mass says (measured on Gaussian spots beside bars).
UNKNOWN_SIGMA, LEAST_SIGMA, MOST_SIGMA = 0.2, 0.005, 100.0  # px; of a detection that states none, and the bounds
NO_LIGHT = 0.5  # share of the usual mass by which what is darker than its ground is no thing, but the rim of a shade
USUAL_WIDTH = 1.4  # px, standard deviation of a spot whose second moments are unknown
HIDDEN_SHIFT = 1.5  # shift of a centre per missing share of the mass, in widths of the spot: 1.65 behind a sharp edge
HIDDEN_SPREAD = 0.28  # standard deviation of that, in units of it
HIDDEN_NARROWS = 0.4  # by how much the moment along the edge's normal is smaller, in units of what it was
HIDDEN_SHARE = 0.1  # things of which a part is hidden, before anything was seen of them
FAINT = 3.0  # probability that the running mass is too large, times the square of the number of sightings
MASS_NOISE = 1.5  # relative noise of a mass, in units of sigma / width of its detection
LACKS2 = 2.0  # square of the standard deviations of a mass that it must be too low by before anything may be hidden
MOMENT_NOISE = 8.0  # variance of the difference of two moments of the weighted light, in units of sigma^2 width^2
DOUBLED = 2.0**0.5  # ratio of masses from which on it is nearer to two than to one, in their logarithms
DOUBLED_SHIFT = 1.7  # shift of a centre per share of the mass in excess of DOUBLED, in widths of the spot
CUT = 2.0  # widths from the border within which it cuts a thing
CUT_SHIFT = 0.7978845608028654  # widths by which it shifts the centre of a thing that it halves: sqrt(2 / pi), the mean
# of half a Gaussian; less inside as (1 - x / CUT)^2, near phi(x) / Phi(x)
CROWD = 10.0  # detections of a frame from which on their median second moment is that of a thing
LONG = 0.1  # share of the detections whose second moments are those of single things no more, at the most
LONGER, YOUNG = 1.2, 50.0  # second moment, in units of that, from which on it may be that of two things, and
# sightings of a track up to which that counts: afterwards its own mass tells
MASS_WANDER = 0.12  # share of the mass that may be missing or more without anything being hidden or coming off
LIGHT_STEP = 0.4  # share by which the light of a frame changes at most, as one thing tells
STRANGE_RATE = 0.01  # RATE of a mass that is none of a whole thing's
MASS_SPREAD = 0.2  # standard deviation of the logarithm of the mass from frame to frame
MASS_CAP = 3.0  # largest cost of a mass, in units of the log likelihood

# Assignment: global nearest neighbour (Blackman, Popoli 1999, 6.4).
MOST_SKIPPED = 4  # frames that a camera may have left out at once without a stamp that says so
NEW_DENSITY = 3e-5  # things that appear, 1/px^2 and frame: the price of a track without a detection is -log of it
REACH = 5.0  # px, up to which candidates are looked at whatever the spacing of things, its bound else

# Second association (Cao et al. 2023, Zhang et al. 2022): sharp turns, around the last sighting or the prediction, up
# to REACH, or as far as the thing would have gone.
START = 0.05  # newcomers, and things that come back, expected within the reach of what was seen in the last frame: it
# rather started than left, or blinks
FEWEST = 1e-5  # newcomers that are expected where none were seen, 1/px^2 and frame
TURN_MEMORY = 3.0  # frames without a sighting for which it is tried
ALIKE = 2.0  # ratio of masses, either way, up to which it may be the same thing

# Turns that nobody saw: a path that bends once, from the last sighting to the first ones of a new track.
TURN_GATE = 20.0  # chi-square of what the path leaves; 4.5 standard deviations
TURN_SPREAD = 0.2  # noise of the places of which the new direction is made, besides their own, in widths

# Merged measurements (Blackman, Popoli 1999, unresolved measurements).
TOGETHER = 4.0  # widths between two things that may be one detection
TWIN = 5.0  # frames in which two tracks are one thing, of late, from which on the younger ends
LASTING = 10.0  # frames after which a merger is no crossing any more

# Life of a track.
YOUNG_MISSES = 1.0  # frames in a row that a track not yet believed may miss, for each in which it was seen
WAIT = 0.3  # coasting ends when the prediction's standard deviation reaches this share of the mean spacing of things
