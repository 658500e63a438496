// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCudaMemory.h"

#include "gpu/device/run/CudaBackend.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QtTest>
#include <cstring>
#include <numeric>

using namespace kernelarium;
using test::Gpu;

namespace {

constexpr std::uint32_t poison = 0x7fff7fffu;

/// A backend without kernels: its memory is what is tested.
class Machine {
public:
    explicit Machine(std::uint64_t salt = 0, std::uint64_t capacity = 0)
        : m_hostMemory(1 << 20)
        , m_program(*emulator::Program::load(".version 8.0\n.target sm_70\n.address_size 64\n", m_hostMemory))
        , m_module(*device::DeviceModule::load(Gpu::instance().context(), {}, ""))
        , m_backend(Gpu::instance().context(), Gpu::instance().pool(), *m_module, *m_program,
                    settings(salt, capacity)) {}
    device::CudaBackend* operator->() { return &m_backend; }
    std::vector<std::byte> bytes(std::uint64_t address, std::size_t count) {
        std::vector<std::byte> out(count);
        return m_backend.read(address, out) ? out : std::vector<std::byte>();
    }

private:
    static device::CudaBackend::Settings settings(std::uint64_t salt, std::uint64_t capacity) {
        device::CudaBackend::Settings s;
        s.memory = {256, poison, salt, capacity};
        return s;
    }
    emulator::DeviceMemory m_hostMemory;
    std::shared_ptr<emulator::Program> m_program;
    std::unique_ptr<device::DeviceModule> m_module;
    device::CudaBackend m_backend;
};

bool isPoison(const std::vector<std::byte>& raw) {
    const auto* pattern = reinterpret_cast<const std::byte*>(&poison);
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (raw[i] != pattern[i & 3]) return false;
    return !raw.empty();
}

std::vector<std::byte> counting(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = std::byte(i * 7 + 1);
    return bytes;
}

} // namespace

void TestCudaMemory::init() {
    NEEDS_GPU();
}

void TestCudaMemory::freshMemoryHoldsThePoison() {
    Machine machine;
    for (const std::uint64_t size : {std::uint64_t(1), std::uint64_t(1003), std::uint64_t(40) << 20}) {
        const auto address = machine->allocate(size, "x");
        QVERIFY(address.ok());
        QCOMPARE(*address % 512, std::uint64_t(0));
        QVERIFY(isPoison(machine.bytes(*address, size)));
    }
    QVERIFY(machine->damagedGuards().empty());
}

void TestCudaMemory::bytesComeBack() {
    Machine machine;
    const auto address = machine->allocate(1000, "x");
    const std::vector<std::byte> sent = counting(900);
    QVERIFY(machine->write(*address + 100, sent).ok());
    QCOMPARE(machine.bytes(*address + 100, 900), sent);
    QVERIFY(isPoison(machine.bytes(*address, 100)));
    QVERIFY(machine->fill(*address, 1000, 0xab).ok());
    QCOMPARE(machine.bytes(*address, 1000), std::vector<std::byte>(1000, std::byte(0xab)));
    QVERIFY(machine->damagedGuards().empty());
}

void TestCudaMemory::patternsRepeat() {
    Machine machine;
    const auto address = machine->allocate(10'007, "x");
    const std::vector<std::byte> tile = counting(12);
    QVERIFY(machine->repeat(*address, 10'007, tile).ok());
    const std::vector<std::byte> got = machine.bytes(*address, 10'007);
    for (std::size_t i = 0; i < got.size(); ++i)
        QVERIFY(got[i] == tile[i % 12]);
    QVERIFY(machine->damagedGuards().empty());
}

void TestCudaMemory::overlappingCopiesMove() {
    Machine machine;
    const auto address = machine->allocate(3000, "x");
    const std::vector<std::byte> sent = counting(2000);
    QVERIFY(machine->write(*address, sent).ok());
    QVERIFY(machine->copy(*address + 500, *address, 2000).ok());
    QCOMPARE(machine.bytes(*address + 500, 2000), sent);
    const auto other = machine->allocate(2000, "y");
    QVERIFY(machine->copy(*other, *address + 500, 2000).ok());
    QCOMPARE(machine.bytes(*other, 2000), sent);
}

void TestCudaMemory::leavingAnAllocationIsRefused() {
    Machine machine;
    const auto address = machine->allocate(100, "argument 1");
    std::vector<std::byte> bytes(101);
    const auto read = machine->read(*address, bytes);
    QCOMPARE(read.error().code, std::string("out_of_bounds"));
    QVERIFY(read.error().message.find("argument 1") != std::string::npos);
    QCOMPARE(machine->write(*address + 100, std::span(bytes).first(1)).error().code, std::string("out_of_bounds"));
    QCOMPARE(machine->fill(12345, 4, 0).error().code, std::string("out_of_bounds"));
    QCOMPARE(machine->copy(*address, *address + 90, 20).error().code, std::string("out_of_bounds"));
    QVERIFY(machine->holds(*address + 99) && !machine->holds(*address + 100));
    QVERIFY(!Gpu::instance().context()->isLost());
}

void TestCudaMemory::damagedGuardsAreNamed() {
    Machine machine;
    const auto address = machine->allocate(1001, "output of aten.empty");
    const auto& context = Gpu::instance().context();
    QVERIFY(context->check(context->api().cuMemsetD8(*address + 1001, 0, 1), "writing past the end").ok());
    const std::vector<std::string> after = machine->damagedGuards();
    QCOMPARE(after.size(), std::size_t(1));
    QCOMPARE(after[0], std::string("Memory after output of aten.empty (1001 bytes) was overwritten."));
    QVERIFY(context->check(context->api().cuMemsetD8(*address - 1, 0, 1), "writing before the start").ok());
    QCOMPARE(machine->damagedGuards().size(), std::size_t(2));
}

void TestCudaMemory::freedMemoryIsPoisonedAndGone() {
    Machine machine;
    const auto address = machine->allocate(64, "x");
    QVERIFY(machine->fill(*address, 64, 0).ok());
    const std::uint64_t before = machine->used();
    QVERIFY(machine->release(*address).ok());
    QCOMPARE(machine->used(), before - 64);
    QVERIFY(!machine->holds(*address));
    QCOMPARE(machine->release(*address).error().code, std::string("bad_free"));
    std::vector<std::byte> raw(64);
    const auto& context = Gpu::instance().context();
    QVERIFY(context->check(context->api().cuMemcpyDtoH(raw.data(), *address, 64), "looking at freed memory").ok());
    QVERIFY(isPoison(raw));
    QVERIFY(machine->peak() >= before);
}

void TestCudaMemory::saltMovesAddresses() {
    const auto firstOf = [](std::uint64_t salt) {
        Machine machine(salt);
        return *machine->allocate(4096, "x");
    };
    const std::uint64_t plain = firstOf(0);
    QVERIFY(firstOf(1) != plain);
    QVERIFY(firstOf(2) != firstOf(1));
}

void TestCudaMemory::tooMuchIsRefusedWithNumbers() {
    Machine machine(0, 1 << 20);
    QCOMPARE(machine->capacity(), std::uint64_t(1 << 20));
    const auto refused = machine->allocate(2 << 20, "argument 1");
    QCOMPARE(refused.error().code, std::string("out_of_memory"));
    QVERIFY(refused.error().message.find("1048576") != std::string::npos);
    QVERIFY(machine->allocate(~std::uint64_t(0), "x").error().code == "out_of_memory");
    Machine whole;
    const auto state = Gpu::instance().context()->memory();
    QVERIFY(state.ok() && whole->capacity() < state->total); // some is always left alone
    QCOMPARE(whole->allocate(state->total, "everything").error().code, std::string("out_of_memory"));
    QVERIFY(whole->allocate(1000, "x").ok());
}

void TestCudaMemory::slabsAreUsedAgain() {
    const auto& pool = Gpu::instance().pool();
    { (void)*Machine()->allocate(300 << 20, "x"); }
    const std::uint64_t kept = pool->kept();
    QVERIFY(kept >= 300u << 20);
    {
        Machine machine;
        QVERIFY(machine->allocate(300 << 20, "x").ok());
        QVERIFY(pool->kept() < kept && pool->lent() >= 300u << 20);
    }
    QCOMPARE(pool->kept(), kept);
    QCOMPARE(pool->lent(), std::uint64_t(0));
    pool->trim(100 << 20);
    QVERIFY(pool->kept() <= 100u << 20);
    pool->trim(0);
    QCOMPARE(pool->kept(), std::uint64_t(0));
    QVERIFY(Machine()->allocate(1000, "x").ok());
}

KERNELARIUM_TEST(TestCudaMemory);
