// Atomic operations on memory: one thread runs at a time, so a plain read and write is atomic.
#pragma once

template <class T, class Raw> static emu_u64 atomic(int operation, void *address, emu_u64 given, emu_u64 expected) {
    T old, value, compare, next;
    Raw bits;
    memcpy(&old, address, sizeof(T));
    memcpy(&value, &given, sizeof(T));
    memcpy(&compare, &expected, sizeof(T));
    switch (operation) {
    case EMU_ADD: next = (T)(old + value); break;
    case EMU_SUB: next = (T)(old - value); break;
    case EMU_MIN: next = value < old ? value : old; break;
    case EMU_MAX: next = value > old ? value : old; break;
    case EMU_CAS: next = old == compare ? value : old; break;
    case EMU_INC: next = old >= value ? (T)0 : (T)(old + 1); break;
    case EMU_DEC: next = old == 0 || old > value ? value : (T)(old - 1); break;
    default: {
        Raw a, b;
        memcpy(&a, &old, sizeof(T)), memcpy(&b, &value, sizeof(T));
        a = operation == EMU_AND ? a & b : operation == EMU_OR ? a | b : operation == EMU_XOR ? a ^ b : b;
        memcpy(&next, &a, sizeof(T));
    }
    }
    memcpy(address, &next, sizeof(T));
    memcpy(&bits, &old, sizeof(T));
    return bits;
}

// A load that may meet atomics and stores of others: of a whole word, and never one that was loaded before.
extern "C" emu_u64 emu_relaxed(const void *address, unsigned size, int line) {
    let_others();
    check_relaxed(address, size, line, __builtin_return_address(0));
    emu_u64 value = 0;
    memcpy(&value, address, size);
    return value;
}

extern "C" emu_u64 emu_atomic(int operation, int type, void *address, emu_u64 value, emu_u64 compare, int line) {
    const unsigned size = type == EMU_I32 || type == EMU_U32 || type == EMU_F32 ? 4 : 8;
    let_others();
    launch->counts.atomics++;
    check_atomic(address, size, line, __builtin_return_address(0));
    switch (type) {
    // Whole numbers wrap: the unsigned operation, except where order matters.
    case EMU_I32:
        if (operation == EMU_MIN || operation == EMU_MAX) return atomic<int32_t, uint32_t>(operation, address, value, compare);
        return atomic<uint32_t, uint32_t>(operation, address, value, compare);
    case EMU_U32: return atomic<uint32_t, uint32_t>(operation, address, value, compare);
    case EMU_I64:
        if (operation == EMU_MIN || operation == EMU_MAX) return atomic<int64_t, uint64_t>(operation, address, value, compare);
        return atomic<uint64_t, uint64_t>(operation, address, value, compare);
    case EMU_U64: return atomic<uint64_t, uint64_t>(operation, address, value, compare);
    case EMU_F32: return atomic<float, uint32_t>(operation, address, value, compare);
    default: return atomic<double, uint64_t>(operation, address, value, compare);
    }
}
