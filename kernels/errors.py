"""Every error that fusetrack raises on purpose, in one tree.

    FusetrackError
    +-- InputError            the user's input is wrong: one clear sentence, exit code 2
    |   +-- SourceError       a clip cannot be opened or is not what it says
    |   +-- DefinitionError   a pipeline file or a parameter is wrong (file and line, a suggestion)
    |   +-- ArgumentError     an argument of a function is wrong; also a ValueError
    |       +-- ArgumentTypeError  it is of a kind that is not taken; also a TypeError
    |       +-- NameOfNothing      there is nothing of that name; also a KeyError and an AttributeError
    +-- ExprError             a stage's body is ill-formed: an author's mistake, found by the verifier
    +-- BadFrame              one frame of a source cannot be read; counted, never silent
    +-- CameraLost            a camera stopped delivering; it may come back
    +-- EndOfStream           a camera has delivered all that it was to deliver
    +-- Interrupted           the user stopped a run; what was done is kept

The text of an InputError is shown to the user unchanged: one sentence that names the thing, says
what is wrong with it and, where there is one, what to do.
"""

from __future__ import annotations

import errno

_NO_MEMORY = (
    "Insufficient memory",  # OpenCV's exception, which is no MemoryError
    "failed to map segment", "cannot allocate memory", "Cannot allocate memory",  # of the loader of libraries
    "can't start new thread", "can't allocate lock",
)  # fmt: skip
"""What libraries and the interpreter say when the system gives them no more memory."""


def is_memory(error: BaseException | None) -> bool:
    """Whether an error, or what it was raised for, says that there was no memory to be had, whoever raised it.

    >>> is_memory(ImportError("libx.so: failed to map segment from shared object")), is_memory(ImportError("no x"))
    (True, False)
    """
    for _ in range(8):
        if error is None:
            return False
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(error, Exception) and any(words in str(error) for words in _NO_MEMORY):
            return True
        error = error.__cause__ or error.__context__
    return False


class FusetrackError(Exception):
    """Root of the tree."""


class InputError(FusetrackError):
    """The user's input is wrong; the text is one sentence for the user (exit code 2)."""


class SourceError(InputError):
    """A clip cannot be opened, is empty, or is not what its name or header says."""


class DefinitionError(InputError):
    """A pipeline definition or a parameter value is wrong."""


class ArgumentError(InputError, ValueError):
    """An argument of a function of Python is wrong."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of a kind or shape that the function does not take."""


class NameOfNothing(ArgumentError, KeyError, AttributeError):
    """There is no column, stage or parameter of that name; the sentence says what was perhaps meant."""

    __str__ = Exception.__str__  # a KeyError's is its repr


class ExprError(FusetrackError):
    """An expression or a stage body breaks a rule of the language (see `kernels.ir.verify`)."""


class BadFrame(FusetrackError):
    """One frame cannot be read.

    Args:
        index: the frame's index in its source, from 0.
        reason: one sentence that says why.
    """

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(f"frame {index}: {reason}")
        self.index = index
        self.reason = reason


class CameraLost(FusetrackError):
    """A camera was unplugged, died, or does not answer; the text is one sentence that says which and how."""


class EndOfStream(FusetrackError):
    """A camera that was to deliver so many frames, or to play a file, is through; nothing was lost by that."""


class Interrupted(FusetrackError):
    """The user stopped a run."""
