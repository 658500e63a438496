# SPDX-License-Identifier: GPL-3.0-or-later
"""Probes of mbarriers, clusters and the small instructions of Hopper (make_hopper_probes.py)."""
from probe_parts import CLUSTER_MEET, give, label, make_barriers


def phases(book):
    def sequence(name, steps, arrivals, threads=32):
        """Thread 0 goes through the steps; after each the output has whether phase 0 and phase 1 are over."""
        code, word = f"@%p1 mbarrier.init.shared::cta.b64 [%r4], {arrivals}; bar.sync 0; @!%p1 bra END; ", 0
        for step in steps:
            code += step + "; "
            for parity in (0, 1):
                code += (f"mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r4], {parity}; selp.b32 %r20, 1, 0, %p2; "
                         f"st.global.b32 [%d31+{4 * word}], %r20; ")
                word += 1
        book.add(name, code + "END: ", word, threads=threads)

    arrive = "mbarrier.arrive.shared::cta.b64 %d1, [%r4]"
    many = "mbarrier.arrive.shared::cta.b64 %d1, [%r4], {}"
    sequence("mbarrier arrivals", [arrive] * 8, 3)
    sequence("mbarrier arrivals with counts", [many.format(c) for c in (2, 3, 4, 1, 5, 5)], 5)
    sequence("mbarrier bytes", ["mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 64", arrive, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16",
                                "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 48", "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 1024",
                                "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 1000", "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 24"], 1)
    sequence("mbarrier bytes before their expectation", ["mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 64", "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 96",
                                                         arrive, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 32", arrive], 1)
    sequence("mbarrier drops", ["mbarrier.arrive_drop.shared::cta.b64 %d1, [%r4]", arrive, arrive, arrive, arrive, "mbarrier.arrive_drop.shared::cta.b64 %d1, [%r4]", arrive, arrive, arrive], 3)
    sequence("mbarrier drops expecting", ["mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d1, [%r4], 16", arrive, "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16", arrive, arrive], 2)
    sequence("mbarrier arrivals that end no phase", ["mbarrier.arrive.noComplete.shared::cta.b64 %d1, [%r4], 2", "mbarrier.arrive.noComplete.shared::cta.b64 %d1, [%r4], 1", arrive, arrive], 4)
    sequence("mbarrier made again", [arrive, "mbarrier.inval.shared::cta.b64 [%r4]; mbarrier.init.shared::cta.b64 [%r4], 2", arrive, arrive], 1)
    code = "@%p1 mbarrier.init.shared::cta.b64 [%r4], 3; bar.sync 0; @!%p1 bra END; "
    for k in range(7):
        code += (f"mbarrier.arrive.shared::cta.b64 %d1, [%r4]; mbarrier.pending_count.b64 %r20, %d1; st.global.b32 [%d31+{8 * k}], %r20; "
                 f"mbarrier.test_wait.shared::cta.b64 %p2, [%r4], %d1; selp.b32 %r21, 1, 0, %p2; st.global.b32 [%d31+{8 * k + 4}], %r21; ")
    book.add("mbarrier states", code + "END: ", 14, threads=32)
    far = "xor.b32 %r20, %r1, 1; mapa.shared::cluster.u32 %r22, %r4, %r20; "
    arrival = "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r22]; "
    two = "@%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r22], 2; "
    expected = "@%p1 mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%r22], 32; "
    complete = "@%p1 mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r22], 32; "
    drop = "@%p1 mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r22]; "
    expecting = "@%p1 mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r22], 32; "
    for name, arrivals, rounds in (("arrive", 2, (arrival,) * 3), ("arrive with a count", 2, (two,) * 3), ("bytes", 2, (expected + two + complete,) * 3),
                                   ("drop", 3, (drop + arrival, arrival, arrival)), ("expecting", 2, (expecting, arrival, complete))):
        code = make_barriers(arrivals=arrivals, cluster=True) + far
        for k, line in enumerate(rounds):
            code += line + CLUSTER_MEET
            for parity in (0, 1):
                code += f"mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 %p2, [%r4], {parity}; selp.b32 %r{30 + 2 * k + parity}, 1, 0, %p2; "
            code += CLUSTER_MEET
        code += "@!%p1 bra END; shl.b32 %r24, %r2, 5; cvt.u64.u32 %d2, %r24; add.s64 %d2, %d31, %d2; st.global.v4.b32 [%d2], {%r30, %r31, %r32, %r33}; st.global.v2.b32 [%d2+16], {%r34, %r35}; END: " + CLUSTER_MEET
        book.add(f"mbarrier of a neighbour: {name}", code, 16, blocks=2, cluster=2, threads=64)
    for how in ("", ".noinc"):
        again, over = label(), label()
        code = ("@%p1 mbarrier.init.shared::cta.b64 [%r4], 64; bar.sync 0; shl.b32 %r20, %r0, 2; add.u32 %r21, %r3, %r20; cvt.u64.u32 %d1, %r20; add.s64 %d1, %d30, %d1; "
                f"cp.async.ca.shared.global [%r21], [%d1], 4; cp.async.mbarrier.arrive{how}.shared::cta.b64 [%r4]; " +
                ("" if how else "mbarrier.arrive.shared::cta.b64 %d2, [%r4]; ") +
                f"mov.u32 %r22, 0; {again}: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4], 0; @%p2 bra {over}; add.u32 %r22, %r22, 1; setp.lt.u32 %p3, %r22, 4000; @%p3 bra {again}; {over}: "
                "xor.b32 %r23, %r20, 252; add.u32 %r23, %r3, %r23; ld.shared.b32 %r24, [%r23]; " + give("%r24", 0))
        book.add(f"cp.async.mbarrier.arrive{how}", code, 64, [("index", 64)], threads=64)


def clusters(book):
    names = ["%cluster_ctaid.x", "%cluster_nctaid.x", "%clusterid.x", "%nclusterid.x", "%cluster_ctarank", "%cluster_nctarank", "%ctaid.x", "%nctaid.x"]
    code = "".join(f"mov.u32 %r{30 + k}, {n}; " for k, n in enumerate(names)) + "mov.pred %p2, %is_explicit_cluster; selp.b32 %r38, 1, 0, %p2; "
    code += "mad.lo.u32 %r20, %r2, 36, 0; cvt.u64.u32 %d1, %r20; add.s64 %d1, %d31, %d1; @!%p1 bra END; " + "".join(f"st.global.b32 [%d1+{4 * k}], %r{30 + k}; " for k in range(9)) + "END: "
    book.add("places in a cluster", code, 72, blocks=8, cluster=4, threads=32)
    book.add("places without a cluster", code, 27, blocks=3, threads=32)
    own = "shl.b32 %r20, %r0, 2; add.u32 %r21, %r3, %r20; mad.lo.u32 %r22, %r2, 1000, %r0; st.shared.b32 [%r21], %r22; st.shared.b32 [%r21+256], %r22; "
    far = "add.u32 %r23, %r1, 1; and.b32 %r23, %r23, 3; mapa.shared::cluster.u32 %r24, %r21, %r23; "
    show = "mad.lo.u32 %r40, %r2, {0}, 0; mad.lo.u32 %r40, %r0, {1}, %r40; cvt.u64.u32 %d1, %r40; add.s64 %d1, %d31, %d1; "
    book.add("loads of a neighbour's memory", own + CLUSTER_MEET + far + "ld.shared::cluster.b32 %r30, [%r24]; cvt.u64.u32 %d5, %r21; cvta.shared.u64 %d5, %d5; mapa.u64 %d6, %d5, %r23; ld.b32 %r31, [%d6]; "
             "getctarank.shared::cluster.u32 %r32, %r24; getctarank.u64 %r33, %d6; isspacep.shared::cluster %p2, %d6; selp.b32 %r34, 1, 0, %p2; isspacep.shared::cta %p3, %d6; selp.b32 %r35, 2, 0, %p3; "
             "add.u32 %r34, %r34, %r35; " + show.format(64 * 20, 20) + "st.global.b32 [%d1], %r30; st.global.b32 [%d1+4], %r31; st.global.b32 [%d1+8], %r32; st.global.b32 [%d1+12], %r33; "
             "st.global.b32 [%d1+16], %r34; " + CLUSTER_MEET, 4 * 64 * 5, blocks=4, cluster=4, threads=64)
    book.add("stores and atomics in a neighbour's memory", own + CLUSTER_MEET + far + "add.u32 %r25, %r22, 7; st.shared::cluster.b32 [%r24], %r25; atom.shared::cluster.add.u32 %r30, [%r24+256], 5; "
             "red.relaxed.cluster.shared::cluster.max.u32 [%r24+256], 1020; " + CLUSTER_MEET + "ld.shared.b32 %r31, [%r21]; ld.shared.b32 %r32, [%r21+256]; " + show.format(64 * 12, 12) +
             "st.global.b32 [%d1], %r30; st.global.b32 [%d1+4], %r31; st.global.b32 [%d1+8], %r32; " + CLUSTER_MEET, 4 * 64 * 3, blocks=4, cluster=4, threads=64)
    tell = make_barriers(cluster=True) + "shl.b32 %r20, %r0, 4; add.u32 %r21, %r3, %r20; mov.b32 %r19, 0; st.shared.v4.b32 [%r21], {%r19, %r19, %r19, %r19}; " + CLUSTER_MEET + \
        "xor.b32 %r23, %r1, 1; mapa.shared::cluster.u32 %r24, %r21, %r23; mapa.shared::cluster.u32 %r25, %r4, %r23; mad.lo.u32 %r22, %r2, 1000, %r0; add.u32 %r18, %r22, 500; "
    for name, line, count in (("st.async.b32", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r24], %r22, [%r25]; ", 128),
                              ("st.async.v4", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r24], {%r22, %r18, %r22, %r0}, [%r25]; ", 512),
                              ("red.async.add", "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r24], %r22, [%r25]; ", 128),
                              ("red.async.max", "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [%r24], %r22, [%r25]; ", 128)):
        again, over = label(), label()
        code = (tell + f"@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], {count}; " + line +
                f"mov.u32 %r300, 0; {again}: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p15, [%r4], 0; @%p15 bra {over}; add.u32 %r300, %r300, 1; setp.lt.u32 %p14, %r300, 4000; @%p14 bra {again}; {over}: "
                "ld.shared.v4.b32 {%r30, %r31, %r32, %r33}, [%r21]; " + show.format(32 * 16, 16) + "st.global.v4.b32 [%d1], {%r30, %r31, %r32, %r33}; " + CLUSTER_MEET)
        book.add(name, code, 2 * 32 * 4, blocks=2, cluster=2, threads=32)


def small(book):
    masks = ("0xffffffff", "0xfffffff0", "0x80000000", "0x00010100")
    code = ""
    for k, mask in enumerate(masks):
        skip = label()
        code += (f"mov.u32 %r20, 99; mov.u32 %r21, 99; mov.u32 %r22, {mask}; shr.u32 %r23, %r22, %r5; and.b32 %r23, %r23, 1; setp.eq.u32 %p2, %r23, 0; @%p2 bra {skip}; "
                 f"elect.sync %r20|%p3, {mask}; selp.b32 %r21, 1, 0, %p3; {skip}: " + give("%r20", 2 * k, 8) + give("%r21", 2 * k + 1, 8))
    book.add("elect.sync", code, 64 * 8, threads=64)
    rows = "shl.b32 %r20, %r0, 4; add.u32 %r21, %r3, %r20; cvt.u64.u32 %d1, %r20; add.s64 %d1, %d30, %d1; ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d1]; "
    clear = "mov.b32 %r30, 0; st.shared.v4.b32 [%r21], {%r30, %r30, %r30, %r30}; bar.sync 0; "
    for count, regs in ((1, "{%r10}"), (2, "{%r10, %r11}"), (4, "{%r10, %r11, %r12, %r13}")):
        for trans in ("", ".trans"):
            book.add(f"stmatrix.x{count}{trans}", rows + clear + f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r21], {regs}; bar.sync 0; "
                     "ld.shared.v4.b32 {%r10, %r11, %r12, %r13}, [%r21]; " + "".join(give(f"%r{10 + k}", k, 4) for k in range(4)), 256, [("int", 256)], threads=64)
            if (count, trans) not in ((4, ""), (4, ".trans")):
                book.add(f"ldmatrix.x{count}{trans}", rows + "st.shared.v4.b32 [%r21], {%r10, %r11, %r12, %r13}; bar.sync 0; mov.b32 %r10, 0; mov.b32 %r11, 0; "
                         f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {regs}, [%r21]; " + give("%r10", 0, 2) + give("%r11", 1, 2), 128, [("int", 256)], threads=64)
    book.add("setmaxnreg", "setp.lt.u32 %p2, %r6, 4; @%p2 bra LESS; setmaxnreg.inc.sync.aligned.u32 216; bra ON; LESS: setmaxnreg.dec.sync.aligned.u32 40; ON: " + give("%r6", 0), 256, threads=256,
             directives=".maxntid 256, 1, 1\n.maxnreg 128")
    book.add("griddepcontrol", "griddepcontrol.wait; griddepcontrol.launch_dependents; " + give("%r6", 0), 64, threads=64)


def cluster(book):
    phases(book)
    clusters(book)
    small(book)
