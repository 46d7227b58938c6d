#!/usr/bin/env bash
# All that is to be known of a GPU, in one run of at most 12 minutes and one report; what matters most comes first.
#
#     bash tests/gpu/day.sh [REPORT]        from the project's root; REPORT is gpu-day.txt otherwise
#     bash tests/gpu/day.sh --list          the parts and their seconds
#
# PYTHON names another interpreter, FUSETRACK_GPU another GPU than cuda:0; "emulated" goes through all of it on the
# processor, on small frames. A part that fails or takes too long is said and the rest goes on; the exit code is 1 then.
# Without a GPU what needs none is done, and the exit code is 0.
set -u -o pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python}
GPU=${FUSETRACK_GPU:-cuda:0}
export PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
MOST=720 # seconds of all; the kernels of regions take a compiler 6 s of a core for each size and type of picture
APP="$PYTHON -m app" DEVICE=$GPU TESTS=tests/gpu BENCH="--seconds 35" PLAN=""
if [ "$GPU" = emulated ]; then
    APP="$PYTHON -m tests.gpu.emulated" DEVICE=cuda:0
    TESTS="tests/gpu/test_gpu_programs.py -k 'chained or caller or under_way'"
    BENCH="--seconds 1 --size 64 --batch 2" PLAN="--size 64x64 --batch 2"
fi
MEASURE="$PYTHON tests/gpu/measure_day.py"
PARTS=() # name | seconds at most | whether it needs a GPU | command
part() { PARTS+=("$1|$2|$3|$4"); }

part "what is here" 20 no "nvidia-smi || echo no nvidia-smi; $APP doctor"
part "bits: all programs and pipelines give the reference's" 210 gpu "$PYTHON -m pytest -q -x $TESTS"
part "tracks of the processor and of the GPU" 130 gpu "$MEASURE tracks $GPU"
part "from pinned memory to tracks" 45 gpu "$MEASURE pace $GPU"
part "components against CuPy's" 40 gpu "$MEASURE components $GPU"
part "calibration" 35 gpu "$APP doctor --calibrate --device $DEVICE"
part "speed of chains, from pinned memory" 45 gpu "$APP bench --device $DEVICE --report $BENCH --quiet"
part "predicted and measured, by group" 95 gpu \
    "for p in facial-markers blobs; do $APP plan \$p --device $DEVICE --measure $PLAN || exit; done"
part "accesses out of bounds (compute-sanitizer)" 50 gpu \
    "command -v compute-sanitizer || { echo no compute-sanitizer; exit 0; }; FUSETRACK_GPU_POOL=off compute-sanitizer --error-exitcode 3 $PYTHON -m pytest -q -x tests/gpu/test_gpu_programs.py -k 'chained or way'"
part "what limits a kernel (ncu)" 30 gpu \
    "command -v ncu || { echo no ncu; exit 0; }; ncu --set basic --launch-count 8 $MEASURE components $GPU"
part "texts compile without spills" 20 no "$PYTHON -m pytest -q tests/kernels/codegen/test_cuda_components.py -k spills"

if [ "${1:-}" = --list ]; then
    for one in "${PARTS[@]}"; do IFS='|' read -r name seconds needs _ <<<"$one"; echo "$seconds s  $needs  $name"; done
    exit 0
fi
report=${1:-gpu-day.txt}
: >"$report" || exit 2
say() { echo "$@" | tee -a "$report"; }
say "fusetrack, a day on a GPU: $(date -u +%FT%TZ), $(git rev-parse --short HEAD 2>/dev/null || echo no git)"
there=no
[ "$GPU" = emulated ] && there=gpu
[ $there = gpu ] || reason=$($PYTHON -c "from kernels.executors.base import executor; executor('$GPU')" 2>&1) && there=gpu
[ $there = gpu ] || say "no GPU: $(tail -n 1 <<<"$reason")"
start=$SECONDS failed=0
for one in "${PARTS[@]}"; do
    IFS='|' read -r name seconds needs command <<<"${one//||/$'\x01'}"
    command=${command//$'\x01'/||}
    left=$((MOST - (SECONDS - start)))
    say "" && say "== $name"
    if [ "$needs" = gpu ] && [ $there = no ]; then say "left out: it needs a GPU"; continue; fi
    if [ $left -lt 5 ]; then say "left out: no time is left"; failed=1; continue; fi
    began=$SECONDS
    timeout $((seconds < left ? seconds : left)) bash -c "$command" 2>&1 | tee -a "$report"
    code=${PIPESTATUS[0]}
    [ "$code" = 124 ] && say "stopped after $((SECONDS - began)) s"
    [ "$code" = 0 ] || failed=1
    say "-- $((SECONDS - began)) s, code $code"
done
say "" && say "all in $((SECONDS - start)) s; $([ $failed = 0 ] && echo 'nothing failed' || echo 'something failed')"
exit $failed
