// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/host/EndToEnd.h"

#include <QtTest>

namespace kernelarium::test {

using verify::RunEnd;

/// What host code throws, catches and lets through to Python.
class TestExceptions : public QObject {
    Q_OBJECT

private:
    EndToEnd m_machine;

private slots:
    void initTestCase() {
        const std::string why = m_machine.unavailable();
        if (!why.empty()) QSKIP(why.c_str());
    }
    void failedChecksReachPython() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                TORCH_CHECK(x.dim() == 2, "x must have 2 dimensions, not ", x.dim());
                return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("RuntimeError: x must have 2 dimensions, not 1"));
    }
    void wrongElementTypesAreRaised() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { x.data_ptr<double>(); return x; })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("RuntimeError: expected scalar type Double but found Float"));
    }
    void handlersCatchWhatIsThrown() {
        const auto r = m_machine.run(bound(R"(
            int inner(int n) { if (n > 2) throw std::invalid_argument("too large"); return n; }
            torch::Tensor forward(torch::Tensor x) {
                int code = 0;
                try { inner(5); code = 100; } catch (const std::runtime_error& e) { code = 200; }
                catch (const std::exception& e) { code = std::string(e.what()) == "too large" ? 1 : 2; }
                try { x.size(7); } catch (const c10::Error& e) { code += 10; }
                try { try { throw 5; } catch (int v) { code += 100 * v; throw; } } catch (...) { code += 1000; }
                return torch::full({1}, code, x.options());
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{1511}));
    }
    /// PyTorch derives c10::Error from std::exception alone, however little the check has to say.
    void failedChecksAreCaughtAsPyTorchsAre_data() {
        QTest::addColumn<QString>("failing");
        QTest::newRow("text") << "TORCH_CHECK(x.dim() == 9, \"plain\");";
        QTest::newRow("no text") << "TORCH_CHECK(x.dim() == 9);";
        QTest::newRow("parts") << "TORCH_CHECK(x.dim() == 9, \"made of \", 2);";
        QTest::newRow("CUDA") << "C10_CUDA_CHECK(cudaErrorInvalidValue);";
    }
    void failedChecksAreCaughtAsPyTorchsAre() {
        QFETCH(QString, failing);
        const std::string fails = failing.toStdString();
        const auto r = m_machine.run(bound(R"(
            #include <c10/cuda/CUDAException.h>
            int outer(const torch::Tensor& x) {
                try { )" + fails + R"( }
                catch (const py::error_already_set&) { return 1; }
                catch (const std::runtime_error&) { return 2; }
                catch (const c10::IndexError&) { return 3; }
                catch (const c10::Error& e) { return e.msg() == e.what() && e.msg() == e.what_without_backtrace() ? 4 : 5; }
                catch (const std::exception&) { return 6; }
                return 7;
            }
            int again(const torch::Tensor& x) {
                try { try { )" + fails + R"( } catch (const c10::Error&) { throw; } }
                catch (const std::runtime_error&) { return 20; }
                catch (const std::exception& e) { return std::string(e.what()).size() > 4 ? 40 : 50; }
                return 70;
            }
            int anything(const torch::Tensor& x) {
                try { )" + fails + R"( } catch (...) { return 400; }
                return 700;
            }
            torch::Tensor forward(torch::Tensor x) {
                const int code = outer(x) + again(x) + anything(x) + (cudaGetLastError() == cudaSuccess ? 4000 : 7000);
                return torch::full({1}, code, x.options());
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{4444}));
    }
    void textsArePrintedAsStreamsPrint_data() {
        QTest::addColumn<QString>("failing");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* failing, const char* said) {
            QTest::newRow(name) << failing << said;
        };
        row("integers", "TORCH_CHECK(false, 'a', -3, \" \", 4000000000u, \" \", ~0ull, \" \", short(-7), true);",
            "RuntimeError: a-3 4000000000 18446744073709551615 -71");
        row("floats", "TORCH_CHECK(false, 1.5f, \" \", 1e6, \" \", 1.0 / 3, \" \", 100.0, \" \", -0.0);",
            "RuntimeError: 1.5 1e+06 0.333333 100 -0");
        row("texts",
            "const char* p = \"p\"; char a[8] = \"ab\"; std::string s(\"s\\0t\", 3);"
            "TORCH_CHECK(false, p, a, s.size(), std::string_view(a, 1), int8_t('z'), std::string(\"\"), s.c_str());",
            "RuntimeError: pab3azs");
        row("types", "TORCH_CHECK(false, x.scalar_type(), \" \", torch::kHalf, \" \", x.dtype(), \" \", x.device());",
            "RuntimeError: Float Half float cuda:0");
        row("shapes", "TORCH_CHECK(false, \"sizes \", x.sizes(), \" of \", x.dim());", "RuntimeError: sizes [1] of 1");
        row("how to print",
            "TORCH_CHECK(false, std::scientific, std::setprecision(3), 1.2345e-4, \" 0x\", std::hex, 255);",
            "RuntimeError: 1.234e-04 0xff");
        row("width", "TORCH_CHECK(false, \"w[\", std::setw(6), 42, \"]\", std::boolalpha, true);",
            "RuntimeError: w[    42]true");
        row("printed by itself", "TORCH_CHECK(false, own::Label(), \" \", own::Shape(), \" \", own::red);",
            "RuntimeError: <x> shape 2");
        row("complex",
            "TORCH_CHECK(false, torch::ScalarType::ComplexFloat, c10::toString(torch::ScalarType::ComplexHalf));",
            "RuntimeError: ComplexFloatComplexHalf");
        row("up to a NUL", "TORCH_CHECK(false, \"device \", x.device().index(), \", not 5\");",
            "RuntimeError: device ");
        row("one text", "TORCH_CHECK(false, std::string(\"made\") + \" here\");", "RuntimeError: made here");
        row("AT_ERROR", "AT_ERROR(\"bad \", 7);", "RuntimeError: bad 7");
        row("index", "TORCH_CHECK_INDEX(false, \"at \", 3u);", "IndexError: at 3");
        row("value", "TORCH_CHECK_VALUE(false, \"v \", 0.5);", "ValueError: v 0.5");
        row("type", "TORCH_CHECK_TYPE(false, \"t\");", "TypeError: t");
        row("dispatch", "AT_DISPATCH_INTEGRAL_TYPES(x.scalar_type(), \"mine\", [&] {});",
            "NotImplementedError: \"mine\" not implemented for 'Float'");
        row("std", "throw std::out_of_range(\"far \" + std::to_string(9));", "IndexError: far 9");
        row("own", "struct Mine : std::runtime_error { Mine() : std::runtime_error(\"mine\") {} }; throw Mine();",
            "RuntimeError: mine");
    }
    void textsArePrintedAsStreamsPrint() {
        QFETCH(const QString, failing);
        QFETCH(const QString, said);
        const auto r = m_machine.run(bound(R"(
            namespace own {
            struct Label { operator const char*() const { return "x"; } };
            std::ostream& operator<<(std::ostream& o, const Label&) { return o << "<x>"; }
            struct Piece {};
            struct Shape {};
            std::ostream& operator<<(std::ostream& o, const Shape&) { return o << "shape"; }
            template <class T> Piece piece(const T&) { return {}; }
            template <class E, class... A> void fail(const A&...) {}
            enum Colour { red = 2 };
            }
            torch::Tensor forward(torch::Tensor x) { )" +
                                           failing.toStdString() + " return x; }"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(QString::fromStdString(r.reason), said);
    }
    /// By its type and those that it derives from, and by no other, also when it is thrown again.
    void handlersTakeTheirKin_data() {
        QTest::addColumn<QString>("thrown");
        QTest::addColumn<QStringList>("kin");
        const QStringList std{"std::exception"}, runtime{"std::runtime_error", "std::exception"},
            logic{"std::logic_error", "std::exception"}, c10{"c10::Error", "std::exception"};
        QTest::newRow("runtime_error") << "throw std::runtime_error(\"w\");" << runtime;
        QTest::newRow("invalid_argument")
            << "throw std::invalid_argument(std::string(\"w\"));" << QStringList{"std::invalid_argument"} + logic;
        QTest::newRow("bad_alloc") << "throw std::bad_alloc();" << QStringList{"std::bad_alloc"} + std;
        QTest::newRow("of a vector") << "std::vector<int> v(2); v.at(2);" << QStringList{"std::out_of_range"} + logic;
        QTest::newRow("own") << "throw Mine(\"w\");" << QStringList{"Mine"} + runtime;
        QTest::newRow("check") << "TORCH_CHECK(x.dim() == 9, \"w\", 1);" << c10;
        QTest::newRow("index") << "TORCH_CHECK_INDEX(x.dim() == 9, \"w\");" << QStringList{"c10::IndexError"} + c10;
        QTest::newRow("dispatch") << "AT_DISPATCH_INTEGRAL_TYPES(x.scalar_type(), \"w\", [&] {});"
                                  << QStringList{"c10::NotImplementedError"} + c10;
        QTest::newRow("cast") << "py::none().cast<float>();" << QStringList{"py::cast_error"} + runtime;
    }
    void handlersTakeTheirKin() {
        QFETCH(const QString, thrown);
        QFETCH(const QStringList, kin);
        const QStringList all{"Mine",
                              "std::bad_alloc",
                              "std::invalid_argument",
                              "std::out_of_range",
                              "std::logic_error",
                              "py::cast_error",
                              "std::runtime_error",
                              "c10::IndexError",
                              "c10::NotImplementedError",
                              "c10::Error",
                              "std::exception"};
        // Which handlers take it, one bit each; and of all in a row the first, directly and thrown again.
        std::string alone, chain = "try { try { fails(x); } catch (...) { throw; } }\n";
        for (int i = 0; i < all.size(); ++i) {
            const std::string type = all[i].toStdString(), number = std::to_string(i);
            alone += "try { try { fails(x); } catch (const " + type + "& e) { taken |= 1 << " + number +
                     "; if (!e.what()[0]) taken |= 1 << 20; } } catch (...) {}\n";
            chain += "catch (" + type + "& e) { first = " + number + "; }\n";
        }
        const auto r = m_machine.run(bound(R"(
            class Mine : public std::runtime_error { public: Mine(const char* t) : std::runtime_error(t) {} };
            void fails(const torch::Tensor& x) { )" +
                                           thrown.toStdString() + R"( }
            torch::Tensor forward(torch::Tensor x) {
                int taken = 0, first = -1;
                )" + alone + chain + R"(
                return torch::full({1}, taken * 16.0 + first, x.options().dtype(torch::kDouble));
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::finished);
        int taken = 0, first = -1;
        for (int i = 0; i < all.size(); ++i) {
            if (!kin.contains(all[i])) continue;
            taken |= 1 << i;
            if (first < 0) first = i;
        }
        QCOMPARE(elements(r.output), (std::vector<double>{taken * 16.0 + first}));
    }
    /// What only a kernel that calls the runtime by itself passes.
    void nonsenseIsRefused_data() {
        QTest::addColumn<QString>("call");
        QTest::newRow("no list") << "kl_fail(types, \"E\", nullptr, 3);";
        QTest::newRow("fewer than none") << "kl_fail(types, \"E\", &piece, -1);";
        QTest::newRow("too many") << "kl_fail(types, \"E\", &piece, 1 << 30);";
        QTest::newRow("no types") << "kl_fail(reinterpret_cast<const void* const*>(16), \"E\", &piece, 1);";
        QTest::newRow("no name") << "kl_fail(types, reinterpret_cast<const char*>(16), &piece, 1);";
        QTest::newRow("no text") << "piece.p = reinterpret_cast<const void*>(16); kl_fail(types, \"E\", &piece, 1);";
        QTest::newRow("arguments nowhere") << "kl_arguments(reinterpret_cast<kl_value*>(16), 1);";
        QTest::newRow("fewer arguments than none") << "kl_arguments(&piece, -1);";
    }
    void nonsenseIsRefused() {
        QFETCH(const QString, call);
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                const void* types[] = {&types, nullptr};
                kl_value piece{KL_STRING, -1, {0}};
                piece.p = "text";
                if (x.dim() == 1) { )" + call.toStdString() +
                                           R"( }
                return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::crashed);
        QVERIFY2(r.reason.find("segmentation fault") != std::string::npos, r.reason.c_str());
    }
    void longTextsAreCut() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) {
                const void* types[] = {&types, nullptr};
                const long size = 600000;
                char* text = static_cast<char*>(kl_alloc(size));
                for (long i = 0; i < size; ++i) text[i] = 'a';
                kl_value* pieces = static_cast<kl_value*>(kl_alloc(100000 * sizeof(kl_value)));
                for (int i = 0; i < 100000; ++i) { pieces[i].kind = KL_STRING; pieces[i].count = size; pieces[i].p = text; }
                if (x.dim() == 1) kl_fail(types, "E", pieces, 100000);
                return x;
            })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QVERIFY(r.reason.find("aaaa") != std::string::npos && r.reason.size() <= (1 << 20) + 100);
    }
    void localsChangedInATryBlockKeepTheirValue_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("body");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* name, const char* before, const char* body, double expected) {
            QTest::newRow(name) << before << body << expected;
        };
        row("counter", "", R"(int code = 1;
            try { code = 2; fail(); } catch (const std::exception&) { code += 10; } return code;)",
            12);
        row("no exception", "", R"(int code = 1; int other = 4;
            try { code = 2; ++other; if (x.numel() == 100) fail(); } catch (...) { code = 0; } return code * 10 + other;)",
            25);
        row("uninitialised", "", "int code; try { code = 2; fail(); } catch (...) { ++code; } return code;", 3);
        row("accumulated", "", R"(float sum = 0; int steps = 0;
            try { for (int i = 0; i < 10; ++i) { sum += 0.5f * i; ++steps; if (i == 4) fail(); } } catch (...) { sum += 100; }
            for (int i = 0; i < 2; ++i) sum += 1000; return sum + steps * 10000;)",
            52105);
        row("tensor", "",
            "torch::Tensor y = x; try { y = x * 2; y.size(7); } catch (...) { y = y + 1; } return y.item<float>();", 7);
        row("vector", "", R"(std::vector<int> seen; int a = 0, b = 5;
            try { for (a = 0; a < 40; ++a) { seen.push_back(a); b = a; if (a == 30) fail(); } } catch (...) { seen.push_back(7); }
            return seen.size() * 10000 + seen[30] * 100 + seen[31] * 10 + b;)",
            323100);
        row("nested", "", R"(int code = 0;
            try { code = 1; try { code += 10; throw 5; } catch (int v) { code += 100 * v; throw; } } catch (...) { code += 1000; }
            return code;)",
            1511);
        row("caught inside", "", R"(int code = 0;
            try { try { code = 3; fail(); } catch (...) { code *= 2; } code += 1; fail(); } catch (...) { code *= 10; } return code;)",
            70);
        row("lambda", "", R"(int code = 1; auto bump = [&](int by) { code += by; };
            try { bump(4); fail(); } catch (...) { bump(10); } return code;)",
            15);
        row("try in a lambda", "", R"(int code = 1; const int by = 4;
            auto guarded = [&] { try { code += by; fail(); } catch (...) { code *= 2; } }; guarded(); return code;)",
            10);
        row("by reference", "void set(int& out, int v) { out = v; if (v > 2) throw std::runtime_error(\"v\"); }", R"(
            int first, second; try { set(first, 1); set(second, 3); } catch (...) { second += 10; } return first * 100 + second;)",
            113);
        row("reference", "",
            "int code = 1; int& r = code; try { r = 6; fail(); } catch (...) { r += 10; } return code;", 16);
        row("member of a local", "struct State { int a = 1; float b = 2; };", R"(State s;
            try { s.a = 5; s.b += 3; fail(); } catch (...) { s.a += 10; } return s.a * 100 + s.b;)",
            1505);
        row("own members", R"(struct Machine {
                int count = 0, more = 0;
                void bump() { count += 1; }
                int go() { try { bump(); more = 7; fail(); } catch (...) { count += 10; } return count * 10 + more; }
            };)",
            "Machine m; int r = m.go(); return r * 1000 + m.count;", 117011);
        row("members out of line", R"(class Machine { public: int go(); int other = 0; private: int m_count = 0; };
            int Machine::go() { try { m_count = 4; this->other = 2; fail(); } catch (...) { m_count *= 2; } return m_count * 10 + other; })",
            "Machine m; return m.go();", 82);
        row("binding", "", R"(std::pair<int, int> p(1, 2); auto [a, b] = p;
            try { a = 5; b = 6; fail(); } catch (...) { a += 10; } return a * 10 + b;)",
            156);
        row("macro in the block", "#define COUNT_UP code += 3",
            "int code = 1; try { COUNT_UP; fail(); } catch (...) {} return code;", 4);
        row("template",
            "template <class T> T go(T v) { T w = v; try { w += 2; fail(); } catch (...) { w *= 2; } return w; }",
            "return go(1) * 100 + go(2.5f);", 609);
        row("shadowed later", "", R"(int v = 1;
            try { [](int v) { return v; }(3); v = 5; fail(); } catch (...) { v += 10; } return v;)",
            15);
        row("array", "",
            "int a[3] = {1, 2, 3}; try { for (int i = 0; i < 3; ++i) a[i] = 7; fail(); } catch (...) {} return a[0] + "
            "a[1] + a[2];",
            21);
        row("in a switch and a loop", "", R"(int n = 0; int last = 0;
            for (int i = 0; i < 5; ++i) try { last = i; n += 1; if (i % 2) fail(); n += 10; } catch (...) { n += 100 + last; }
            return n;)",
            239);
    }
    void localsChangedInATryBlockKeepTheirValue() {
        QFETCH(QString, before);
        QFETCH(QString, body);
        QFETCH(double, expected);
        const auto r =
            m_machine.run(bound("#include <stdexcept>\nvoid fail() { throw std::runtime_error(\"after\"); }\n" +
                                before.toStdString() + "\ndouble value(torch::Tensor x) {" + body.toStdString() + R"(}
            torch::Tensor forward(torch::Tensor x) { return torch::full({1}, value(x), x.options()); })"),
                          {floats({3})});
        expectEnd(r, RunEnd::finished);
        QCOMPARE(elements(r.output), (std::vector<double>{expected}));
    }
    void uncaughtExceptionsHavePythonsClass() {
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { throw std::invalid_argument("no"); return x; })"),
                                     {floats({1})});
        expectEnd(r, RunEnd::host_exception);
        QCOMPARE(r.reason, std::string("ValueError: no"));
    }
    void argumentsThatDoNotFitAreTypeErrors() {
        const std::string source = bound("torch::Tensor forward(torch::Tensor x, int n) { return x; }");
        expectEnd(m_machine.run(source, {floats({1}), 2}), RunEnd::finished);
        const auto r = m_machine.run(source, {floats({1}), 2.5});
        expectEnd(r, RunEnd::host_exception);
        QVERIFY2(r.reason.starts_with("TypeError: forward(): incompatible function arguments"), r.reason.c_str());
        expectEnd(m_machine.run(source, {floats({1})}), RunEnd::host_exception);
    }
    void modulesOfAnotherNameAreNotImported() {
        const auto r = m_machine.run(R"(
            torch::Tensor forward(torch::Tensor x) { return x; }
            PYBIND11_MODULE(other, m) { m.def("forward", &forward); })",
                                     {floats({1})});
        expectEnd(r, RunEnd::import_error);
        QVERIFY2(r.reason.starts_with("ImportError: dynamic module does not define module export function"),
                 r.reason.c_str());
    }
    void memoryEndsInTorchsWords() {
        verify::RunRequest request;
        request.arguments = {floats({1})};
        host::EmulatorSettings settings;
        settings.capacity = 64 << 20;
        const auto r = m_machine.run(bound(R"(
            torch::Tensor forward(torch::Tensor x) { return torch::zeros({1 << 28}, x.options()); })"),
                                     request, settings);
        expectEnd(r, RunEnd::out_of_memory);
        QVERIFY2(r.reason.find("CUDA out of memory. Tried to allocate 1.00 GiB") != std::string::npos,
                 r.reason.c_str());
    }
};

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestExceptions);
#include "TestExceptions.moc"
