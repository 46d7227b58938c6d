"""A face with reflective markers under a mains lamp."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, discs, step
from app.sources.simulated.late_scipy import map_coordinates
from app.sources.simulated.scene import Scene, Truth, common, setting
from app.sources.simulated.scenes.face_look import EYES, LASHES, add_eye, lid_edge, portrait

MARKERS = (
    (0, -68), (-38, -63), (38, -63),  # forehead
    (-24, -57), (24, -57),  # above the brows
    (-33, -9.6), (33, -9.6),  # lower lids
    (-55, 10), (55, 10), (-37, 27), (37, 27),  # cheek bones, cheeks
    (-34, 58), (34, 58), (0, 97),  # corners of the mouth, chin
)  # fmt: skip
LIDS = (5, 6)
"""Markers that a blink hides, in the order of EYES."""

# middle of the muscle's pull (x, y), its direction and size (x, y), spread, period in s, first onset in s
TWITCHES = (
    (-34, 54, -3.6, -3.2, 22, 0.61, 0.060),
    (36, -52, 0.8, -4.2, 24, 0.83, 0.105),
    (34, 52, 2.2, -1.4, 20, 0.97, 0.330),
    (0, 96, 0.6, -2.8, 18, 0.71, 0.395),
    (-52, 10, -0.8, -2.4, 17, 0.61, 0.072),
    (-28, -52, 1.0, 2.4, 20, 0.89, 0.255),
)
TWITCH_RISE = 0.016
BLINK_EVERY = 2.3
BLINK_AT = 0.170
BLINK_CLOSES, BLINK_STAYS, BLINK_OPENS = 0.055, 0.020, 0.085
LID_RISE = 3.4
"""How far a squeezed blink lifts the lower lid, units."""
EDGE = 0.75
"""Blur of a marker's outline, px."""
FADES = 4.0
"""Spreads of a twitch beyond which it moves nothing: a share of 3e-4, of 4 px a thousandth of one."""
STILL = 0.005
"""Units: where the skin of a pixel lies at rest is looked for until it moves less."""


@dataclass(frozen=True, kw_only=True)
class Face(Scene):
    """A face with 14 white reflective dots, filmed under a mains lamp.

    The head sways slowly; muscles twitch (up to `twitch` times 4 px within 16 ms); each 2.3 s, first after 0.17 s, the
    eyes blink and the lashes cover the two markers on the lower lids. The lamp ripples at 100 Hz, 20 % deep. The skin
    moves with the markers, within .01 px; the markers are what the truth tells of.
    """

    name: ClassVar[str] = "face"
    summary: ClassVar[str] = "a face with reflective markers that sways, twitches and blinks under a flickering lamp"
    width: int = common("width", 288)
    height: int = common("height", 320)
    fps: float = common("fps", 800.0)
    flicker: float = common("flicker", 0.20)
    sway: float = setting("sway", 1.0, "size of the head's slow motion", "1", 0, 10)
    twitch: float = setting("twitch", 1.0, "size of the muscles' twitches", "1", 0, 10)
    marker: float = setting("marker", 2.8, "radius of a marker in a picture 320 px high", "px", 0.5, 20)
    moments: ClassVar[int] = 3

    @property
    def unit(self) -> float:
        """Pixels of one unit of the face."""
        return self.height / 320

    @property
    def radius(self) -> float:
        """Of a marker, px."""
        return self.marker * self.unit

    @property
    def middle(self) -> tuple[float, float]:
        """The face's middle at rest, px."""
        return (self.width - 1) / 2, 0.505 * (self.height - 1)

    def shut(self, time: float) -> float:
        """How far the eyes are shut, 0..1."""
        since = (time - BLINK_AT) % BLINK_EVERY if time >= BLINK_AT else BLINK_EVERY
        closing = min(since / BLINK_CLOSES, 1.0)
        opening = min(max((since - BLINK_CLOSES - BLINK_STAYS) / BLINK_OPENS, 0.0), 1.0)
        return closing**2 * (3 - 2 * closing) * (1 - opening**2 * (3 - 2 * opening))

    def _pulls(self, time: float) -> list[float]:
        """Strength of each twitch at `time`: x e^(1 - x), x = time since its onset / rise; its size varies by event."""
        strengths = []
        for *_, period, onset in TWITCHES:
            event, since = divmod(time - onset, period)
            x = since / TWITCH_RISE
            size = 0.75 + 0.25 * np.cos(2.4 * event) if event >= 0 else 0.0
            strengths.append(float(self.twitch * size * x * np.exp(1 - x)))
        return strengths

    def _pose(self, time: float) -> tuple[float, float, float]:
        """The head's shift in units and its tilt in rad."""
        t = 2 * np.pi * time
        dx = 3.6 * np.sin(0.83 * t + 0.4) + 1.1 * np.sin(2.1 * t + 1.9)
        dy = 2.2 * np.sin(0.67 * t + 2.0) + 0.7 * np.sin(2.9 * t)
        return self.sway * float(dx), self.sway * float(dy), self.sway * 0.014 * float(np.sin(0.9 * t + 1.0))

    @staticmethod
    def _spread(x: Floats, y: Floats) -> list[Floats]:
        """How much of each twitch the points at rest at (x, y) follow, 0..1."""
        return [np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * s * s)) for cx, cy, _, _, s, _, _ in TWITCHES]

    def _motion(self, x: Floats, y: Floats, spread: list[Floats], time: float) -> tuple[Floats, Floats]:
        """Displacement at `time` of the points at rest at (x, y), units."""
        dx, dy, tilt = self._pose(time)
        u, v = dx - tilt * (y - 120), dy + tilt * x
        for pull, share, (_, _, px, py, *_) in zip(self._pulls(time), spread, TWITCHES, strict=True):
            if pull > 1e-4:
                u, v = u + pull * px * share, v + pull * py * share
        return u, v

    @cached_property
    def _rest(self) -> tuple[Floats, Floats]:
        x, y = np.array(MARKERS, float).T
        return x, y

    @cached_property
    def _rest_spread(self) -> list[Floats]:
        return self._spread(*self._rest)

    def _markers(self, index: int) -> tuple[Floats, Floats]:
        """Positions of the markers, (moments, markers), px."""
        x, y = self._rest
        moved = []
        for time in self.times(index):
            u, v = self._motion(x, y, self._rest_spread, float(time))
            v[list(LIDS)] -= LID_RISE * self.shut(float(time))
            moved.append((x + u, y + v))
        xs, ys = np.transpose(np.array(moved), (1, 0, 2)) * self.unit
        return xs + self.middle[0], ys + self.middle[1]

    @cached_property
    def _grid(self) -> tuple[Floats, Floats, Floats]:
        """Each pixel's place in the face at rest, units, and the face with shut eyes."""
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        x, y = (columns - self.middle[0]) / self.unit, (rows - self.middle[1]) / self.unit
        look = portrait(self.shape, x, y, self.unit, self.random(1))
        return x.astype(np.float32), y.astype(np.float32), look.astype(np.float32)

    def _at_rest(self, time: float) -> tuple[Floats, Floats]:
        """Where the skin that each pixel shows at `time` lies at rest, units: what `_motion` brings to the pixel.

        The pose is turned round in one step. How far a twitch moves the skin depends on where that lies at rest, so
        each round takes it where the round before has put it. Twitches that fold the skin (of 5 and more) cannot be
        turned round; rounds end where they bring no more.
        """
        dx, dy, tilt = self._pose(time)
        x, y = self._grid[0] - (dx + 120 * tilt), self._grid[1] - dy
        whole = 1 + tilt * tilt  # the determinant of the pose: x' = x - tilt y, y' = y + tilt x
        found_x, found_y = (x + tilt * y) / whole, (y - tilt * x) / whole
        pulled = []
        for pull, (cx, cy, px, py, spread, _, _) in zip(self._pulls(time), TWITCHES, strict=True):
            if pull > 1e-4:
                reach = FADES * spread + pull * max(abs(px), abs(py))
                middle = cx + dx - tilt * (cy - 120), cy + dy + tilt * cx
                at = [round(c * self.unit + m) for c, m in zip(middle, self.middle, strict=True)]
                half = int(reach * self.unit) + 1
                part = tuple(slice(max(c - half, 0), max(c + half, 0)) for c in (at[1], at[0]))
                pulled.append((part, cx, cy, pull * px, pull * py, 2 * spread * spread))
        posed_x, posed_y, moved, before = found_x, found_y, 1e9, np.inf
        while pulled and STILL < moved < before:
            next_x, next_y = posed_x.copy(), posed_y.copy()
            for part, cx, cy, u, v, width in pulled:
                share = np.exp(-((found_x[part] - cx) ** 2 + (found_y[part] - cy) ** 2) / width)
                next_x[part] -= (u + tilt * v) / whole * share
                next_y[part] -= (v - tilt * u) / whole * share
            before, moved = moved, max(float(np.abs(a - b).max()) for a, b in ((next_x, found_x), (next_y, found_y)))
            found_x, found_y = next_x, next_y
        return found_x, found_y

    def light(self, index: int) -> Image:
        look, time = self._grid[2], self.time(index)
        x, y = self._at_rest(time)
        places = np.stack([y * self.unit + self.middle[1], x * self.unit + self.middle[0]])
        picture = map_coordinates(look, places, order=1, mode="nearest", output=np.float32)
        shut = self.shut(time)
        for k, (ex, ey) in enumerate(EYES):
            at = round(ey * self.unit + self.middle[1]), round(ex * self.unit + self.middle[0])
            half = int(28 * self.unit) + 1
            part = tuple(slice(max(c - half, 0), c + half) for c in at)
            eye_x, eye_y = x[part] - ex, y[part] - ey
            picture[part] = add_eye(picture[part], eye_x, eye_y, shut, self.unit, k == 1)
        cover = self._dots(index)
        return np.ascontiguousarray(picture + cover * (np.float32(0.95) - picture))

    def _lash_tips(self, index: int) -> Floats:
        """How far below the lid marker's middle the lashes' tips reach, px, at their lowest during the exposure."""
        x, y = self._rest
        return np.array([
            max(
                (float(lid_edge(x[m] - ex, s)) + LASHES * s + ey - (y[m] - LID_RISE * s)) * self.unit
                for s in map(self.shut, self.times(index).tolist())
            )
            for m, (ex, ey) in zip(LIDS, EYES, strict=True)
        ])  # fmt: skip

    def _dots(self, index: int) -> Image:
        """Cover of the markers, those on the lids cut off by the lashes."""
        x, y = self._markers(index)
        tips = self._lash_tips(index)
        hidden = tips > -self.radius - 4 * EDGE
        free = np.ones(x.shape[1], bool)
        free[list(LIDS)] = ~hidden
        cover = discs(self.shape, x[:, free].ravel(), y[:, free].ravel(), self.radius, EDGE, 1 / self.moments)
        for m, tip, cut in zip(LIDS, tips, hidden, strict=True):
            if cut:
                dot = discs(self.shape, x[:, m], y[:, m], self.radius, EDGE, 1 / self.moments)
                rows = np.arange(self.height) - float(y[:, m].mean())
                cover += dot * (1 - step(rows - tip, 0.9))[:, None].astype(np.float32)
        return cover

    def truth(self, index: int) -> Truth:
        xs, ys = self._markers(index)
        x, y = xs.mean(0), ys.mean(0)
        visible = self.within(x, y, self.radius + 2)
        visible[list(LIDS)] &= self._lash_tips(index) <= -self.radius - 4 * EDGE
        return self.rows(index, np.arange(len(x)), x, y, visible)
