#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes probes.json: one small PTX kernel for each instruction under test.

A probe's code stands in frame.ptx: 64 threads have four input words each in %r1 to %r4 (and as %d1 %d2, %f1 to %f3,
%g1 %g2, %h1 to %h4) and give four words in %r10 to %r13. `inputs` names the kind of edge-case words that record.py
makes; `compare` says how an output word is compared with the recorded one:
    bits                 every bit
    f32 / f64 / f16      as numbers of that type (any NaN equals any NaN), within `ulp` units in the last place or
                         `absolute`; the word (or pair of words) is one number, of f16 two.
The bounds are those of the PTX ISA for .approx instructions, and of gpu/emulator/code/MatrixOp.h for matrix sums.
"""
import json
import pathlib

PROBES = []


def probe(name, code, inputs="int", compare="bits", **bound):
    PROBES.append({"name": name, "inputs": inputs, "compare": compare, **bound, "code": code})


def integer(name, line, result="%r10"):
    probe(name, line.replace("D,", result + ","))


for op in ("add.s32", "sub.s32", "mul.lo.u32", "mul.hi.s32", "mul.hi.u32", "min.s32", "max.u32", "div.s32", "div.u32",
           "rem.s32", "rem.u32", "add.sat.s32", "sub.sat.s32"):
    integer(op, f"{op} D, %r1, %r2;")
# Undefined by the PTX ISA, and done by archived kernels: what hardware gives for a divisor of zero.
for op in ("div", "rem"):
    for sign in ("s", "u"):
        probe(f"{op}.{sign}32 by 0 or 1", f"and.b32 %r10, %r2, 1; {op}.{sign}32 %r10, %r1, %r10;")
        probe(f"{op}.{sign}64 by 0 or 1", f"and.b64 %d3, %d2, 1; {op}.{sign}64 %d3, %d1, %d3; mov.b64 {{%r10, %r11}}, %d3;")
probe("subc after sub.cc", "sub.cc.u32 %r10, %r1, %r3; subc.u32 %r11, %r2, %r4; addc.u32 %r12, 0, 0;")
for op in ("mad.lo.s32", "mad.hi.u32", "sad.s32", "sad.u32", "dp4a.s32.s32", "dp4a.u32.s32", "dp4a.u32.u32", "dp2a.lo.s32.s32",
           "dp2a.hi.u32.u32", "bfe.u32", "bfe.s32", "prmt.b32", "prmt.b32.f4e", "prmt.b32.rc8", "shf.l.clamp.b32",
           "shf.r.wrap.b32", "shf.r.clamp.b32"):
    integer(op, f"{op} D, %r1, %r2, %r3;")
for table in (0x1b, 0x96, 0xe8, 0xfe):
    integer(f"lop3 {table:#x}", f"lop3.b32 D, %r1, %r2, %r3, {table:#x};")
for op in ("shl.b32", "shr.u32", "shr.s32"):
    integer(op, f"{op} D, %r1, %r2;")
integer("bfi.b32", "bfi.b32 D, %r1, %r2, %r3, %r4;")
integer("mul24.lo.s32", "mul24.lo.s32 D, %r1, %r2;")
for op in ("popc.b32", "clz.b32", "brev.b32", "bfind.u32", "bfind.s32", "bfind.shiftamt.u32", "abs.s32", "not.b32", "cnot.b32"):
    integer(op, f"{op} D, %r1;")
integer("szext.wrap.s32", "szext.wrap.s32 D, %r1, %r2;")
integer("bmsk.clamp.b32", "bmsk.clamp.b32 D, %r1, %r2;")
probe("mul.wide.s32", "mul.wide.s32 %d3, %r1, %r2; mov.b64 {%r10, %r11}, %d3;")
for op in ("mul.lo.s64", "mul.hi.u64", "mul.hi.s64", "div.s64", "rem.u64", "min.s64"):
    probe(op, f"{op} %d3, %d1, %d2; mov.b64 {{%r10, %r11}}, %d3;")
probe("addc chain", "add.cc.u32 %r10, %r1, %r3; addc.u32 %r11, %r2, %r4; subc.u32 %r12, 0, 0;")

for op in ("add.rn.f32", "add.rz.f32", "add.rm.f32", "add.rp.f32", "sub.ftz.f32", "mul.rn.f32", "mul.ftz.f32", "mul.rp.f32",
           "div.rn.f32", "div.rz.f32", "min.f32", "max.f32", "min.NaN.f32", "max.ftz.f32", "add.sat.f32", "copysign.f32"):
    probe(op, f"{op} %f4, %f1, %f2; mov.b32 %r10, %f4;", "f32", "f32", ulp=0)
for op in ("fma.rn.f32", "fma.rz.f32", "fma.rm.f32", "fma.rn.ftz.f32", "fma.rn.sat.f32"):
    probe(op, f"{op} %f4, %f1, %f2, %f3; mov.b32 %r10, %f4;", "f32", "f32", ulp=0)
for op in ("sqrt.rn.f32", "sqrt.rz.f32", "rcp.rn.f32", "rcp.rp.f32", "abs.ftz.f32", "neg.f32"):
    probe(op, f"{op} %f4, %f1; mov.b32 %r10, %f4;", "f32", "f32", ulp=0)
for op, bound in (("rcp.approx.f32", {"ulp": 1}), ("sqrt.approx.f32", {"ulp": 2}), ("rsqrt.approx.f32", {"ulp": 3}),
                  ("ex2.approx.f32", {"ulp": 3}), ("lg2.approx.f32", {"ulp": 2, "absolute": 2.0 ** -20}),
                  ("tanh.approx.f32", {"ulp": 16384})):
    probe(op, f"{op} %f4, %f1; mov.b32 %r10, %f4;", "f32", "f32", **bound)
for op in ("sin.approx.f32", "cos.approx.f32"):
    probe(op, f"{op} %f4, %f1; mov.b32 %r10, %f4;", "angle", "f32", ulp=2, absolute=2.0 ** -20)
for op in ("add.rn.f64", "mul.rz.f64", "div.rn.f64", "min.f64"):
    probe(op, f"{op} %g3, %g1, %g2; mov.b64 {{%r10, %r11}}, %g3;", "f64", "f64", ulp=0)
for op in ("sqrt.rn.f64", "rcp.rn.f64"):
    probe(op, f"{op} %g3, %g1; mov.b64 {{%r10, %r11}}, %g3;", "f64", "f64", ulp=0)
probe("fma.rn.f64", "fma.rn.f64 %g3, %g1, %g2, %g1; mov.b64 {%r10, %r11}, %g3;", "f64", "f64", ulp=0)
for op in ("add.rn.f16x2", "mul.rn.f16x2", "sub.ftz.f16x2", "min.f16x2", "max.NaN.f16x2", "fma.rn.f16x2", "fma.rn.relu.f16x2"):
    third = ", %r3" if op.startswith("fma") else ""
    probe(op, f"{op} %r10, %r1, %r2{third};", "f16x2", "f16", ulp=0)
for op in ("fma.rn.bf16x2", "fma.rn.relu.bf16x2", "min.bf16x2", "max.bf16x2"):
    third = ", %r3" if op.startswith("fma") else ""
    probe(op, f"{op} %r10, %r1, %r2{third};", "bf16x2", "bits")
for cmp in ("lt", "ltu", "ne", "equ", "num", "nan"):
    probe(f"setp.{cmp}.f32", f"setp.{cmp}.f32 %p1, %f1, %f2; selp.b32 %r10, 1, 2, %p1;", "f32")
for kind in ("finite", "infinite", "number", "notanumber", "normal", "subnormal"):
    probe(f"testp.{kind}.f32", f"testp.{kind}.f32 %p1, %f1; selp.b32 %r10, 1, 2, %p1;", "f32")

for to in ("s32", "u32"):
    for rounding in ("rni", "rzi", "rmi", "rpi"):
        probe(f"cvt.{rounding}.{to}.f32", f"cvt.{rounding}.{to}.f32 %r10, %f1;", "f32")
probe("cvt.rzi.s64.f32", "cvt.rzi.s64.f32 %d3, %f1; mov.b64 {%r10, %r11}, %d3;", "f32")
probe("cvt.rzi.s32.f64", "cvt.rzi.s32.f64 %r10, %g1;", "f64")
for to in ("u32", "s64", "u64"):
    result = "%r10, %g1;" if to == "u32" else "%d3, %g1; mov.b64 {%r10, %r11}, %d3;"
    probe(f"cvt.rzi.{to}.f64", f"cvt.rzi.{to}.f64 {result}", "f64")
probe("cvt.rni.s32.f64", "cvt.rni.s32.f64 %r10, %g1;", "f64")
probe("cvt.rzi.u64.f32", "cvt.rzi.u64.f32 %d3, %f1; mov.b64 {%r10, %r11}, %d3;", "f32")
for to in ("s16", "u16"):
    probe(f"cvt.rzi.{to}.f32", f"cvt.rzi.{to}.f32 %h5, %f1; cvt.u32.u16 %r10, %h5;", "f32")
probe("cvt.rzi.s32.f16", "cvt.rzi.s32.f16 %r10, %h1;", "f16x2")
probe("cvt.rzi.u32.f16", "cvt.rzi.u32.f16 %r10, %h1;", "f16x2")
for rounding in ("rn", "rz", "rm", "rp"):
    probe(f"cvt.{rounding}.f32.s32", f"cvt.{rounding}.f32.s32 %f4, %r1; mov.b32 %r10, %f4;")
    probe(f"cvt.{rounding}.f32.f64", f"cvt.{rounding}.f32.f64 %f4, %g1; mov.b32 %r10, %f4;", "f64", "f32", ulp=0)
probe("cvt.rn.f16.f32", "cvt.rn.f16.f32 %h5, %f1; cvt.u32.u16 %r10, %h5;", "f32")
probe("cvt.rz.f16.f32", "cvt.rz.f16.f32 %h5, %f1; cvt.u32.u16 %r10, %h5;", "f32")
probe("cvt.f32.f16", "cvt.f32.f16 %f4, %h1; mov.b32 %r10, %f4;", "f16x2", "f32", ulp=0)
probe("cvt.rn.bf16x2.f32", "cvt.rn.bf16x2.f32 %r10, %f1, %f2;", "f32")
probe("cvt.rn.relu.f16x2.f32", "cvt.rn.relu.f16x2.f32 %r10, %f1, %f2;", "f32")
probe("cvt.rna.tf32.f32", "cvt.rna.tf32.f32 %r10, %f1;", "f32")
for eight in ("e4m3x2", "e5m2x2"):
    probe(f"cvt.rn.satfinite.{eight}.f32", f"cvt.rn.satfinite.{eight}.f32 %h5, %f1, %f2; cvt.u32.u16 %r10, %h5;", "float8")
    probe(f"cvt.rn.satfinite.relu.{eight}.f32", f"cvt.rn.satfinite.relu.{eight}.f32 %h5, %f1, %f2; cvt.u32.u16 %r10, %h5;", "float8")
    probe(f"cvt.rn.satfinite.{eight}.f16x2", f"cvt.rn.satfinite.{eight}.f16x2 %h5, %r1; cvt.u32.u16 %r10, %h5;", "f16x2")
    probe(f"cvt.rn.f16x2.{eight}", f"cvt.rn.f16x2.{eight} %r10, %h1;")

for mode, b, c in (("up", 3, 0), ("down", 5, 31), ("bfly", 9, 31), ("idx", 7, 0x181f)):
    probe(f"shfl.{mode}", f"shfl.sync.{mode}.b32 %r10|%p1, %r1, {b}, {c}, -1; selp.b32 %r11, 1, 0, %p1;")
probe("vote", "setp.gt.s32 %p1, %r1, 0; vote.sync.ballot.b32 %r10, %p1, -1; vote.sync.any.pred %p2, %p1, -1; "
              "selp.b32 %r11, 1, 0, %p2; vote.sync.uni.pred %p3, %p1, -1; selp.b32 %r12, 1, 0, %p3;")
probe("match", "and.b32 %r5, %r1, 3; match.any.sync.b32 %r10, %r5, -1; match.all.sync.b32 %r11|%p1, %r5, -1; selp.b32 %r12, 1, 0, %p1;")
for op in ("add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"):
    probe(f"redux.{op}", f"redux.sync.{op} %r10, %r1, -1;")

TILE = "mov.u32 %r20, tile; shl.b32 %r21, %r0, 4; add.u32 %r22, %r20, %r21; "
probe("ldmatrix.x4", TILE + "st.shared.v4.b32 [%r22], {%r1, %r2, %r3, %r4}; bar.sync 0; "
                            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r22];")
probe("ldmatrix.x4.trans", TILE + "st.shared.v4.b32 [%r22], {%r1, %r2, %r3, %r4}; bar.sync 0; "
                                  "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r10, %r11, %r12, %r13}, [%r22];")
probe("stmatrix.x4", TILE + "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r22], {%r1, %r2, %r3, %r4}; bar.sync 0; "
                            "ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r22];")
probe("cp.async", TILE + "cp.async.cg.shared.global [%r22], [%d30], 16, 12; cp.async.wait_all; bar.sync 0; "
                         "ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r22];")


def mma(shape, types, a, b, c, inputs, compare="bits", satfinite=False, suffix="", **bound):
    """Fragments: A from %r1.., B from further words, C small; all of the thread's four words are used in turn."""
    d_type, a_type, b_type, c_type = types
    words = ["%r1", "%r2", "%r3", "%r4"]
    regs_a = ", ".join(words[i % 4] for i in range(a))
    regs_b = ", ".join(words[(i + 2) % 4] for i in range(b))
    outs = [f"%r{10 + i}" for i in range(c)]
    setup, c_regs, d_regs, after = "", [], [], ""
    for i in range(c):
        if d_type == "f32":
            setup += f"mov.f32 %f{20 + i}, 0f3F000000; "
            d_regs.append(f"%f{20 + i}")
            after += f"mov.b32 {outs[i]}, %f{20 + i}; "
        else:
            setup += f"mov.b32 {outs[i]}, {'0x38003800' if d_type == 'f16' else '1000000'}; "
            d_regs.append(outs[i])
    sat = ".satfinite" if satfinite else ""
    acc = ", ".join(d_regs)
    probe(f"mma.{shape}.{d_type}.{a_type}.{b_type}{suffix}{sat}",
          f"{setup}mma.sync.aligned.{shape}.row.col{sat}.{d_type}.{a_type}.{b_type}.{c_type}{suffix} {{{acc}}}, {{{regs_a}}}, {{{regs_b}}}, {{{acc}}}; {after}",
          inputs, compare, **bound)


def bound(k):
    """Elements are at most 1 in size, C is 1/2."""
    return {"ulp": 0, "absolute": (k + 4) * 2.0 ** -22 * (k + 0.5)}


for shape, a, b, k in (("m16n8k8", 2, 1, 8), ("m16n8k16", 4, 2, 16)):
    mma(shape, ("f32", "f16", "f16", "f32"), a, b, 4, "unit_f16", "f32", **bound(k))
    mma(shape, ("f32", "bf16", "bf16", "f32"), a, b, 4, "unit_bf16", "f32", **bound(k))
    mma(shape, ("f16", "f16", "f16", "f16"), a, b, 2, "unit_f16", "f16", ulp=2, absolute=2.0 ** -8)
for shape, a, b, k in (("m16n8k4", 2, 1, 4), ("m16n8k8", 4, 2, 8)):
    mma(shape, ("f32", "tf32", "tf32", "f32"), a, b, 4, "unit_f32", "f32", **bound(k))
for sign in ("s8", "u8"):
    mma("m16n8k16", ("s32", sign, sign, "s32"), 2, 1, 4, "int")
    mma("m16n8k32", ("s32", sign, sign, "s32"), 4, 2, 4, "int", satfinite=True)
mma("m8n8k16", ("s32", "s8", "u8", "s32"), 1, 1, 2, "int")
mma("m16n8k64", ("s32", "s4", "u4", "s32"), 4, 2, 4, "int")
mma("m16n8k256", ("s32", "b1", "b1", "s32"), 4, 2, 4, "int", suffix=".xor.popc")
mma("m16n8k256", ("s32", "b1", "b1", "s32"), 4, 2, 4, "int", suffix=".and.popc")
probe("mma.m8n8k4.f64", "mov.f64 %g3, 0d3FF0000000000000; mov.f64 %g4, %g3; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
                        "{%g3, %g4}, {%g1}, {%g2}, {%g3, %g4}; mov.b64 {%r10, %r11}, %g3; mov.b64 {%r12, %r13}, %g4;",
      "unit_f64", "f64", ulp=1, absolute=2.0 ** -51)

if __name__ == "__main__":
    names = [p["name"] for p in PROBES]
    assert len(set(names)) == len(names), "two probes of one name"
    path = pathlib.Path(__file__).with_name("probes.json")
    path.write_text("[\n" + ",\n".join(json.dumps(p) for p in PROBES) + "\n]\n")
    print(f"{len(PROBES)} probes in {path.name}")
