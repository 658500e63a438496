// SPDX-License-Identifier: GPL-3.0-or-later
// C = A B in half precision on Hopper: one warp brings tiles by bulk tensor copies, warpgroups multiply them (wgmma).
// "Rows" are those of the product's left operand x, "columns" those of its right operand y; where the operands are
// swapped, x is B, y is A, and what is computed is the transpose of C.
typedef unsigned long long u64;
typedef unsigned int u32;
struct __align__(64) TensorMap {
    char bytes[128];
};

constexpr int depth = 64; // elements of k in a stage: 128 bytes, the widest swizzle
constexpr int warpgroup = 128;
constexpr int members = pingPong ? 1 : consumers; // warpgroups that share a tile
constexpr int blocksOfRows = tileRows / (64 * members); // of 64 rows, for each warpgroup
constexpr int clusterSize = splitsInCluster ? splits : clusterRows * clusterColumns;
constexpr int outerSplits = splitsInCluster ? 1 : splits;
constexpr int xBytes = tileRows * depth * 2, yBytes = tileColumns * depth * 2;
constexpr int outBytes = storesBoxes ? 2 * 8192 * consumers : 0; // two boxes for each warpgroup
constexpr int partialLine = tileColumns + 8; // floats
constexpr int stagedBytes = stages * (xBytes + yBytes), partialBytes = splitsInCluster ? tileRows * partialLine * 4 : 0;
constexpr int barriersAt = (stagedBytes > partialBytes ? stagedBytes : partialBytes) + outBytes;
constexpr int threads = consumers * warpgroup + 32;
constexpr int sums = halfSums ? tileColumns / 4 : tileColumns / 2; // registers for 64 rows

__device__ __forceinline__ u32 sharedAddress(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void makeBarrier(u32 b, u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void expectBytes(u32 b, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(bytes) : "memory");
}
__device__ __forceinline__ void arrive(u32 b) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
}
__device__ __forceinline__ void arriveAt(u32 b, u32 rank) { // the barrier at the same place in another block
    asm volatile("{.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];}" ::"r"(b), "r"(rank) : "memory");
}
__device__ __forceinline__ void await(u32 b, u32 parity) {
    asm volatile("{.reg .pred done;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(b), "r"(parity) : "memory");
}
__device__ __forceinline__ void awaitCluster(u32 b, u32 parity) {
    asm volatile("{.reg .pred done;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra OVER;\nbra AGAIN;\nOVER:\n}" ::"r"(b), "r"(parity) : "memory");
}
__device__ __forceinline__ u32 clusterRank() {
    u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void clusterBarrier() {
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
__device__ __forceinline__ void namedBarrier(int id, int count) {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
__device__ __forceinline__ void namedArrive(int id, int count) {
    asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

__device__ __forceinline__ void bring(u32 to, const TensorMap* map, int inner, int outer, u32 barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
                 "[%4];" ::"r"(to), "l"(map), "r"(inner), "r"(outer), "r"(barrier) : "memory");
}
__device__ __forceinline__ void bringTo(u32 to, const TensorMap* map, int inner, int outer, u32 barrier, u32 blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to), "l"(map), "r"(inner), "r"(outer), "r"(barrier),
                 "h"((unsigned short)blocks) : "memory");
}
/// An operand's tile for one stage, or this block's share of it where `sharers` blocks bring it to one another. Where
/// k lies along the lines of memory, a line of the tile is a row of the operand; else a line is a k, in blocks of 64
/// rows.
template <int tile, bool kInner, int sharers>
__device__ __forceinline__ void bringTile(u32 to, const TensorMap* map, int row, int k, u32 barrier, int share, u32 blocks) {
    if constexpr (kInner) {
        constexpr int part = tile / sharers;
        if constexpr (sharers == 1) bring(to, map, k, row, barrier);
        else bringTo(to + share * part * 128, map, k, row + share * part, barrier, blocks);
    } else {
        constexpr int part = depth / sharers;
#pragma unroll
        for (int b = 0; b < tile / 64; ++b) {
            const u32 place = to + b * 8192 + share * part * 128;
            if constexpr (sharers == 1) bring(place, map, row + b * 64, k, barrier);
            else bringTo(place, map, row + b * 64, k + share * part, barrier, blocks);
        }
    }
}

/// A tile in shared memory as wgmma takes it (PTX ISA, "Matrix descriptor format"), swizzled in lines of 128 bytes.
/// Eight lines are 1024 bytes; blocks of 64 rows, where rows lie along the lines, are 8192.
template <bool kInner> __device__ __forceinline__ u64 descriptorOf(u32 address) {
    return (u64)((address & 0x3ffff) >> 4) | (u64)(kInner ? 1 : 8192 >> 4) << 16 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}
template <bool kInner> constexpr u32 descriptorStep = kInner ? 32 >> 4 : 2048 >> 4; // 16 elements of k

//PRODUCT//

/// Where one of the work items lies, all blocks of a cluster having the same.
struct Place {
    int row, column; // of the tile, in elements
    int begin, end;  // stages
    int tile, split;
};
__device__ __forceinline__ Place placeOf(int item, int rank, int rowTiles, int columnTiles, int k) {
    const int stagesInAll = (k + depth - 1) / depth;
    const int split = splitsInCluster ? rank : item % outerSplits;
    const int t = item / outerSplits;
    constexpr int down = splitsInCluster ? 1 : clusterRows, across = splitsInCluster ? 1 : clusterColumns;
    const int rows = (rowTiles + down - 1) / down, columns = (columnTiles + across - 1) / across;
    int r, c;
    if constexpr (rasterAlongRows) { // groups of columns, rows changing last within a group
        const int inGroup = rasterGroup * rows, first = t / inGroup * rasterGroup;
        const int width = columns - first < rasterGroup ? columns - first : rasterGroup;
        c = first + t % inGroup % width;
        r = t % inGroup / width;
    } else {
        const int inGroup = rasterGroup * columns, first = t / inGroup * rasterGroup;
        const int width = rows - first < rasterGroup ? rows - first : rasterGroup;
        r = first + t % inGroup % width;
        c = t % inGroup / width;
    }
    Place p;
    p.row = (r * down + (splitsInCluster ? 0 : rank / across)) * tileRows;
    p.column = (c * across + (splitsInCluster ? 0 : rank % across)) * tileColumns;
    p.begin = (int)((long long)stagesInAll * split / splits);
    p.end = (int)((long long)stagesInAll * (split + 1) / splits);
    p.tile = t * (down * across) + (splitsInCluster ? 0 : rank);
    p.split = split;
    return p;
}

__device__ __forceinline__ u32 halves(float low, float high) {
    u32 both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}
/// Two neighbouring columns of a thread's sums: pair 2 j is of its upper row, 2 j + 1 of the row 8 below, columns 8 j on.
__device__ __forceinline__ u32 pairOf(const Sum (&d)[sums], int pair) {
    if constexpr (halfSums) return (u32&)d[pair];
    else return halves((float)d[2 * pair], (float)d[2 * pair + 1]);
}

/// Straight from registers, each thread what it has.
__device__ __forceinline__ void storePairs(const Sum (&d)[sums], unsigned short* c, int row, int column, int rows,
                                           int columns) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x % warpgroup / 32;
#pragma unroll
    for (int pair = 0; pair < tileColumns / 4; ++pair) {
        const int r = row + warp * 16 + lane / 4 + pair % 2 * 8, q = column + pair / 2 * 8 + lane % 4 * 2;
        if (r >= rows || q >= columns) continue;
        const u32 both = pairOf(d, pair);
        if constexpr (swapped) {
            c[(size_t)q * rows + r] = (unsigned short)both;
            c[(size_t)(q + 1) * rows + r] = (unsigned short)(both >> 16);
        } else {
            *(u32*)(c + (size_t)r * columns + q) = both;
        }
    }
}

/// Through shared memory, in boxes of 64 by 64 at most: C's lines of 128 bytes are written at once, and nothing waits
/// for them.
__device__ __forceinline__ void storeBoxes(const Sum (&d)[sums], const TensorMap* map, u32 out, int group, int row,
                                           int column, u32& stored) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x % warpgroup / 32;
    constexpr int width = tileColumns < 64 ? tileColumns : 64;
#pragma unroll
    for (int chunk = 0; chunk < tileColumns / width; ++chunk) {
        const u32 box = out + (stored & 1) * 8192;
        if (threadIdx.x % warpgroup == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
        namedBarrier(2 + group, warpgroup);
#pragma unroll
        for (int j = 0; j < width / 8; j += 2) {
            const int pair = (chunk * width / 8 + j) * 2;
            const int matrix = lane / 8;
            // Matrices 0 and 1 are the upper and lower eight rows of columns 8 j on, 2 and 3 of the next eight.
            const int r = warp * 16 + matrix % 2 * 8, q = (j + matrix / 2) * 8;
            const int line = swapped ? q + lane % 8 : r + lane % 8, sixteenth = (swapped ? r : q) / 8;
            const u32 place = box + line * 128 + ((sixteenth ^ (line & 7)) << 4);
            if constexpr (swapped)
                asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(place),
                             "r"(pairOf(d, pair)), "r"(pairOf(d, pair + 1)), "r"(pairOf(d, pair + 2)),
                             "r"(pairOf(d, pair + 3)) : "memory");
            else
                asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(place),
                             "r"(pairOf(d, pair)), "r"(pairOf(d, pair + 1)), "r"(pairOf(d, pair + 2)),
                             "r"(pairOf(d, pair + 3)) : "memory");
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        namedBarrier(2 + group, warpgroup);
        if (threadIdx.x % warpgroup == 0) {
            const int q = column + chunk * width;
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map),
                         "r"(swapped ? row : q), "r"(swapped ? q : row), "r"(box) : "memory");
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
        ++stored;
    }
}

/// The sums of a cluster's blocks, one after the other in the order of their ranks; each block adds up and stores a
/// share of the rows.
__device__ __forceinline__ void storeShared(u32 partial, unsigned short* c, int row, int column, int rows, int columns,
                                            int rank) {
    constexpr int lines = tileRows / splits;
    const int first = rank * lines;
    u32 theirs[splits];
#pragma unroll
    for (int s = 0; s < splits; ++s)
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs[s]) : "r"(partial), "r"(s));
    for (int i = threadIdx.x; i < lines * tileColumns / 2; i += consumers * warpgroup) {
        // Neighbouring threads write neighbouring elements of C.
        const int r = first + (swapped ? i % (lines / 2) * 2 : i / (tileColumns / 2));
        const int q = swapped ? i / (lines / 2) : i % (tileColumns / 2) * 2;
        float low = 0, high = 0;
#pragma unroll
        for (int s = 0; s < splits; ++s) {
            float x, y;
            const u32 place = theirs[s] + (r * partialLine + q) * 4;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(x) : "r"(place) : "memory");
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(y) : "r"(place + (swapped ? partialLine * 4 : 4)) : "memory");
            low += x;
            high += y;
        }
        if (row + r >= rows || column + q >= columns) continue;
        unsigned short* place = swapped ? c + (size_t)(column + q) * rows + row + r : c + (size_t)(row + r) * columns + column + q;
        *(u32*)place = halves(low, high);
    }
}

constexpr int mostTiles = splits > 1 && !splitsInCluster ? 65536 : 1;
__device__ u32 arrived[mostTiles]; // splits of each tile that are done; 0 again when all are

constexpr int owners = consumers * warpgroup;
template <int n> __device__ __forceinline__ float* sumsOf(float* partial, const Place& p) {
    return partial + (size_t)p.tile * splits * n * sums * owners + threadIdx.x;
}
/// Leaves a split's sums for the block that comes last.
template <int n> __device__ __forceinline__ void leave(const Sum (&d)[n][sums], float* partial, const Place& p) {
    float* mine = sumsOf<n>(partial, p);
#pragma unroll
    for (int b = 0; b < n; ++b)
#pragma unroll
        for (int i = 0; i < sums; ++i)
            mine[(size_t)((p.split * n + b) * sums + i) * owners] = (float)d[b][i];
}
/// When the whole block has left its sums: adds up the splits' in their order, in the block that comes last; true there.
template <int n> __device__ __forceinline__ bool gather(Sum (&d)[n][sums], float* partial, const Place& p, u32 flag) {
    const float* mine = sumsOf<n>(partial, p);
    if (threadIdx.x == 0) {
        __threadfence();
        const u32 before = atomicAdd(arrived + p.tile, 1);
        __threadfence();
        if (before == splits - 1) arrived[p.tile] = 0;
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(flag), "r"(before) : "memory");
    }
    namedBarrier(1, owners);
    u32 before;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(before) : "r"(flag) : "memory");
    if (before != splits - 1) return false;
#pragma unroll
    for (int b = 0; b < n; ++b)
#pragma unroll
        for (int i = 0; i < sums; ++i) {
            float sum = 0;
            for (int s = 0; s < splits; ++s)
                sum += __ldcg(mine + (size_t)((s * n + b) * sums + i) * owners);
            d[b][i] = (Sum)sum;
        }
    return true;
}

extern "C" __global__ void __launch_bounds__(threads, blocksPerMultiprocessor)
    hgemm(const __grid_constant__ TensorMap x, const __grid_constant__ TensorMap y, const __grid_constant__ TensorMap z,
          unsigned short* c, float* partial, int rows, int columns, int k, int items) {
    extern __shared__ __align__(1024) unsigned char memory[];
    const u32 base = sharedAddress(memory);
    const u32 full = base + barriersAt, empty = full + 8 * stages, flag = empty + 8 * stages;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int rank = clusterSize > 1 ? (int)clusterRank() : 0;
    constexpr int across = splitsInCluster ? 1 : clusterColumns, down = splitsInCluster ? 1 : clusterRows;
    constexpr int reach = across + down - 1; // blocks to which a block brings something
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            makeBarrier(full + 8 * s, 1);
            makeBarrier(empty + 8 * s, members * 4 * reach);
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    if (threadIdx.x == consumers * warpgroup) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&x) : "memory");
        asm volatile("prefetch.tensormap [%0];" ::"l"(&y) : "memory");
    }
    if constexpr (clusterSize > 1) clusterBarrier();
    else __syncthreads();

    const int rowTiles = (rows + tileRows - 1) / tileRows, columnTiles = (columns + tileColumns - 1) / tileColumns;
    const int firstItem = blockIdx.x / clusterSize, itemStep = gridDim.x / clusterSize;
    const int group = threadIdx.x / warpgroup, member = pingPong ? 0 : group;
    u32 stored = 0;
    Sum d[blocksOfRows][sums];
    const auto store = [&](const Place& p) {
#pragma unroll
        for (int b = 0; b < blocksOfRows; ++b) {
            const int row = p.row + (member * blocksOfRows + b) * 64;
            if constexpr (storesBoxes) storeBoxes(d[b], &z, base + stages * (xBytes + yBytes) + group * 2 * 8192, group, row, p.column, stored);
            else storePairs(d[b], c, row, p.column, rows, columns);
        }
    };
    if (warp == consumers * 4) {
        if (lane == 0) {
            const int myRow = splitsInCluster ? 0 : rank / across, myColumn = splitsInCluster ? 0 : rank % across;
            u32 stage = 0, parity = 1;
            u32 alongRow = 0, alongColumn = 0; // blocks of the same rows, of the same columns
            for (int i = 0; i < across; ++i) alongRow |= 1u << (myRow * across + i);
            for (int i = 0; i < down; ++i) alongColumn |= 1u << (i * across + myColumn);
            for (int item = firstItem; item < items; item += itemStep) {
                const Place p = placeOf(item, rank, rowTiles, columnTiles, k);
                for (int i = p.begin; i < p.end; ++i) {
                    if constexpr (reach > 1) awaitCluster(empty + 8 * stage, parity);
                    else await(empty + 8 * stage, parity);
                    const u32 barrier = full + 8 * stage;
                    expectBytes(barrier, xBytes + yBytes);
                    const u32 xs = base + stage * xBytes, ys = base + stages * xBytes + stage * yBytes;
                    bringTile<tileRows, xKInner, across>(xs, &x, p.row, i * depth, barrier, myColumn, alongRow);
                    bringTile<tileColumns, yKInner, down>(ys, &y, p.column, i * depth, barrier, myRow, alongColumn);
                    if (++stage == stages) {
                        stage = 0;
                        parity ^= 1;
                    }
                }
            }
        }
        __syncwarp();
        if constexpr (splitsInCluster) clusterBarrier();
    } else {
        u32 stage = 0, parity = 0;
        const auto release = [&](u32 which) {
            if constexpr (reach == 1) {
                if (lane == 0) arrive(empty + 8 * which);
            } else {
                const int myRow = rank / across, myColumn = rank % across;
                const int i = lane < across ? lane : lane - across < myRow ? lane - across : lane - across + 1;
                if (lane < reach) arriveAt(empty + 8 * which, lane < across ? myRow * across + i : i * across + myColumn);
            }
        };
        const auto skip = [&](int count) {
            stage += count;
            parity ^= stage / stages & 1;
            stage %= stages;
        };
        int turn = 0; // of the tiles of this block, in ping-pong
        for (int item = firstItem; item < items; item += itemStep, ++turn) {
            const Place p = placeOf(item, rank, rowTiles, columnTiles, k);
            if constexpr (pingPong) {
                if (turn % 2 != group) {
                    skip(p.end - p.begin);
                    continue;
                }
                if (turn > 0) namedBarrier(4 + group, 2 * warpgroup); // until the other one has multiplied
            }
            u32 last = stage;
            for (int i = p.begin; i < p.end; ++i) {
                if constexpr (reach > 1) awaitCluster(full + 8 * stage, parity);
                else await(full + 8 * stage, parity);
                const u64 xd = descriptorOf<xKInner>(base + stage * xBytes + (xKInner ? member * blocksOfRows * 64 * 128 : member * blocksOfRows * 8192));
                const u64 yd = descriptorOf<yKInner>(base + stages * xBytes + stage * yBytes);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int step = 0; step < depth / 16; ++step)
#pragma unroll
                    for (int b = 0; b < blocksOfRows; ++b)
                        multiply(d[b], xd + step * descriptorStep<xKInner> + b * (8192 >> 4),
                                 yd + step * descriptorStep<yKInner>, i > p.begin || step > 0);
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                if (i > p.begin) {
                    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                    release(last);
                }
                last = stage;
                if (++stage == stages) {
                    stage = 0;
                    parity ^= 1;
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
            for (int b = 0; b < blocksOfRows; ++b) settle(d[b]);
            release(last);
            if constexpr (pingPong)
                if (item + itemStep < items) namedArrive(4 + 1 - group, 2 * warpgroup);
            if constexpr (splitsInCluster) {
                namedBarrier(1, consumers * warpgroup); // nobody reads the stages any more
                const int top = member * blocksOfRows * 64 + warp % 4 * 16 + lane / 4;
#pragma unroll
                for (int b = 0; b < blocksOfRows; ++b)
#pragma unroll
                    for (int pair = 0; pair < tileColumns / 4; ++pair) {
                        const int r = top + b * 64 + pair % 2 * 8, q = pair / 2 * 8 + lane % 4 * 2;
                        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(base + (r * partialLine + q) * 4),
                                     "f"((float)d[b][2 * pair]), "f"((float)d[b][2 * pair + 1]) : "memory");
                    }
                clusterBarrier();
                storeShared(base, c, p.row, p.column, rows, columns, rank);
            } else if constexpr (outerSplits > 1) {
                leave(d, partial, p);
            } else {
                store(p);
            }
        }
        if constexpr (storesBoxes && outerSplits == 1)
            if (threadIdx.x % warpgroup == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    if constexpr (outerSplits > 1) { // of the one item that this block has
        __syncthreads();
        if (warp < consumers * 4) {
            const Place p = placeOf(firstItem, rank, rowTiles, columnTiles, k);
            if (gather(d, partial, p, flag)) store(p);
            if constexpr (storesBoxes)
                if (threadIdx.x % warpgroup == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
    if constexpr (clusterSize > 1) clusterBarrier(); // whoever is still to arrive here or to read finds this block alive
}
