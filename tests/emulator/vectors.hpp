// CUDA's vector types. Copying one is ONE access of its whole width, as on the device: a checked build hands it to the
// machine with the place in the kernel, the others move it through a register of that width.
#pragma once

typedef unsigned short emu_raw2 __attribute__((may_alias));
typedef unsigned emu_raw4 __attribute__((may_alias));
typedef unsigned long long emu_raw8 __attribute__((may_alias));
typedef unsigned emu_raw16 __attribute__((vector_size(16), may_alias));

#ifdef EMU_CHECK
#define EMU_MOVE __attribute__((noinline))
#define EMU_COPY(raw) emu_vector(this, &o, sizeof(*this), __builtin_return_address(0))
#else
#define EMU_MOVE inline
#define EMU_COPY(raw) *(raw *)this = *(const raw *)&o
#endif

#define EMU_VECTOR2(T, name, raw)                                                                                      \
    struct __attribute__((aligned(2 * sizeof(T)))) name {                                                              \
        T x, y;                                                                                                        \
        name() = default;                                                                                              \
        constexpr name(T x_, T y_) : x(x_), y(y_) {}                                                                   \
        EMU_MOVE name(const name &o) { EMU_COPY(raw); }                                                                \
        EMU_MOVE name &operator=(const name &o) { EMU_COPY(raw); return *this; }                                       \
    };                                                                                                                 \
    static inline __attribute__((unused)) name make_##name(T x, T y) { return name(x, y); }
#define EMU_VECTOR4(T, name, raw, alignment)                                                                           \
    struct __attribute__((aligned(alignment))) name {                                                                  \
        T x, y, z, w;                                                                                                  \
        name() = default;                                                                                              \
        constexpr name(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}                                         \
        EMU_MOVE name(const name &o) { EMU_COPY(raw); }                                                                \
        EMU_MOVE name &operator=(const name &o) { EMU_COPY(raw); return *this; }                                       \
    };                                                                                                                 \
    static inline __attribute__((unused)) name make_##name(T x, T y, T z, T w) { return name(x, y, z, w); }
// The device moves types of one and three components a component at a time.
#define EMU_VECTOR13(T, name)                                                                                          \
    struct name##1 { T x; };                                                                                           \
    struct name##3 { T x, y, z; };                                                                                     \
    static inline __attribute__((unused)) name##1 make_##name##1(T x) { return name##1{x}; }                           \
    static inline __attribute__((unused)) name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }

EMU_VECTOR13(signed char, char)
EMU_VECTOR13(unsigned char, uchar)
EMU_VECTOR13(short, short)
EMU_VECTOR13(unsigned short, ushort)
EMU_VECTOR13(int, int)
EMU_VECTOR13(unsigned, uint)
EMU_VECTOR13(long long, longlong)
EMU_VECTOR13(unsigned long long, ulonglong)
EMU_VECTOR13(float, float)
EMU_VECTOR13(double, double)
EMU_VECTOR2(signed char, char2, emu_raw2)
EMU_VECTOR2(unsigned char, uchar2, emu_raw2)
EMU_VECTOR2(short, short2, emu_raw4)
EMU_VECTOR2(unsigned short, ushort2, emu_raw4)
EMU_VECTOR2(int, int2, emu_raw8)
EMU_VECTOR2(unsigned, uint2, emu_raw8)
EMU_VECTOR2(float, float2, emu_raw8)
EMU_VECTOR2(long long, longlong2, emu_raw16)
EMU_VECTOR2(unsigned long long, ulonglong2, emu_raw16)
EMU_VECTOR2(double, double2, emu_raw16)
EMU_VECTOR4(signed char, char4, emu_raw4, 4)
EMU_VECTOR4(unsigned char, uchar4, emu_raw4, 4)
EMU_VECTOR4(short, short4, emu_raw8, 8)
EMU_VECTOR4(unsigned short, ushort4, emu_raw8, 8)
EMU_VECTOR4(int, int4, emu_raw16, 16)
EMU_VECTOR4(unsigned, uint4, emu_raw16, 16)
EMU_VECTOR4(float, float4, emu_raw16, 16)
