# SPDX-License-Identifier: GPL-3.0-or-later
"""Times of single calls on a GPU whose L2 cache holds nothing of them. Needs PyTorch."""
import statistics
import subprocess
import time

import torch

METHOD = (
    "Each sample: the L2 cache is refilled by reading a buffer of four times its size (at least 256 MB), a kernel "
    "holds the stream until the host has queued the call, and two CUDA events stand around one call of forward; "
    "launch gaps on the device count, host time does not unless forward waits for the device. Time: the median over "
    "two rounds, each going through PyTorch eager, torch.compile (default mode) and every kernel of the task in turn, "
    "all on the same inputs at the task's full size. Noise: the distance of the quartiles over the median; repeat: "
    "the difference of the two rounds' medians over the smaller. Float32 without TF32; kernels built with -O3, no "
    "fast math; the card's clocks as found. Correct: within the card's legacy tolerance of the card's graph in "
    "float64 for each of three draws, as core/verify/Comparison.h has it; strict: likewise with the strict tolerance; "
    "max_diff: the largest difference to PyTorch eager in float32.")

SMALLEST = 5  # samples


class ColdTimer:
    """Takes samples of calls, in milliseconds."""

    def __init__(self):
        device = torch.cuda.get_device_properties(0)
        flush_bytes = max(4 * device.L2_cache_size, 256 << 20)
        self.buffer = torch.ones(flush_bytes // 4, device="cuda")
        self.sum = torch.zeros((), device="cuda")
        self.cycles_per_ms = self.measured_cycles()

    def measured_cycles(self):
        """Cycles of the holding kernel in a millisecond, at the clock of a busy device."""
        cycles = 20_000_000
        for _ in range(3):
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            torch.cuda._sleep(cycles)
            end.record()
            torch.cuda.synchronize()
        return cycles / start.elapsed_time(end)

    def host_ms(self, call):
        """What the host needs to queue one call: the longest of a few, for the holding kernel must outlast it."""
        longest = 0.0
        for _ in range(5):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            call()
            longest = max(longest, time.perf_counter() - begin)
        torch.cuda.synchronize()
        return 1e3 * longest

    def samples(self, call, count, most_seconds=float("inf")):
        """`count` of them; once `most_seconds` have passed only SMALLEST."""
        until = time.perf_counter() + most_seconds
        for _ in range(3):
            call()
        hold = int((2 * min(self.host_ms(call), 5.0) + 0.2) * self.cycles_per_ms)
        pairs = []
        for _ in range(count):
            if len(pairs) >= SMALLEST and time.perf_counter() > until:
                break
            pair = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            torch.sum(self.buffer, dim=0, out=self.sum)
            torch.cuda._sleep(hold)
            pair[0].record()
            call()
            pair[1].record()
            torch.cuda.synchronize()
            pairs.append(pair)
        return [start.elapsed_time(end) for start, end in pairs]


def summary(rounds):
    """Median, noise and repeat (see METHOD) of the rounds' samples."""
    pooled = [sample for samples in rounds for sample in samples]
    median = statistics.median(pooled)
    low, _, high = statistics.quantiles(pooled, n=4)
    medians = [statistics.median(samples) for samples in rounds]
    return {
        "ms": round(median, 6),
        "samples": len(pooled),
        "noise": round((high - low) / median, 4),
        "repeat": round((max(medians) - min(medians)) / min(medians), 4),
    }


def card_state(query):
    """Fields of nvidia-smi for the first device, as text."""
    done = subprocess.run(["nvidia-smi", "--id=0", f"--query-gpu={query}", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True, check=True)
    return [field.strip() for field in done.stdout.strip().split(",")]
