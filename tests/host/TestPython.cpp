// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/python/HostModule.h"
#include "gpu/host/python/Marshal.h"
#include "gpu/host/python/PyCalls.h"
#include "gpu/host/run/Format.h"
#include "gpu/host/run/Unwinding.h"
#include "gpu/host/tensors/ValueTransfer.h"
#include "tests/TestRegistry.h"
#include "tests/host/MemoryBackend.h"
#include "tests/host/Raises.h"

#include <QtTest>
#include <cstring>

namespace kernelarium::test {

using namespace host;

class TestPython : public QObject {
    Q_OBJECT

private:
    MemoryBackend m_device;
    HostHeap m_heap{0x10000};
    TensorTable m_table{m_device, m_heap, [](const std::string&, const std::string&) {}};
    Marshal m_marshal{m_heap};
    PyCalls m_python{m_table};

    Definition definition(int arity) {
        Definition d;
        d.name = "forward";
        d.arity = arity;
        d.argumentNames = {"x", "stride", "scale"};
        d.defaults = {{}, {}, PyValue(1.5)};
        return d;
    }
    PyValue tensor() { return TensorRef{m_table.add(m_table.allocate(DType::Float32, {1}, false, "t"))}; }
    std::string roundTrip(const PyValue& value) { return repr(m_marshal.decode(m_marshal.encode(value))); }

private slots:
    void valuesCrossTheBorderBothWays() {
        for (const PyValue& value :
             {PyValue(), PyValue(true), PyValue(-3), PyValue(2.5), PyValue("text"), PyValue(""),
              PyValue(DType::Float16), PyValue(DeviceRef{-1}), PyValue::list({1, 2, 3}), PyValue::list({1.5, 2.5}),
              PyValue::list({}), PyValue::list({1, "mixed", PyValue()}), PyValue::dict({{"a", 1}})})
            QCOMPARE(roundTrip(value), repr(value));
    }
    void listsTakeTheClosestKind() {
        QCOMPARE(m_marshal.encode(PyValue::list({1, 2})).kind, int(KL_INT_LIST));
        QCOMPARE(m_marshal.encode(PyValue::list({1, 2.5})).kind, int(KL_LIST));
        QCOMPARE(m_marshal.encode(PyValue::tuple({tensor()})).kind, int(KL_TENSOR_LIST));
        QCOMPARE(m_marshal.encode(PyValue::dict({})).kind, int(KL_OBJECT));
        QCOMPARE(m_marshal.encodeObject(PyValue(1)).kind, int(KL_OBJECT));
    }
    void badPointersCrashTheRunAndNotUs() {
        kl_value stray{};
        stray.kind = KL_INT_LIST;
        stray.count = 4;
        stray.p = reinterpret_cast<const void*>(0x1234);
        QVERIFY(raisedBy([&] { (void)m_marshal.decode(stray); }).starts_with("stopped: segmentation fault"));
        stray.count = -1;
        QVERIFY(raisedBy([&] { (void)m_marshal.decode(stray); }).starts_with("stopped: segmentation fault"));
        kl_value object{};
        object.kind = KL_OBJECT;
        object.i = 999;
        QVERIFY(raisedBy([&] { (void)m_marshal.decode(object); }).starts_with("stopped: segmentation fault"));
    }
    void dictsAnswerAsPythonsDo() {
        const PyValue dict = PyValue::dict({{"weight", 1}, {"bias", PyValue()}});
        QCOMPARE(repr(m_python.call("py.getitem", {dict, "weight"})), std::string("1"));
        QCOMPARE(repr(m_python.call("py.getattr", {dict, "weight"})), std::string("1"));
        QCOMPARE(repr(m_python.call("py.contains", {dict, "bias"})), std::string("True"));
        QCOMPARE(repr(m_python.call("py.hasattr", {dict, "momentum"})), std::string("False"));
        QCOMPARE(repr(m_python.call("py.call", {m_python.call("py.getattr", {dict, "get"}), "eps", 0.5})),
                 std::string("0.5"));
        QCOMPARE(repr(m_python.call("py.call", {m_python.call("py.getattr", {dict, "items"})})),
                 std::string("[('weight', 1), ('bias', None)]"));
        QCOMPARE(raisedBy([&] { m_python.call("py.getitem", {dict, "eps"}); }), std::string("KeyError: 'eps'"));
        QCOMPARE(raisedBy([&] {
                     m_python.call("py.getattr", {dict, "eps"});
                 }),
                 std::string("AttributeError: 'dict' object has no attribute 'eps'"));
        m_python.call("py.setitem", {dict, "eps", 2});
        QCOMPARE(repr(m_python.call("py.len", {dict})), std::string("3"));
    }
    void listsTextAndNumbersConvert() {
        const PyValue list = PyValue::list({1, 2});
        QCOMPARE(repr(m_python.call("py.getitem", {list, -1})), std::string("2"));
        QCOMPARE(raisedBy([&] {
                     m_python.call("py.getitem", {list, 2});
                 }),
                 std::string("IndexError: list index out of range"));
        QCOMPARE(repr(m_python.call("py.int", {PyValue(2.9)})), std::string("2"));
        QCOMPARE(repr(m_python.call("py.float", {PyValue(2)})), std::string("2.0"));
        QCOMPARE(repr(m_python.call("py.str", {PyValue(1e-05)})), std::string("'1e-05'"));
        QCOMPARE(repr(m_python.call("py.isinstance", {PyValue(true), "int"})), std::string("True"));
        QCOMPARE(repr(m_python.call("py.isinstance", {list, "tuple"})), std::string("False"));
        QVERIFY(raisedBy([&] {
                    m_python.call("py.call", {PyValue(1)});
                }).starts_with("TypeError: 'int' object is not callable"));
        QVERIFY(raisedBy([&] { m_python.call("py.eval", {PyValue("1")}); }).starts_with("stopped: py.eval"));
    }
    void argumentsBindByPositionWithDefaults() {
        const PyItems bound = bindArguments(definition(3), {tensor(), 2});
        QCOMPARE(bound.size(), std::size_t(3));
        QCOMPARE(repr(bound[2]), std::string("1.5"));
        QVERIFY(raisedBy([&] {
                    (void)bindArguments(definition(3), {tensor()});
                }).find("forward(x, stride, scale=1.5) takes 3 arguments but 1 were given") != std::string::npos);
        QVERIFY(raisedBy([&] {
                    (void)bindArguments(definition(1), {1, 2});
                }).starts_with("TypeError: forward(): incompatible"));
    }
    void argumentsConvertAsPybindDoes_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("given");
        QTest::addColumn<QString>("taken"); // empty where it is refused
        const auto row = [](const char* name, int kind, int given, const char* taken) {
            QTest::newRow(name) << kind << given << QString(taken);
        };
        row("int as double", KL_DOUBLE, 0, "3.0");
        row("double as int", KL_INT, 1, "");
        row("bool as int", KL_INT, 2, "1");
        row("None as bool", KL_BOOL, 3, "False");
        row("None as tensor", KL_TENSOR, 3, "");
        row("tuple as int list", KL_INT_LIST, 4, "[1, 2]");
        row("ints as doubles", KL_DOUBLE_LIST, 4, "[1.0, 2.0]");
        row("ints as tensors", KL_TENSOR_LIST, 4, "");
        row("text as text", KL_STRING, 5, "'t'");
        row("text as double", KL_DOUBLE, 5, "");
        row("anything as object", KL_OBJECT, 5, "'t'");
    }
    void argumentsConvertAsPybindDoes() {
        QFETCH(int, kind);
        QFETCH(int, given);
        QFETCH(QString, taken);
        const PyItems values{3, 2.5, true, PyValue(), PyValue::tuple({1, 2}), "t"};
        std::string got;
        const std::string raised =
            raisedBy([&] { got = repr(convertArgument(values[std::size_t(given)], kind, definition(3), 1, m_table)); });
        QCOMPARE(QString::fromStdString(got), taken);
        QCOMPARE(raised.empty(), !taken.isEmpty());
        if (!raised.empty()) QVERIFY(raised.find("argument 2 (stride)") != std::string::npos);
    }
    void theEntryIsForwardOrTheOnlyFunction() {
        HostModule module;
        module.define({"helper", 0, 0, 1, {}, {}, false, {}, {}});
        QCOMPARE(module.entry({}).size(), std::size_t(1));
        module.define({"other", 0, 0, 1, {}, {}, false, {}, {}});
        QCOMPARE(module.entry({}).size(), std::size_t(0));
        module.define({"forward", 0, 0, 2, {}, {}, false, {}, {}});
        QCOMPARE(module.entry({}).front()->arity, 2);
        QCOMPARE(module.entry("other").size(), std::size_t(1));
        QCOMPARE(module.entry("other").front()->name, std::string("other"));
        QVERIFY(module.entry("nothing").empty());
    }
    void exceptionsGoToTheInnermostLiveBlock() {
        Unwinding unwinding;
        std::vector<std::uint64_t> dropped;
        const auto live = [](std::uint64_t frame) { return frame != 2; };
        unwinding.enter(1);
        unwinding.enter(2);
        QCOMPARE(unwinding.raise({0, 0, "RuntimeError", "first", 0}, live, dropped), std::optional<std::uint64_t>(1));
        QCOMPARE(dropped, std::vector<std::uint64_t>{2});
        QCOMPARE(unwinding.current()->what, std::string("first"));
        unwinding.enter(3); // a block inside the handler
        QVERIFY(unwinding.raise({0, 0, "RuntimeError", "second", 0}, live, dropped).has_value());
        QCOMPARE(unwinding.current()->what, std::string("second"));
        unwinding.endCatch();
        QCOMPARE(unwinding.current()->what, std::string("first"));
        unwinding.endCatch();
        QVERIFY(!unwinding.current());
        QVERIFY(!unwinding.raise({0, 0, "RuntimeError", "third", 0}, live, dropped));
        QCOMPARE(pythonClass("std::invalid_argument"), std::string("ValueError"));
        QCOMPARE(pythonClass("c10::Error"), std::string("RuntimeError"));
    }
    void printfTakesArgumentsAtTheirAlignment() {
        struct {
            int a;
            int pad;
            double b;
            int c;
            int pad2;
            std::uint64_t text;
        } arguments{7, 0, 2.5, -1, 0, 42};
        const auto format = [&](const char* text) {
            return formatPrintf(
                text,
                [&](std::uint64_t at, std::span<std::byte> out) {
                    std::memcpy(out.data(), reinterpret_cast<const std::byte*>(&arguments) + at, out.size());
                },
                [](std::uint64_t address) { return "text " + std::to_string(address); });
        };
        QCOMPARE(format("%03d|%.2f|%d|%s|100%%"), std::string("007|2.50|-1|text 42|100%"));
        QCOMPARE(format("%x %5.1f %u"), std::string("7   2.5 4294967295"));
        QCOMPARE(format("plain"), std::string("plain"));
    }
    void valuesGoInAndComeBack() {
        tensor::Tensor t(DType::Float32, {2});
        t.set(1, 4);
        const tensor::Value value = tensor::List{t, tensor::Dict{{"w", t}, {"n", 3}}, true};
        std::vector<std::int64_t> handles;
        const PyValue imported = importValue(value, "argument 1", m_table, handles);
        QCOMPARE(handles.size(), std::size_t(2));
        QCOMPARE(m_table.at(handles[1]).storage->label, std::string("argument 1[1]['w']"));
        std::vector<std::optional<std::int64_t>> unwritten;
        const tensor::Value back = exportValue(imported, m_table, unwritten);
        std::vector<tensor::Tensor> tensors;
        tensor::collectTensors(back, tensors);
        QCOMPARE(tensors.size(), std::size_t(2));
        QCOMPARE(tensors[1].at(1), 4.0);
        QCOMPARE(unwritten, (std::vector<std::optional<std::int64_t>>(2)));
    }
};

KERNELARIUM_TEST(TestPython);

} // namespace kernelarium::test

#include "TestPython.moc"
