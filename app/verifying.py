"""Reads a whole clip with all checks that there are, and says which frames are damaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.progress import showing
from app.sources.base import ClipSource, plural
from app.sources.integrity import Examined, Integrity
from kernels.errors import BadFrame
from pipelines.frame import FrameSource

_HARM = ("cut short", "check sum", "damage", "promises", "hold nothing", "before the first key frame")
"""Words of the sentences about a clip as a whole that tell of damage."""
_LEFT = {
    Integrity.SUMS: "each frame has a check sum",
    Integrity.TOGETHER: "the file has check sums, over many frames each",
    Integrity.PACKED: "the file has no check sums: a changed byte that leaves a valid picture cannot be told",
    Integrity.PLAIN: "the file has no check sums: a changed byte among uncompressed pixels cannot be told",
}
"""What may be wrong all the same."""


@dataclass(frozen=True)
class Verdict:
    """What became of the frames of a clip.

    Args:
        frames: how many there are.
        flaws: which are damaged, and why.
        looked: what was looked at besides, as part of a sentence.
        integrity: of the file; None for what no file holds.
        harm: sentences that say that the file as a whole is damaged.
    """

    frames: int
    flaws: dict[int, str] = field(default_factory=dict)
    looked: str = ""
    integrity: Integrity | None = None
    harm: Sequence[str] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing is wrong as far as can be detected."""
        return not self.flaws and not self.harm

    def lines(self) -> list[str]:
        """Sentences for people: the damaged frames, or that there are none; what can be told of this file."""
        looked = f"each was decoded{'; looked at besides: ' + self.looked if self.looked else ''}"
        left = f"; {_LEFT[self.integrity]}" if self.integrity else ""
        if self.whole:
            return [f"no damage found in {plural(self.frames, 'frame')}: {looked}{left}"]
        spans: list[list[int]] = []
        for k in sorted(self.flaws):
            if spans and spans[-1][-1] == k - 1 and _cause(self.flaws[k]) == _cause(self.flaws[k - 1]):
                spans[-1].append(k)
            else:
                spans.append([k])
        named = [f"{_words(span)}: {_cause(self.flaws[span[0]])}" for span in spans]
        return [*self.harm, *named, f"{len(self.flaws)} of {plural(self.frames, 'frame')} damaged: {looked}{left}"]


def verify(source: FrameSource, quiet: bool = False) -> Verdict:
    """Read each frame of a clip, after a close look where its format has one.

    Args:
        source: the clip.
        quiet: show no progress.
    """
    info, examined = source.info, Examined()
    integrity = None
    if isinstance(source, ClipSource):
        integrity = source.integrity
        with showing(f"{info.name}: a close look", None, quiet=quiet) as progress:
            examined = source.examine(progress.advance)
    flaws = dict(examined.flaws)
    with showing(info.name, info.frames, quiet=quiet) as progress:
        for index in range(info.frames):
            try:
                source.read(index)
            except BadFrame as error:
                flaws[index] = error.reason
            progress.advance(1, index in flaws)
    harm = [warning for warning in source.info.warnings if any(word in warning for word in _HARM)]
    return Verdict(info.frames, flaws, examined.looked, integrity, harm)


def _cause(reason: str) -> str:
    """A reason that frames one after the other share: on which frame they are built may differ."""
    return "built on a frame whose data are damaged" if reason.startswith("it is built on") else reason


def _words(frames: Sequence[int]) -> str:
    return f"frame {frames[0]}" if len(frames) == 1 else f"frames {frames[0]} to {frames[-1]}"
