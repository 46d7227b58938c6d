// The machine: blocks one after another, the threads of a block as fibers that switch at barriers and in collectives.
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

enum Order : uint32_t { SHUFFLED, FORWARD, REVERSE };

static uint32_t *ready, n_ready; // a stack of threads that can run
static int barrier_line, barrier_votes, barrier_result, barrier_came;
static bool barrier_torn; // threads wait at different lines
static struct { unsigned waiting, exited; } warps[32];

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
        Thread &t = threads[launch->order == FORWARD ? n_threads - 1 - i : i];
        if (t.state == DONE) continue;
        t.state = READY;
        ready[n_ready++] = t.number;
    }
    if (launch->order == SHUFFLED) shuffle(ready, n_ready);
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

static void answer(unsigned base, unsigned group);
static void unstick();

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
    if (++arrived == alive) release_barrier();
    run_another();
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

static void run_block() {
    const uint32_t *size = launch->block;
    alive = n_threads, arrived = 0, barrier_votes = 0, barrier_torn = false;
    block_start = block_time = ++now;
    for (uint32_t i = 0; i < n_threads; i++) {
        Thread &t = threads[i];
        t.index = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        t.number = i, t.state = READY, t.line = 0, t.warp_time = block_start;
        // Tops a power of two apart would all fall into the same sets of the cache.
        t.sp = fiber_start(launch->stacks + (i + 1) * STACK - i * 576 % 16384, fiber_body);
    }
    for (auto &w : warps) w.waiting = w.exited = 0;
    uint64_t poison = random_bits();
    if (&__start_emu_shared[0])
        for (char *p = __start_emu_shared; p < __stop_emu_shared; p++) *p = (char)(poison >> 8 * ((uintptr_t)p & 7));
    for (uint64_t i = 0; i < launch->shared_bytes; i++) emu_dynamic_shared[i] = (char)(poison >> 8 * (i & 7));
    check_block_starts();
    all_ready();
    current = &threads[ready[--n_ready]];
    emu_switch(&machine_sp, current->sp);
    check_block_ends();
}

extern "C" __attribute__((visibility("default"))) void *emu_base() { return __ehdr_start; }
extern "C" __attribute__((visibility("default"))) void *emu_dynamic() { return emu_dynamic_shared; }
extern "C" __attribute__((visibility("default"))) void emu_run(Launch *given) {
    launch = given;
    n_threads = launch->block[0] * launch->block[1] * launch->block[2];
    threads = (Thread *)calloc(n_threads, sizeof(Thread));
    ready = (uint32_t *)calloc(n_threads, sizeof(uint32_t));
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
    for (uint32_t i = 0; i < n_blocks && !launch->stopped; i++) {
        const uint32_t b = blocks[i];
        block_at = {b % launch->grid[0], b / launch->grid[0] % launch->grid[1], b / launch->grid[0] / launch->grid[1]};
        run_block();
    }
    release_signals();
    check_launch_ends();
#if defined(__x86_64__)
    _mm_setcsr(before);
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" ::"r"(before));
#endif
    free(threads), free(ready), free(blocks);
}
