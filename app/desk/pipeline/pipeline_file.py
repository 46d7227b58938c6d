"""The file of a pipeline: read with a digest of its content, so that what others wrote since is not written over."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from app.desk.pipeline.history import Origin
from app.files.atomic import write_bytes
from kernels.errors import InputError
from pipelines.definition import library, load, with_files
from pipelines.graph import Pipeline
from pipelines.writing import dumps


class PipelineFileChanged(InputError):
    """Another program has written the file since it was read."""


def read_pipeline(name_or_path: str | Path) -> tuple[Pipeline, Origin]:
    """A shipped pipeline by name, or a user's by path, and where it comes from.

    Raises:
        InputError: it cannot be read.
    """
    if str(name_or_path) in library() | with_files():
        return load(name_or_path), Origin(shipped=str(name_or_path))
    path = Path(name_or_path).absolute()
    digest = digest_of(path)  # before: what comes later is a change
    return load(name_or_path), Origin(path, digest=digest)


def changed(origin: Origin) -> bool:
    """Whether the file is there and holds something else than what is known of it."""
    now = digest_of(origin.path) if origin.path is not None else ""
    return now not in ("", origin.digest)


def write_pipeline(pipeline: Pipeline, path: Path, origin: Origin, over: bool) -> str:
    """Write it, called as its file; all or nothing.

    Args:
        pipeline: what to write.
        path: the file; where it is that of `origin`, its comments stay.
        origin: where it comes from.
        over: whether to write over what another program has put there since.

    Returns:
        A digest of the content.

    Raises:
        PipelineFileChanged: the file of `origin` holds something else than what is known.
        InputError: the file cannot be written.
    """
    own = path == origin.path
    if own and not over and changed(origin):
        raise PipelineFileChanged(f"{path.name} was changed by another program since it was read here; nothing was "
                                  "written")  # fmt: skip
    try:
        original = path.read_text("utf-8-sig") if own and path.exists() else ""
        text = dumps(replace(pipeline, name=path.stem), original)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
    except ValueError:  # what another program wrote is no TOML, or no text
        text = dumps(replace(pipeline, name=path.stem))
    data = text.encode()
    write_bytes(path.resolve(), data)  # a link stays one
    return _of(data)


def digest_of(path: Path) -> str:
    """Of a file's content, "" where there is none."""
    try:
        return _of(path.read_bytes())
    except OSError:
        return ""


def _of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
