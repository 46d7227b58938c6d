"""Kernels written by hand, as a generator would write them; the tests of the checker spoil them."""

COPY = r"""
extern "C" __global__ void copy(const unsigned char* __restrict__ src, unsigned char* __restrict__ dst, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dst[i] = src[i];
}
"""

TILE = r"""
#define TX 32
#define TY 8
#define R 1
extern "C" __global__ void __launch_bounds__(TX * TY)
box(const float* __restrict__ src, float* __restrict__ dst, int w, int h) {
    __shared__ float tile[TY + 2 * R][TX + 2 * R];
    const int x0 = blockIdx.x * TX, y0 = blockIdx.y * TY;
    for (int ty = threadIdx.y; ty < TY + 2 * R; ty += TY) {
        const float* row = src + min(max(y0 + ty - R, 0), h - 1) * w;
        for (int tx = threadIdx.x; tx < TX + 2 * R; tx += TX)
            tile[ty][tx] = row[min(max(x0 + tx - R, 0), w - 1)];
    }
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x < w && y < h) {
        float sum = 0.0f;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                sum += tile[threadIdx.y + j][threadIdx.x + i];
        dst[y * w + x] = sum;
    }
}
"""

TOTAL = r"""
extern "C" __global__ void total(const unsigned char* __restrict__ a, int n, unsigned* out) {
    extern __shared__ unsigned part[];
    unsigned v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += __ldg(a + i);
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0u;
        for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
        if (threadIdx.x == 0) atomicAdd(out, v);
    }
}
"""

MARCH = r"""
extern "C" __global__ void march(const float* __restrict__ src, float* __restrict__ dst, float* __restrict__ state,
                                 int w, int h, int frames, float alpha) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    const int at = y * w + x;
    float s = state[at];
    for (int t = 0; t < frames; t++) {
        s = s + alpha * (src[t * w * h + at] - s);
        dst[t * w * h + at] = s;
    }
    state[at] = s;
}
"""

VECTORS = r"""
__constant__ int weight[3] = {77, 150, 29};
__device__ __forceinline__ int gray_of(uchar4 p) {
    return (p.x * weight[0] + p.y * weight[1] + p.z * weight[2] + 128) >> 8;
}
extern "C" __global__ void vectors(const uchar4* rgba, const uint4* words, const float4* floats,
                                   unsigned char* gray, uint4* summed, float4* swapped) {
    const int i = threadIdx.x;
    gray[i] = (unsigned char)gray_of(rgba[i]);
    const uint4 v = __ldg(words + i);
    summed[i] = make_uint4(v.x + v.x, v.y + v.x, v.z + v.x, v.w + v.x);
    float4 f = *reinterpret_cast<const float4*>(reinterpret_cast<const float*>(floats) + 4 * i);
    const float kept = f.x;
    f.x = f.w; f.w = kept;
    swapped[i] = make_float4(f.x, f.z, f.y, f.w);
}
"""
