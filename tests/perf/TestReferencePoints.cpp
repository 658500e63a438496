// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/ReferencePoints.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <algorithm>
#include <set>

using namespace kernelarium::perf;

namespace {

Amount pointAmount(const char* key, double bytesPerElement) {
    for (const ReferencePoint& p : referencePoints(bytesPerElement))
        if (p.key == key) return p.amount;
    return {};
}

} // namespace

class TestReferencePoints : public QObject {
    Q_OBJECT
private slots:
    void productsByHand() {
        const Amount square = productAmount(100, 100, 100, 4);
        QCOMPARE(square.flops, 2e6);
        QCOMPARE(square.bytes, 12e4);
        const Amount vector = productAmount(1, 1000, 1000, 2); // every weight once for two FLOPs
        QVERIFY(std::abs(vector.intensity() - 1) < 0.01);
    }
    void convolutionsByHand() {
        // 2 images, 3 to 4 channels, 8 x 8, windows of 3 x 3: 2*4*64 results of 27 multiply-adds each.
        const Amount c = convolutionAmount({2, 3, 4, 8, 8, 3}, 4);
        QCOMPARE(c.flops, 2.0 * 2 * 4 * 64 * 27);
        QCOMPARE(c.bytes, 4.0 * (2 * 3 * 64 + 4 * 27 + 2 * 4 * 64));
        const Amount strided = convolutionAmount({2, 3, 4, 8, 8, 3, 2}, 4);
        QCOMPARE(strided.flops, c.flops / 4);
        const Amount depthwise = convolutionAmount({2, 4, 4, 8, 8, 3, 1, 4}, 4);
        QCOMPARE(depthwise.flops, 2.0 * 2 * 4 * 64 * 9);
    }
    void attentionByHand() {
        // 3 queries of 1 head over 3 keys: 9 scores and 9 weighted values of 8 numbers each; causal ones 6.
        QCOMPARE(attentionAmount({1, 1, 1, 3, 3, 8, false}, 4).flops, 4.0 * 9 * 8);
        QCOMPARE(attentionAmount({1, 1, 1, 3, 3, 8, true}, 4).flops, 4.0 * 6 * 8);
        QCOMPARE(attentionAmount({1, 1, 1, 3, 3, 8, true}, 4).bytes, 4.0 * (2 * 24 + 2 * 24));
        // One query after 10 keys sees all of them.
        QCOMPARE(attentionAmount({1, 2, 1, 1, 10, 8, true}, 2).flops, 4.0 * 2 * 10 * 8);
        QCOMPARE(attentionAmount({1, 2, 1, 1, 10, 8, true}, 2).bytes, 2.0 * (2 * 2 * 8 + 2 * 10 * 8));
    }
    void aLayerReadsTheModelsWeights() {
        const LanguageModel& m = referenceModel();
        const double weights = m.hidden * (2 * m.heads + 2 * m.keyHeads) * m.headSize + 3 * m.hidden * m.feedForward;
        QCOMPARE(layerProducts(m, 1, 2).flops, 2 * weights);
        QCOMPARE(m.layers * weights, 6979321856.0); // of its 8.03 billion, without embeddings and norms
    }
    void theStoryHolds() {
        // Reading a context is bound by arithmetic on every device, writing a token by memory; so are depthwise layers.
        for (const double bytes : {2.0, 4.0}) {
            QVERIFY(pointAmount("prefill_products", bytes).intensity() > 500 / bytes * 2);
            QVERIFY(pointAmount("decode_products", bytes).intensity() < 2 / bytes * 1.01);
            QVERIFY(pointAmount("decode_attention", bytes).intensity() < 8.1 / bytes);
            QVERIFY(pointAmount("depthwise_3x3", bytes).intensity() < 10 / bytes);
            QVERIFY(pointAmount("resnet50_3x3", bytes).intensity() >
                    3 * pointAmount("resnet50_1x1", bytes).intensity());
        }
        QCOMPARE(pointAmount("resnet50_3x3", 2).intensity(), 2 * pointAmount("resnet50_3x3", 4).intensity());
    }
    void everyPointSaysWhatItIs() {
        std::set<std::string> keys;
        for (const ReferencePoint& p : referencePoints(4)) {
            QVERIFY(keys.insert(p.key).second);
            QVERIFY(!p.label.empty() && p.label.size() < 28 && p.about.back() == '.');
            QVERIFY(p.amount.flops > 0 && p.amount.bytes > 0);
        }
        QCOMPARE(keys.size(), std::size_t(7));
    }
};

KERNELARIUM_TEST(TestReferencePoints);

#include "TestReferencePoints.moc"
