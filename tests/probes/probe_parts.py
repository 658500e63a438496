# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of PTX that the probes of Hopper's instructions are made of, and how such a probe is described.

The code stands in hopper_frame.ptx: %r0 is the thread, %r1 its block's rank in the cluster, %r2 the block, %r3 and %r4
the addresses of `tile` and of eight mbarriers in shared memory, %r5 the lane, %r6 the warp, %p1 thread 0, %d30 and %d31
the input and the output in global memory, %d20 and %d21 the two tensor maps. Registers from %r300 and %d50 belong to
the pieces below.

A probe has `threads`, `blocks`, `cluster`; `inputs`, a list of kinds and numbers of words ("index" counts from 0);
`out`, the number of words, and `begin`, what they hold before; `maps`, which tensors of `in` or `out` the maps describe
(as cuTensorMapEncodeTiled takes them); `refused`, of what the emulator does not do, words of its refusal. Every bit of the output is compared. No probe waits for ever: what an mbarrier
does not tell within some thousand attempts shows as a wrong result.
"""
import itertools

_labels = itertools.count()


def label():
    return f"L{next(_labels)}"


def start_labels():
    """Labels are counted within a probe, so that one more probe changes no other one's code."""
    global _labels
    _labels = itertools.count()


def make_barriers(count=1, arrivals=1, cluster=False):
    lines = "".join(f"@%p1 mbarrier.init.shared::cta.b64 [%r4+{8 * k}], {arrivals}; " for k in range(count))
    meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; " if cluster else "bar.sync 0; "
    return lines + "@%p1 fence.mbarrier_init.release.cluster; " + meet


def expect(count, at=0):
    return f"@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4+{at}], {count}; "


def wait(parity=0, at=0):
    again, over = label(), label()
    return (f"mov.u32 %r300, 0; {again}: mbarrier.try_wait.parity.shared::cta.b64 %p15, [%r4+{at}], {parity}; "
            f"@%p15 bra {over}; add.u32 %r300, %r300, 1; setp.lt.u32 %p14, %r300, 4000; @%p14 bra {again}; {over}: ")


def each_word(words, body, first="%r0", step="%r8"):
    """body, with %r301 the number of the word and %r302 four times it; threads share the words."""
    again, over = label(), label()
    return (f"mov.u32 %r301, {first}; {again}: setp.ge.u32 %p13, %r301, {words}; @%p13 bra {over}; shl.b32 %r302, %r301, 2; "
            f"{body} add.u32 %r301, %r301, {step}; bra {again}; {over}: ")


def fill(words, value="0xeeeeeeee"):
    """Every word of the tile, then the proxy fence."""
    return each_word(words, f"add.u32 %r303, %r3, %r302; mov.u32 %r304, {value}; st.shared.b32 [%r303], %r304; ") + \
        "fence.proxy.async.shared::cta; bar.sync 0; "


def load_tile(words, first=0):
    """Words of the input, from this one on, to the tile; then the proxy fence."""
    return each_word(words, f"add.u32 %r303, %r3, %r302; cvt.u64.u32 %d50, %r302; add.s64 %d50, %d30, %d50; "
                            f"ld.global.b32 %r304, [%d50+{4 * first}]; st.shared.b32 [%r303], %r304; ") + \
        "fence.proxy.async.shared::cta; bar.sync 0; "


def dump(words, first=0, by_block=False):
    """Words of the tile to the output; with by_block each block to its own part."""
    part = f"mad.lo.u32 %r305, %r2, {4 * words}, %r302; " if by_block else "mov.u32 %r305, %r302; "
    return "bar.sync 0; " + each_word(
        words, f"add.u32 %r303, %r3, %r302; ld.shared.b32 %r304, [%r303]; {part}cvt.u64.u32 %d50, %r305; "
               f"add.s64 %d50, %d31, %d50; st.global.b32 [%d50+{4 * first}], %r304; ")


def give(register, word, stride=1):
    """A thread's register to word `word` + thread * stride of the output."""
    return (f"mad.lo.u32 %r306, %r0, {4 * stride}, {4 * word}; cvt.u64.u32 %d51, %r306; add.s64 %d51, %d31, %d51; "
            f"st.global.b32 [%d51], {register}; ")


def give_all(first, count, word=0):
    """`count` registers of each thread, side by side, to the output from a word on."""
    size = 4 if count % 4 == 0 else 2
    code = f"mad.lo.u32 %r306, %r0, {4 * count}, {4 * word}; cvt.u64.u32 %d51, %r306; add.s64 %d51, %d31, %d51; "
    for k in range(0, count, size):
        code += f"st.global.v{size}.b32 [%d51+{4 * k}], {{{', '.join(f'%r{first + k + i}' for i in range(size))}}}; "
    return code


CLUSTER_MEET = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; "


class Book:
    def __init__(self):
        self.probes = []

    def add(self, name, code, out, inputs=(("index", 0),), **more):
        assert all(p["name"] != name for p in self.probes), name
        self.probes.append({"name": name, **more, "inputs": [list(x) for x in inputs], "out": out, "code": code})
