"""The device functions that every CUDA text begins with: the meaning of `kernels.ir.ops` where C's own differs, vector
access to memory, borders, sums over a warp. Everything is valid under NVRTC, which has no headers.
"""

from __future__ import annotations

PRELUDE = """\
// Whole numbers wrap; C leaves their overflow undefined.
__device__ __forceinline__ int wrap_add(int a, int b) { return (int)((unsigned)a + (unsigned)b); }
__device__ __forceinline__ int wrap_sub(int a, int b) { return (int)((unsigned)a - (unsigned)b); }
__device__ __forceinline__ int wrap_mul(int a, int b) { return (int)((unsigned)a * (unsigned)b); }
__device__ __forceinline__ long long wrap_add(long long a, long long b)
{ return (long long)((unsigned long long)a + (unsigned long long)b); }
__device__ __forceinline__ long long wrap_sub(long long a, long long b)
{ return (long long)((unsigned long long)a - (unsigned long long)b); }
__device__ __forceinline__ long long wrap_mul(long long a, long long b)
{ return (long long)((unsigned long long)a * (unsigned long long)b); }
template <class T> __device__ __forceinline__ T floordiv(T a, T b)
{
    if (b == 0) return 0;
    if (b == -1) return wrap_sub((T)0, a);
    const T q = a / b;
    return q - (T)((a % b != 0) && ((a < 0) != (b < 0)));
}
template <class T> __device__ __forceinline__ T floormod(T a, T b)
{
    if (b == 0 || b == -1) return 0;
    const T r = a % b;
    return r != 0 && ((r < 0) != (b < 0)) ? r + b : r;
}
__device__ __forceinline__ int shift_left(int a, int n) { return (int)((unsigned)a << (n & 31)); }
__device__ __forceinline__ long long shift_left(long long a, long long n)
{ return (long long)((unsigned long long)a << (n & 63)); }
__device__ __forceinline__ int shift_right(int a, int n) { return a >> (n & 31); }
__device__ __forceinline__ long long shift_right(long long a, long long n) { return a >> (n & 63); }
__device__ __forceinline__ int magnitude(int a) { return a < 0 ? wrap_sub(0, a) : a; }
__device__ __forceinline__ long long magnitude(long long a) { return a < 0 ? wrap_sub(0LL, a) : a; }
__device__ __forceinline__ float magnitude(float a) { return fabsf(a); }
__device__ __forceinline__ double magnitude(double a) { return fabs(a); }
// min and max are the second one if they do not differ or one is NaN.
template <class T> __device__ __forceinline__ T smaller(T a, T b) { return a < b ? a : b; }
template <class T> __device__ __forceinline__ T larger(T a, T b) { return a > b ? a : b; }
__device__ __forceinline__ int float_bits(float a) { return a != a ? 0x7fc00000 : __float_as_int(a); }
// Conversions round half to even and saturate; NaN becomes 0.
__device__ __forceinline__ int whole(float a) { return __float2int_rn(a); }  // NaN is 0 by the instruction itself
__device__ __forceinline__ int whole(double a) { return a != a ? 0 : __double2int_rn(a); }
__device__ __forceinline__ long long whole_long(float a) { return a != a ? 0 : __float2ll_rn(a); }
__device__ __forceinline__ long long whole_long(double a) { return a != a ? 0 : __double2ll_rn(a); }
__device__ __forceinline__ int clamp(int a, int low, int high) { return a < low ? low : a > high ? high : a; }
__device__ __forceinline__ int clamp(long long a, int low, int high)
{ return a < low ? low : a > high ? high : (int)a; }

// Where coordinate i lies in an image of n pixels.
__device__ __forceinline__ int fold_replicate(int i, int n) { return clamp(i, 0, n - 1); }
__device__ __forceinline__ int fold_wrap(int i, int n)
{
    if ((unsigned)i < (unsigned)n) return i;
    const int r = i % n;
    return r < 0 ? r + n : r;
}
__device__ __forceinline__ int fold_reflect101(int i, int n)
{
    if ((unsigned)i < (unsigned)n) return i;
    if (n == 1) return 0;
    const int r = fold_wrap(i, 2 * n - 2);
    return r < n ? r : 2 * n - 2 - r;
}
template <int mode> __device__ __forceinline__ int fold(int i, int n)
{
    if (mode == 1) return fold_replicate(i, n);
    if (mode == 0) return fold_reflect101(i, n);
    const int m = i < 0 ? -i : i;
    return smaller(m, 2 * n - 2 - m);
}

// `A` bytes of memory, aligned to A, as A / sizeof(T) values: one access.
template <class T> __device__ __forceinline__ T from_word(unsigned word, int k)
{ return sizeof(T) == 1 ? (T)(word >> 8 * k) : sizeof(T) == 2 ? (T)(word >> 16 * k) : (T)word; }
template <> __device__ __forceinline__ float from_word<float>(unsigned word, int) { return __int_as_float((int)word); }
template <class T> __device__ __forceinline__ unsigned to_word(const T *v)
{
    if constexpr (sizeof(T) == 1) {
        return (unsigned)(unsigned char)v[0] | (unsigned)(unsigned char)v[1] << 8 |
               (unsigned)(unsigned char)v[2] << 16 | (unsigned)(unsigned char)v[3] << 24;
    } else if constexpr (sizeof(T) == 2) {
        return (unsigned)(unsigned short)v[0] | (unsigned)(unsigned short)v[1] << 16;
    } else {
        return (unsigned)v[0];
    }
}
template <> __device__ __forceinline__ unsigned to_word<float>(const float *v)
{ return (unsigned)__float_as_int(v[0]); }
template <class T> __device__ __forceinline__ void split(T *to, unsigned word)
{
    #pragma unroll
    for (int k = 0; k < 4 / (int)sizeof(T); ++k) to[k] = from_word<T>(word, k);
}
template <int n> __device__ __forceinline__ void split(unsigned char *to, const unsigned *words)
{
    #pragma unroll
    for (int k = 0; k < n; ++k) split(to + 4 * k, words[k]);
}
template <int A, class T> __device__ __forceinline__ void load(T *to, const T *from)
{
    constexpr int n = 4 / (int)sizeof(T);
    if constexpr (A == (int)sizeof(T)) {
        to[0] = from[0];
    } else if constexpr (A == 16 && sizeof(T) == 4 && ((T)1) / 2 != 0) {
        const float4 w = *(const float4 *)from;
        to[0] = w.x;
        to[1] = w.y;
        to[2] = w.z;
        to[3] = w.w;
    } else if constexpr (sizeof(T) == 8) {
        const auto w = *(const ulonglong2 *)from;
        if constexpr (((T)1) / 2 != 0) {
            to[0] = __longlong_as_double((long long)w.x);
            to[1] = __longlong_as_double((long long)w.y);
        } else {
            to[0] = (T)w.x;
            to[1] = (T)w.y;
        }
    } else if constexpr (A == 2) {
        const unsigned short w = *(const unsigned short *)from;
        to[0] = (T)w;
        to[1] = (T)(w >> 8);
    } else if constexpr (A == 4) {
        split(to, *(const unsigned *)from);
    } else if constexpr (A == 8) {
        const uint2 w = *(const uint2 *)from;
        split(to, w.x);
        split(to + n, w.y);
    } else {
        const uint4 w = *(const uint4 *)from;
        split(to, w.x);
        split(to + n, w.y);
        split(to + 2 * n, w.z);
        split(to + 3 * n, w.w);
    }
}
template <int A, class T> __device__ __forceinline__ void store(T *to, const T *from)
{
    constexpr int n = 4 / (int)sizeof(T);
    if constexpr (A == (int)sizeof(T)) {
        to[0] = from[0];
    } else if constexpr (A == 16 && sizeof(T) == 4 && ((T)1) / 2 != 0) {
        float4 w;
        w.x = from[0];
        w.y = from[1];
        w.z = from[2];
        w.w = from[3];
        *(float4 *)to = w;
    } else if constexpr (sizeof(T) == 8) {
        ulonglong2 w;
        if constexpr (((T)1) / 2 != 0) {
            w.x = (unsigned long long)__double_as_longlong(from[0]);
            w.y = (unsigned long long)__double_as_longlong(from[1]);
        } else {
            w.x = (unsigned long long)from[0];
            w.y = (unsigned long long)from[1];
        }
        *(ulonglong2 *)to = w;
    } else if constexpr (A == 2) {
        *(unsigned short *)to = (unsigned short)((unsigned char)from[0] | (unsigned char)from[1] << 8);
    } else if constexpr (A == 4) {
        *(unsigned *)to = to_word(from);
    } else if constexpr (A == 8) {
        uint2 w;
        w.x = to_word(from);
        w.y = to_word(from + n);
        *(uint2 *)to = w;
    } else {
        uint4 w;
        w.x = to_word(from);
        w.y = to_word(from + n);
        w.z = to_word(from + 2 * n);
        w.w = to_word(from + 3 * n);
        *(uint4 *)to = w;
    }
}

// The past of an image in registers: words as they stood in memory.
template <int n, class T> __device__ __forceinline__ void pack(unsigned *words, const T *from)
{
    #pragma unroll
    for (int i = 0; i < n; ++i) words[i] = to_word(from + 4 / (int)sizeof(T) * i);
}
template <int n, class T> __device__ __forceinline__ void unpack(T *to, const unsigned *words)
{
    #pragma unroll
    for (int i = 0; i < n; ++i) split(to + 4 / (int)sizeof(T) * i, words[i]);
}
template <int n> __device__ __forceinline__ void keep(unsigned *to, const unsigned *from)
{
    #pragma unroll
    for (int i = 0; i < n; ++i) to[i] = from[i];
}

// Several pixels in a word: halves, those below 0 raised by 32768, and bytes.
template <int n> __device__ __forceinline__ void raise(unsigned *words)
{
    #pragma unroll
    for (int i = 0; i < n; ++i) words[i] ^= 0x80008000u;
}
template <class T> __device__ __forceinline__ int half_of(const unsigned *words, int j)
{ return (T)(words[j / 2] >> 16 * (j % 2)); }
__device__ __forceinline__ int byte(const unsigned *words, int j) { return words[j / 4] >> 8 * (j % 4) & 255; }

// Around a tile and between its rows may lie cells that belong to no pixel. Whole vectors are read, so some of them
// are: their values are in no result, but they shall not be chance. `bytes` is a multiple of 16.
template <int threads, int bytes> __device__ __forceinline__ void clear(unsigned char *memory)
{
    uint4 *const words = (uint4 *)memory;
    constexpr int n = bytes / 16;
    #pragma unroll
    for (int i = 0; i < n; i += threads)
        if (i + threads <= n || i + (int)threadIdx.x < n) words[i + threadIdx.x] = uint4{0, 0, 0, 0};
}

// What follows from `a` is computed here and not, as compilers like to, by all blocks before their march.
__device__ __forceinline__ int here(int a) { asm volatile("" : "+r"(a)); return a; }
// The cells of a tile that somebody looks at beyond the image's edge; blocks at the edge only. Cell (r, c) is that of
// pixel (x + c, y + r) and stands at tile[r * pitch + c]. The tile's cells are those of `rows` rows from `top` and of
// `columns` columns from `first`; looks reach `up`, `down`, `before`, `behind` pixels beyond the image.
// Mode: 0 reflect101, 1 replicate, 2 a constant, 3 wrap (read from the image, `step` values a pixel), 4 reflect101
// where no cell is a period away. `from` has the cells inside; if it is another tile, they are copied too.
struct Cells { int top, rows, first, columns, up, down, before, behind; };
template <int mode, int threads, int pitch, class T> __device__ __forceinline__ void fill(
    T *tile, const T *from, const Cells k, int x, int y, int width, int height, T value, const T *image, int step)
{
    x = here(x);
    y = here(y);
    const int last_row = k.top + k.rows, last_column = k.first + k.columns;
    // the image, in cells, and what is looked at
    const int left = larger(-x, 0), right = width - x, upper = larger(-y, 0), lower = height - y;
    const int c0 = larger(left - k.before, k.first), c1 = smaller(right + k.behind, last_column);
    const int r0 = larger(upper - k.up, k.top), r1 = smaller(lower + k.down, last_row);
    const int thread = threadIdx.x;
    const auto cell = [&](int r, int c) {
        if (mode == 2) {
            tile[r * pitch + c] = value;
        } else if (mode == 3) {
            tile[r * pitch + c] = image[((size_t)fold_wrap(y + r, height) * width + fold_wrap(x + c, width)) * step];
        } else {
            const int fr = clamp(fold<mode>(y + r, height) - y, k.top, last_row - 1);
            tile[r * pitch + c] = from[fr * pitch + clamp(fold<mode>(x + c, width) - x, k.first, last_column - 1)];
        }
    };
    // left and right of the image: a few threads a row
    constexpr int lanes = 4;
    if (c0 < left || c1 > right) {
        const int row_end = smaller(lower, last_row);
        #pragma unroll 1
        for (int r = larger(upper, k.top) + thread / lanes; r < row_end; r += threads / lanes) {
            #pragma unroll 1
            for (int c = c0 + thread % lanes; c < left; c += lanes) cell(r, c);
            #pragma unroll 1
            for (int c = right + thread % lanes; c < c1; c += lanes) cell(r, c);
        }
    }
    // whole rows above and below it: a warp a row
    if (r0 < upper || r1 > lower) {
        const int above = larger(upper - r0, 0), outside = above + larger(r1 - lower, 0);
        #pragma unroll 1
        for (int i = thread / 32; i < outside; i += threads / 32) {
            const int r = i < above ? r0 + i : lower + i - above;
            #pragma unroll 1
            for (int c = c0 + thread % 32; c < c1; c += 32) cell(r, c);
        }
    }
    if (from != tile) {
        #pragma unroll 1
        for (int r = larger(upper, k.top) + thread / 32; r < smaller(lower, last_row); r += threads / 32) {
            #pragma unroll 1
            for (int c = larger(left, k.first) + thread % 32; c < smaller(right, last_column); c += 32)
                tile[r * pitch + c] = from[r * pitch + c];
        }
    }
}
"""

TABLE_PRELUDE = """\
// Numbers whose order is that of the floats; NaN is left out before, and -0 is 0.
__device__ __forceinline__ long long rank(float a)
{
    const int b = __float_as_int(a + 0.0f);
    return b ^ ((b >> 31) & 0x7fffffff);
}
__device__ __forceinline__ long long rank(double a)
{
    const long long b = __double_as_longlong(a + 0.0);
    return b ^ ((b >> 63) & 0x7fffffffffffffffLL);
}
__device__ __forceinline__ long long rank(int a) { return a; }
__device__ __forceinline__ long long rank(long long a) { return a; }
// kind: 0 a sum, 1 a minimum, 2 a maximum. None depends on the order.
template <int kind> __device__ __forceinline__ long long join(long long a, long long b)
{ return kind == 0 ? wrap_add(a, b) : kind == 1 ? (a < b ? a : b) : (a > b ? a : b); }
template <int kind> __device__ __forceinline__ void give(long long *to, long long value)
{
    if (kind == 0) {
        if (value != 0) atomicAdd((unsigned long long *)to, (unsigned long long)value);
    } else if (kind == 1) {
        atomicMin(to, value);
    } else {
        atomicMax(to, value);
    }
}
template <int kind> __device__ __forceinline__ void give_warp(long long *to, long long value)
{
    for (int step = 16; step > 0; step >>= 1) value = join<kind>(value, __shfl_xor_sync(0xffffffffu, value, step));
    if (threadIdx.x % 32 == 0) give<kind>(to, value);
}
"""

WORD_PRELUDE = """\
// Four products of bytes, those of `a` in an unsigned word without sign, added.
__device__ __forceinline__ int dot(int a, int b, int c)
{
#if __CUDA_ARCH__ >= 610
    return __dp4a(a, b, c);
#else
    for (int k = 0; k < 32; k += 8) c = wrap_add(c, (signed char)(a >> k) * (signed char)(b >> k));
    return c;
#endif
}
__device__ __forceinline__ int dot(unsigned a, int b, int c)
{
#if __CUDA_ARCH__ >= 610
    int d;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
#else
    for (int k = 0; k < 32; k += 8) c = wrap_add(c, (int)(a >> k & 255u) * (signed char)(b >> k));
    return c;
#endif
}
// Four words of four bytes as columns become rows.
__device__ __forceinline__ void turn(unsigned *w)
{
    const unsigned a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[0], w[1], 0x7362);
    const unsigned c = __byte_perm(w[2], w[3], 0x5140), d = __byte_perm(w[2], w[3], 0x7362);
    w[0] = __byte_perm(a, c, 0x5410);
    w[1] = __byte_perm(a, c, 0x7632);
    w[2] = __byte_perm(b, d, 0x5410);
    w[3] = __byte_perm(b, d, 0x7632);
}
__device__ __forceinline__ unsigned four(int a, int b, int c, int d)
{ return (unsigned)(a & 255) | (unsigned)(b & 255) << 8 | (unsigned)(c & 255) << 16 | (unsigned)d << 24; }
"""

TENSOR_PRELUDE = """\
// Sixteen pixels times eight channels by tensor cores; which lane has what: PTX ISA, matrix fragments for mma.
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ unsigned to_tf32(float a)
{
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(a));
    return r;
}
__device__ __forceinline__ void mma_tf32(float *d, const unsigned *a, unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
#endif
#if __CUDA_ARCH__ >= 750
__device__ __forceinline__ unsigned two_halves(float a, float b)
{
    unsigned short low, high;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(low) : "f"(a));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(high) : "f"(b));
    return (unsigned)low | (unsigned)high << 16;
}
__device__ __forceinline__ void mma_f16(float *d, const unsigned *a, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ void mma_u8(int *d, const unsigned *a, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}
__device__ __forceinline__ void mma_s8(int *d, const unsigned *a, unsigned b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b));
}
#else  // two of eight pixels each
__device__ __forceinline__ void mma_u8(int *d, const unsigned *a, unsigned b)
{
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.u8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[2]), "+r"(d[3]) : "r"(a[1]), "r"(b));
}
__device__ __forceinline__ void mma_s8(int *d, const unsigned *a, unsigned b)
{
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(b));
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(d[2]), "+r"(d[3]) : "r"(a[1]), "r"(b));
}
#endif
#endif
"""
