// What the kernel's side (shim.hpp), the machine's side (runtime.cpp) and Python (machine.py) have in common.
#pragma once

typedef unsigned long long emu_u64;

struct emu_index {
    unsigned x, y, z;
};

enum emu_barrier_mode { EMU_BARRIER, EMU_BARRIER_COUNT, EMU_BARRIER_AND, EMU_BARRIER_OR };
enum emu_collective_kind {
    EMU_SYNCWARP, EMU_SHFL, EMU_SHFL_UP, EMU_SHFL_DOWN, EMU_SHFL_XOR, EMU_BALLOT,
    EMU_REDUCE_ADD, EMU_REDUCE_MIN, EMU_REDUCE_MAX, EMU_REDUCE_AND, EMU_REDUCE_OR, EMU_REDUCE_XOR, EMU_MATCH,
};
enum emu_atomic_operation {
    EMU_ADD, EMU_SUB, EMU_EXCH, EMU_MIN, EMU_MAX, EMU_AND, EMU_OR, EMU_XOR, EMU_CAS, EMU_INC, EMU_DEC,
};
enum emu_type { EMU_I32, EMU_U32, EMU_I64, EMU_U64, EMU_F32, EMU_F64 };

extern "C" {
// Constant while a thread lives, so the compiler may keep them; they are not read from memory that a checker would see.
emu_index emu_thread_index() __attribute__((const));
emu_index emu_block_index() __attribute__((const));
emu_index emu_block_size() __attribute__((const));
emu_index emu_grid_size() __attribute__((const));

int emu_barrier(int mode, int predicate, int line);
emu_u64 emu_collective(int kind, unsigned mask, emu_u64 value, int operand, int width, int line);
unsigned emu_active_mask(int line);
emu_u64 emu_relaxed(const void *address, unsigned size, int line);
emu_u64 emu_atomic(int operation, int type, void *address, emu_u64 value, emu_u64 compare, int line);
void emu_fence(int line);
void emu_copy(void *to, const void *from, emu_u64 size, int line);
void emu_fill(void *to, int value, emu_u64 size, int line);
void emu_vector(void *to, const void *from, unsigned size, void *where);
void emu_assert(const char *what, int line);

// Written by the driver behind the kernel text.
void emu_entry(void **arguments);
}
