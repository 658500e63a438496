#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records on a GPU what the probes of probes.json give: golden/<number>.json, one file for each probe.

Needs a driver (libcuda.so.1) and nothing else: the driver compiles the PTX. A probe that the driver refuses is
reported and left out. Usage: record.py [OUTPUT FOLDER]
"""
import ctypes
import json
import pathlib
import random
import struct
import sys

THREADS = 64
FOLDER = pathlib.Path(__file__).parent
F32_EDGES = [0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x3F800001, 0x40490FDB,
             0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x4B7FFFFF, 0x4F000000, 0xCF000000, 0x4EFFFFFF,
             0x33800000, 0x3F000000, 0x3FC00000, 0x40200000, 0x5F000000, 0x477FE000, 0x477FF000, 0x33000001]
INT_EDGES = [0, 1, 2, 7, 8, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE,
             0x01234567, 0x89ABCDEF, 0x80808080, 0x7F7F7F7F]
F16_EDGES = [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x3800, 0x5BFF, 0x1234]
BF16_EDGES = [0x0000, 0x8000, 0x0001, 0x0080, 0x3F80, 0xBF80, 0x3F81, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0x3F00, 0x1234]


def f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def f16(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


def words(kind, rng):
    """256 words: edge cases against one another first, then random ones."""
    def pick(edges, bits):
        return rng.choice(edges) if rng.random() < 0.6 else rng.getrandbits(bits)

    def one():
        if kind == "int":
            return [pick(INT_EDGES, 32)]
        if kind == "f32":
            return [pick(F32_EDGES, 32)]
        if kind == "float8":
            return [pick(F32_EDGES, 32)] if rng.random() < 0.4 else [f32(rng.uniform(-500, 500) * 2.0 ** rng.randint(-12, 8))]
        if kind == "angle":
            return [f32(rng.uniform(-3.14, 3.14))]
        if kind == "f64":
            x = rng.choice([0.0, -0.0, 1.0, -1.5, 5e-324, 2.2e-308, 1.7e308, float("inf"), float("nan"), 2147483647.5, -2147483648.5,
                            1 + 2.0 ** -24, 3.4028235e38, 3.5e38, rng.uniform(-1e6, 1e6)])
            return list(struct.unpack("<II", struct.pack("<d", x)))
        if kind == "f16x2":
            return [pick(F16_EDGES, 16) | pick(F16_EDGES, 16) << 16]
        if kind == "bf16x2":
            return [pick(BF16_EDGES, 16) | pick(BF16_EDGES, 16) << 16]
        if kind == "unit_f16":
            return [f16(rng.uniform(-1, 1)) | f16(rng.uniform(-1, 1)) << 16]
        if kind == "unit_bf16":
            return [(f32(rng.uniform(-0.99, 0.99)) >> 16) | (f32(rng.uniform(-0.99, 0.99)) & 0xFFFF0000)]
        if kind == "unit_f32":
            return [f32(rng.uniform(-1, 1)) & 0xFFFFE000]
        if kind == "unit_f64":
            return list(struct.unpack("<II", struct.pack("<d", rng.uniform(-1, 1))))
        raise SystemExit(f"unknown kind of input {kind}")

    out = []
    while len(out) < 4 * THREADS:
        out += one()
    return out[:4 * THREADS]


class Driver:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.check(self.cuda.cuInit(0))
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.check(self.cuda.cuDeviceGet(ctypes.byref(device), 0))
        name = ctypes.create_string_buffer(128)
        self.check(self.cuda.cuDeviceGetName(name, 128, device))
        self.name = name.value.decode()
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(self.context), device))
        self.check(self.cuda.cuCtxSetCurrent(self.context))
        self.input, self.output = self.allocate(), self.allocate()

    def check(self, code):
        if code:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"CUDA error {code}: {(text.value or b'').decode()}")

    def allocate(self):
        p = ctypes.c_uint64()
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(p), ctypes.c_size_t(16 * THREADS)))
        return p

    def run(self, ptx, data):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        log = ctypes.create_string_buffer(4096)
        options = (ctypes.c_int * 2)(5, 6)  # error log buffer and its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), 4096)
        code = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), ptx.encode(), 2, options, values)
        if code:
            raise RuntimeError(log.value.decode(errors="replace").strip() or f"CUDA error {code}")
        self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, b"probe"))
        buffer = (ctypes.c_uint32 * (4 * THREADS))(*data)
        self.check(self.cuda.cuMemcpyHtoD_v2(self.input, buffer, ctypes.c_size_t(16 * THREADS)))
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(self.input), ctypes.addressof(self.output))
        self.check(self.cuda.cuLaunchKernel(function, 1, 1, 1, THREADS, 1, 1, 0, None, arguments, None))
        self.check(self.cuda.cuCtxSynchronize())
        self.check(self.cuda.cuMemcpyDtoH_v2(buffer, self.output, ctypes.c_size_t(16 * THREADS)))
        self.check(self.cuda.cuModuleUnload(module))
        return list(buffer)


def main():
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "golden"
    target.mkdir(parents=True, exist_ok=True)
    frame = (FOLDER / "frame.ptx").read_text()
    driver, refused, count = Driver(), 0, 0
    for probe in json.loads((FOLDER / "probes.json").read_text()):
        data = words(probe["inputs"], random.Random(probe["name"]))
        try:
            out = driver.run(frame.replace("@CODE@", probe["code"]), data)
        except RuntimeError as error:
            print(f"{probe['name']}: {error}")
            refused += 1
            continue
        safe = "".join(c if c.isalnum() else "_" for c in probe["name"])
        (target / f"{safe}.json").write_text(json.dumps(
            {"name": probe["name"], "device": driver.name, "code": probe["code"],
             "inputs": "".join(f"{x:08x}" for x in data), "outputs": "".join(f"{x:08x}" for x in out)}, indent=0) + "\n")
        count += 1
    print(f"{count} probes recorded on {driver.name}, {refused} refused")
    return 0


if __name__ == "__main__":
    sys.exit(main())
