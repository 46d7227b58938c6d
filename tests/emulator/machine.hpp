// What the scheduler (runtime.cpp) and the checker (checker.hpp, counts.hpp) know of a launch. The structures up to
// Launch are mirrored in binding.py.
#pragma once
#include "interface.hpp"
#include <stdint.h>
#include <string.h>

enum Kind : uint32_t {
    OUT_OF_BOUNDS_READ = 1, OUT_OF_BOUNDS_WRITE, RACE_IN_BLOCK, RACE_BETWEEN_BLOCKS, UNINITIALISED_SHARED,
    UNINITIALISED_GLOBAL, UNWRITTEN, DIVERGENT_BARRIER, INACTIVE_LANE, DIVERGENT_COLLECTIVE, READ_ONLY_WRITE,
    MISALIGNED, CAST_OVERFLOW, INDEX_OVERFLOW, SHIFT_OVERFLOW, DIVISION_BY_ZERO, ASSERTION, CRASH, ENDLESS,
};
enum Mode : uint32_t { IN, OUT, IN_OUT, OUT_PART };

struct Region { // a NumPy array (index: its argument) or a variable in shared memory
    uint64_t start, size;
    uint32_t mode, shared;
};
struct Finding {
    uint32_t kind, count;
    uint64_t where, other; // a line of the kernel text if below 2^32, else a return address
    uint32_t block[3], thread[3], other_thread;
    int32_t region;        // index into the regions, -1: none of them
    int64_t offset;
    uint64_t size;
};
struct Site { // one place in the kernel and one sort of access
    uint64_t where;
    uint32_t space, operation;                               // 0 global, 1 shared, 2 local; 0 load, 1 store, 2 atomic
    uint64_t accesses, bytes, requests, transactions, ideal; // of threads, of threads, of warps, sectors or wavefronts
};
struct Counts {
    uint64_t barriers, collectives, atomics, switches;
    uint64_t sectors_of_blocks[3], sectors_of_launch[3]; // distinct 32-byte sectors: loads, stores, atomics
};
struct Launch {
    uint32_t grid[3], block[3];
    uint64_t shared_bytes, seed;
    uint32_t order, flush, limit_s, stopped;
    uint32_t switching, live; // how likely, of 256, a thread waits at an atomic; blocks that are alive at once
    void **arguments; // the addresses of the values, then the values
    uint64_t argument_bytes;
    Region *regions;
    uint32_t n_regions, n_findings;
    uint64_t module_start, module_end;
    char *stacks;
    Finding findings[64];
    Counts counts;
    Site *sites;
    uint64_t n_sites;
};

enum State : uint8_t { READY, AT_BARRIER, AT_COLLECTIVE, DONE };
struct Thread {
    void *sp;
    emu_index index;
    uint32_t number;
    State state;
    int line;
    int kind, operand, width; // of the collective it waits in
    unsigned mask;
    uint64_t value, result;
    uint32_t warp_time; // when its warp was last synchronised
};

static Launch *launch;
static Thread *threads, *current;
static unsigned n_threads, alive, arrived;
static emu_index block_at;
static void *machine_sp;
static uint32_t now, block_start, block_time, launch_start; // the clock of synchronisations, never set back
static uint64_t random_state;

static inline uint64_t random_bits() {
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1DULL;
}
static inline uint32_t random_below(uint32_t n) { return (uint32_t)(((random_bits() >> 32) * n) >> 32); }

static void finding(Kind kind, uint64_t where, uint64_t other = 0, int32_t region = -1, int64_t offset = 0,
                    uint64_t size = 0, uint32_t other_thread = ~0u) {
    for (uint32_t i = 0; i < launch->n_findings; i++) {
        Finding &f = launch->findings[i];
        if (f.kind == kind && f.where == where && (f.region == region || f.other == other)) {
            f.count++;
            return;
        }
    }
    if (launch->n_findings == 64) return;
    Finding &f = launch->findings[launch->n_findings++];
    f = Finding{kind, 1, where, other, {block_at.x, block_at.y, block_at.z}, {0, 0, 0}, other_thread, region, offset, size};
    if (current) f.thread[0] = current->index.x, f.thread[1] = current->index.y, f.thread[2] = current->index.z;
}
static void abandon_block() __attribute__((noreturn));
