// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulator/PtxProgram.h"
#include "tests/emulator/TestRegistry.h"

#include <QTest>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

/// out[linear thread] = its three thread and block indices, packed: checks what each special register holds.
constexpr const char* indices = R"(
.visible .entry where(.param .u64 out)
{
  .reg .b32 %r<20>; .reg .b64 %rd<6>;
  .loc 1 3 0
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
  mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ctaid.z;
  mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y; mov.u32 %r9, %ntid.z;
  mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y;
  mad.lo.u32 %r12, %r6, %r11, %r5;
  mad.lo.u32 %r12, %r12, %r10, %r4;
  mad.lo.u32 %r12, %r12, %r9, %r3;
  mad.lo.u32 %r12, %r12, %r8, %r2;
  mad.lo.u32 %r12, %r12, %r7, %r1;
  shl.b32 %r13, %r6, 4; or.b32 %r13, %r13, %r5;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r4;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r3;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r2;
  shl.b32 %r13, %r13, 4; or.b32 %r13, %r13, %r1;
  mul.wide.u32 %rd2, %r12, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r13;
  ret;
})";

} // namespace

class TestLaunch : public QObject {
    Q_OBJECT
private slots:
    void threeDimensionsIndexRight();
};

void TestLaunch::threeDimensionsIndexRight() {
    PtxProgram p(indices);
    const Dim3 grid{2, 3, 2}, block{5, 3, 4};
    const std::size_t total = 2 * 3 * 2 * 5 * 3 * 4;
    const std::uint64_t out = p.uninitialised(total * 4);
    p.run("where", grid, block, out);
    const auto got = p.read<std::uint32_t>(out, total);
    std::size_t k = 0;
    for (std::uint32_t bz = 0; bz < 2; ++bz)
        for (std::uint32_t by = 0; by < 3; ++by)
            for (std::uint32_t bx = 0; bx < 2; ++bx)
                for (std::uint32_t z = 0; z < 4; ++z)
                    for (std::uint32_t y = 0; y < 3; ++y)
                        for (std::uint32_t x = 0; x < 5; ++x)
                            QCOMPARE(got[k++], bz << 20 | by << 16 | bx << 12 | z << 8 | y << 4 | x);
}

namespace {
const Registered<TestLaunch> registered;
}

#include "TestLaunch.moc"
