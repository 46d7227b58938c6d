// The machine: the threads of a block as fibers that switch at barriers, in collectives and at atomics; a few blocks
// alive at once, whose shared memory is laid aside while others are at work.
#include "machine.hpp"
#include "fiber.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

extern "C" char __start_emu_shared[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_emu_shared[] __attribute__((weak, visibility("hidden")));
extern "C" char __ehdr_start[] __attribute__((visibility("hidden")));
// Dynamic shared memory, with room on both sides.
extern "C" {
__attribute__((visibility("hidden"), used, aligned(1024))) char emu_arena[65536 + 232448 + 65536];
extern char emu_dynamic_shared[] __attribute__((visibility("hidden")));
}
asm(".globl emu_dynamic_shared\n.hidden emu_dynamic_shared\n.set emu_dynamic_shared, emu_arena + 65536");

enum Order : uint32_t { SHUFFLED, FORWARD, REVERSE, LOCKSTEP };

static uint32_t *ready, n_ready; // a stack of threads that can run
static int barrier_line, barrier_votes, barrier_result, barrier_came;
static bool barrier_torn; // threads wait at different lines
struct Warp { unsigned waiting, exited; };
static Warp warps[32];
static char *stacks; // of the block at work

static void let_others();
#include "signals.hpp"

#ifdef EMU_CHECK
#include "checker.hpp"
#else
static void check_launch_starts() {}
static void check_launch_ends() {}
static void check_block_starts() {}
static void check_phase_ends() {}
static void check_block_ends() {}
static void check_atomic(void *, unsigned, int, void *) {}
static void check_relaxed(const void *, unsigned, int, void *) {}
static void check_fence() {}
extern "C" void emu_vector(void *, const void *, unsigned, void *) {}
extern "C" void emu_copy(void *to, const void *from, emu_u64 size, int) { memcpy(to, from, size); }
extern "C" void emu_fill(void *to, int value, emu_u64 size, int) { memset(to, value, size); }
#endif
#include "atomics.hpp"

extern "C" emu_index emu_thread_index() { return current->index; }
extern "C" emu_index emu_block_index() { return block_at; }
extern "C" emu_index emu_block_size() { return {launch->block[0], launch->block[1], launch->block[2]}; }
extern "C" emu_index emu_grid_size() { return {launch->grid[0], launch->grid[1], launch->grid[2]}; }

static void shuffle(uint32_t *of, uint32_t n) {
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = random_below(i), kept = of[i - 1];
        of[i - 1] = of[j], of[j] = kept;
    }
}

// The stack is popped from its end: FORWARD puts the first thread there.
static void all_ready() {
    n_ready = 0;
    for (uint32_t i = 0; i < n_threads; i++) {
        Thread &t = threads[launch->order == FORWARD || launch->order == LOCKSTEP ? n_threads - 1 - i : i];
        if (t.state == DONE) continue;
        t.state = READY;
        ready[n_ready++] = t.number;
    }
    if (launch->order == SHUFFLED) shuffle(ready, n_ready);
}

static void answer(unsigned base, unsigned group);
static void unstick();
static void run_another();

// Blocks are changed here at times: the thread that runs can go on once its block has its turn again.
static const uint32_t PAUSES = 16, PAUSES_AT_BARRIERS = 2; // one of so many
static bool paused, pausable; // whether there are others to go on with
static void pause_block() {
    Thread *from = current;
    ready[n_ready++] = from->number;
    current = nullptr, paused = true;
    emu_switch(&from->sp, machine_sp);
}

// Before an atomic or a load that may meet one, others may come first: in lock-step all of the block that can run.
static void let_others() {
    if (!current || !launch->switching) return;
    if (launch->order == LOCKSTEP) {
        memmove(ready + 1, ready, n_ready++ * sizeof *ready);
        ready[0] = current->number;
        run_another();
        return;
    }
    if (random_below(256) >= launch->switching) return;
    if (pausable && !random_below(PAUSES)) return pause_block();
    ready[n_ready++] = current->number;
    const uint32_t j = random_below(n_ready), other = ready[j];
    ready[j] = ready[n_ready - 1], ready[n_ready - 1] = other;
    run_another();
}

static void release_barrier() {
    if (alive < n_threads || barrier_torn) {
        uint64_t other = 0;
        for (uint32_t i = 0; i < n_threads; i++)
            if (threads[i].state == AT_BARRIER && threads[i].line != barrier_line) other = (uint64_t)threads[i].line;
        finding(DIVERGENT_BARRIER, (uint64_t)barrier_line, other, -1, n_threads - alive, n_threads);
    }
    launch->counts.barriers++;
    check_phase_ends();
    block_time = ++now;
    barrier_result = barrier_votes, barrier_came = (int)arrived;
    arrived = 0, barrier_votes = 0, barrier_torn = false;
    all_ready();
}


static void run_another() {
    while (!n_ready && alive) unstick();
    Thread *from = current;
    if (!alive) {
        current = nullptr;
        emu_switch(&from->sp, machine_sp);
        return;
    }
    Thread *to = &threads[ready[--n_ready]];
    if (to == from) return;
    current = to;
    launch->counts.switches++;
    emu_switch(&from->sp, to->sp);
}

static void fiber_body() {
    emu_entry(launch->arguments);
    current->state = DONE;
    alive--;
    warps[current->number / 32].exited |= 1u << current->number % 32;
    run_another();
    abort();
}

static void abandon_block() {
    void *nowhere;
    current = nullptr;
    emu_switch(&nowhere, machine_sp);
    abort();
}

extern "C" int emu_barrier(int mode, int predicate, int line) {
    Thread *t = current;
    if (!arrived) barrier_line = line;
    barrier_torn |= line != barrier_line;
    t->line = line, t->state = AT_BARRIER;
    barrier_votes += predicate != 0;
    const bool last = ++arrived == alive;
    if (last) release_barrier();
    run_another();
    if (last && pausable && launch->switching && !random_below(PAUSES_AT_BARRIERS)) pause_block();
    return mode == EMU_BARRIER_COUNT ? barrier_result
         : mode == EMU_BARRIER_AND ? barrier_result == barrier_came
         : mode == EMU_BARRIER_OR ? barrier_result != 0 : 0;
}

// Lanes of `w` that wait in the same collective as `t`, with the same mask.
static unsigned peers(const Thread *t, unsigned w) {
    unsigned same = 0;
    for (unsigned left = warps[w].waiting; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        const Thread &other = threads[w * 32 + lane];
        if (other.kind == t->kind && other.mask == t->mask) same |= 1u << lane;
    }
    return same;
}
static unsigned lanes_of(unsigned w) { return n_threads - w * 32 >= 32 ? ~0u : (1u << (n_threads - w * 32)) - 1; }

extern "C" emu_u64 emu_collective(int kind, unsigned mask, emu_u64 value, int operand, int width, int line) {
    Thread *t = current;
    const unsigned w = t->number / 32, lane = t->number % 32;
    if (!(mask >> lane & 1)) {
        finding(INACTIVE_LANE, (uint64_t)line, 0, -1, lane, 0);
        mask |= 1u << lane;
    }
    t->kind = kind, t->mask = mask, t->value = value, t->operand = operand, t->width = width, t->line = line;
    t->state = AT_COLLECTIVE;
    warps[w].waiting |= 1u << lane;
    const unsigned needed = mask & lanes_of(w) & ~warps[w].exited;
    if ((warps[w].waiting & needed) == needed) {
        const unsigned group = peers(t, w);
        if ((group & needed) == needed) answer(w, group);
    }
    run_another();
    return t->result;
}

extern "C" unsigned emu_active_mask(int) {
    const unsigned w = current->number / 32;
    return lanes_of(w) & ~warps[w].exited;
}

static uint64_t reduced(int kind, const Thread &t, const Thread *warp, unsigned group) {
    uint32_t out = 0;
    bool first = true;
    for (unsigned left = group; left; left &= left - 1) {
        const uint32_t v = (uint32_t)warp[__builtin_ctz(left)].value;
        const bool is_less = t.operand ? (int32_t)v < (int32_t)out : v < out; // operand: a signed one
        if (first) out = v;
        else if (kind == EMU_REDUCE_ADD) out += v;
        else if (kind == EMU_REDUCE_MIN) out = is_less ? v : out;
        else if (kind == EMU_REDUCE_MAX) out = is_less ? out : v;
        else if (kind == EMU_REDUCE_AND) out &= v;
        else if (kind == EMU_REDUCE_OR) out |= v;
        else out ^= v;
        first = false;
    }
    return out;
}

static uint64_t shuffled(const Thread &t, unsigned lane, const Thread *warp, unsigned group) {
    const int width = t.width, start = (int)lane & ~(width - 1);
    int source = (int)lane;
    if (t.kind == EMU_SHFL) source = start + (t.operand & (width - 1));
    if (t.kind == EMU_SHFL_UP && (int)lane - t.operand >= start) source = (int)lane - t.operand;
    if (t.kind == EMU_SHFL_DOWN && (int)lane + t.operand < start + width) source = (int)lane + t.operand;
    if (t.kind == EMU_SHFL_XOR && ((int)lane ^ t.operand) < start + width) source = (int)lane ^ t.operand;
    if (source < 32 && group >> source & 1) return warp[source].value;
    finding(INACTIVE_LANE, (uint64_t)t.line, 0, -1, source, 1);
    return random_bits();
}

// Gives every lane of the group its result and lets it run.
static void answer(unsigned w, unsigned group) {
    Thread *warp = threads + w * 32, *kept = current;
    launch->counts.collectives++;
    if (warp[__builtin_ctz(group)].kind == EMU_SYNCWARP) {
        ++now;
        for (unsigned left = group; left; left &= left - 1) warp[__builtin_ctz(left)].warp_time = now;
    }
    unsigned votes = 0;
    for (unsigned left = group; left; left &= left - 1)
        votes |= (unsigned)(warp[__builtin_ctz(left)].value != 0) << __builtin_ctz(left);
    for (unsigned left = group; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        Thread &self = warp[lane];
        current = &self;
        if (self.kind == EMU_BALLOT) self.result = votes;
        else if (self.kind == EMU_MATCH) {
            self.result = 0;
            for (unsigned others = group; others; others &= others - 1)
                if (warp[__builtin_ctz(others)].value == self.value) self.result |= 1u << __builtin_ctz(others);
        } else if (self.kind >= EMU_REDUCE_ADD) self.result = reduced(self.kind, self, warp, group);
        else if (self.kind != EMU_SYNCWARP) self.result = shuffled(self, lane, warp, group);
    }
    current = kept;
    for (unsigned i = 0; i < 32; i++) {
        const unsigned lane = launch->order == FORWARD ? 31 - i : i;
        if (!(group >> lane & 1)) continue;
        warp[lane].state = READY;
        ready[n_ready++] = warp[lane].number;
        if (launch->order == SHUFFLED) {
            const uint32_t j = random_below(n_ready), other = ready[j];
            ready[j] = ready[n_ready - 1], ready[n_ready - 1] = other;
        }
    }
    warps[w].waiting &= ~group;
}

// Nobody can run: threads left, or wait in different places. Says so and lets the likeliest go on.
static void unstick() {
    for (unsigned w = 0; w * 32 < n_threads; w++) {
        if (!warps[w].waiting) continue;
        Thread &t = threads[w * 32 + (unsigned)__builtin_ctz(warps[w].waiting)];
        const unsigned group = peers(&t, w), needed = t.mask & lanes_of(w) & ~warps[w].exited;
        if ((group & needed) != needed) {
            const Thread &missing = threads[w * 32 + (unsigned)__builtin_ctz(needed & ~group)];
            finding(DIVERGENT_COLLECTIVE, (uint64_t)t.line, (uint64_t)missing.line, -1, missing.number % 32, 0);
        }
        answer(w, group);
        return;
    }
    release_barrier(); // the threads that left did not come to it
}

extern "C" void emu_fence(int) { check_fence(); }
extern "C" void emu_assert(const char *, int line) {
    finding(ASSERTION, (uint64_t)line);
    abandon_block();
}

static void start_block() {
    const uint32_t *size = launch->block;
    alive = n_threads, arrived = 0, barrier_votes = 0, barrier_torn = false;
    block_start = block_time = ++now;
    for (uint32_t i = 0; i < n_threads; i++) {
        Thread &t = threads[i];
        t.index = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        t.number = i, t.state = READY, t.line = 0, t.warp_time = block_start;
        // Tops a power of two apart would all fall into the same sets of the cache.
        t.sp = fiber_start(stacks + (i + 1) * STACK - i * 576 % 16384, fiber_body);
    }
    for (auto &w : warps) w.waiting = w.exited = 0;
    uint64_t poison = random_bits();
    if (&__start_emu_shared[0])
        for (char *p = __start_emu_shared; p < __stop_emu_shared; p++) *p = (char)(poison >> 8 * ((uintptr_t)p & 7));
    for (uint64_t i = 0; i < launch->shared_bytes; i++) emu_dynamic_shared[i] = (char)(poison >> 8 * (i & 7));
    check_block_starts();
    all_ready();
}

// Run the block at work until it is over, or until it pauses.
static void run_block() {
    paused = false;
    current = &threads[ready[--n_ready]];
    emu_switch(&machine_sp, current->sp);
}

// A block that is alive: what of the machine is its own.
struct Block {
    Thread *threads;
    uint32_t *ready, n_ready;
    unsigned alive, arrived;
    int barrier_line, barrier_votes, barrier_result, barrier_came;
    bool barrier_torn;
    Warp warps[32];
    emu_index at;
    uint32_t start, time;
    char *shared, *stacks;
};
static uint64_t static_shared() { return &__start_emu_shared[0] ? (uint64_t)(__stop_emu_shared - __start_emu_shared) : 0; }

static void lay_aside(Block &b) {
    b.n_ready = n_ready, b.alive = alive, b.arrived = arrived, b.barrier_line = barrier_line;
    b.barrier_votes = barrier_votes, b.barrier_result = barrier_result, b.barrier_came = barrier_came;
    b.barrier_torn = barrier_torn, b.at = block_at, b.start = block_start, b.time = block_time;
    memcpy(b.warps, warps, sizeof warps);
    const uint64_t fixed = static_shared();
    if (fixed) memcpy(b.shared, __start_emu_shared, fixed);
    memcpy(b.shared + fixed, emu_dynamic_shared, launch->shared_bytes);
}
static void take_up(const Block &b) {
    threads = b.threads, ready = b.ready, stacks = b.stacks;
    n_ready = b.n_ready, alive = b.alive, arrived = b.arrived, barrier_line = b.barrier_line;
    barrier_votes = b.barrier_votes, barrier_result = b.barrier_result, barrier_came = b.barrier_came;
    barrier_torn = b.barrier_torn, block_at = b.at, block_start = b.start, block_time = b.time;
    memcpy(warps, b.warps, sizeof warps);
    const uint64_t fixed = static_shared();
    if (fixed) memcpy(__start_emu_shared, b.shared, fixed);
    memcpy(emu_dynamic_shared, b.shared + fixed, launch->shared_bytes);
}

static void run_blocks(const uint32_t *numbers, uint32_t n_blocks) {
    const uint32_t most = launch->live < n_blocks ? launch->live : n_blocks;
    pausable = most > 1;
    Block *const all = (Block *)calloc(most, sizeof(Block));
    for (uint32_t i = 0; i < most; i++) {
        all[i].threads = (Thread *)calloc(n_threads, sizeof(Thread));
        all[i].ready = (uint32_t *)calloc(n_threads + 1, sizeof(uint32_t));
        all[i].stacks = launch->stacks + (uint64_t)i * n_threads * STACK;
        if (most > 1) all[i].shared = (char *)malloc(static_shared() + launch->shared_bytes + 1);
    }
    uint32_t started = 0, going = 0; // those that go on stand first
    while ((going || started < n_blocks) && !launch->stopped) {
        uint32_t i = random_below(going + 1);
        const bool fresh = started < n_blocks && going < most && (i == going || !going || random_below(2));
        if (fresh) {
            i = going++;
            const uint32_t b = numbers[started++];
            threads = all[i].threads, ready = all[i].ready, stacks = all[i].stacks;
            block_at = {b % launch->grid[0], b / launch->grid[0] % launch->grid[1], b / launch->grid[0] / launch->grid[1]};
            start_block();
        } else {
            i %= going;
            take_up(all[i]);
        }
        run_block();
        if (paused) {
            lay_aside(all[i]);
            continue;
        }
        check_block_ends();
        const Block over = all[i];
        all[i] = all[--going], all[going] = over;
    }
    for (uint32_t i = 0; i < most; i++) free(all[i].threads), free(all[i].ready), free(all[i].shared);
    free(all);
}

extern "C" __attribute__((visibility("default"))) void *emu_base() { return __ehdr_start; }
extern "C" __attribute__((visibility("default"))) void *emu_dynamic() { return emu_dynamic_shared; }
extern "C" __attribute__((visibility("default"))) void emu_run(Launch *given) {
    launch = given;
    n_threads = launch->block[0] * launch->block[1] * launch->block[2];
    random_state = launch->seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL;
    for (int i = 0; i < 4; i++) random_bits();
    const uint32_t n_blocks = launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t *blocks = (uint32_t *)calloc(n_blocks, sizeof(uint32_t));
    for (uint32_t i = 0; i < n_blocks; i++) blocks[i] = launch->order == REVERSE ? n_blocks - 1 - i : i;
    if (launch->order == SHUFFLED) shuffle(blocks, n_blocks);
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr();
    if (launch->flush) _mm_setcsr(before | 0x8040); // denormals flushed, as inputs and as results
#elif defined(__aarch64__)
    uint64_t before, with;
    asm volatile("mrs %0, fpcr" : "=r"(before));
    with = launch->flush ? before | 1u << 24 : before;
    asm volatile("msr fpcr, %0" ::"r"(with));
#endif
    launch_start = ++now;
    check_launch_starts();
    catch_signals();
    run_blocks(blocks, n_blocks);
    release_signals();
    check_launch_ends();
#if defined(__x86_64__)
    _mm_setcsr(before);
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" ::"r"(before));
#endif
    free(blocks);
}
