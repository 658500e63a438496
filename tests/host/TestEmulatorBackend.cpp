// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/CudaErrors.h"
#include "gpu/host/backend/EmulatorBackend.h"
#include "tests/TestRegistry.h"

#include <QtTest>

namespace kernelarium::test {

using namespace host;

class TestEmulatorBackend : public QObject {
    Q_OBJECT

private slots:
    /// As many blocks as the panels' occupancy says: 16 of 96 threads with 40 registers on a multiprocessor.
    void cooperativeLaunchesFitAsOccupancySays() {
        emulator::DeviceMemory memory(1 << 20);
        const auto program = emulator::Program::load(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n", memory);
        QVERIFY(program.ok());
        const verify::RunRequest request;
        const emulator::RunOptions options;
        const EmulatorBackend::Assembled assembled{{"k", {40, 0}}};
        EmulatorBackend backend(**program, request, options, assembled);
        KernelLaunch launch;
        launch.kernel = "k";
        launch.block = {96, 1, 1};
        launch.cooperative = true;
        launch.grid = {16 * options.limits.multiprocessors, 1, 1};
        QCOMPARE(backend.launch(launch).end, emulator::LaunchEnd::finished);
        launch.grid = {16 * options.limits.multiprocessors + 1, 1, 1};
        const KernelReport refused = backend.launch(launch);
        QCOMPARE(refused.end, emulator::LaunchEnd::refused);
        QCOMPARE(refused.cudaError, int(cudaErrorCooperativeLaunchTooLarge));
    }
    /// One module in several memories, whatever lies there already.
    void modulesArePlacedManyTimes() {
        const auto module = emulator::Module::parse(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 4 .u32 counter = 7;\n"
            ".visible .entry k() { .reg .b32 %r<3>; ld.global.u32 %r1, [counter]; add.s32 %r2, %r1, 1;\n"
            "st.global.u32 [counter], %r2; ret; }\n");
        QVERIFY(module.ok());
        emulator::DeviceMemory first(1 << 20), second(1 << 20), third(1 << 20);
        QVERIFY(third.allocate(4096, "what was there before", {}).ok());
        const auto a = emulator::Program::place(*module, first), b = emulator::Program::place(*module, second);
        QVERIFY(a.ok() && b.ok());
        QCOMPARE(&(*a)->code(), &(*b)->code()); // decoded once
        const auto c = emulator::Program::place(*module, third);
        QVERIFY(c.ok());
        QVERIFY((*c)->symbols()[0].address != (*a)->symbols()[0].address);
        const auto counterAfter = [](const emulator::Program& program, int launches) {
            const verify::RunRequest request;
            const emulator::RunOptions options;
            const EmulatorBackend::Assembled assembled;
            EmulatorBackend backend(program, request, options, assembled);
            KernelLaunch launch;
            launch.kernel = "k";
            for (int i = 0; i < launches; ++i)
                if (const KernelReport report = backend.launch(launch); !report.faults.empty()) return -1;
            int value = 0;
            (void)program.memory().read(program.symbols()[0].address, std::as_writable_bytes(std::span(&value, 1)));
            return value;
        };
        QCOMPARE(counterAfter(**a, 2), 9);
        QCOMPARE(counterAfter(**c, 3), 10);
        QCOMPARE(counterAfter(**b, 1), 8);
    }
};

KERNELARIUM_TEST(TestEmulatorBackend);

} // namespace kernelarium::test

#include "TestEmulatorBackend.moc"
