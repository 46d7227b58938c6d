"""`fusetrack ledger SESSION`: the proof of where every frame of a recording is."""

from __future__ import annotations

import argparse
import json

from app.path_kinds import Kind, refuse_others
from app.sessions.proof import prove
from app.sessions.proof_words import describe
from app.sessions.reader import open_session

EXAMPLES = """examples:
  fusetrack ledger recording.mcap
  fusetrack ledger recording.mcap --json --no-checksums

exit codes: 0 every announced frame that was wanted is there and whole, and the count of those that were processed adds
up (of a session that is still being recorded: every one so far); 1 not so; 2 it is no session
"""


def add(command: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    command.description = (
        "Counts every frame that was announced to the recorder of a session: recorded, lost or not asked for, "
        "with ranges and reasons; which frames the pipeline processed while they were recorded, and which it had no "
        "time for; what the camera's numbers, its own count and the time stamps say is missing; and whether every "
        "checksum holds. A session whose recorder died is repaired first."
    )
    command.epilog = EXAMPLES
    command.add_argument("session", metavar="SESSION", help="a recorded session, .mcap")
    command.add_argument("--json", action="store_true", help="for machines")
    command.add_argument("--no-checksums", action="store_true", help="do not read the frames, only their numbers")
    command.set_defaults(function=_ledger)


def _ledger(options: argparse.Namespace) -> int:
    refuse_others(options.session, "a recorded session", Kind.SESSION)
    with open_session(options.session) as session:
        proof = prove(session, checksums=not options.no_checksums)
    if options.json:
        print(json.dumps(proof.facts(), indent=1))
    else:
        print("\n".join((options.session, *(f"  {line}" for line in describe(proof)))))
    return 0 if proof.complete or (proof.growing and proof.whole) else 1
