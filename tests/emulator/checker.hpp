// Watches every access of a checked kernel. The kernel is compiled with -fsanitize=thread and linked with the callbacks
// below instead of the sanitizer's own library.
#pragma once
#include "counts.hpp"
#include <map>

static const uint64_t GUARD = 65536; // bytes around arrays and dynamic shared memory: touching them harms nothing
static const uint16_t ATOMIC = 0x8000;
enum Operation : uint32_t { LOAD, STORE, ATOMIC_OPERATION, RELAXED_LOAD };

struct Stamp { // who touched a byte, when, and from which site
    uint32_t time;
    uint16_t thread, site;
};
struct Cell {
    // The last write; the last two readers of different threads; the last reader of another block.
    Stamp write, read, read_before, foreign;
};
static std::vector<Cell> cells[64];
static bool abandoned;
static std::vector<uint32_t> starts; // of the blocks so far
static uint32_t fenced;              // when the block last called __threadfence
static std::map<uint32_t, uint32_t> acquired;                               // by start of a block: up to when
static std::map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> releases; // by address: (block, up to when)

static bool within(uint64_t address, uint64_t size, const Region &r) {
    return address >= r.start && address + size <= r.start + r.size;
}

// A plain access of another block is seen if that block fenced it off, then touched an atomic that this block touched.
static bool acquired_from(uint32_t time) {
    if (acquired.empty()) return false;
    auto after = std::upper_bound(starts.begin(), starts.end(), time);
    auto found = after == starts.begin() ? acquired.end() : acquired.find(*(after - 1));
    return found != acquired.end() && time < found->second;
}

static void against(const Stamp &s, const Thread *t, uint64_t where, bool is_atomic, int32_t region, uint64_t offset,
                    uint32_t size) {
    if (s.time < launch_start || (is_atomic && s.thread & ATOMIC)) return;
    const uint32_t other = s.thread & ~ATOMIC;
    Kind kind = RACE_IN_BLOCK;
    if (s.time >= block_start) {
        if (other == t->number || s.time < block_time) return;
        if (other / 32 == t->number / 32 && s.time < t->warp_time) return;
    } else {
        if (launch->regions[region].shared || acquired_from(s.time)) return;
        kind = RACE_BETWEEN_BLOCKS;
    }
    finding(kind, where, site_list[s.site].where, region, (int64_t)offset, size, other);
}

// The region nearest to an address that is in none: what the kernel most likely meant.
static int32_t nearest(uint64_t address, uint64_t &distance) {
    int32_t best = -1;
    distance = ~0ull;
    for (uint32_t i = 0; i < launch->n_regions; i++) {
        const Region &r = launch->regions[i];
        const uint64_t d = address < r.start ? r.start - address : address - r.start >= r.size ? address - r.start - r.size : 0;
        if (d < distance) distance = d, best = (int32_t)i;
    }
    return best;
}

static void outside(uint64_t address, uint32_t size, uint64_t where, Operation operation) {
    const Kind kind = operation == LOAD ? OUT_OF_BOUNDS_READ : OUT_OF_BOUNDS_WRITE;
    uint64_t distance;
    const int32_t region = nearest(address, distance);
    if (region >= 0 && distance < GUARD - 64) {
        finding(kind, where, 0, region, (int64_t)(address - launch->regions[region].start), size);
        return;
    }
    finding(kind, where, 0, -1, 0, size);
    abandon_block(); // the access would hit memory of the process
}

// `where` names the place (a line or a return address), `code` is the return address.
static void access(uint64_t address, uint32_t size, uint64_t where, uint64_t code, Operation operation, bool aligned) {
    Thread *t = current;
    if (!t) return;
    const bool relaxed = operation == RELAXED_LOAD;
    if (relaxed) operation = LOAD;
    const uint64_t own = (uint64_t)launch->stacks + t->number * STACK;
    if (address >= own && address < own + STACK) return; // its own registers and local arrays
    if (address - (uint64_t)launch->arguments < launch->argument_bytes) return; // its parameters
    if (aligned && address & (size - 1)) finding(MISALIGNED, where, 0, -1, 0, size);
    int32_t region = -1;
    for (uint32_t i = 0; i < launch->n_regions && region < 0; i++)
        if (within(address, size, launch->regions[i])) region = (int32_t)i;
    if (region < 0) {
        const uint64_t arena = (uint64_t)emu_dynamic_shared - GUARD, section = (uint64_t)&__start_emu_shared[0];
        const bool is_shared = (address >= arena && address < arena + sizeof emu_arena)
                            || (section && address >= section && address < (uint64_t)&__stop_emu_shared[0]);
        if (!is_shared && address >= launch->module_start && address < launch->module_end) return; // a constant
        outside(address, size, where, operation);
        return;
    }
    const Region &r = launch->regions[region];
    const uint64_t offset = address - r.start;
    const uint32_t site = site_of(where, r.shared, operation);
    site_list[site].accesses++, site_list[site].bytes += size;
    leave_trace(t, code, site, address, size);
    if (!r.shared) count_sectors((uint32_t)region, operation, offset, size);
    if (operation != LOAD && r.mode == IN) finding(READ_ONLY_WRITE, where, 0, region, (int64_t)offset, size);
    if (r.mode == IN) return;

    const uint16_t mark = operation == ATOMIC_OPERATION || relaxed ? ATOMIC : 0;
    const Stamp me = {now, (uint16_t)(t->number | mark), (uint16_t)site};
    Cell *const all = &cells[region][offset], before_first = all[0];
    for (uint32_t i = 0; i < size; i++) {
        Cell &c = all[i];
        if (i && !memcmp(&c, &before_first, sizeof(Cell))) { // as most often: the bytes of a number live together
            c = all[0];
            continue;
        }
        if (operation != STORE) {
            if (r.shared && c.write.time < block_start) finding(UNINITIALISED_SHARED, where, 0, region, (int64_t)offset, size);
            if ((r.mode == OUT || r.mode == OUT_PART) && c.write.time < launch_start)
                finding(UNINITIALISED_GLOBAL, where, 0, region, (int64_t)offset, size);
        }
        against(c.write, t, where, mark, region, offset, size);
        if (operation != LOAD) {
            against(c.read, t, where, mark, region, offset, size);
            against(c.read_before, t, where, mark, region, offset, size);
            against(c.foreign, t, where, mark, region, offset, size);
            c.write = me;
        }
        if (operation == LOAD) {
            if (c.read.time < block_start) c.foreign = c.read;
            if (c.read.thread != me.thread) c.read_before = c.read;
            c.read = me;
        }
    }
}

static void access_range(uint64_t address, uint64_t size, uint64_t where, uint64_t code, Operation operation) {
    const uint32_t step = (address | size) % 4 == 0 ? 4 : 1; // as the device copies a structure
    for (uint64_t i = 0; i < size; i += step) access(address + i, step, where, code, operation, false);
}

static void check_launch_starts() {
    counts_start();
    for (uint32_t i = 0; i < launch->n_regions && i < 64; i++) {
        cells[i].clear();
        if (launch->regions[i].mode != IN) cells[i].resize(launch->regions[i].size);
    }
    releases.clear(), starts.clear();
    abandoned = false;
}
static void check_block_starts() {
    starts.push_back(block_start);
    fenced = 0;
    memset(depth, 0, sizeof depth);
    acquired.clear();
}
static void check_phase_ends() { serve_requests(); }
static void check_block_ends() {
    serve_requests();
    abandoned |= alive != 0;
}
static void check_launch_ends() {
    for (uint32_t i = 0; i < launch->n_regions && !abandoned; i++) {
        if (launch->regions[i].mode != OUT || launch->regions[i].shared) continue;
        uint64_t missing = 0, first = 0;
        for (uint64_t at = launch->regions[i].size; at-- > 0;)
            if (!cells[i][at].write.time) missing++, first = at;
        if (missing) finding(UNWRITTEN, 0, 0, (int32_t)i, (int64_t)first, missing);
    }
    launch->sites = site_list, launch->n_sites = n_sites;
}
static void check_atomic(void *address, unsigned size, int line, void *code) {
    access((uint64_t)address, size, (uint64_t)line, (uint64_t)code, ATOMIC_OPERATION, true);
    auto &released = releases[(uint64_t)address];
    for (auto &each : released) acquired[each.first] = std::max(acquired[each.first], each.second);
    if (fenced) released.push_back({block_start, fenced});
}
static void check_relaxed(const void *address, unsigned size, int line, void *code) {
    access((uint64_t)address, size, (uint64_t)line, (uint64_t)code, RELAXED_LOAD, true);
}
static void check_fence() { fenced = ++now; }

#define HERE ((uint64_t)__builtin_return_address(0))
#define WATCH(n)                                                                                                       \
    void __tsan_read##n(void *p) { access((uint64_t)p, n, HERE, HERE, LOAD, true); }                                         \
    void __tsan_write##n(void *p) { access((uint64_t)p, n, HERE, HERE, STORE, true); }                                       \
    void __tsan_unaligned_read##n(void *p) { access((uint64_t)p, n, HERE, HERE, LOAD, false); }                              \
    void __tsan_unaligned_write##n(void *p) { access((uint64_t)p, n, HERE, HERE, STORE, false); }
extern "C" {
WATCH(1) WATCH(2) WATCH(4) WATCH(8) WATCH(16)
void __tsan_read_range(void *p, uint64_t size) { access_range((uint64_t)p, size, HERE, HERE, LOAD); }
void __tsan_write_range(void *p, uint64_t size) { access_range((uint64_t)p, size, HERE, HERE, STORE); }
void *__tsan_memcpy(void *to, const void *from, uint64_t size) {
    access_range((uint64_t)from, size, HERE, HERE, LOAD), access_range((uint64_t)to, size, HERE, HERE, STORE);
    return memmove(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, uint64_t size) {
    access_range((uint64_t)from, size, HERE, HERE, LOAD), access_range((uint64_t)to, size, HERE, HERE, STORE);
    return memmove(to, from, size);
}
void *__tsan_memset(void *to, int value, uint64_t size) {
    access_range((uint64_t)to, size, HERE, HERE, STORE);
    return memset(to, value, size);
}
void __tsan_init() {}
// The driver too calls into the library, when no thread runs.
void __tsan_func_entry(void *) {
    if (current) depth[current->number]++;
}
void __tsan_func_exit() {
    if (current) depth[current->number]--;
}
void __sanitizer_cov_trace_pc() {
    if (current) leave_trace(current, HERE, NO_SITE, 0, 0);
}

void emu_vector(void *to, const void *from, unsigned size, void *where) {
    access((uint64_t)from, size, (uint64_t)where, (uint64_t)where, LOAD, true);
    access((uint64_t)to, size, (uint64_t)where, (uint64_t)where, STORE, true);
    memcpy(to, from, size);
}
void emu_copy(void *to, const void *from, emu_u64 size, int line) {
    access_range((uint64_t)from, size, (uint64_t)line, HERE, LOAD);
    access_range((uint64_t)to, size, (uint64_t)line, HERE, STORE);
    memcpy(to, from, size);
}
void emu_fill(void *to, int value, emu_u64 size, int line) {
    access_range((uint64_t)to, size, (uint64_t)line, HERE, STORE);
    memset(to, value, size);
}

// What C++ leaves undefined and a device decides in its own way.
void __ubsan_handle_out_of_bounds(void *, uint64_t index) { finding(INDEX_OVERFLOW, HERE, 0, -1, (int64_t)index); }
void __ubsan_handle_float_cast_overflow(void *, uint64_t) { finding(CAST_OVERFLOW, HERE); }
void __ubsan_handle_shift_out_of_bounds(void *, uint64_t, uint64_t) { finding(SHIFT_OVERFLOW, HERE); }
void __ubsan_handle_divrem_overflow(void *, uint64_t, uint64_t) {
    finding(DIVISION_BY_ZERO, HERE);
    abandon_block();
}
}
