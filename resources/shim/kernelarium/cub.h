// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cub/cub.cuh> without cub's device-wide algorithms, which are host code that NVRTC's toolkit headers leave out: those
// are refused by name when called.
#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>

#include "kernelarium/unsupported.h"

CUB_NAMESPACE_BEGIN
#define KL_DEVICE_WIDE(family, name)                                                                                   \
    template <class... A> static cudaError_t name(A&&...) {                                                            \
        kl::unsupported("cub::" #family "::" #name);                                                                   \
    }
struct DeviceReduce {
    KL_DEVICE_WIDE(DeviceReduce, Reduce)
    KL_DEVICE_WIDE(DeviceReduce, Sum) KL_DEVICE_WIDE(DeviceReduce, Min) KL_DEVICE_WIDE(DeviceReduce, Max)
        KL_DEVICE_WIDE(DeviceReduce, ArgMin) KL_DEVICE_WIDE(DeviceReduce, ArgMax)
            KL_DEVICE_WIDE(DeviceReduce, ReduceByKey) KL_DEVICE_WIDE(DeviceReduce, TransformReduce)
};
struct DeviceSegmentedReduce {
    KL_DEVICE_WIDE(DeviceSegmentedReduce, Reduce)
    KL_DEVICE_WIDE(DeviceSegmentedReduce, Sum) KL_DEVICE_WIDE(DeviceSegmentedReduce, Min)
        KL_DEVICE_WIDE(DeviceSegmentedReduce, Max) KL_DEVICE_WIDE(DeviceSegmentedReduce, ArgMin)
            KL_DEVICE_WIDE(DeviceSegmentedReduce, ArgMax)
};
struct DeviceScan {
    KL_DEVICE_WIDE(DeviceScan, ExclusiveSum)
    KL_DEVICE_WIDE(DeviceScan, InclusiveSum) KL_DEVICE_WIDE(DeviceScan, ExclusiveScan)
        KL_DEVICE_WIDE(DeviceScan, InclusiveScan) KL_DEVICE_WIDE(DeviceScan, InclusiveSumByKey)
            KL_DEVICE_WIDE(DeviceScan, ExclusiveSumByKey)
};
struct DeviceRadixSort {
    KL_DEVICE_WIDE(DeviceRadixSort, SortKeys)
    KL_DEVICE_WIDE(DeviceRadixSort, SortPairs) KL_DEVICE_WIDE(DeviceRadixSort, SortKeysDescending)
        KL_DEVICE_WIDE(DeviceRadixSort, SortPairsDescending)
};
struct DeviceSegmentedRadixSort {
    KL_DEVICE_WIDE(DeviceSegmentedRadixSort, SortKeys)
    KL_DEVICE_WIDE(DeviceSegmentedRadixSort, SortPairs) KL_DEVICE_WIDE(DeviceSegmentedRadixSort, SortKeysDescending)
        KL_DEVICE_WIDE(DeviceSegmentedRadixSort, SortPairsDescending)
};
struct DeviceHistogram {
    KL_DEVICE_WIDE(DeviceHistogram, HistogramEven) KL_DEVICE_WIDE(DeviceHistogram, HistogramRange)
};
struct DeviceSelect {
    KL_DEVICE_WIDE(DeviceSelect, Flagged) KL_DEVICE_WIDE(DeviceSelect, If) KL_DEVICE_WIDE(DeviceSelect, Unique)
};
struct DeviceRunLengthEncode {
    KL_DEVICE_WIDE(DeviceRunLengthEncode, Encode) KL_DEVICE_WIDE(DeviceRunLengthEncode, NonTrivialRuns)
};
struct DevicePartition {
    KL_DEVICE_WIDE(DevicePartition, Flagged) KL_DEVICE_WIDE(DevicePartition, If)
};
struct DeviceMergeSort {
    KL_DEVICE_WIDE(DeviceMergeSort, SortKeys)
    KL_DEVICE_WIDE(DeviceMergeSort, SortPairs) KL_DEVICE_WIDE(DeviceMergeSort, StableSortKeys)
};
#undef KL_DEVICE_WIDE
CUB_NAMESPACE_END
