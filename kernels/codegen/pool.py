"""The handing over of the cpu executor's strips to its threads, as LLVM IR; Python makes the threads.

One block of memory is shared, in lines of LINE 64-bit words: line 0 holds PENDING, a bit for every strip of the
current job that is not begun, and STOP; line 1 FUNCTION and ARGUMENTS (an address a strip); line 2 LEFT, how many
strips are not finished; line WORKER + i whether worker i is AWAKE. Whoever clears a strip's bit runs it: its own strips
first (number modulo threads, so that a strip's state stays in one processor's cache), then anybody's, so that a thread
that gets no processor costs no more than doing its share. A job ends with its last strip, and the next begins only
then: whoever holds a strip sees the job that it is of, however late he is.

A *sequence* is many short jobs, its phases, in one: strips of the pool's job take part in it side by side. Of each
phase they claim tables, their own first, and go on to the next when all of its are finished. Only what somebody is at
work on is waited for, so one may take part alone, and who comes late finds what is left.
"""

from __future__ import annotations

PENDING, STOP = 0, 1
EXPORTS = ("serve", "together", "own", "wake", "alone", "sequence")
SEQUENCE = ("phases", "tables", "run", "jobs", "state", "syscall")
"""The words (64 bits) of a sequence: how many phases, how many tables each, the function that runs a table and the
addresses of its arguments, phase by phase; for each phase a line: a bit for each table that is not begun, and how
many are finished; libc's `syscall` or 0."""
PATIENCE = 2048
"""Looks whether a phase is over until the processor is offered to others."""
LINE = 16
"""64-bit words from line to line: two cache lines, which processors fetch in pairs."""
JOB, LEFT, WORKER = LINE, 2 * LINE, 3 * LINE
MOST = 62
"""Strips of a job, at most; also threads."""

_PAUSES = {
    "x86_64": ("call void @llvm.x86.sse2.pause()", "declare void @llvm.x86.sse2.pause()"),
    "aarch64": ("call void @llvm.aarch64.isb(i32 15)", "declare void @llvm.aarch64.isb(i32)"),
}
_ARCHITECTURES = {"amd64": "x86_64", "arm64": "aarch64"}

_TEXT = """\
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)

; Begin a strip of the current job, one of %mine if there is one, and run it. Returns whether there was any.
define internal i1 @strip(ptr %block, i64 %mine) nounwind {
entry:
  %left.at = getelementptr i64, ptr %block, i64 {LEFT}
  %function.at = getelementptr i64, ptr %block, i64 {JOB}
  %arguments.at = getelementptr i64, ptr %function.at, i64 1
  br label %look
look:
  %pending = load atomic i64, ptr %block acquire, align 8
  %none = icmp eq i64 %pending, 0
  br i1 %none, label %nothing, label %choose
choose:
  %own = and i64 %pending, %mine
  %owned = icmp ne i64 %own, 0
  %lowest = call i64 @llvm.cttz.i64(i64 %own, i1 false)
  %zeros = call i64 @llvm.ctlz.i64(i64 %pending, i1 true)
  %highest = sub i64 63, %zeros
  %number = select i1 %owned, i64 %lowest, i64 %highest
  %bit = shl i64 1, %number
  %rest = xor i64 %pending, %bit
  %exchange = cmpxchg ptr %block, i64 %pending, i64 %rest acq_rel acquire, align 8
  %taken = extractvalue { i64, i1 } %exchange, 1
  br i1 %taken, label %work, label %look
work:
  %function = load ptr, ptr %function.at, align 8
  %arguments = load ptr, ptr %arguments.at, align 8
  %at = getelementptr ptr, ptr %arguments, i64 %number
  %argument = load ptr, ptr %at, align 8
  call void %function(ptr %argument)
  %before = atomicrmw sub ptr %left.at, i64 1 acq_rel, align 8
  ret i1 true
nothing:
  ret i1 false
}

; Run %count strips one after another, without anybody's help.
define void @alone(ptr %function, ptr %arguments, i64 %count) nounwind {
entry:
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %one ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %one, label %end
one:
  %at = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %at, align 8
  call void %function(ptr %argument)
  %i.next = add i64 %i, 1
  br label %each
end:
  ret void
}

; Worker %number: run strips until there have been none for %spins looks; then sleep in the kernel (%syscall, Linux) or
; return 1 so that Python sleeps. Returns 0 when it is time to stop.
define i64 @serve(ptr %block, i64 %number, i64 %mine, i64 %spins, ptr %syscall) nounwind {
entry:
  %offset = mul i64 %number, {LINE}
  %line = getelementptr i64, ptr %block, i64 %offset
  %awake.at = getelementptr i64, ptr %line, i64 {WORKER}
  %stop.at = getelementptr i64, ptr %block, i64 {STOP}
  %native = icmp ne ptr %syscall, null
  br label %wake
wake:
  store atomic i64 1, ptr %awake.at seq_cst, align 8
  br label %look
look:
  %n = phi i64 [ 0, %wake ], [ %n.next, %still ], [ 0, %work ]
  %pending = load atomic i64, ptr %block acquire, align 8
  %some = icmp ne i64 %pending, 0
  br i1 %some, label %work, label %idle
work:
  %ran = call i1 @strip(ptr %block, i64 %mine)
  br label %look
idle:
  %stop = load atomic i64, ptr %stop.at acquire, align 8
  %stopped = icmp ne i64 %stop, 0
  br i1 %stopped, label %end, label %tired.or.not
tired.or.not:
  %tired = icmp sge i64 %n, %spins
  br i1 %tired, label %doze, label %still
still:
  {pause}
  %n.next = add i64 %n, 1
  br label %look
doze:
  ; First say so, then look once more: what is posted in between is seen by one side or the other.
  store atomic i64 0, ptr %awake.at seq_cst, align 8
  %again = load atomic i64, ptr %block seq_cst, align 8
  %missed = icmp ne i64 %again, 0
  br i1 %missed, label %wake, label %last
last:
  %stop.again = load atomic i64, ptr %stop.at seq_cst, align 8
  %ended = icmp ne i64 %stop.again, 0
  br i1 %ended, label %end, label %sleep
sleep:
  br i1 %native, label %futex, label %leave
futex:
  ; Wait (privately) while the word is 0; whatever ends the wait, look again.
  %woken = call i64 (i64, ...) %syscall(i64 {FUTEX}, ptr %awake.at, i64 128, i64 0, ptr null, ptr null, i64 0)
  br label %wake
leave:
  ret i64 1
end:
  ret i64 0
}

; Wake worker %number if it sleeps; returns 1 if Python has to do it.
define i64 @wake(ptr %block, i64 %number, ptr %syscall) nounwind {
entry:
  %offset = mul i64 %number, {LINE}
  %line = getelementptr i64, ptr %block, i64 %offset
  %awake.at = getelementptr i64, ptr %line, i64 {WORKER}
  %awake = load atomic i64, ptr %awake.at seq_cst, align 8
  %asleep = icmp eq i64 %awake, 0
  br i1 %asleep, label %claim, label %up
claim:
  %before = atomicrmw xchg ptr %awake.at, i64 1 seq_cst, align 8
  %mine = icmp eq i64 %before, 0
  br i1 %mine, label %call, label %up
call:
  %native = icmp ne ptr %syscall, null
  br i1 %native, label %futex, label %python
futex:
  %woken = call i64 (i64, ...) %syscall(i64 {FUTEX}, ptr %awake.at, i64 129, i64 1, ptr null, ptr null, i64 0)
  br label %up
up:
  ret i64 0
python:
  ret i64 1
}

; Run strips of one's own and those that nobody has begun; then look %looks times whether all are finished. Returns how
; many are not.
define i64 @own(ptr %block, i64 %mine, i64 %looks) nounwind {
entry:
  %left.at = getelementptr i64, ptr %block, i64 {LEFT}
  br label %each
each:
  %ran = call i1 @strip(ptr %block, i64 %mine)
  br i1 %ran, label %each, label %look
look:
  %n = phi i64 [ 0, %each ], [ %n.next, %still ]
  %left = load atomic i64, ptr %left.at acquire, align 8
  %none = icmp eq i64 %left, 0
  %tired = icmp sge i64 %n, %looks
  %over = or i1 %none, %tired
  br i1 %over, label %end, label %still
still:
  {pause}
  %n.next = add i64 %n, 1
  br label %look
end:
  ret i64 %left
}

; Post a job of %count strips and wake up to %workers workers; then as `own`. If Python must wake some, return at once,
; with the complement of a mask of them.
define i64 @together(ptr %block, ptr %function, ptr %arguments, i64 %count, i64 %workers, i64 %mine, i64 %looks,
                     ptr %syscall) nounwind {
entry:
  %left.at = getelementptr i64, ptr %block, i64 {LEFT}
  %function.at = getelementptr i64, ptr %block, i64 {JOB}
  %arguments.at = getelementptr i64, ptr %function.at, i64 1
  store ptr %function, ptr %function.at, align 8
  store ptr %arguments, ptr %arguments.at, align 8
  store atomic i64 %count, ptr %left.at release, align 8
  %end = shl i64 1, %count
  %all = sub i64 %end, 1
  store atomic i64 %all, ptr %block seq_cst, align 8
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %one ]
  %asleep = phi i64 [ 0, %entry ], [ %asleep.next, %one ]
  %more = icmp slt i64 %i, %workers
  br i1 %more, label %one, label %posted
one:
  %sleeps = call i64 @wake(ptr %block, i64 %i, ptr %syscall)
  %bit = shl i64 %sleeps, %i
  %asleep.next = or i64 %asleep, %bit
  %i.next = add i64 %i, 1
  br label %each
posted:
  %some = icmp ne i64 %asleep, 0
  br i1 %some, label %python, label %run
python:
  %mask = xor i64 %asleep, -1
  ret i64 %mask
run:
  %left = call i64 @own(ptr %block, i64 %mine, i64 %looks)
  ret i64 %left
}
"""


_SEQUENCE = """
; Take part in a sequence (%me: its address, and the number of the tables that are one's own) until it is over.
define void @sequence(ptr %me) nounwind {
entry:
  %index.at = getelementptr i64, ptr %me, i64 1
  %all = load ptr, ptr %me, align 8
  %index = load i64, ptr %index.at, align 8
  %mine = shl i64 1, %index
  {loads}
  %native = icmp ne ptr %syscall, null
  br label %phase
phase:
  %p = phi i64 [ 0, %entry ], [ %p.next, %over ]
  %more = icmp ult i64 %p, %phases
  %line.words = mul i64 %p, {LINE}
  %line = getelementptr i64, ptr %state, i64 %line.words
  %done.at = getelementptr i64, ptr %line, i64 1
  %first = mul i64 %p, %tables
  br i1 %more, label %look, label %end
look:
  %pending = load atomic i64, ptr %line acquire, align 8
  %none = icmp eq i64 %pending, 0
  br i1 %none, label %wait, label %choose
choose:
  %own = and i64 %pending, %mine
  %owned = icmp ne i64 %own, 0
  %lowest = call i64 @llvm.cttz.i64(i64 %pending, i1 true)
  %number = select i1 %owned, i64 %index, i64 %lowest
  %bit = shl i64 1, %number
  %rest = xor i64 %pending, %bit
  %exchange = cmpxchg ptr %line, i64 %pending, i64 %rest acq_rel acquire, align 8
  %taken = extractvalue { i64, i1 } %exchange, 1
  br i1 %taken, label %work, label %look
work:
  %at = add i64 %first, %number
  %job.at = getelementptr ptr, ptr %jobs, i64 %at
  %job = load ptr, ptr %job.at, align 8
  call void %run(ptr %job)
  %before = atomicrmw add ptr %done.at, i64 1 acq_rel, align 8
  br label %look
wait:
  %n = phi i64 [ 0, %look ], [ %n.next, %still ], [ 0, %offered ]
  %done = load atomic i64, ptr %done.at acquire, align 8
  %full = icmp uge i64 %done, %tables
  br i1 %full, label %over, label %tired.or.not
tired.or.not:
  %long = icmp uge i64 %n, {PATIENCE}
  %tired = and i1 %long, %native
  br i1 %tired, label %offered, label %still
offered:
  %yielded = call i64 (i64, ...) %syscall(i64 {YIELD})
  br label %wait
still:
  {pause}
  %n.next = add i64 %n, 1
  br label %wait
over:
  %p.next = add i64 %p, 1
  br label %phase
end:
  ret void
}
"""


def architecture(triple: str) -> str:
    """The processor family of a target triple by LLVM's own name: "x86_64", "aarch64" ..."""
    first = triple.partition("-")[0]
    return _ARCHITECTURES.get(first, first)


def pool_text(triple: str) -> str:
    """The functions serve, together, own, wake, alone and sequence for a machine."""
    family = architecture(triple)
    pause, declared = _PAUSES.get(family, ("; no pause is known here", ""))
    # By number, not by name: C's library has no function for it, and what is compiled links with nothing else.
    futex = 202 if family == "x86_64" else 98  # the generic number, which aarch64 has
    names = {"PENDING": PENDING, "STOP": STOP, "JOB": JOB, "LEFT": LEFT, "WORKER": WORKER, "LINE": LINE,
             "FUTEX": futex, "YIELD": 24 if family == "x86_64" else 124, "PATIENCE": PATIENCE, "pause": pause,
             "loads": "\n  ".join(_loads())}  # fmt: skip
    text = _TEXT + _SEQUENCE
    for name, value in names.items():
        text = text.replace("{" + name + "}", str(value))
    return f"{text}\n{declared}\n"


def _loads() -> list[str]:
    """The words of a sequence as values."""
    made = []
    for number, name in enumerate(SEQUENCE):
        type_ = "i64" if name in ("phases", "tables") else "ptr"
        made.append(f"%{name}.at = getelementptr i64, ptr %all, i64 {number}")
        made.append(f"%{name} = load {type_}, ptr %{name}.at, align 8")
    return made
