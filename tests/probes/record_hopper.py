#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records on a GPU of compute capability 9.0 what the probes of hopper.json give: OUTPUT/<name>.json for each.

Needs a driver (libcuda.so.1) and nothing else. Several processes share the work, each with a context of its own; one
that faults or hangs is replaced, and its probe reported. Usage: record_hopper.py [OUTPUT FOLDER] [--seeds N] [--jobs N]
With --seeds, probes of sums are recorded on other numbers too (name#1.json and so on), for whoever looks for a model.
"""
import argparse
import ctypes
import hashlib
import json
import multiprocessing
import pathlib
import random
import re
import struct
import time

from record import FOLDER, Driver, words

# bits of exponent and mantissa
FLOATS = {"f16": (5, 10), "bf16": (8, 7), "tf32": (8, 23), "f32": (8, 23), "e4m3": (4, 3), "e5m2": (5, 2)}
# exponents of `wide` numbers: all that a narrow type has; of a wide one those that meet in a sum
WIDE = {"f16": (0, 30), "bf16": (103, 151), "tf32": (103, 151), "f32": (90, 160), "e4m3": (0, 14), "e5m2": (0, 30)}


def encode(x, kind):
    """The number nearest to a small one, as bits of the type."""
    eb, mb = FLOATS[kind]
    bits = struct.unpack("<I", struct.pack("<f", x))[0]
    sign, exponent, mantissa = bits >> 31, (bits >> 23 & 255) - 127, bits & 0x7FFFFF
    e = exponent + (1 << (eb - 1)) - 1
    if e <= 0:
        return sign << (eb + mb)
    return sign << (eb + mb) | e << mb | mantissa >> (23 - mb)


def special(kind, rng):
    eb, mb = FLOATS[kind]
    top, sign = (1 << eb) - 1, rng.getrandbits(1) << (eb + mb)
    if rng.random() < 0.1:
        return sign | ((top << mb | (1 << mb) - 1) if kind == "e4m3" else top << mb | rng.choice((0, 0, 1 << (mb - 1), 1)))
    largest = (top << mb | (1 << mb) - 2) if kind == "e4m3" else (top - 1) << mb | (1 << mb) - 1
    return sign | rng.choice((0, 0, 1, (1 << mb) - 1, 1 << mb, largest, ((1 << (eb - 1)) - 1) << mb))


def numbers(kind, count, rng, previous):
    """Elements of a type, of one of the kinds of make_hopper_probes.py."""
    how, element = kind.split()
    eb, mb = FLOATS[element]
    out = []
    while len(out) < count:
        if how == "unit":
            out.append(encode(rng.uniform(-1, 1), element))
        elif how == "wide":
            low, high = WIDE[element]
            out.append(rng.getrandbits(1) << (eb + mb) | rng.randint(low, high) << mb | rng.getrandbits(mb))
        elif how == "edge":
            out.append(special(element, rng) if rng.random() < 0.1 else encode(rng.uniform(-2, 2), element))
        else:  # neighbours are equal in A, and each other's negatives in B: what is left is C and a little
            size = rng.choice((1, 1, 4, 64)) if element != "f32" else 2.0 ** -rng.randint(6, 24)
            x = encode(rng.uniform(-1, 1) * size, element)
            flip = 1 << (eb + mb) if previous % 2 else 0
            out += [x, (x ^ flip) + (rng.random() < 0.1)]
    return out[:count]


def inputs_of(probe, seed):
    rng, data = random.Random(probe["name"] + ("" if seed == 0 else f"#{seed}")), []
    for place, (kind, count) in enumerate(probe["inputs"]):
        if kind == "index":
            data += range(count)
        elif " " in kind:
            element = kind.split()[1]
            bits = 1 + sum(FLOATS[element])
            per = 32 // bits
            all_of_them = numbers(kind, count * per, rng, place % 3)
            data += [sum((all_of_them[w * per + i] & (1 << bits) - 1) << (bits * i) for i in range(per)) for w in range(count)]
        else:
            data += (words(kind, rng) * (count // 256 + 1))[:count]
    return data


def beginning(probe):
    kind, count = probe.get("begin", "zeros"), probe["out"]
    if kind in ("zeros", "ones", "index"):
        return [{"zeros": 0, "ones": 0xFFFFFFFF, "index": w}[kind] for w in range(count)]
    return (words(kind, random.Random("begin " + probe["name"])) * (count // 256 + 1))[:count]


class HopperDriver(Driver):
    def memory(self, data):
        p, size = ctypes.c_uint64(), ctypes.c_size_t(4 * max(len(data), 64))
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(p), size))
        if data:
            self.check(self.cuda.cuMemcpyHtoD_v2(p, (ctypes.c_uint32 * len(data))(*data), ctypes.c_size_t(4 * len(data))))
        return p

    def map(self, m, address):
        """128 bytes, aligned to 64."""
        room = ctypes.create_string_buffer(256)
        start = (ctypes.addressof(room) + 63) // 64 * 64
        if m is None:
            return room, start
        rank = len(m["extent"])
        u64, u32 = (lambda v: (ctypes.c_uint64 * max(len(v), 1))(*v)), (lambda v: (ctypes.c_uint32 * len(v))(*v))
        self.check(self.cuda.cuTensorMapEncodeTiled(ctypes.c_void_p(start), m["type"], rank, ctypes.c_void_p(address), u64(m["extent"]), u64(m["stride"]), u32(m["box"]),
                                                    u32(m["elementStride"]), 0, m["swizzle"], 0, m["nan"]))
        return room, start

    def probe(self, ptx, probe, data, begin):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
        code = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx.encode(), 2, (ctypes.c_int * 2)(5, 6), values)
        if code:
            raise RuntimeError(log.value.decode(errors="replace").strip() or f"CUDA error {code}")
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, b"probe"))
        start, end = self.memory(data), self.memory(begin)
        maps = [self.map(m, (start if m["of"] == "in" else end).value) for m in probe.get("maps", [])]
        maps += [self.map(None, 0) for _ in range(2 - len(maps))]
        arguments = (ctypes.c_void_p * 4)(ctypes.addressof(start), ctypes.addressof(end), maps[0][1], maps[1][1])
        blocks, threads, cluster = probe.get("blocks", 1), probe.get("threads", 128), probe.get("cluster", 1)

        class Attribute(ctypes.Structure):  # CUlaunchAttribute: id, padding, value of 64 bytes
            _fields_ = [("id", ctypes.c_int), ("pad", ctypes.c_int), ("value", ctypes.c_uint32 * 16)]

        class Config(ctypes.Structure):
            _fields_ = [("size", ctypes.c_uint * 6), ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint)]

        attribute = Attribute(4, 0, (ctypes.c_uint32 * 16)(cluster, 1, 1))
        config = Config((ctypes.c_uint * 6)(blocks, 1, 1, threads, 1, 1), 0, None, ctypes.addressof(attribute), 1 if cluster > 1 else 0)
        self.check(self.cuda.cuLaunchKernelEx(ctypes.byref(config), function, arguments, None))
        self.check(self.cuda.cuCtxSynchronize())
        out = (ctypes.c_uint32 * probe["out"])()
        self.check(self.cuda.cuMemcpyDtoH_v2(out, end, ctypes.c_size_t(4 * probe["out"])))
        self.check(self.cuda.cuModuleUnload(module))
        for p in (start, end):
            self.check(self.cuda.cuMemFree_v2(p))
        return list(out)


def record(driver, frame, probe, target, seeds):
    ptx = frame.replace("@CODE@", probe["code"]).replace("@DIRECTIVES@", probe.get("directives", ""))
    text = lambda data: "".join(f"{x:08x}" for x in data)
    for seed in range(seeds if " sums " in probe["name"] else 1):
        data, begin = inputs_of(probe, seed), beginning(probe)
        out = driver.probe(ptx, probe, data, begin)
        plain = all(kind == "index" for kind, _ in probe["inputs"])
        safe = re.sub("[^A-Za-z0-9]", "_", probe["name"].replace("-1", "minus")) + (f"#{seed}" if seed else "")
        (target / f"{safe}.json").write_text(json.dumps(
            {"name": probe["name"], "device": driver.name, "code": hashlib.sha256(probe["code"].encode()).hexdigest()[:16],
             "inputs": "" if plain else text(data), "begin": "" if probe.get("begin", "zeros") in ("zeros", "ones", "index") else text(begin),
             "outputs": text(out)}, indent=0) + "\n")


def work(probes, target, seeds, pipe):
    frame, driver = (FOLDER / "hopper_frame.ptx").read_text(), HopperDriver()
    pipe.send(("on", driver.name))
    for index, probe in probes:
        try:
            record(driver, frame, probe, target, seeds)
            pipe.send(("done", index))
        except RuntimeError as error:
            pipe.send(("failed", index, str(error)))
            if "CUDA error" in str(error):  # the context may be lost
                return


class Worker:
    """A process that records probes; one that died or is silent for long loses its probe and starts anew."""

    def __init__(self, probes, target, seeds):
        self.left, self.arguments, self.failures = probes, (target, seeds), 0
        self.start()

    def start(self):
        self.pipe, end = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(self.left, *self.arguments, end), daemon=True)
        self.process.start()
        end.close()
        self.heard, self.on, self.told = time.monotonic(), False, False

    def look(self, say):
        try:
            while self.left and self.pipe.poll():
                message = self.pipe.recv()
                self.heard = time.monotonic()
                self.on = True
                if message[0] != "on":
                    self.left = [p for p in self.left if p[0] != message[1]]
                    self.told = message[0] == "failed"
                    say(message)
        except EOFError:
            self.process.join()
        silent = time.monotonic() - self.heard > 25
        if not self.left or (self.process.is_alive() and not silent):
            return
        self.process.kill()
        self.process.join()
        self.failures += not self.on
        if self.failures > 2:
            for index, _ in self.left:
                say(("failed", index, "no process starts"))
            self.left = []
        elif self.on and not self.told:
            say(("failed", self.left[0][0], "no answer" if silent else "the process died"))
            self.left = self.left[1:]
        if self.left:
            self.start()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", nargs="?", default=str(FOLDER / "golden_hopper"))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=6)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    target = pathlib.Path(options.output)
    target.mkdir(parents=True, exist_ok=True)
    probes = [(k, p) for k, p in enumerate(json.loads((FOLDER / "hopper.json").read_text())) if options.only in p["name"]]
    names, done, failed = dict((k, p["name"]) for k, p in probes), [0], []

    def say(message):
        if message[0] == "done":
            done[0] += 1
        else:
            failed.append(message[1])
            print(f"{names[message[1]]}: {message[2]}", flush=True)

    multiprocessing.set_start_method("spawn")
    jobs = max(1, min(options.jobs, len(probes)))
    workers, begun = [Worker(probes[k::jobs], target, options.seeds) for k in range(jobs)], time.monotonic()
    while any(w.left for w in workers):
        for w in workers:
            w.look(say)
        if time.monotonic() - begun > 240:
            print("gave up after 240 s")
            break
        time.sleep(0.02)
    print(f"{done[0]} probes recorded in {time.monotonic() - begun:.0f} s, {len(failed)} not")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
