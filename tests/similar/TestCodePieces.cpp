// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/similar/CodePieces.h"
#include "core/similar/CodeWords.h"
#include "tests/TestRegistry.h"
#include "tests/similar/SimilarFixture.h"

#include <fmt/ranges.h>

namespace kernelarium::similar {

/// What of two texts counts as the same.
class TestCodePieces : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsAreWhatTwinsShare_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("names") << "float sum = rows[i];"
                               << "float n = n [ n ] ;";
        QTest::newRow("CUDA's names") << "v = __shfl_down_sync(m, v, 1);"
                                      << "n = __shfl_down_sync ( n , n , 1 ) ;";
        QTest::newRow("threads") << "blockIdx.x * blockDim.x"
                                 << "blockIdx . n * blockDim . n";
        QTest::newRow("mathematics") << "expf(x) + exp(y) + mine(z)"
                                     << "expf ( n ) + exp ( n ) + n ( n )";
        QTest::newRow("numbers") << "0 1 2 3 256u 0x1F 1'000"
                                 << "0 1 2 9 9 9 9";
        QTest::newRow("broken numbers") << "1.5f -1e-5f .5 0x1p-3"
                                        << "0f - 0f 0f 9";
        QTest::newRow("literals") << "f(\"a // b\", 'x', R\"q(a\")q\")"
                                  << "n ( s , c , s )";
        QTest::newRow("comments") << "a /* b */ += c // d\n;"
                                  << "n += n ;";
        QTest::newRow("includes") << "#include <torch/extension.h>\n  # include \"x.h\"\n#define N 3"
                                  << "# define n 9";
        QTest::newRow("launch") << "k<<<g, b>>>(p);"
                                << "n <<< n , n >>> ( n ) ;";
        QTest::newRow("shifts and pointers") << "p->x >>= 2; a >> b"
                                             << "n -> n >>= 2 ; n >> n";
        QTest::newRow("cut off") << "\"open /* \n x"
                                 << "s n";
        QTest::newRow("nothing") << " \n\t"
                                 << "";
        QTest::newRow("no C++") << "\x01 @ $ \xc3\xa9"
                                << "@ $ n";
    }
    void wordsAreWhatTwinsShare() {
        QFETCH(QString, code);
        QFETCH(QString, words);
        const std::string text = code.toStdString();
        QCOMPARE(QString::fromStdString(fmt::format("{}", fmt::join(wordsOf(text), " "))), words);
    }

    void twinsAreTwinsHoweverTheyAreNamed() {
        for (const char* kernel : {"level_1/023/online.cu", "level_1/001/shared_tiles.cu", "level_1/040/welford.cu"}) {
            const std::string code = starterCode(kernel);
            const std::string twin = disguised(code);
            QVERIFY(twin != code);
            const double share = sharedPieces(piecesOf(code), piecesOf(twin));
            QVERIFY2(share > 0.9, qPrintable(QStringLiteral("%1: %2").arg(kernel).arg(share)));
        }
    }

    /// Of what the starter archive holds: kernels of one family are nearer than kernels of others.
    void kernelsOfOtherTasksAreFar() {
        std::vector<std::pair<std::string, Pieces>> all;
        const std::filesystem::path root = KERNELARIUM_SOURCE_DIR "/archive_data/kernels";
        for (const auto& file : std::filesystem::recursive_directory_iterator(root))
            if (file.path().extension() == ".cu") {
                const std::string task = std::filesystem::relative(file.path().parent_path(), root).string();
                all.emplace_back(task, piecesOf(starterCode(std::filesystem::relative(file.path(), root).string())));
            }
        QVERIFY(all.size() > 50);
        std::vector<double> within, across;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = i + 1; k < all.size(); ++k)
                (all[i].first == all[k].first ? within : across).push_back(sharedPieces(all[i].second, all[k].second));
        std::sort(within.begin(), within.end());
        std::sort(across.begin(), across.end());
        qInfo("same task: median %.2f, 10%% below %.2f; other tasks: median %.2f, 90%% below %.2f, 99%% below %.2f",
              within[within.size() / 2], within[within.size() / 10], across[across.size() / 2],
              across[across.size() * 9 / 10], across[across.size() * 99 / 100]);
        QVERIFY(across[across.size() * 9 / 10] < 0.3);
        QVERIFY(within[within.size() / 2] > across[across.size() / 2] * 2);
    }

    /// What winnowing promises: fifteen words in a row that both have are found, wherever they stand.
    void aSharedRunIsFoundWhereverItStands() {
        const std::string run = "for (int i = 0; i < 9; i += 9) x[i] = 1;"; // 22 words
        for (int before = 0; before < 40; ++before) {
            std::string code;
            for (int i = 0; i < before; ++i)
                code += i % 3 == 0 ? "if (a) return; " : "do { b--; } while (true); ";
            QVERIFY(sharedPieces(piecesOf(code + run), piecesOf("void f() { " + run + " }")) > 0);
        }
    }

    void shortAndEmptyCodes() {
        QVERIFY(piecesOf("").empty());
        QVERIFY(piecesOf("// nothing\n").empty());
        QCOMPARE(piecesOf("int x;").size(), std::size_t(1));
        QCOMPARE(sharedPieces(piecesOf("int x;"), piecesOf("int  y ;")), 1.0);
        QCOMPARE(sharedPieces({}, {}), 0.0);
        QCOMPARE(sharedPieces(piecesOf("int x;"), {}), 0.0);
    }
};

KERNELARIUM_TEST(TestCodePieces);

} // namespace kernelarium::similar

#include "TestCodePieces.moc"
