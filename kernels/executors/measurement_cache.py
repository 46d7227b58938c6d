"""Facts that were measured, kept on disk as JSON beside the compiled programs; one file each, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernels.executors.cache import cache_folder

FORMAT = 1


class MeasurementCache:
    """Files of facts, each about one subject (a machine, a pipeline on a machine).

    Args:
        folder: the cache folder without it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()

    def path(self, kind: str, about: Mapping[str, object]) -> Path:
        """Where the facts of a kind about something are kept."""
        digest = hashlib.sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()
        return self.folder / f"{kind}-{digest[:24]}.json"

    def get(self, kind: str, about: Mapping[str, object]) -> tuple[dict[str, Any] | None, str]:
        """The facts, and a sentence if there is a file that cannot be used."""
        path = self.path(kind, about)
        try:
            entry = json.loads(path.read_text("utf-8"))
            version, subject, facts = entry["format"], entry["about"], entry["facts"]
            if not isinstance(facts, dict):
                raise TypeError
        except FileNotFoundError:
            return None, ""
        except OSError as error:
            return None, f"{path} is ignored, since it cannot be read ({error.strerror})"
        except (ValueError, KeyError, TypeError):
            return None, f"{path} is ignored, since it is damaged; measure again or delete it"
        if version != FORMAT:
            return None, f"{path} is ignored, since another version of fusetrack wrote it; measure again"
        if subject != json.loads(json.dumps(about, default=str)):
            return None, f"{path} is ignored, since it is about another machine or pipeline; measure again"
        return facts, ""

    def outdated(self, kind: str, about: Mapping[str, object], same: Sequence[str]) -> str:
        """A sentence where there are no facts about something, but some that were measured of it when it was
        otherwise; else "".

        Args:
            same: what makes it the same thing: keys of `about`.
        """
        wanted: dict[str, object] = json.loads(json.dumps(about, default=str))
        if self.path(kind, about).exists():
            return ""
        found = []
        for path in self.folder.glob(f"{kind}-*.json"):
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                subject = json.loads(path.read_text("utf-8"))["about"]
                if all(subject.get(key) == wanted[key] for key in same):
                    found.append((path.stat().st_mtime, path, subject))
        if not found:
            return ""
        _, path, subject = max(found, key=lambda one: one[0])
        changed = [key for key, value in wanted.items() if key in subject and subject[key] != value]
        unknown = [key for key in wanted if key not in subject]
        why = [f"with other {', '.join(changed)}"] if changed else []
        why += [f"by a version of fusetrack that did not note {', '.join(unknown)}"] if unknown else []
        return f"{path} is not used, since it was measured {' and '.join(why) or 'otherwise'}; measure again"

    def put(self, kind: str, about: Mapping[str, object], facts: Mapping[str, object]) -> str:
        """Keep facts; a sentence if that is not possible, else nothing."""
        path = self.path(kind, about)
        text = json.dumps({"format": FORMAT, "about": about, "facts": facts}, indent=1, default=str)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                os.replace(name, path)
            except OSError:
                with suppress(OSError):
                    os.unlink(name)
                raise
        except OSError as error:
            return (f"what was measured is not kept, since {self.folder} cannot be written ({error.strerror}); "
                    "give $FUSETRACK_CACHE a folder that can be")  # fmt: skip
        return ""
