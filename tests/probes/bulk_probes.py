# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes of bulk copies, plain and through tensor maps (make_hopper_probes.py)."""
from probe_parts import CLUSTER_MEET, dump, expect, fill, load_tile, make_barriers, wait

# CUtensorMapDataType and bytes of an element
TYPES = {"u8": (0, 1), "u16": (1, 2), "u32": (2, 4), "s32": (3, 4), "u64": (4, 8), "s64": (5, 8), "f16": (6, 2), "f32": (7, 4),
         "f64": (8, 8), "bf16": (9, 2), "f32_ftz": (10, 4), "tf32": (11, 4), "tf32_ftz": (12, 4)}


def tensor(kind, extent, box, of="in", swizzle=0, nan=False, strides=None, pitch=None):
    number, size = TYPES[kind]
    stride, bytes_so_far = [], size
    for e in extent[:-1]:
        bytes_so_far = bytes_so_far * e if not stride else stride[-1] * e
        bytes_so_far = (bytes_so_far + 15) // 16 * 16
        stride.append(pitch if pitch and not stride else bytes_so_far)
    return {"of": of, "type": number, "extent": list(extent), "stride": stride, "box": list(box),
            "elementStride": list(strides or [1] * len(extent)), "swizzle": swizzle, "nan": int(nan)}


def box_bytes(m):
    size = [b for n, b in TYPES.values() if n == m["type"]][0]
    for d, (b, s) in enumerate(zip(m["box"], m["elementStride"])):
        size *= b if d == 0 else (b + s - 1) // s
    return size


def words_of(m):
    size = [b for n, b in TYPES.values() if n == m["type"]][0]
    return (m["stride"][-1] * m["extent"][-1] if m["stride"] else size * m["extent"][0] + 3) // 4


def at(coordinates):
    return "{" + ", ".join(str(c) for c in coordinates) + "}"


def unaligned(m, coordinates):
    """What an H200 stops at with an illegal instruction, so that there is no record."""
    size = [b for n, b in TYPES.values() if n == m["type"]][0]
    return {"refused": "no multiple of 16"} if coordinates[0] * size % 16 else {}


def load(book, name, m, coordinates, kind="index", shown=None, **more):
    size, rank = box_bytes(m), len(m["extent"])
    shown = shown or (size + 3) // 4
    code = (make_barriers() + fill(shown) + expect(size) +
            f"@%p1 cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
            f"[%r3], [%d20, {at(coordinates)}], [%r4]; " + wait() + dump(shown))
    book.add(name, code, shown, [(kind, words_of(m))], maps=[m], **{**unaligned(m, coordinates), **more})


def store(book, name, m, coordinates, reduction=None, kind="index", begin="index"):
    size, rank = box_bytes(m), len(m["extent"])
    op = f"cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{reduction}" if reduction else \
        f"cp.async.bulk.tensor.{rank}d.global.shared::cta"
    code = (load_tile((size + 3) // 4) + f"@%p1 {op}.tile.bulk_group [%d20, {at(coordinates)}], [%r3]; "
            "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ")
    book.add(name, code, words_of(m), [(kind, (size + 3) // 4)], maps=[m], begin=begin, **unaligned(m, coordinates))


SHAPES = {1: ((80,), (48,)), 2: ((40, 12), (32, 6)), 3: ((20, 6, 5), (16, 4, 3)), 4: ((20, 5, 4, 3), (16, 2, 3, 2)),
          5: ((20, 4, 3, 3, 3), (16, 2, 2, 2, 2))}


def copies_through_maps(book):
    for rank, (extent, box) in SHAPES.items():
        places = {"inside": [e // 8 for e in extent], "beyond": [e - b // 2 for e, b in zip(extent, box)], "before": [-1 - b // 3 for b in box]}
        for where, c in places.items():
            load(book, f"tensor {rank}d load {where}", tensor("u32", extent, box), c)
            store(book, f"tensor {rank}d store {where}", tensor("u32", extent, box, of="out"), c, begin="ones")
        store(book, f"tensor {rank}d add", tensor("u32", extent, box, of="out"), places["beyond"], "add")
    load(book, "tensor 2d load outside", tensor("u32", (40, 12), (32, 6)), (100, -50))
    load(book, "tensor 3d load outside in one dimension", tensor("u32", (20, 6, 5), (16, 4, 3)), (0, 0, 7))
    for kind in TYPES:
        inputs = {"f16": "f16x2", "bf16": "bf16x2", "f64": "f64"}.get(kind, "f32" if "32" in kind and kind[0] in "ft" else "index")
        size = TYPES[kind][1]
        refused = {"refused": "which flush subnormal numbers"} if kind.endswith("ftz") else {}
        load(book, f"tensor load of {kind}", tensor(kind, (128 // size, 9), (64 // size, 7)), (48 // size, 4), inputs, **refused)
        if kind[0] in "ftb":
            load(book, f"tensor load of {kind} with NaN outside", tensor(kind, (128 // size, 9), (64 // size, 7), nan=True), (96 // size, 4), inputs, **refused)
    for mode, span in ((1, 32), (2, 64), (3, 128)):
        load(book, f"tensor load swizzled by {span}", tensor("u16", (128, 24), (span // 2, 17), swizzle=mode), (8, 3))
        load(book, f"tensor load 3d swizzled by {span}", tensor("u8", (256, 5, 5), (span, 3, 3), swizzle=mode), (240, 1, 3))
        load(book, f"tensor load of half a swizzle of {span}", tensor("u16", (128, 24), (span // 4, 16), swizzle=mode), (8, 3), shown=span * 4, refused="fewer than the swizzle's")
        store(book, f"tensor store swizzled by {span}", tensor("u16", (128, 24), (span // 2, 17), of="out", swizzle=mode), (72, 10), begin="ones")
    load(book, "tensor load with element strides", tensor("u32", (64, 32), (32, 15), strides=(1, 4)), (4, 3))
    load(book, "tensor load with an inner element stride", tensor("u32", (64, 32), (32, 4), strides=(2, 1)), (4, 3), shown=128)
    load(book, "tensor 3d load with element strides", tensor("u32", (32, 12, 12), (16, 7, 8), strides=(1, 2, 3)), (4, -1, 6))
    store(book, "tensor store with element strides", tensor("u32", (64, 32), (32, 15), of="out", strides=(1, 4)), (4, 3), begin="ones")
    load(book, "tensor load with a pitch", tensor("u32", (12, 16), (12, 8), pitch=64), (0, 5))
    for op, kinds in {"add": ("u32", "s32", "u64", "f16", "bf16", "f32"), "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
                      "max": ("u32", "s32", "u64", "s64", "f16", "bf16"), "inc": ("u32",), "dec": ("u32",), "and": ("u32", "u64"), "or": ("u32", "u64"),
                      "xor": ("u32", "u64")}.items():
        for kind in kinds:
            inputs = {"f16": "f16x2", "bf16": "bf16x2", "f32": "f32"}.get(kind, "int")
            size = TYPES[kind][1]
            store(book, f"tensor {op} of {kind}", tensor(kind, (64 // size, 8), (64 // size, 6), of="out"), (32 // size, 4), op, inputs, inputs)
    for swizzle in (0, 3):
        m = tensor("u16", (128, 40), (64, 8), swizzle=swizzle)
        code = (make_barriers(cluster=True) + fill(512) + CLUSTER_MEET + expect(2048) + "shl.b32 %r20, %r1, 3; shl.b32 %r21, %r1, 10; add.u32 %r21, %r3, %r21; "
                "mov.u16 %h1, 3; @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                "[%r21], [%d20, {32, %r20}], [%r4], %h1; " + wait() + dump(512, by_block=True) + CLUSTER_MEET)
        book.add(f"tensor load for two blocks{' swizzled' if swizzle else ''}", code, 1024, [("index", words_of(m))], blocks=2, cluster=2, maps=[m])
    m = tensor("u32", (64, 8), (32, 4))
    book.add("tensor prefetch", "@%p1 prefetch.tensormap [%d20]; @%p1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%d20, {8, 2}]; "
             "@%p1 cp.async.bulk.prefetch.L2.global [%d30], 64; @%p1 st.global.b32 [%d31], %r8; ", 1, [("index", 512)], maps=[m])
    code = (make_barriers() + fill(128) + "createpolicy.fractional.L2::evict_last.b64 %d1, 0f3F800000; createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %d2, 0f3F000000; "
            "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %d3, [%d30], 1024, 4096; " + expect(512) +
            "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%r3], [%d20, {8, 2}], [%r4], %d1; " + wait() + dump(128) +
            "ld.global.L2::cache_hint.b32 %r20, [%d30+8], %d2; ld.global.L2::cache_hint.b32 %r21, [%d30+12], %d3; add.u32 %r20, %r20, %r21; @%p1 st.global.b32 [%d31], %r20; ")
    book.add("cache policies", code, 128, [("index", 512)], maps=[m])


def plain_copies(book):
    book.add("bulk load", make_barriers() + fill(96) + expect(320) +
             "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d30], 256, [%r4]; "
             "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+288], [%d30+512], 64, [%r4]; " + wait() + dump(96), 96, [("index", 256)])
    book.add("bulk store", load_tile(96) + "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d31+64], [%r3+32], 256; cp.async.bulk.commit_group; "
             "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d31+336], [%r3], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1; cp.async.bulk.wait_group 0; ",
             96, [("index", 96)], begin="ones")
    far = "xor.b32 %r20, %r1, 1; mapa.shared::cluster.u32 %r21, %r3, %r20; mapa.shared::cluster.u32 %r22, %r4, %r20; "
    own = "mad.lo.u32 %r23, %r2, 64, %r0; st.shared.b32 [%r25+2048], %r23; "
    begin = make_barriers(cluster=True) + fill(64) + "shl.b32 %r24, %r0, 2; add.u32 %r25, %r3, %r24; " + own + "fence.proxy.async.shared::cta; " + CLUSTER_MEET + far
    book.add("bulk copy to a neighbour", begin + expect(128) + "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r21+64], [%r3+2048], 128, [%r22]; " +
             wait() + dump(64, by_block=True) + CLUSTER_MEET, 128, blocks=2, cluster=2, threads=64)
    book.add("bulk load for four blocks", make_barriers(cluster=True) + fill(64) + CLUSTER_MEET + expect(192) + "mov.u16 %h1, 13; mov.u16 %h2, 11; setp.eq.u32 %p2, %r1, 1; "
             "setp.eq.u32 %p3, %r1, 2; @!%p1 bra NONE; @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3], [%d30], 64, [%r4], %h1; "
             "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r3+64], [%d30+64], 128, [%r4], %h2; "
             "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d30+64], 64, [%r4]; "
             "@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3+64], [%d30+256], 128, [%r4]; NONE: " + wait() + dump(64, by_block=True) + CLUSTER_MEET, 256, [("index", 128)], blocks=4, cluster=4)
    for op, kinds in {"add": ("u32", "s32", "u64", "f32", "f64", "noftz.f16", "noftz.bf16"), "min": ("u32", "s32", "u64", "s64", "f16", "bf16"),
                      "max": ("u32", "s32", "u64", "s64", "f16", "bf16"), "inc": ("u32",), "dec": ("u32",), "and": ("b32", "b64"), "or": ("b32", "b64"),
                      "xor": ("b32", "b64")}.items():
        for kind in kinds:
            inputs = {"f16": "f16x2", "bf16": "bf16x2", "f32": "f32", "f64": "f64"}.get(kind.split(".")[-1], "int")
            book.add(f"bulk {op} of {kind}", load_tile(64) + f"@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.{op}.{kind} [%d31], [%r3], 256; "
                     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ", 64, [(inputs, 64)], begin=inputs)
    for op, kinds in {"add": ("u32", "s32", "u64"), "min": ("u32", "s32"), "max": ("u32", "s32"), "inc": ("u32",), "dec": ("u32",), "and": ("b32",), "or": ("b32",), "xor": ("b32",)}.items():
        for kind in kinds:
            code = (make_barriers(cluster=True) + load_tile(64) + each_of_second_half() + CLUSTER_MEET + far + expect(128) +
                    f"@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op}.{kind} [%r21], [%r3+256], 128, [%r22]; " +
                    wait() + dump(64, by_block=True) + CLUSTER_MEET)
            book.add(f"bulk {op} of {kind} at a neighbour", code, 128, [("int", 128)], blocks=2, cluster=2, threads=64)


def each_of_second_half():
    """Words 64 to 127 of the tile: the other words of the input, of the second block times 3."""
    return ("shl.b32 %r24, %r0, 2; add.u32 %r25, %r3, %r24; cvt.u64.u32 %d1, %r24; add.s64 %d1, %d30, %d1; ld.global.b32 %r26, [%d1+256]; "
            "mad.lo.u32 %r26, %r26, %r2, %r26; mad.lo.u32 %r26, %r26, %r2, %r26; st.shared.b32 [%r25+256], %r26; fence.proxy.async.shared::cta; ")


def bulk(book):
    copies_through_maps(book)
    plain_copies(book)
