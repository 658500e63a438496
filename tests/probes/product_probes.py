# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes of wgmma and mma: how sums are rounded, every shape, where elements lie (make_hopper_probes.py).

Rounding is looked at in rounds of the same instruction on different numbers: sizes near 1, exponents from end to end,
infinities and NaN among them, and sums that cancel.
"""
from probe_parts import give_all, label

# bits of an element; words of a register that are near 1 in size: and-mask, or-mask
ELEMENTS = {"f16": (16, 0x83FF83FF, 0x38003800), "bf16": (16, 0x807F807F, 0x3F003F00), "tf32": (32, 0x807FFFFF, 0x3F000000),
            "e4m3": (8, 0x87878787, 0x30303030), "e5m2": (8, 0x83838383, 0x38383838), "s8": (8, 0xFFFFFFFF, 0), "u8": (8, 0xFFFFFFFF, 0)}
F8 = ("e4m3", "e5m2")
TRIPLES = ([("f32", "f16", "f16"), ("f16", "f16", "f16"), ("f32", "bf16", "bf16"), ("f32", "tf32", "tf32")] +
           [(d, a, b) for d in ("f32", "f16") for a in F8 for b in F8] + [("s32", a, b) for a in ("s8", "u8") for b in ("s8", "u8")])
# Blocks of 8 rows by 16 bytes, two along k: nothing swizzled.
PLAIN = "shr.u32 {1}, {0}, 4; cvt.u64.u32 {2}, {1}; or.b64 {2}, {2}, 0x1000080000; "


def descriptor(address, result, leading=128, stride=256, swizzle=0):
    bits = (leading >> 4) << 16 | (stride >> 4) << 32 | {0: 0, 1: 3, 2: 2, 3: 1}[swizzle] << 62
    return f"and.b32 %r310, {address}, 0x3ffff; shr.u32 %r310, %r310, 4; cvt.u64.u32 {result}, %r310; mov.u64 %d52, {bits}; or.b64 {result}, {result}, %d52; "


def regs(first, count):
    return "{" + ", ".join(f"%r{first + k}" for k in range(count)) + "}"


def wgmma(n, triple, a, b, keep="%p4", d=100, flags=None):
    kind, left, right = triple
    k = 256 // ELEMENTS[left][0]
    count = n // 4 if kind == "f16" else n // 2
    if flags is None:
        flags = "" if kind == "s32" else ", 1, 1" + ((", 0" if a.startswith("{") else ", 0, 0") if left in ("f16", "bf16") else "")
    return (f"wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n{n}k{k}.{kind}.{left}.{right} {regs(d, count)}, {a}, {b}, {keep}{flags}; "
            "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ")


def set_keep(value):
    return f"setp.ne.u32 %p4, {value}, 0; "


KINDS = ("unit", "wide", "edge", "cancel")


def arithmetic(book):
    # Thread t brings 16 bytes of A: row t / 2, half t % 2; the first 16 threads the same of B.
    place = "shr.u32 %r20, %r0, 1; and.b32 %r21, %r20, 7; shr.u32 %r22, %r20, 3; and.b32 %r23, %r0, 1; shl.b32 %r21, %r21, 4; shl.b32 %r22, %r22, 8; shl.b32 %r23, %r23, 7; " \
            "add.u32 %r24, %r3, %r21; add.u32 %r24, %r24, %r22; add.u32 %r24, %r24, %r23; shl.b32 %r25, %r0, 4; cvt.u64.u32 %d1, %r25; add.s64 %d1, %d30, %d1; "
    copy = "ld.global.v4.b32 {{%r10, %r11, %r12, %r13}}, [%d1+{0}]; st.shared.v4.b32 [%r24+{1}], {{%r10, %r11, %r12, %r13}}; "
    for triple in TRIPLES:
        d = triple[0]
        if d == "s32":
            continue
        out = 2 if d == "f16" else 4
        c_words = 128 * out
        size = 512 + 64 + c_words
        code = place + "setp.lt.u32 %p3, %r0, 16; " + descriptor("%r3", "%d2") + "add.u32 %r26, %r3, 2048; " + descriptor("%r26", "%d3") + set_keep(1)
        inputs = []
        for k, kind in enumerate(KINDS):
            base = 4 * size * k
            skip = label()
            code += "bar.sync 0; " + copy.format(base, 0) + f"@!%p3 bra {skip}; " + copy.format(base + 2048, 2048) + f"{skip}: fence.proxy.async.shared::cta; bar.sync 0; "
            code += f"mad.lo.u32 %r27, %r0, {4 * out}, {base + 2304}; cvt.u64.u32 %d4, %r27; add.s64 %d4, %d30, %d4; ld.global.v{out}.b32 {regs(100, out)}, [%d4]; "
            code += wgmma(8, triple, "%d2", "%d3")
            code += give_all(100, out, k * c_words)
            inputs += [(f"{kind} {triple[1]}", 512), (f"{kind} {triple[2]}", 64), (f"{kind} {d}", c_words)]
        book.add("wgmma sums " + ".".join(triple), code, len(KINDS) * c_words, inputs)


def hashed(count, first, word):
    """Adds a number made of the thread's registers, eight by eight, to a word of the output, whatever the order of threads."""
    size, again, whole = (4 if count % 4 == 0 else 2), label(), (count + 7) // 8 * 8
    code = "".join(f"st.local.v{size}.b32 [%d22+{4 * k}], {regs(first + k, size)}; " for k in range(0, count, size))
    code += "".join(f"st.local.b32 [%d22+{4 * k}], 0; " for k in range(count, whole))
    return code + (f"mov.u32 %r320, 17; mov.u32 %r321, 0; mov.u64 %d53, %d22; {again}: ld.local.b32 %r322, [%d53]; mad.lo.u32 %r320, %r320, 0x01000193, %r322; "
                   f"add.u64 %d53, %d53, 4; add.u32 %r321, %r321, 1; and.b32 %r323, %r321, 7; setp.eq.u32 %p11, %r323, 0; @%p11 shf.l.wrap.b32 %r320, %r320, %r320, 7; "
                   f"setp.lt.u32 %p12, %r321, {whole}; @%p12 bra {again}; mul.lo.u32 %r320, %r320, %r18; red.global.add.u32 [%d31+{4 * word}], %r320; ")


def made_up(kind, words, offset, seed):
    """Words of the tile from a formula: numbers of this element type near 1."""
    bits, mask, add = ELEMENTS[kind]
    again, over = label(), label()
    return (f"mov.u32 %r301, %r0; {again}: setp.ge.u32 %p13, %r301, {words}; @%p13 bra {over}; add.u32 %r304, %r301, {seed}; mul.lo.u32 %r304, %r304, 0x9E3779B1; shr.u32 %r305, %r304, 15; xor.b32 %r304, %r304, %r305; "
            f"mul.lo.u32 %r304, %r304, 0x85EBCA77; shr.u32 %r305, %r304, 13; xor.b32 %r304, %r304, %r305; and.b32 %r304, %r304, {mask:#x}; or.b32 %r304, %r304, {add:#x}; "
            f"shl.b32 %r302, %r301, 2; add.u32 %r303, %r3, %r302; st.shared.b32 [%r303+{offset}], %r304; add.u32 %r301, %r301, %r8; bra {again}; {over}: ")


def shapes(book):
    for triple in TRIPLES:
        d, a, b = triple
        sizes = [n for n in range(8, 257, 8) if d != "s32" or n <= 32 or n % 16 == 0]
        for in_registers in (False, True):
            code = made_up(a, 512, 0, 1) + made_up(b, 2048, 2048, 7777) + "fence.proxy.async.shared::cta; bar.sync 0; "
            code += descriptor("%r3", "%d2") + "add.u32 %r26, %r3, 2048; " + descriptor("%r26", "%d3") + set_keep(0)
            code += "shl.b32 %r18, %r0, 1; add.u32 %r18, %r18, 1; "
            if in_registers:
                code += "shl.b32 %r20, %r0, 4; add.u32 %r20, %r3, %r20; ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r20]; "
            for k, n in enumerate(sizes if not in_registers else [8, 32, 96, 256]):
                code += wgmma(n, triple, regs(10, 4) if in_registers else "%d2", "%d3") + hashed(n // 4 if d == "f16" else n // 2, 100, k)
            book.add("wgmma shapes " + ".".join(triple) + (" with A in registers" if in_registers else ""), code, len(sizes) if not in_registers else 4, begin="zeros")
    for a in ("s8", "u8"):
        triple = ("s32", a, "s8")
        code = made_up(a, 512, 0, 1) + made_up("s8", 64, 2048, 7777) + "fence.proxy.async.shared::cta; bar.sync 0; "
        code += descriptor("%r3", "%d2") + "add.u32 %r26, %r3, 2048; " + descriptor("%r26", "%d3") + set_keep(1)
        code += "mul.lo.u32 %r100, %r0, 0x01f0f0f0; mov.u32 %r101, 0x7fffff00; mov.u32 %r102, 0x80000100; mov.u32 %r103, 0; "
        code += wgmma(8, triple, "%d2", "%d3").replace(f".{a}.s8 ", f".{a}.s8.satfinite ")
        code += give_all(100, 4)
        book.add(f"wgmma saturated s32.{a}.s8", code, 512)
    for sa in (1, -1):
        for sb in (1, -1):
            code = made_up("f16", 512, 0, 1) + made_up("f16", 64, 2048, 7777) + "fence.proxy.async.shared::cta; bar.sync 0; " + descriptor("%r3", "%d2") + "add.u32 %r26, %r3, 2048; " + descriptor("%r26", "%d3")
            code += set_keep(1) + "mov.b32 %r100, 0f40000000; mov.b32 %r101, %r100; mov.b32 %r102, %r100; mov.b32 %r103, %r100; "
            code += wgmma(8, ("f32", "f16", "f16"), "%d2", "%d3", flags=f", {sa}, {sb}, 0, 0") + give_all(100, 4)
            book.add(f"wgmma signs {sa} {sb}", code, 512)


def layouts(book):
    """Which 16-bit word of shared memory an element of A or B is: the words hold their own number, once its low 10 bits and once the rest."""
    identity = "mov.b32 %r10, 0; mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0; " \
               "shr.u32 %r20, %r5, 2; and.b32 %r21, %r5, 3; shl.b32 %r22, %r21, 1; sub.u32 %r23, %r20, %r22; mov.b32 %r24, 0; setp.eq.u32 %p2, %r23, 0; @%p2 mov.b32 %r24, 0x3c00; " \
               "setp.eq.u32 %p2, %r23, 1; @%p2 mov.b32 %r24, 0x3c000000; setp.ne.u32 %p2, %r6, 0; @%p2 mov.b32 %r24, 0; mov.b32 %r10, %r24; mov.b32 %r13, %r24; "
    def numbers(high):
        again, over = label(), label()
        part = (lambda r: f"shr.u32 {r}, {r}, 10; ") if high else (lambda r: f"and.b32 {r}, {r}, 1023; ")
        return (f"bar.sync 0; mov.u32 %r301, %r0; {again}: setp.ge.u32 %p13, %r301, 8192; @%p13 bra {over}; shl.b32 %r302, %r301, 2; add.u32 %r303, %r3, %r302; "
                f"shl.b32 %r304, %r301, 1; add.u32 %r305, %r304, 1; {part('%r304')}{part('%r305')} cvt.rn.f16.u32 %h1, %r304; cvt.rn.f16.u32 %h2, %r305; mov.b32 %r304, {{%h1, %h2}}; "
                f"st.shared.b32 [%r303], %r304; add.u32 %r301, %r301, %r8; bra {again}; {over}: fence.proxy.async.shared::cta; bar.sync 0; ")
    def both(product, count):
        """The number of each element, as f32, in %r100 and what follows."""
        return (numbers(False) + product + "".join(f"mov.b32 %r{200 + i}, %r{100 + i}; " for i in range(count)) + numbers(True) + product +
                "".join(f"fma.rn.f32 %r{100 + i}, %r{100 + i}, 0f44800000, %r{200 + i}; " for i in range(count)))
    f16 = ("f32", "f16", "f16")
    for major in (0, 1):
        for swizzle in (0, 1, 2, 3):
            for leading, stride, start in ((128, 1024, 0), (2048, 512, 32 << swizzle if major and swizzle else 32), (4096, 1024, 0)):
                what = f"{'rows' if major else 'k'} along the lines, swizzle {swizzle}, {leading} and {stride} bytes, start {start}"
                begin = identity + set_keep(0) + f"add.u32 %r26, %r3, {start}; " + descriptor("%r26", "%d3", leading, stride, swizzle)
                # B, 16 of k by 16, under an identity in registers: the first warp has it all.
                code = begin + both(wgmma(16, f16, regs(10, 4), "%d3", flags=f", 1, 1, {major}"), 8)
                code += "setp.ne.u32 %p2, %r6, 0; @%p2 bra END; " + give_all(100, 8) + "END: "
                book.add(f"wgmma layout of B, {what}", code, 256)
                # A, 64 by 16, times an identity of 16 behind the numbers, as two blocks of 8 columns.
                eye = "setp.lt.u32 %p3, %r0, 16; add.u32 %r27, %r3, 36864; shl.b32 %r20, %r0, 5; and.b32 %r21, %r0, 7; shl.b32 %r21, %r21, 4; shr.u32 %r22, %r0, 3; shl.b32 %r23, %r22, 8; add.u32 %r28, %r27, %r21; add.u32 %r28, %r28, %r23; mov.b32 %r29, 0; " \
                      "@%p3 st.shared.v4.b32 [%r28], {%r29, %r29, %r29, %r29}; @%p3 st.shared.v4.b32 [%r28+128], {%r29, %r29, %r29, %r29}; shl.b32 %r30, %r22, 7; add.u32 %r28, %r28, %r30; and.b32 %r31, %r0, 7; shl.b32 %r31, %r31, 1; add.u32 %r28, %r28, %r31; " \
                      "mov.u16 %h3, 0x3c00; @%p3 st.shared.b16 [%r28], %h3; " + descriptor("%r27", "%d4")
                code = set_keep(0) + eye + f"add.u32 %r26, %r3, {start}; " + descriptor("%r26", "%d3", leading, stride, swizzle)
                code += both(wgmma(16, f16, "%d3", "%d4", flags=f", 1, 1, {major}, 0"), 8) + give_all(100, 8)
                book.add(f"wgmma layout of A, {what}", code, 1024)


def warp_sums(book):
    """mma.sync: the fragments' words come from the input, 32 lanes of each."""
    def one(name, op, a, b, c, kinds, d_count=None):
        words, inputs, code = a + b + c, [], "setp.ge.u32 %p2, %r0, 32; @%p2 bra END; "
        d = d_count or c
        for k, kind in enumerate(KINDS):
            for count, first, element in ((a, 10, kinds[0]), (b, 20, kinds[1]), (c, 30, kinds[2])):
                for i in range(count):
                    at = sum(n for _, n in inputs)
                    code += f"ld.global.b32 %r{first + i}, [%d1+{4 * at}]; "
                    inputs.append((f"{kind} {element}", 32))
            code += f"{op} {regs(40, d)}, {regs(10, a)}, {regs(20, b)}, {regs(30, c)}; " + give_all(40, d, 32 * k * d)
        book.add(name, "shl.b32 %r9, %r0, 2; cvt.u64.u32 %d1, %r9; add.s64 %d1, %d30, %d1; " + code + "END: ", len(KINDS) * 32 * d, inputs, threads=32)
    for shape, triple, a, b, c in (("m16n8k8", ("f32", "f16", "f16"), 2, 1, 4), ("m16n8k16", ("f32", "f16", "f16"), 4, 2, 4), ("m16n8k8", ("f16", "f16", "f16"), 2, 1, 2),
                                   ("m16n8k16", ("f16", "f16", "f16"), 4, 2, 2), ("m16n8k8", ("f32", "bf16", "bf16"), 2, 1, 4), ("m16n8k16", ("f32", "bf16", "bf16"), 4, 2, 4),
                                   ("m16n8k4", ("f32", "tf32", "tf32"), 2, 1, 4), ("m16n8k8", ("f32", "tf32", "tf32"), 4, 2, 4)):
        d, x, y = triple
        one(f"mma sums {shape} {d}.{x}.{y}", f"mma.sync.aligned.{shape}.row.col.{d}.{x}.{y}.{d}", a, b, c, (x, y, d))
    for d, c in (("f32", 4), ("f16", 2)):
        for x in F8:
            for y in F8:
                for k, a, b in ((16, 2, 1), (32, 4, 2)):
                    one(f"mma sums m16n8k{k} {d}.{x}.{y}", f"mma.sync.aligned.m16n8k{k}.row.col.{d}.{x}.{y}.{d}", a, b, c, (x, y, d))
    for d, cd in (("f32", "f32"), ("f16", "f16"), ("f32", "f16"), ("f16", "f32")):
        c, o = (8 if cd == "f32" else 4), (8 if d == "f32" else 4)
        if (d, cd) != ("f16", "f32"):
            one(f"mma sums m8n8k4 {d}.f16.f16.{cd}", f"mma.sync.aligned.m8n8k4.row.col.{d}.f16.f16.{cd}", 2, 2, c, ("f16", "f16", cd), o)
        one(f"wmma sums m16n16k16 {d}.{cd}", f"wmma.mma.sync.aligned.row.col.m16n16k16.{d}.{cd}", 8, 8, c, ("f16", "f16", cd), o)
    one("wmma sums m32n8k16 f32.f32", "wmma.mma.sync.aligned.row.row.m32n8k16.f32.f32", 8, 8, 8, ("f16", "f16", "f32"))
    one("wmma sums m16n16k16 bf16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32", 4, 4, 8, ("bf16", "bf16", "f32"))
    one("wmma sums m16n16k8 tf32", "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", 4, 4, 8, ("tf32", "tf32", "f32"))


def products(book):
    arithmetic(book)
    shapes(book)
    layouts(book)
    warp_sums(book)
