"""The waiting and handing over of the cpu executor's threads, as LLVM IR; Python makes the threads and puts them to
sleep.

A worker has a line of 64-bit words: POSTED, DONE, AWAKE, FUNCTION, ARGUMENT, STOP, CLAIMED. The caller writes function
and argument, then counts POSTED up. Who counts CLAIMED up runs it and sets DONE to what was posted: the worker, or the
caller if it is ready first, so that a worker that gets no processor costs no more than doing its share.
"""

from __future__ import annotations

POSTED, DONE, AWAKE, FUNCTION, ARGUMENT, STOP, CLAIMED = range(7)
LINE = 16
"""64-bit words from worker to worker: two cache lines, which processors fetch in pairs."""

_PAUSE = {"x86_64": "llvm.x86.sse2.pause", "amd64": "llvm.x86.sse2.pause"}

_TEXT = """\
; Serve one's line until it has been still for %spins looks; returns 1 when it is time to sleep, 0 when to stop.
define i64 @serve(ptr %line, i64 %spins) nounwind {
entry:
  %posted.at = getelementptr i64, ptr %line, i64 {POSTED}
  %done.at = getelementptr i64, ptr %line, i64 {DONE}
  %awake.at = getelementptr i64, ptr %line, i64 {AWAKE}
  %function.at = getelementptr i64, ptr %line, i64 {FUNCTION}
  %argument.at = getelementptr i64, ptr %line, i64 {ARGUMENT}
  %stop.at = getelementptr i64, ptr %line, i64 {STOP}
  %claimed.at = getelementptr i64, ptr %line, i64 {CLAIMED}
  store atomic i64 1, ptr %awake.at seq_cst, align 8
  br label %look
look:
  %n = phi i64 [ 0, %entry ], [ %n.next, %still ], [ 0, %work ], [ 0, %late ]
  %posted = load atomic i64, ptr %posted.at acquire, align 8
  %done = load i64, ptr %done.at, align 8
  %new = icmp ne i64 %posted, %done
  br i1 %new, label %claim, label %idle
claim:
  %last = sub i64 %posted, 1
  %exchange = cmpxchg ptr %claimed.at, i64 %last, i64 %posted seq_cst seq_cst, align 8
  %mine = extractvalue { i64, i1 } %exchange, 1
  br i1 %mine, label %work, label %idle
work:
  %function = load ptr, ptr %function.at, align 8
  %argument = load ptr, ptr %argument.at, align 8
  call void %function(ptr %argument)
  store atomic i64 %posted, ptr %done.at release, align 8
  br label %look
idle:
  %stop = load atomic i64, ptr %stop.at acquire, align 8
  %stopped = icmp ne i64 %stop, 0
  br i1 %stopped, label %end, label %still.or.not
still.or.not:
  %tired = icmp sge i64 %n, %spins
  br i1 %tired, label %doze, label %still
still:
  {pause}
  %n.next = add i64 %n, 1
  br label %look
doze:
  ; First say so, then look once more: what is posted in between is seen by one side or the other.
  store atomic i64 0, ptr %awake.at seq_cst, align 8
  %again = load atomic i64, ptr %posted.at seq_cst, align 8
  %missed = icmp ne i64 %again, %posted
  br i1 %missed, label %late, label %sleep
late:
  store atomic i64 1, ptr %awake.at seq_cst, align 8
  br label %look
sleep:
  ret i64 1
end:
  ret i64 0
}

; Post function(argument) on a line; returns whether its worker is awake.
define i64 @post(ptr %line, ptr %function, ptr %argument) nounwind {
  %posted.at = getelementptr i64, ptr %line, i64 {POSTED}
  %awake.at = getelementptr i64, ptr %line, i64 {AWAKE}
  %function.at = getelementptr i64, ptr %line, i64 {FUNCTION}
  %argument.at = getelementptr i64, ptr %line, i64 {ARGUMENT}
  store ptr %function, ptr %function.at, align 8
  store ptr %argument, ptr %argument.at, align 8
  %posted = load i64, ptr %posted.at, align 8
  %next = add i64 %posted, 1
  store atomic i64 %next, ptr %posted.at seq_cst, align 8
  %awake = load atomic i64, ptr %awake.at seq_cst, align 8
  ret i64 %awake
}

; Wait until the lines are done, for %spins looks at most; returns how many are not.
define i64 @finish(ptr %lines, i64 %count, i64 %spins) nounwind {
entry:
  br label %each
each:
  %i = phi i64 [ 0, %entry ], [ %i.next, %done ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %begin, label %all
begin:
  %offset = mul i64 %i, {LINE}
  %line = getelementptr i64, ptr %lines, i64 %offset
  %posted.at = getelementptr i64, ptr %line, i64 {POSTED}
  %done.at = getelementptr i64, ptr %line, i64 {DONE}
  %posted = load i64, ptr %posted.at, align 8
  br label %look
look:
  %n = phi i64 [ 0, %begin ], [ %n.next, %still ]
  %reached = load atomic i64, ptr %done.at acquire, align 8
  %ready = icmp eq i64 %reached, %posted
  br i1 %ready, label %done, label %wait
wait:
  %tired = icmp sge i64 %n, %spins
  br i1 %tired, label %open, label %still
still:
  {pause}
  %n.next = add i64 %n, 1
  br label %look
done:
  %i.next = add i64 %i, 1
  br label %each
open:
  %left = sub i64 %count, %i
  ret i64 %left
all:
  ret i64 0
}

; Run the first job, then those that no worker has begun; wait for the others. Returns how many take long.
define i64 @own(ptr %lines, ptr %function, ptr %arguments, i64 %count, i64 %spins) nounwind {
entry:
  %first = load ptr, ptr %arguments, align 8
  call void %function(ptr %first)
  br label %each
each:
  %i = phi i64 [ 1, %entry ], [ %i.next, %next ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %try, label %wait
try:
  %worker = sub i64 %i, 1
  %offset = mul i64 %worker, {LINE}
  %line = getelementptr i64, ptr %lines, i64 %offset
  %posted.at = getelementptr i64, ptr %line, i64 {POSTED}
  %done.at = getelementptr i64, ptr %line, i64 {DONE}
  %claimed.at = getelementptr i64, ptr %line, i64 {CLAIMED}
  %posted = load i64, ptr %posted.at, align 8
  %last = sub i64 %posted, 1
  %exchange = cmpxchg ptr %claimed.at, i64 %last, i64 %posted seq_cst seq_cst, align 8
  %mine = extractvalue { i64, i1 } %exchange, 1
  br i1 %mine, label %run, label %next
run:
  %at = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %at, align 8
  call void %function(ptr %argument)
  store atomic i64 %posted, ptr %done.at release, align 8
  br label %next
next:
  %i.next = add i64 %i, 1
  br label %each
wait:
  %others = sub i64 %count, 1
  %left = call i64 @finish(ptr %lines, i64 %others, i64 %spins)
  ret i64 %left
}

; Post count jobs (arguments from the second on), run the first, wait. If a worker sleeps, only post, and return 1;
; else 0 when all is done, -1 when it takes long.
define i64 @together(ptr %lines, ptr %function, ptr %arguments, i64 %count, i64 %spins) nounwind {
entry:
  br label %each
each:
  %i = phi i64 [ 1, %entry ], [ %i.next, %posting ]
  %asleep = phi i64 [ 0, %entry ], [ %asleep.next, %posting ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %posting, label %posted
posting:
  %worker = sub i64 %i, 1
  %offset = mul i64 %worker, {LINE}
  %line = getelementptr i64, ptr %lines, i64 %offset
  %at = getelementptr ptr, ptr %arguments, i64 %i
  %argument = load ptr, ptr %at, align 8
  %awake = call i64 @post(ptr %line, ptr %function, ptr %argument)
  %no = icmp eq i64 %awake, 0
  %asleep.next = select i1 %no, i64 1, i64 %asleep
  %i.next = add i64 %i, 1
  br label %each
posted:
  %some = icmp ne i64 %asleep, 0
  br i1 %some, label %wake, label %own
wake:
  ret i64 1
own:
  %left = call i64 @own(ptr %lines, ptr %function, ptr %arguments, i64 %count, i64 %spins)
  %long = icmp ne i64 %left, 0
  %result = select i1 %long, i64 -1, i64 0
  ret i64 %result
}
"""


def pool_text(triple: str) -> str:
    """The functions serve, post, finish, own and together for a machine."""
    intrinsic = _PAUSE.get(triple.partition("-")[0])
    names = {"POSTED": POSTED, "DONE": DONE, "AWAKE": AWAKE, "FUNCTION": FUNCTION, "ARGUMENT": ARGUMENT, "STOP": STOP,
             "CLAIMED": CLAIMED, "LINE": LINE}  # fmt: skip
    text = _TEXT
    for name, value in names.items():
        text = text.replace("{" + name + "}", str(value))
    text = text.replace("{pause}", f"call void @{intrinsic}()" if intrinsic else "; no pause is known here")
    return text + (f"\ndeclare void @{intrinsic}()\n" if intrinsic else "")
