// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B in half precision by mma.sync: tiles come through cp.async in stages, warps multiply their shares of them. For
// problems that are over before a Hopper pipeline is full, and for Ampere.
typedef unsigned long long u64;
typedef unsigned int u32;

constexpr int threads = warpsOfRows * warpsOfColumns * warpsOfDepth * 32;
constexpr int warpRows = tileRows / warpsOfRows, warpColumns = tileColumns / warpsOfColumns;
constexpr int rowBlocks = warpRows / 16, columnBlocks = warpColumns / 8; // of one instruction
constexpr int aBytes = tileRows * depth * 2, bBytes = tileColumns * depth * 2;
constexpr bool gathers = splits > 1 || warpsOfDepth > 1; // several sums make one element
constexpr int partialLine = tileColumns + 8;             // floats
constexpr int sums = halfSums ? 2 : 4;                   // registers of a warp's 16 by 8 block

__device__ __forceinline__ u32 sharedAddress(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void bring(u32 to, const unsigned short* from, bool there) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
__device__ __forceinline__ void matrices(u32 (&r)[4], u32 from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}
__device__ __forceinline__ void matricesTurned(u32 (&r)[4], u32 from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}
__device__ __forceinline__ void multiply(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ void multiply(u32 (&d)[2], const u32 (&a)[4], u32 b0, u32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(d[0]), "+r"(d[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
__device__ __forceinline__ u32 halves(float low, float high) {
    u32 both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
__device__ __forceinline__ u32 pairOf(const float (&d)[4], int lower) { return halves(d[2 * lower], d[2 * lower + 1]); }
__device__ __forceinline__ u32 pairOf(const u32 (&d)[2], int lower) { return d[lower]; }
__device__ __forceinline__ float firstOf(const float (&d)[4], int i) { return d[i]; }
__device__ __forceinline__ float firstOf(const u32 (&)[2], int) { return 0; } // never: half sums are not gathered

/// Byte of a 16-byte piece in a tile whose lines have `pieces` of them: eight neighbouring lines, or as many as share
/// the banks, have it in different banks.
template <int pieces> __device__ __forceinline__ u32 placeOf(int line, int piece) {
    const int turn = pieces >= 8 ? line & 7 : pieces == 4 ? line / 2 & 3 : pieces == 2 ? line / 4 & 1 : 0;
    return (line * pieces + (piece ^ turn)) * 16;
}
/// A tile of `lines` lines of `length` elements.
template <int lines, int length>
__device__ __forceinline__ void bringTile(u32 to, const unsigned short* from, int line, int first, int lineEnd, int end) {
    constexpr int pieces = length / 8;
#pragma unroll
    for (int i = 0; i < lines * pieces; i += threads) {
        const int mine = i + threadIdx.x;
        if (lines * pieces % threads != 0 && mine >= lines * pieces) break;
        const int l = line + mine / pieces, e = first + mine % pieces * 8;
        const bool there = l < lineEnd && e < end;
        bring(to + placeOf<pieces>(mine / pieces, mine % pieces), there ? from + (size_t)l * end + e : from, there);
    }
}

extern "C" __global__ void __launch_bounds__(threads, blocksPerMultiprocessor)
    hgemm(const unsigned short* a, const unsigned short* b, unsigned short* c, int rows, int columns, int k) {
    extern __shared__ __align__(128) unsigned char memory[];
    const u32 base = sharedAddress(memory);
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warpRow = warp % warpsOfRows * warpRows;
    const int warpColumn = warp / warpsOfRows % warpsOfColumns * warpColumns;
    const int warpDepth = warp / (warpsOfRows * warpsOfColumns);
    const int rank = splits > 1 ? (int)(blockIdx.x % splits) : 0, t = blockIdx.x / splits;
    const int rowTiles = (rows + tileRows - 1) / tileRows, columnTiles = (columns + tileColumns - 1) / tileColumns;
    int tileRow, tileColumn;
    if constexpr (rasterAlongRows) { // groups of columns
        const int inGroup = rasterGroup * rowTiles, first = t / inGroup * rasterGroup;
        const int width = columnTiles - first < rasterGroup ? columnTiles - first : rasterGroup;
        tileColumn = (first + t % inGroup % width) * tileColumns;
        tileRow = t % inGroup / width * tileRows;
    } else {
        const int inGroup = rasterGroup * columnTiles, first = t / inGroup * rasterGroup;
        const int width = rowTiles - first < rasterGroup ? rowTiles - first : rasterGroup;
        tileRow = (first + t % inGroup % width) * tileRows;
        tileColumn = t % inGroup / width * tileColumns;
    }
    const int steps = (k + depth - 1) / depth;
    const int begin = (int)((long long)steps * rank / splits), end = (int)((long long)steps * (rank + 1) / splits);

    const auto bringStage = [&](int step) {
        if (step < end) {
            const u32 place = base + (step - begin) % stages * (aBytes + bBytes);
            bringTile<tileRows, depth>(place, a, tileRow, step * depth, rows, k);
            if constexpr (bKInner) bringTile<tileColumns, depth>(place + aBytes, b, tileColumn, step * depth, columns, k);
            else bringTile<depth, tileColumns>(place + aBytes, b, step * depth, tileColumn, k, columns);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    Sum d[rowBlocks][columnBlocks][sums] = {};
#pragma unroll
    for (int s = 0; s < stages - 1; ++s) bringStage(begin + s);
    for (int step = begin; step < end; ++step) {
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
        __syncthreads();
        bringStage(step + stages - 1);
        const u32 as = base + (step - begin) % stages * (aBytes + bBytes), bs = as + aBytes;
#pragma unroll
        for (int j = 0; j < depth / 16 / warpsOfDepth; ++j) {
            const int inner = (warpDepth + j * warpsOfDepth) * 16;
            u32 left[rowBlocks][4], right[columnBlocks / 2][4];
#pragma unroll
            for (int r = 0; r < rowBlocks; ++r)
                matrices(left[r], as + placeOf<depth / 8>(warpRow + r * 16 + lane % 16, inner / 8 + lane / 16));
#pragma unroll
            for (int q = 0; q < columnBlocks / 2; ++q) {
                const int column = warpColumn + q * 16;
                if constexpr (bKInner)
                    matrices(right[q], bs + placeOf<depth / 8>(column + lane / 16 * 8 + lane % 8, inner / 8 + lane / 8 % 2));
                else
                    matricesTurned(right[q], bs + placeOf<tileColumns / 8>(inner + lane % 16, column / 8 + lane / 16));
            }
#pragma unroll
            for (int r = 0; r < rowBlocks; ++r)
#pragma unroll
                for (int q = 0; q < columnBlocks; ++q)
                    multiply(d[r][q], left[r], right[q / 2][q % 2 * 2], right[q / 2][q % 2 * 2 + 1]);
        }
    }
    const int row = warpRow + lane / 4, column = warpColumn + lane % 4 * 2;
    if constexpr (!gathers) {
#pragma unroll
        for (int r = 0; r < rowBlocks; ++r)
#pragma unroll
            for (int q = 0; q < columnBlocks; ++q)
#pragma unroll
                for (int lower = 0; lower < 2; ++lower) {
                    const int i = tileRow + row + r * 16 + lower * 8, j = tileColumn + column + q * 8;
                    if (i < rows && j < columns) *(u32*)(c + (size_t)i * columns + j) = pairOf(d[r][q], lower);
                }
    } else {
        // Sums of warps of other depths and of the cluster's other blocks, in this order.
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        constexpr int partialBytes = tileRows * partialLine * 4;
#pragma unroll
        for (int r = 0; r < rowBlocks; ++r)
#pragma unroll
            for (int q = 0; q < columnBlocks; ++q)
#pragma unroll
                for (int lower = 0; lower < 2; ++lower)
                    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(base + warpDepth * partialBytes +
                                 ((row + r * 16 + lower * 8) * partialLine + column + q * 8) * 4),
                                 "f"(firstOf(d[r][q], 2 * lower)), "f"(firstOf(d[r][q], 2 * lower + 1)) : "memory");
        if constexpr (splits > 1) asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
        else __syncthreads();
        constexpr int lines = tileRows / splits;
        for (int i = threadIdx.x; i < lines * tileColumns / 2; i += threads) {
            const int r = rank * lines + i / (tileColumns / 2), q = i % (tileColumns / 2) * 2;
            float low = 0, high = 0;
#pragma unroll
            for (int s = 0; s < splits; ++s) {
                u32 place = base + (r * partialLine + q) * 4;
                if constexpr (splits > 1) asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(place) : "r"(place), "r"(s));
#pragma unroll
                for (int w = 0; w < warpsOfDepth; ++w) {
                    float x, y;
                    if constexpr (splits > 1)
                        asm volatile("ld.shared::cluster.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(place + w * partialBytes) : "memory");
                    else
                        asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(place + w * partialBytes) : "memory");
                    low += x;
                    high += y;
                }
            }
            if (tileRow + r < rows && tileColumn + q < columns)
                *(u32*)(c + (size_t)(tileRow + r) * columns + tileColumn + q) = halves(low, high);
        }
        if constexpr (splits > 1) asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
    }
}
