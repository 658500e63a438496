// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/DeviceSpec.h"
#include "gpu/host/cuda/CublasCalls.h"
#include "gpu/host/cuda/CudaContext.h"
#include "tests/TestRegistry.h"
#include "tests/host/MemoryBackend.h"
#include "tests/host/Raises.h"

#include <QtTest>

namespace kernelarium::test {

using namespace host;

class TestCudaCalls : public QObject {
    Q_OBJECT

private:
    static constexpr std::uint64_t fillKernel = 0x100, tableVariable = 0x200;

    struct Machine {
        MemoryBackend device{1 << 20};
        HostHeap heap{0x10000};
        Marshal marshal{heap};
        RunLog log;
        CudaContext cuda{
            device,
            marshal,
            log,
            {[](std::uint64_t a) { return a == fillKernel ? std::optional<std::string>("fill") : std::nullopt; },
             [](std::uint64_t a) { return a == tableVariable ? std::optional<std::string>("table") : std::nullopt; }}};
        TensorTable table{device, heap, [this](const std::string& reader, const std::string& sentence) {
                              log.add({"uninitialised_read", sentence, reader});
                          }};
        AtenCalls aten{table, {}};
        CublasCalls cublas{cuda, table, aten};

        int call(const std::string& api, PyItems arguments) {
            return callCuda(cuda, ApiArguments(api, std::move(arguments)));
        }
        int blas(const std::string& api, PyItems arguments) {
            return cublas.call(ApiArguments(api, std::move(arguments)));
        }
        std::uint64_t slot() { return *heap.allocate(64, "slot"); }
        template <class T> std::uint64_t onDevice(const std::vector<T>& values) {
            const std::uint64_t address = *device.allocate(values.size() * sizeof(T), "data");
            (void)device.write(address, std::as_bytes(std::span(values)));
            return address;
        }
        template <class T> std::vector<T> fromDevice(std::uint64_t address, std::size_t count) {
            std::vector<T> values(count);
            (void)device.read(address, std::as_writable_bytes(std::span(values)));
            return values;
        }
    };
    static PyValue pointer(std::uint64_t address) { return PointerRef{address}; }

private slots:
    void memoryGoesThereAndBack() {
        Machine m;
        const std::uint64_t out = m.slot(), source = m.marshal.place(std::as_bytes(std::span("abcd", 4)), "source");
        QCOMPARE(m.call("cudaMalloc", {pointer(out), 16}), cudaSuccess);
        const auto device = m.marshal.read<std::uint64_t>(out);
        QVERIFY(m.device.holds(device));
        QCOMPARE(m.call("cudaMemcpy", {pointer(device), pointer(source), 4, 1}), cudaSuccess);
        QCOMPARE(m.call("cudaMemset", {pointer(device + 4), 7, 4}), cudaSuccess);
        QCOMPARE(m.call("cudaMemcpy", {pointer(out), pointer(device), 8, 2}), cudaSuccess);
        QCOMPARE(m.marshal.read<std::uint64_t>(out), 0x0707070764636261ull);
        QCOMPARE(m.call("cudaFree", {pointer(device)}), cudaSuccess);
        QCOMPARE(m.call("cudaFree", {pointer(device)}), cudaErrorInvalidValue);
        QCOMPARE(m.call("cudaFree", {pointer(0)}), cudaSuccess);
    }
    void copyKindsAreTakenAsADriverTakesThem_data() {
        QTest::addColumn<QString>("api");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("expected");
        // Measured on an H200, driver 580: y done, v invalid value, d invalid direction, of the kinds host to host,
        // host to device, device to host, device to device, default.
        const auto row = [](const char* api, const char* to, const char* from, const char* expected) {
            QTest::addRow("%s %s from %s", api, to, from) << api << to << from << expected;
        };
        for (const char* api : {"cudaMemcpy", "cudaMemcpyAsync"}) {
            row(api, "device", "device", "yyyyy");
            row(api, "pageable", "device", "yvyvy");
            row(api, "device", "pageable", "yyvvy");
            row(api, "pageable", "pageable", "yvvvy");
            row(api, "device", "pinned", "yyyyy");
            row(api, "pageable", "pinned", "yvyvy");
        }
        for (const char* api : {"cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"}) {
            row(api, "symbol", "device", "dydyy");
            row(api, "symbol", "pageable", "dydvy");
            row(api, "symbol", "pinned", "dydyy");
        }
        row("cudaMemcpyFromSymbol", "device", "symbol", "ddyyy");
        row("cudaMemcpyFromSymbol", "pageable", "symbol", "ddyvy");
    }
    void copyKindsAreTakenAsADriverTakesThem() {
        QFETCH(QString, api);
        QFETCH(QString, to);
        QFETCH(QString, from);
        QFETCH(QString, expected);
        for (int kind = 0; kind <= 4; ++kind) {
            Machine m;
            const auto place = [&](const QString& where) -> std::uint64_t {
                if (where == "device") return m.onDevice<std::uint64_t>({7});
                if (where == "symbol") {
                    m.device.table = {m.onDevice<std::uint64_t>({7}), 8};
                    return tableVariable;
                }
                const std::uint64_t slot = m.slot();
                if (where == "pinned") {
                    (void)m.call("cudaMallocHost", {pointer(slot), 8});
                    const auto pinned = m.marshal.read<std::uint64_t>(slot);
                    m.marshal.write(pinned, std::uint64_t(7));
                    return pinned;
                }
                m.marshal.write(slot, std::uint64_t(7));
                return slot;
            };
            const std::uint64_t source = place(from), target = place(to);
            PyItems arguments = {pointer(target), pointer(source), 8};
            if (api.contains("Symbol")) arguments.push_back(std::int64_t(0)); // the offset
            arguments.push_back(std::int64_t(kind));
            if (api.endsWith("Async")) arguments.push_back(pointer(0));
            const int status = m.call(api.toStdString(), arguments);
            const char wanted = expected[kind].toLatin1();
            const int code = wanted == 'y'   ? cudaSuccess
                             : wanted == 'v' ? cudaErrorInvalidValue
                                             : cudaErrorInvalidMemcpyDirection;
            QVERIFY2(status == code, qPrintable(QStringLiteral("kind %1 gives %2").arg(kind).arg(status)));
            const auto isDevice = [](const QString& where) { return where == "device" || where == "symbol"; };
            const bool fits =
                kind == 4 || (isDevice(to) == (kind == 1 || kind == 3) && isDevice(from) == (kind == 2 || kind == 3));
            QCOMPARE(m.log.copyKinds.size(), std::size_t(status == cudaSuccess && !fits));
        }
    }
    void pinnedMemoryIsKnownWhileItLasts() {
        Machine m;
        const std::uint64_t slot = m.slot(), heap = m.slot();
        QCOMPARE(m.call("cudaHostRegister", {pointer(heap), 64, 0}), cudaSuccess);
        QCOMPARE(m.call("cudaHostRegister", {pointer(heap + 8), 8, 0}), cudaErrorHostMemoryAlreadyRegistered);
        QCOMPARE(m.call("cudaHostUnregister", {pointer(heap)}), cudaSuccess);
        QCOMPARE(m.call("cudaHostUnregister", {pointer(heap)}), cudaErrorHostMemoryNotRegistered);
        QCOMPARE(m.call("cudaMallocHost", {pointer(slot), 8}), cudaSuccess);
        const auto pinned = m.marshal.read<std::uint64_t>(slot);
        QCOMPARE(m.call("cudaFreeHost", {pointer(pinned)}), cudaSuccess);
        QCOMPARE(m.call("cudaFreeHost", {pointer(pinned)}), cudaErrorInvalidValue);
        QCOMPARE(m.call("cudaFreeHost", {pointer(0)}), cudaSuccess);
    }
    void wrongDirectionsAndBoundsAreErrors() {
        Machine m;
        const std::uint64_t device = m.onDevice<int>({1, 2}), host = m.slot();
        QCOMPARE(m.call("cudaMemcpy", {pointer(host), pointer(device), 4, 9}), cudaErrorInvalidMemcpyDirection);
        QCOMPARE(m.call("cudaMemcpy", {pointer(host), pointer(device), 64, 2}), cudaErrorInvalidValue);
        QCOMPARE(m.log.faults.size(), std::size_t(1));
        QCOMPARE(m.log.faults[0].kind, std::string("out_of_bounds"));
        QCOMPARE(m.call("cudaMalloc", {pointer(host), std::int64_t(1) << 40}), cudaErrorMemoryAllocation);
        QVERIFY(raisedBy([&] {
                    m.call("cudaMemcpy", {pointer(device), pointer(0x99), 4, 1});
                }).starts_with("stopped: segmentation fault"));
    }
    void copyingWhatNobodyWroteIsAFault() {
        Machine m;
        const std::uint64_t device = *m.device.allocate(8, "fresh");
        QCOMPARE(m.call("cudaMemcpy", {pointer(m.slot()), pointer(device), 8, 2}), cudaSuccess);
        QCOMPARE(m.log.faults.at(0).kind, std::string("uninitialised_read"));
    }
    void symbolsAreFoundByTheirAddress() {
        Machine m;
        m.device.table = {m.onDevice<int>({0, 0, 0, 0}), 16};
        const std::uint64_t source = m.marshal.place(std::as_bytes(std::span("\1\0\0\0\2\0\0\0", 8)), "source");
        QCOMPARE(m.call("cudaMemcpyToSymbol", {pointer(tableVariable), pointer(source), 8, 4, 1}), cudaSuccess);
        QCOMPARE(m.fromDevice<int>(m.device.table.address, 4), (std::vector<int>{0, 1, 2, 0}));
        QCOMPARE(m.call("cudaMemcpyToSymbol", {pointer(tableVariable), pointer(source), 8, 12, 1}),
                 cudaErrorInvalidValue);
        QCOMPARE(m.call("cudaMemcpyToSymbol", {pointer(0x300), pointer(source), 8, 0, 1}), cudaErrorInvalidSymbol);
    }
    void errorsAreKeptUntilAskedFor() {
        Machine m;
        QCOMPARE(m.call("cudaSetDevice", {3}), cudaErrorInvalidDevice);
        QCOMPARE(m.call("cudaDeviceSynchronize", {}), cudaSuccess);
        QCOMPARE(m.call("cudaPeekAtLastError", {}), cudaErrorInvalidDevice);
        QCOMPARE(m.call("cudaGetLastError", {}), cudaErrorInvalidDevice);
        QCOMPARE(m.call("cudaGetLastError", {}), cudaSuccess);
        QCOMPARE(std::string(cudaErrorName(101)), std::string("cudaErrorInvalidDevice"));
        QCOMPARE(std::string(cudaErrorText(101)), std::string("invalid device ordinal"));
        QCOMPARE(std::string(cudaErrorText(555)), std::string("unrecognized error code"));
    }
    void launchesRunInOrderAndAreRecorded() {
        Machine m;
        const std::uint64_t data = m.onDevice<int>({0, 0, 0, 0});
        KernelLaunch launch{"fill", {1, 1, 1}, {4, 1, 1}, 0, 0, false, {}, 0, 0, {}, std::vector<std::byte>(12)};
        std::memcpy(launch.parameters.data(), &data, 8);
        launch.parameters[8] = std::byte(5);
        QCOMPARE(launchKernel(m.cuda, launch), cudaSuccess);
        QCOMPARE(m.fromDevice<int>(data, 4), (std::vector<int>{5, 5, 5, 5}));
        QCOMPARE(m.log.launches.size(), std::size_t(1));
        QCOMPARE(m.log.launches[0].kernel, std::string("fill"));
    }
    void launchesByPointerGatherTheirParameters() {
        Machine m;
        const std::uint64_t data = m.onDevice<int>({0, 0});
        const std::uint64_t first = m.slot(), second = m.slot(), list = m.slot();
        m.marshal.write(first, data);
        m.marshal.write(second, 9);
        m.marshal.write(list, first);
        m.marshal.write(list + 8, second);
        QCOMPARE(m.call("cudaLaunchKernel", {pointer(fillKernel), 1, 1, 1, 2, 1, 1, pointer(list), 0, pointer(0)}),
                 cudaSuccess);
        QCOMPARE(m.fromDevice<int>(data, 2), (std::vector<int>{9, 9}));
        QCOMPARE(m.call("cudaLaunchKernel", {pointer(0x999), 1, 1, 1, 2, 1, 1, pointer(list), 0, pointer(0)}),
                 cudaErrorInvalidDeviceFunction);
    }
    void refusedLaunchesLeaveAnErrorAndAreRemembered() {
        Machine m;
        const KernelLaunch launch{
            "fill", {1, 1, 1}, {2048, 1, 1}, 0, 0, false, {}, 0, 0, {}, std::vector<std::byte>(12)};
        QCOMPARE(launchKernel(m.cuda, launch), cudaErrorInvalidConfiguration);
        QVERIFY(m.log.launches.empty());
        QVERIFY(m.cuda.unreadRefusal.find("invalid configuration argument") != std::string::npos);
        QCOMPARE(m.call("cudaGetLastError", {}), cudaErrorInvalidConfiguration);
        QVERIFY(m.cuda.unreadRefusal.empty());
        QVERIFY(!m.cuda.firstRefusal.empty());
    }
    void lostContextsStayLost() {
        Machine m;
        m.device.next.end = emulator::LaunchEnd::trapped;
        m.device.next.cudaError = cudaErrorIllegalAddress;
        m.device.next.reason = "an illegal memory access was encountered";
        const KernelLaunch launch{"fill", {1, 1, 1}, {1, 1, 1}, 0, 0, false, {}, 0, 0, {}, std::vector<std::byte>(12)};
        QCOMPARE(launchKernel(m.cuda, launch), cudaSuccess);
        QCOMPARE(m.call("cudaDeviceSynchronize", {}), cudaErrorIllegalAddress);
        QCOMPARE(m.call("cudaGetLastError", {}), cudaErrorIllegalAddress);
        QCOMPARE(m.call("cudaGetLastError", {}), cudaErrorIllegalAddress);
        QCOMPARE(m.call("cudaMalloc", {pointer(m.slot()), 4}), cudaErrorIllegalAddress);
    }
    void streamsAndEventsAreCheckedAndTimesAreRemarked() {
        Machine m;
        const std::uint64_t a = m.slot(), b = m.slot(), s = m.slot(), ms = m.slot();
        QCOMPARE(m.call("cudaStreamCreate", {pointer(s)}), cudaSuccess);
        const auto stream = m.marshal.read<std::uint64_t>(s);
        m.call("cudaEventCreate", {pointer(a)});
        m.call("cudaEventCreate", {pointer(b)});
        const auto first = m.marshal.read<std::uint64_t>(a), second = m.marshal.read<std::uint64_t>(b);
        QCOMPARE(m.call("cudaEventElapsedTime", {pointer(ms), pointer(first), pointer(second)}),
                 cudaErrorInvalidResourceHandle);
        m.call("cudaEventRecord", {pointer(first), pointer(stream)});
        m.call("cudaEventRecord", {pointer(second), pointer(stream)});
        QCOMPARE(m.call("cudaEventElapsedTime", {pointer(ms), pointer(first), pointer(second)}), cudaSuccess);
        QVERIFY(m.marshal.read<float>(ms) >= 0);
        QCOMPARE(m.log.remarks.size(), std::size_t(1));
        QCOMPARE(m.call("cudaStreamDestroy", {pointer(stream)}), cudaSuccess);
        QCOMPARE(m.call("cudaStreamSynchronize", {pointer(stream)}), cudaErrorInvalidResourceHandle);
    }
    void deviceAnswersAsAnH100() {
        Machine m;
        const std::uint64_t out = m.slot();
        QCOMPARE(m.call("cudaDeviceGetAttribute", {pointer(out), 16, 0}), cudaSuccess);
        QCOMPARE(m.marshal.read<int>(out), 132);
        m.call("cudaDeviceGetAttribute", {pointer(out), 75, 0});
        QCOMPARE(m.marshal.read<int>(out), 9);
        QVERIFY(raisedBy([&] { m.call("cudaDeviceGetAttribute", {pointer(out), 50000, 0}); }).starts_with("stopped: "));
        QVERIFY(raisedBy([&] { m.call("cudaGraphLaunch", {}); }).starts_with("stopped: cudaGraphLaunch"));
    }
    void occupancyIsThatOfThePanels_data() {
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<unsigned>("registers");
        QTest::addColumn<unsigned>("shared");
        QTest::addColumn<int>("blocks");
        QTest::newRow("threads") << 256u << 32u << 0u << 8;
        QTest::newRow("blocks") << 32u << 32u << 0u << 32;
        QTest::newRow("registers") << 256u << 128u << 0u << 2;
        QTest::newRow("registers of whole groups of four warps") << 96u << 40u << 0u << 16;
        QTest::newRow("shared memory") << 128u << 32u << 100u * 1024 << 2;
        QTest::newRow("shared memory in whole units") << 128u << 32u << 45569u << 4;
        QTest::newRow("too many threads") << 2048u << 32u << 0u << 0;
    }
    void occupancyIsThatOfThePanels() {
        QFETCH(unsigned, threads);
        QFETCH(unsigned, registers);
        QFETCH(unsigned, shared);
        QFETCH(int, blocks);
        const perf::DeviceSpec& h100 = *perf::findDeviceSpec("h100-sxm");
        QCOMPARE(int(perf::occupancyOf({threads, registers, shared}, h100).blocks), blocks);
        Machine m;
        m.device.registers = registers;
        const std::uint64_t out = m.slot();
        QCOMPARE(m.call("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                        {pointer(out), pointer(fillKernel), int(threads), int(shared)}),
                 cudaSuccess);
        QCOMPARE(m.marshal.read<int>(out), blocks);
    }
    void theBestBlockKeepsMostThreadsActive() {
        const emulator::DeviceLimits h100;
        QCOMPARE(perf::bestBlock({0, 32, 0}, h100.multiprocessor, 0).threads, 1024u);
        QCOMPARE(perf::bestBlock({0, 32, 0}, h100.multiprocessor, 256).threads, 256u);
    }
    void cublasMultipliesColumnMajor() {
        Machine m;
        const std::uint64_t h = m.slot(), scalars = m.slot();
        m.blas("cublasCreate_v2", {pointer(h)});
        const auto handle = m.marshal.read<std::uint64_t>(h);
        m.marshal.write(scalars, 2.0f);
        m.marshal.write(scalars + 4, 1.0f);
        // A is 2x3, B is 3x2, C is 2x2, all column-major.
        const std::uint64_t a = m.onDevice<float>({1, 4, 2, 5, 3, 6}), b = m.onDevice<float>({1, 0, 1, 0, 1, 1});
        const std::uint64_t c = m.onDevice<float>({10, 20, 30, 40});
        QCOMPARE(m.blas("cublasSgemm_v2", {pointer(handle), 0, 0, 2, 2, 3, pointer(scalars), pointer(a), 2, pointer(b),
                                           3, pointer(scalars + 4), pointer(c), 2}),
                 0);
        QCOMPARE(m.fromDevice<float>(c, 4), (std::vector<float>{18, 40, 40, 62}));
        // The same with both operands given transposed, and beta zero: C may hold anything.
        const std::uint64_t at = m.onDevice<float>({1, 2, 3, 4, 5, 6}), bt = m.onDevice<float>({1, 0, 0, 1, 1, 1});
        const std::uint64_t fresh = *m.device.allocate(16, "fresh");
        m.marshal.write(scalars, 1.0f);
        m.marshal.write(scalars + 4, 0.0f);
        QCOMPARE(m.blas("cublasSgemm_v2", {pointer(handle), 1, 1, 2, 2, 3, pointer(scalars), pointer(at), 3,
                                           pointer(bt), 2, pointer(scalars + 4), pointer(fresh), 2}),
                 0);
        QCOMPARE(m.fromDevice<float>(fresh, 4), (std::vector<float>{4, 10, 5, 11}));
        QVERIFY(m.log.faults.empty());
        QCOMPARE(m.aten.computed().size(), std::size_t(2));
        QCOMPARE(m.blas("cublasSgemm_v2", {pointer(handle), 0, 0, 2, 2, 3, pointer(scalars), pointer(a), 1, pointer(b),
                                           3, pointer(scalars + 4), pointer(c), 2}),
                 7); // CUBLAS_STATUS_INVALID_VALUE: lda below m
    }
    void cublasMultipliesAVectorWithStrides() {
        Machine m;
        const std::uint64_t h = m.slot(), scalars = m.slot();
        m.blas("cublasCreate_v2", {pointer(h)});
        const auto handle = m.marshal.read<std::uint64_t>(h);
        m.marshal.write(scalars, 1.0f);
        m.marshal.write(scalars + 4, 0.0f);
        const std::uint64_t a = m.onDevice<float>({1, 4, 2, 5, 3, 6}); // 2x3
        const std::uint64_t x = m.onDevice<float>({1, 99, 1, 99, 1}), y = m.onDevice<float>({0, 0, 0});
        QCOMPARE(m.blas("cublasSgemv_v2", {pointer(handle), 0, 2, 3, pointer(scalars), pointer(a), 2, pointer(x), 2,
                                           pointer(scalars + 4), pointer(y), 1}),
                 0);
        QCOMPARE(m.fromDevice<float>(y, 3), (std::vector<float>{6, 15, 0}));
        QCOMPARE(m.blas("cublasSgemv_v2", {pointer(handle), 1, 2, 3, pointer(scalars), pointer(a), 2, pointer(x), 4,
                                           pointer(scalars + 4), pointer(y), 1}),
                 0);
        QCOMPARE(m.fromDevice<float>(y, 3), (std::vector<float>{5, 7, 9}));
    }
    void cublasFaultsOnHostPointers() {
        Machine m;
        const std::uint64_t h = m.slot(), one = m.slot();
        m.blas("cublasCreate_v2", {pointer(h)});
        m.marshal.write(one, 1.0f);
        const PyItems call{pointer(m.marshal.read<std::uint64_t>(h)),
                           0,
                           0,
                           1,
                           1,
                           1,
                           pointer(one),
                           pointer(one),
                           1,
                           pointer(one),
                           1,
                           pointer(one),
                           pointer(one),
                           1};
        QCOMPARE(m.blas("cublasSgemm_v2", call), 13); // CUBLAS_STATUS_EXECUTION_FAILED
        QCOMPARE(m.log.faults.at(0).kind, std::string("out_of_bounds"));
        QCOMPARE(m.blas("cublasSgemm_v2", {pointer(0x77)}), 1); // CUBLAS_STATUS_NOT_INITIALIZED
        QVERIFY(raisedBy([&] { m.blas("cublasStrsm_v2", {call[0]}); }).starts_with("stopped: cublasStrsm_v2"));
    }
};

KERNELARIUM_TEST(TestCudaCalls);

} // namespace kernelarium::test

#include "TestCudaCalls.moc"
