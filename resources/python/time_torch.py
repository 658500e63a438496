# SPDX-License-Identifier: GPL-3.0-or-later
"""Times a function of PyTorch operators on the GPU, as it is and compiled.

Reads one JSON line: {"source": text that defines forward(t0, t1, ...), "tensors": [{"shape", "dtype", "kind", "a", "b"}],
"ways": ["native", "compile"], "cold": bool, "seconds": number, "seed": number}. Writes a line that begins with
"kernelarium " for each way: {"way", "version", "seconds": [...]} or {"way", "version", "problem": text}.
"""
import json
import resource
import sys
import time


def answer(values):
    print("\nkernelarium " + json.dumps(values), flush=True)


def drawn(torch, spec):
    shape, kind, a, b = spec["shape"], spec["kind"], spec["a"], spec["b"]
    dtype = getattr(torch, spec["dtype"])
    if not dtype.is_floating_point:
        if dtype == torch.bool:
            return torch.rand(shape, device="cuda") < (a if kind == "booleans" else 0.5)
        low, high = (int(a), int(b) + 1) if kind == "integers" else (0, 2)
        return torch.randint(low, max(high, low + 1), shape, device="cuda", dtype=dtype)
    if kind == "uniform":
        values = torch.rand(shape, device="cuda") * (b - a) + a
    elif kind == "constant":
        values = torch.full(shape, float(a), device="cuda")
    elif kind in ("integers", "booleans"):
        values = torch.randint(int(a), int(b) + 1, shape, device="cuda").float() if kind == "integers" else (torch.rand(shape, device="cuda") < a).float()
    elif kind == "signs":
        values = torch.randint(0, 2, shape, device="cuda").float() * 2 - 1
    elif kind in ("probabilities", "varied_probabilities"):
        values = torch.softmax(torch.randn(shape, device="cuda"), -1)
    elif kind == "values":
        numbers = torch.tensor(spec["values"], device="cuda", dtype=torch.float64)
        count = 1
        for size in shape:
            count *= size
        values = numbers.repeat(-(-count // numbers.numel()))[:count].reshape(shape)
    else:
        values = torch.randn(shape, device="cuda") * b + a
        if kind == "upper_triangular":
            values = torch.triu(values)
        elif kind == "lower_triangular":
            values = torch.tril(values)
        elif kind == "symmetric":
            values = (values + values.transpose(-1, -2)) / 2
        elif kind == "causal_mask":
            values = torch.tril(torch.ones_like(values))
    return values.to(dtype)


class Timer:
    """Seconds of a call's device work, between events, queued behind a kernel that waits while all is being queued."""

    def __init__(self, torch, cold):
        self.torch = torch
        properties = torch.cuda.get_device_properties(0)
        cache = getattr(properties, "L2_cache_size", 64 << 20)
        self.flush = torch.empty(max(2 * cache, 32 << 20), dtype=torch.int8, device="cuda") if cold else None

    def queueing(self, call):
        """Seconds that queueing one call takes here."""
        self.torch.cuda.synchronize()
        begin = time.perf_counter()
        call()
        spent = time.perf_counter() - begin
        self.torch.cuda.synchronize()
        return spent

    def samples(self, call, most_seconds):
        cuda = self.torch.cuda
        for _ in range(3):
            call()
        spent = min(self.queueing(call) for _ in range(3))
        cycles = int(min(spent * 1.5 + 50e-6, 0.05) * 2e9)
        found = []
        begin = time.perf_counter()
        while len(found) < 10 or (time.perf_counter() - begin < most_seconds and len(found) < 1000):
            events = []
            for _ in range(10):
                if self.flush is not None:
                    self.flush.zero_()
                cuda._sleep(cycles)
                pair = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
                pair[0].record()
                call()
                pair[1].record()
                events.append(pair)
            cuda.synchronize()
            found += [first.elapsed_time(last) / 1e3 for first, last in events]
            if time.perf_counter() - begin > 10 * most_seconds + 60:
                break
        return found


def main():
    request = json.loads(sys.stdin.readline())
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    version = ""
    try:
        import torch

        version = "PyTorch " + str(torch.__version__)
        if not torch.cuda.is_available():
            raise RuntimeError("this PyTorch finds no GPU")
        version += ", CUDA " + str(torch.version.cuda) + ", cuDNN " + str(torch.backends.cudnn.version())
        torch.manual_seed(request["seed"])
        names = {"torch": torch}
        exec(compile(request["source"], "task", "exec"), names)
        tensors = [drawn(torch, spec) for spec in request["tensors"]]
        timer = Timer(torch, request["cold"])
    except BaseException as problem:
        for way in request["ways"]:
            answer({"way": way, "version": version, "problem": f"{type(problem).__name__}: {problem}"[:600]})
        return
    for way in request["ways"]:
        try:
            function = torch.compile(names["forward"]) if way == "compile" else names["forward"]
            with torch.no_grad():
                found = timer.samples(lambda: function(*tensors), request["seconds"])
            answer({"way": way, "version": version, "seconds": found})
        except BaseException as problem:
            answer({"way": way, "version": version, "problem": f"{type(problem).__name__}: {problem}"[:600]})


main()
