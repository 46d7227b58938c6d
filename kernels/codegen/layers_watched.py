"""Row kernels that note which bytes they read and write: the same text with a note before every load and store.

Memory that is watched lies in one block; beside it lies another of as many bytes, in which each says what was done to
its twin: bit 0, it was read; bit 1, it was written. Nothing else about the code changes, so a program may be counted
while it runs and makes the same bits.
"""

from __future__ import annotations

import re

READ, WRITTEN = 1, 2
WATCH = "watch"
_NOTE = "note"
_LOAD = re.compile(r"= load (?P<type>.+?), ptr (?P<place>[%@][\w.]+), align")
_STORE = re.compile(r"store (?:volatile )?(?P<type><\d+ x \w+>|\w+) .*, ptr (?P<place>[%@][\w.]+), align")
_BYTES = {"float": 4, "double": 8, "ptr": 8}

_TEXT = """\
@watched.block = internal global i64 0
@watched.size = internal global i64 0
@watched.notes = internal global ptr null

; Watch %size bytes from %block on; the block beside it begins at %notes.
define void @{WATCH}(i64 %block, i64 %size, ptr %notes) nounwind {
  store i64 %block, ptr @watched.block
  store i64 %size, ptr @watched.size
  store ptr %notes, ptr @watched.notes
  ret void
}

; Note that %count bytes from %place on were read or written (%how), if they lie in the watched block.
define internal void @{NOTE}(ptr %place, i64 %count, i8 %how) nounwind {
entry:
  %at = ptrtoint ptr %place to i64
  %block = load i64, ptr @watched.block
  %size = load i64, ptr @watched.size
  %offset = sub i64 %at, %block
  %inside = icmp ult i64 %offset, %size
  br i1 %inside, label %first, label %done
first:
  %notes = load ptr, ptr @watched.notes
  %begin = getelementptr i8, ptr %notes, i64 %offset
  br label %each
each:
  %k = phi i64 [ 0, %first ], [ %k.next, %each ]
  %here = getelementptr i8, ptr %begin, i64 %k
  %before = load i8, ptr %here, align 1
  %after = or i8 %before, %how
  store i8 %after, ptr %here, align 1
  %k.next = add i64 %k, 1
  %more = icmp ult i64 %k.next, %count
  br i1 %more, label %each, label %done
done:
  ret void
}"""


def watched(text: str) -> str:
    """A module whose loads and stores are noted.

    Args:
        text: LLVM IR as `kernels.codegen.layers_steps` writes it, an instruction a line.

    Returns: the same with one more function, WATCH(block, bytes, notes), which says what memory is watched.
    """
    made = []
    for line in text.splitlines():
        for found, how in ((_LOAD.search(line), READ), (_STORE.search(line), WRITTEN)):
            if found:
                made.append(f"  call void @{_NOTE}(ptr {found['place']}, i64 {_bytes(found['type'])}, i8 {how})")
        made.append(line)
    return "\n".join([*made, "", _TEXT.replace("{NOTE}", _NOTE).replace("{WATCH}", WATCH), ""])


def _bytes(type_: str) -> int:
    """That a value of a type takes in memory."""
    many = re.fullmatch(r"<(\d+) x (\w+)>", type_)
    if many:
        return int(many[1]) * _bytes(many[2])
    return _BYTES[type_] if type_ in _BYTES else max(1, int(type_.removeprefix("i")) // 8)
