// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/frame/Actions.h"
#include "ui/occupancy/OccupancyPage.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/tour/Keys.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QtTest>

namespace kernelarium::ui {

namespace {

using perf::BlockNeed;

OccupancyPage& occupancyOf(Room& room) {
    return *room.window->findChild<OccupancyPage*>();
}

/// One kernel with shared memory of both kinds, called with 5000 numbers.
constexpr const char* stagedKernel = R"(#include <torch/extension.h>
__global__ void staged(const float* a, float* c, int n) {
    __shared__ float fixed[256];
    extern __shared__ float more[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    fixed[threadIdx.x] = i < n ? a[i] : 0.f;
    more[threadIdx.x] = fixed[threadIdx.x];
    __syncthreads();
    if (i < n) c[i] = more[threadIdx.x ^ 1] + fixed[threadIdx.x];
}
torch::Tensor forward(torch::Tensor a) {
    auto c = torch::empty_like(a);
    const int n = a.numel();
    staged<<<(n + 255) / 256, 256, 40000>>>(a.data_ptr<float>(), c.data_ptr<float>(), n);
    return c;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
)";

Kernel staged(const char* text) {
    Kernel kernel;
    kernel.key = QStringLiteral("new:staged");
    kernel.title = QStringLiteral("staged");
    kernel.origin = Kernel::Origin::fresh;
    kernel.original = QString::fromUtf8(text);
    kernel.arguments = {QStringLiteral("float32[5000]")};
    return kernel;
}

} // namespace

class TestOccupancyPage : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// By its key, with nothing on the bench: a calculator that says how to see more.
    void anEmptyBenchHasNumbersToTry() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_Y, Qt::AltModifier);
        OccupancyPage& page = occupancyOf(room);
        QVERIFY(page.isVisible());
        WAIT_VERIFY(page.field(BlockNeed::threads).hasFocus());
        QVERIFY2(page.hint().contains(QStringLiteral("numbers to try")), qPrintable(page.hint()));
        page.architectures().setCurrentText(QStringLiteral("sm_86"));
        page.field(BlockNeed::threads).setValue(1024);
        page.field(BlockNeed::registers).setValue(32);
        QVERIFY2(page.headline().contains(QStringLiteral("1 block resident on a multiprocessor of sm_86")),
                 qPrintable(page.headline()));
        QVERIFY(page.table().item(0, 4)->text().startsWith(QStringLiteral("768 instead of 1,024: 2 blocks")));
        page.field(BlockNeed::registers).setValue(255);
        QVERIFY2(page.headline().startsWith(QStringLiteral("No block fits")), qPrintable(page.headline()));
        QVERIFY(page.nextButton().isVisible());
        page.nextButton().click();
        WAIT_VERIFY(room.window->archive().isAncestorOf(QApplication::focusWidget()));
    }

    /// The compiler's registers at once, the launches' geometry when they were counted, and the numbers that are tried.
    void itFollowsTheBench() {
        Room room;
        QVERIFY(room.start());
        room.workspace->bench().openText(staged(stagedKernel));
        QVERIFY(room.waitUntilCompiled());
        room.press(Qt::Key_Y, Qt::AltModifier);
        OccupancyPage& page = occupancyOf(room);
        WAIT_VERIFY(page.kernels().isEnabled() && page.kernels().currentText() == QStringLiteral("staged"));
        QCOMPARE(page.block().own.threads, 0u);
        const std::uint32_t registers = page.block().own.registers;
        QVERIFY(registers > 0);
        QCOMPARE(page.block().own.sharedBytes, 1024u);
        QVERIFY2(page.hint().contains(QStringLiteral("count")), qPrintable(page.hint()));
        page.nextButton().click();
        WAIT_VERIFY(page.block().own.threads == 256);
        QCOMPARE(page.block().own.sharedBytes, 41024u);
        QVERIFY2(page.subline().contains(QStringLiteral("One launch of 20 × 1 × 1 blocks")) &&
                     page.subline().contains(QStringLiteral("waves on NVIDIA H200")),
                 qPrintable(page.subline()));
        QVERIFY(page.hint().isEmpty() && !page.nextButton().isVisible());
        QVERIFY2(page.headline().startsWith(QStringLiteral("5 blocks resident on a multiprocessor of sm_90")) &&
                     page.headline().endsWith(QStringLiteral("limited by shared memory")),
                 qPrintable(page.headline()));
        // What if: by the field, and by a step of the curve.
        page.field(BlockNeed::sharedBytes).setFocus();
        page.field(BlockNeed::sharedBytes).setValue(1024);
        QVERIFY2(page.headline().startsWith(QStringLiteral("8 blocks")), qPrintable(page.headline()));
        QCOMPARE(page.block().own.sharedBytes, 41024u);
        ChartCanvas& curve = page.chart(BlockNeed::registers).plot();
        curve.setFocus();
        pressKey(curve, Qt::Key_End);
        pressKey(curve, Qt::Key_Return);
        QCOMPARE(page.field(BlockNeed::registers).value(), 255);
        QVERIFY(page.headline().contains(QStringLiteral("limited by registers")));
        room.keepPicture(QStringLiteral("occupancy-tried"));
        page.resetButton().click();
        QCOMPARE(page.field(BlockNeed::registers).value(), int(registers));
        QCOMPARE(page.block().tried.sharedBytes, 41024u);
        room.keepPicture(QStringLiteral("occupancy-light"));
        // Another architecture: its limits, and whose registers they are.
        page.architectures().setCurrentText(QStringLiteral("sm_86"));
        QVERIFY2(page.headline().startsWith(QStringLiteral("2 blocks")), qPrintable(page.headline()));
        QVERIFY(page.subline().contains(QStringLiteral("registers are those of sm_90")));
        page.resetButton().click();
        // An edit is followed; its launches are still those of the text before.
        QString text = room.workspace->bench().source();
        text.replace(QStringLiteral("float fixed[256]"), QStringLiteral("float fixed[4096]"));
        room.workspace->bench().replaceSource(text);
        WAIT_VERIFY(page.block().own.sharedBytes == 56384);
        QVERIFY2(page.subline().contains(QStringLiteral("as an earlier text launched it")), qPrintable(page.subline()));
        // One that does not compile says where to look.
        room.workspace->bench().replaceSource(text + QStringLiteral("\nnonsense\n"));
        WAIT_VERIFY(page.hint().contains(QStringLiteral("Diagnostics")));
        QVERIFY(!page.kernels().isEnabled());
    }

    void itIsReadableInTheDarkAndNarrow() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 36, "naive"));
        QVERIFY(room.waitUntilCompiled());
        room.press(Qt::Key_Y, Qt::AltModifier);
        OccupancyPage& page = occupancyOf(room);
        WAIT_VERIFY(page.kernels().isEnabled());
        room.keepPicture(QStringLiteral("occupancy-dark"));
        const QSize before = room.window->size();
        room.window->resize(1024, 700);
        QTest::qWait(50);
        room.keepPicture(QStringLiteral("occupancy-narrow"));
        QVERIFY(page.chart(BlockNeed::threads).width() >= 200);
        room.window->resize(before);
        for (const BlockNeed need : perf::blockNeeds)
            QVERIFY(!page.field(need).accessibleName().isEmpty() &&
                    !page.chart(need).canvas().accessibleName().isEmpty());
    }
};

KERNELARIUM_TEST(TestOccupancyPage);

} // namespace kernelarium::ui

#include "TestOccupancyPage.moc"
