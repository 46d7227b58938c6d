// CUDA C's words in C++17, for one kernel text compiled for the processor. Included before the text; it includes no
// header of the system, because NVRTC has none either: a text that needs one does not compile here.
#pragma once
#include "interface.hpp"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __CUDACC__ 1
#define __CUDA_ARCH__ 900
#define __CUDACC_RTC__ 1
#define FUSED_INSTRUCTION(meaning, ...) meaning
#define __builtin_align__(n) __align__(n)

// Static shared memory: its own section, so that its extent is known. A checked build puts a gap before each array.
#define EMU_SHARED __attribute__((used, section("emu_shared"), aligned(128)))
#define EMU_JOIN2(a, b) a##b
#define EMU_JOIN(a, b) EMU_JOIN2(a, b)
#ifdef EMU_CHECK
#define __shared__ static EMU_SHARED char EMU_JOIN(emu_gap_, __COUNTER__)[256]; static EMU_SHARED
#else
#define __shared__ static EMU_SHARED
#endif
// Dynamic shared memory: the driver turns `extern __shared__` into `extern EMU_DYNAMIC`.
#define EMU_DYNAMIC __attribute__((visibility("hidden")))

#include "vectors.hpp"

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};

#define threadIdx (emu_thread_index())
#define blockIdx (emu_block_index())
#define blockDim (emu_block_size())
#define gridDim (emu_grid_size())
#define warpSize 32

// ---- synchronising: the line is the caller's --------------------------------------------------------------------
#define EMU_INLINE static inline __attribute__((always_inline, unused))
#define EMU_LINE int line = __builtin_LINE()

EMU_INLINE void emu_memory() { asm volatile("" ::: "memory"); }
EMU_INLINE void __syncthreads(EMU_LINE) { emu_barrier(EMU_BARRIER, 0, line); emu_memory(); }
EMU_INLINE int __syncthreads_count(int p, EMU_LINE) { int r = emu_barrier(EMU_BARRIER_COUNT, p, line); emu_memory(); return r; }
EMU_INLINE int __syncthreads_and(int p, EMU_LINE) { int r = emu_barrier(EMU_BARRIER_AND, p, line); emu_memory(); return r; }
EMU_INLINE int __syncthreads_or(int p, EMU_LINE) { int r = emu_barrier(EMU_BARRIER_OR, p, line); emu_memory(); return r; }
EMU_INLINE void __syncwarp(unsigned mask = 0xffffffffu, EMU_LINE) {
    emu_collective(EMU_SYNCWARP, mask, 0, 0, 32, line);
    emu_memory();
}
EMU_INLINE void __threadfence(EMU_LINE) { emu_fence(line); emu_memory(); }
EMU_INLINE void __threadfence_block(EMU_LINE) { (void)line; emu_memory(); }
EMU_INLINE void __threadfence_system(EMU_LINE) { emu_fence(line); emu_memory(); }
EMU_INLINE void __nanosleep(unsigned) {}

// ---- warps -----------------------------------------------------------------------------------------------------
template <class T> EMU_INLINE emu_u64 emu_bits(T value) {
    static_assert(sizeof(T) <= 8, "a shuffle moves at most 8 bytes");
    emu_u64 bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
template <class T> EMU_INLINE T emu_value(emu_u64 bits) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
#define EMU_SHUFFLE(name, kind)                                                                                        \
    template <class T> EMU_INLINE T name(unsigned mask, T value, int operand, int width = 32, EMU_LINE) {              \
        emu_u64 bits = emu_collective(kind, mask, emu_bits(value), operand, width, line);                              \
        emu_memory();                                                                                                  \
        return emu_value<T>(bits);                                                                                     \
    }
EMU_SHUFFLE(__shfl_sync, EMU_SHFL)
EMU_SHUFFLE(__shfl_up_sync, EMU_SHFL_UP)
EMU_SHUFFLE(__shfl_down_sync, EMU_SHFL_DOWN)
EMU_SHUFFLE(__shfl_xor_sync, EMU_SHFL_XOR)

EMU_INLINE unsigned __ballot_sync(unsigned mask, int p, EMU_LINE) {
    return (unsigned)emu_collective(EMU_BALLOT, mask, p != 0, 0, 32, line);
}
EMU_INLINE int __any_sync(unsigned mask, int p, EMU_LINE) {
    return emu_collective(EMU_BALLOT, mask, p != 0, 0, 32, line) != 0;
}
EMU_INLINE int __all_sync(unsigned mask, int p, EMU_LINE) {
    return emu_collective(EMU_BALLOT, mask, p == 0, 0, 32, line) == 0;
}
EMU_INLINE unsigned __activemask(EMU_LINE) { return emu_active_mask(line); }
template <class T> EMU_INLINE unsigned __match_any_sync(unsigned mask, T value, EMU_LINE) {
    return (unsigned)emu_collective(EMU_MATCH, mask, emu_bits(value), 0, 32, line);
}
#define EMU_REDUCE(name, kind)                                                                                         \
    EMU_INLINE unsigned name(unsigned mask, unsigned v, EMU_LINE) {                                                    \
        return (unsigned)emu_collective(kind, mask, v, 0, 32, line);                                                   \
    }                                                                                                                  \
    EMU_INLINE int name(unsigned mask, int v, EMU_LINE) {                                                              \
        return (int)emu_collective(kind, mask, (unsigned)v, 1, 32, line);                                              \
    }
EMU_REDUCE(__reduce_add_sync, EMU_REDUCE_ADD)
EMU_REDUCE(__reduce_min_sync, EMU_REDUCE_MIN)
EMU_REDUCE(__reduce_max_sync, EMU_REDUCE_MAX)
EMU_REDUCE(__reduce_and_sync, EMU_REDUCE_AND)
EMU_REDUCE(__reduce_or_sync, EMU_REDUCE_OR)
EMU_REDUCE(__reduce_xor_sync, EMU_REDUCE_XOR)

// ---- atomics ---------------------------------------------------------------------------------------------------
#define EMU_ATOMIC(name, operation, T, type)                                                                           \
    EMU_INLINE T name(T *address, T value, EMU_LINE) {                                                                 \
        emu_u64 old = emu_atomic(operation, type, address, emu_bits(value), 0, line);                                  \
        emu_memory();                                                                                                  \
        return emu_value<T>(old);                                                                                      \
    }
#define EMU_ATOMICS(name, operation)                                                                                   \
    EMU_ATOMIC(name, operation, int, EMU_I32)                                                                          \
    EMU_ATOMIC(name, operation, unsigned, EMU_U32)                                                                     \
    EMU_ATOMIC(name, operation, emu_u64, EMU_U64)
EMU_ATOMICS(atomicAdd, EMU_ADD)
EMU_ATOMIC(atomicAdd, EMU_ADD, float, EMU_F32)
EMU_ATOMIC(atomicAdd, EMU_ADD, double, EMU_F64)
EMU_ATOMIC(atomicSub, EMU_SUB, int, EMU_I32)
EMU_ATOMIC(atomicSub, EMU_SUB, unsigned, EMU_U32)
EMU_ATOMICS(atomicExch, EMU_EXCH)
EMU_ATOMIC(atomicExch, EMU_EXCH, float, EMU_F32)
EMU_ATOMICS(atomicMin, EMU_MIN)
EMU_ATOMIC(atomicMin, EMU_MIN, long long, EMU_I64)
EMU_ATOMICS(atomicMax, EMU_MAX)
EMU_ATOMIC(atomicMax, EMU_MAX, long long, EMU_I64)
EMU_ATOMICS(atomicAnd, EMU_AND)
EMU_ATOMICS(atomicOr, EMU_OR)
EMU_ATOMICS(atomicXor, EMU_XOR)
EMU_ATOMIC(atomicInc, EMU_INC, unsigned, EMU_U32)
EMU_ATOMIC(atomicDec, EMU_DEC, unsigned, EMU_U32)
#define EMU_CAS_OF(T, type)                                                                                            \
    EMU_INLINE T atomicCAS(T *address, T compare, T value, EMU_LINE) {                                                 \
        emu_u64 old = emu_atomic(EMU_CAS, type, address, emu_bits(value), emu_bits(compare), line);                    \
        emu_memory();                                                                                                  \
        return emu_value<T>(old);                                                                                      \
    }
EMU_CAS_OF(int, EMU_I32)
EMU_CAS_OF(unsigned, EMU_U32)
EMU_CAS_OF(emu_u64, EMU_U64)

// ---- memory ----------------------------------------------------------------------------------------------------
template <class T> static inline T emu_relaxed_load(const volatile T *place, int line = __builtin_LINE()) {
    const emu_u64 bits = emu_relaxed((const void *)place, sizeof(T), line);
    T value;
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
#define __ldg(pointer) (*(pointer))
#define __ldca(pointer) (*(pointer))
#define __ldcg(pointer) (*(pointer))
#define __ldcs(pointer) (*(pointer))
#define __ldlu(pointer) (*(pointer))
#define __ldcv(pointer) (*(pointer))
#define __stwb(pointer, value) (*(pointer) = (value))
#define __stcg(pointer, value) (*(pointer) = (value))
#define __stcs(pointer, value) (*(pointer) = (value))
#define __stwt(pointer, value) (*(pointer) = (value))
#define memcpy(to, from, size) emu_copy(to, from, size, __LINE__)
#define memset(to, value, size) emu_fill(to, value, size, __LINE__)
#define assert(what) ((what) ? (void)0 : emu_assert(#what, __LINE__))
#define __trap() emu_assert("__trap()", __LINE__)
#define __builtin_assume(what) ((void)0)
#define __builtin_assume_aligned_(pointer, n) (pointer)
extern "C" int printf(const char *, ...);

#include "intrinsics.hpp"
#include "tensor.hpp"

// ---- how the machine calls a kernel: argument i lies at arguments[i] -------------------------------------------
template <class T> struct emu_kind { static constexpr int value = 's'; };
template <class T> struct emu_kind<T *> { static constexpr int value = 'p'; };
template <class T> struct emu_kind<const T *> { static constexpr int value = 'c'; };
#define EMU_KIND(T, kind) template <> struct emu_kind<T> { static constexpr int value = kind; };
EMU_KIND(bool, 'b')
EMU_KIND(float, 'f') EMU_KIND(double, 'f')
EMU_KIND(char, 'i') EMU_KIND(signed char, 'i') EMU_KIND(short, 'i') EMU_KIND(int, 'i') EMU_KIND(long, 'i') EMU_KIND(long long, 'i')
EMU_KIND(unsigned char, 'u') EMU_KIND(unsigned short, 'u') EMU_KIND(unsigned, 'u') EMU_KIND(unsigned long, 'u')
EMU_KIND(unsigned long long, 'u')

template <unsigned... I> struct emu_indices {};
template <unsigned N, unsigned... I> struct emu_count_to : emu_count_to<N - 1, N - 1, I...> {};
template <unsigned... I> struct emu_count_to<0, I...> { typedef emu_indices<I...> type; };
template <class... A, unsigned... I>
EMU_INLINE void emu_call_with(void (*kernel)(A...), void **arguments, emu_indices<I...>) {
    (void)arguments;
    kernel(*(A *)arguments[I]...);
}
template <class... A> EMU_INLINE void emu_call(void (*kernel)(A...), void **arguments) {
    emu_call_with(kernel, arguments, typename emu_count_to<sizeof...(A)>::type());
}
// Sizes and kinds of the parameters, ended by a zero, for the driver to compare with what it was given.
template <class... A> EMU_INLINE void emu_signature(void (*)(A...), int *sizes, int *kinds) {
    const int all_sizes[] = {(int)sizeof(A)..., 0}, all_kinds[] = {emu_kind<A>::value..., 0};
    for (unsigned i = 0; i <= sizeof...(A); i++) sizes[i] = all_sizes[i], kinds[i] = all_kinds[i];
}
