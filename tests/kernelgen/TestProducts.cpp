// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/ProductEmitter.h"
#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/products/FloatKernel.h"
#include "core/kernelgen/products/HalfTiles.h"
#include "core/kernelgen/products/StripForm.h"
#include "tests/TestRegistry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

namespace kernelarium::kernelgen::products {
namespace {

SizedGraphs graphsOfTask(int level, int task) {
    const auto card = task::loadCard(level, task);
    const auto graphs =
        graphsOf(*card, [](algebra::Graph g) { return attention::factorsAtWeights(prepared(std::move(g))); });
    if (!graphs) qFatal("%d/%d: %s", level, task, graphs.error().message.c_str());
    return *graphs;
}

class TestProducts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axesHaveTheirKinds() {
        const SizedGraphs batched = graphsOfTask(1, 3);
        const auto units = unitsOf(batched);
        QCOMPARE(units.size(), std::size_t(1));
        QCOMPARE(units[0].first().batch, Group{0});
        QCOMPARE(units[0].first().rows, Group{1});
        QCOMPARE(units[0].first().columns, Group{2});
        QCOMPARE(units[0].first().sums, Group{3});
        // Three axes of the left factor are one for the product.
        QCOMPARE(unitsOf(graphsOfTask(1, 11))[0].first().rows, (Group{0, 1, 2}));
    }

    void neighboursAreFoundInTransposedFactors() {
        for (const auto& [task, leftAlongSums, rightAlongSums] :
             {std::tuple(2, true, false), std::tuple(16, false, false), std::tuple(17, true, true),
              std::tuple(18, false, true)}) {
            const SizedGraphs graphs = graphsOfTask(1, task);
            const ProductForm form = unitsOf(graphs).at(0).first();
            const auto each = graphs.each();
            const auto tensor =
                each.part([&](const algebra::Graph& g) -> const algebra::Tensor& { return g.tensors[form.tensor]; });
            QCOMPARE(Offsets(each, tensor, form.left).isContiguous(form.sums), leftAlongSums);
            QCOMPARE(Offsets(each, tensor, form.right).isContiguous(form.sums), rightAlongSums);
        }
    }

    void mapsOfElementsFollow() {
        const SizedGraphs graphs = graphsOfTask(2, 12);
        const auto units = unitsOf(graphs);
        QCOMPARE(units.size(), std::size_t(1));
        QVERIFY(units[0].members.size() > 1);
        QCOMPARE(units[0].stored, graphs.graphs[0].outputs);
    }

    /// silu(x a) * (x b) is one kernel, and (x a) b + x w one for what is after x a.
    void productsThatMeetAreOneKernel() {
        const auto gated = unitsOf(graphsOfTask(4, 5));
        QCOMPARE(gated.size(), std::size_t(1));
        QCOMPARE(gated[0].forms.size(), std::size_t(2));
        const auto adapted = unitsOf(graphsOfTask(4, 4));
        QCOMPARE(adapted.size(), std::size_t(2));
        QCOMPARE(adapted[0].forms.size() + adapted[1].forms.size(), std::size_t(3));
    }

    /// With few rows: x a is made by every block of (x a) b + x w, and a norm's squares while its product is.
    void stripsTakeInWhatTheirRowsGive() {
        const SizedGraphs adapted = graphsOfTask(4, 4), normed = graphsOfTask(4, 3), large = graphsOfTask(1, 1);
        std::vector<ProductUnit> units = unitsOf(adapted);
        growStrips(adapted, units);
        QCOMPARE(units.size(), std::size_t(1));
        QVERIFY(isStrip(adapted, units[0]));
        QCOMPARE(units[0].forms.size(), std::size_t(2));
        QCOMPARE(units[0].inner.size(), std::size_t(1));
        units = unitsOf(normed);
        growStrips(normed, units);
        QCOMPARE(units.size(), std::size_t(1));
        QCOMPARE(units[0].statistics.size(), std::size_t(1));
        QVERIFY(!isStrip(large, unitsOf(large).at(0)));
        for (const int task : {1, 2, 3, 4, 5, 6}) {
            const auto emitted = emitFile(*task::loadCard(4, task));
            QVERIFY(emitted);
            QCOMPARE(emitted->levels.launches.size(), std::size_t(1));
        }
    }

    void aNormMovesPastItsProduct() {
        const auto card = task::loadCard(4, 3);
        const auto graph = algebra::Graph(graphsOfTask(4, 3).graphs[0]);
        const auto& out = graph.tensors[graph.outputs[0]];
        QVERIFY(out.definition()->combine == algebra::Combine::none); // the factor, after the sum
        const auto emitted = emitFile(*card);
        QVERIFY(emitted);
        QVERIFY2(emitted->text.find("// Rewrite: ") != std::string::npos, emitted->text.c_str());
    }

    void attentionIsFound() {
        QCOMPARE(attention::attentionsOf(graphsOfTask(4, 1)).size(), std::size_t(1));
        const auto normed = attention::attentionsOf(graphsOfTask(4, 2));
        QCOMPARE(normed.size(), std::size_t(1));
        QVERIFY(normed[0].weight != normed[0].share); // the values' norm is a factor of the weights
        QCOMPARE(normed[0].ofQueries.sums.size(), std::size_t(1));
        QCOMPARE(normed[0].ofValues.read.size(), std::size_t(1));
        QVERIFY(attention::attentionsOf(graphsOfTask(3, 50)).empty()); // no softmax there
    }

    void fewTilesAreSplit() {
        const FloatTiles large = floatTilesFor(1, 4096, 4096, 4096, true);
        QCOMPARE(large.parts, 1);
        QCOMPARE(large.tileRows * large.tileColumns, 128 * 128);
        QVERIFY(floatTilesFor(1, 256, 256, 131072, true).parts >= 16);
        QCOMPARE(floatTilesFor(1, 256, 256, 131072, false).parts, 1);
    }

    /// 16-bit tiles: enough blocks for a large device, each with a share of the terms, in the shared memory of a small
    /// one.
    void fewTilesOfTensorCoresAreSplit() {
        const HalfShape gated{1, 64, 4096, 4096, 2};
        const HalfTiles cut = halfTilesFor(gated);
        const double tiles = std::ceil(64.0 / cut.tileRows) * std::ceil(4096.0 / cut.tileColumns);
        QVERIFY(cut.parts > 1);
        QVERIFY(tiles * cut.parts >= 96 && tiles * cut.parts <= 4 * 132);
        QCOMPARE(halfTilesFor({1, 4096, 4096, 4096, 1}).parts, 1);
        for (const double rows : {1.0, 16.0, 17.0, 64.0, 100.0, 4096.0})
            for (const double products : {1.0, 2.0, 3.0})
                for (const bool isAlong : {false, true}) {
                    const HalfShape shape{1, rows, 1000, 2000, products, isAlong, !isAlong};
                    const HalfTiles t = halfTilesFor(shape);
                    QVERIFY(t.sharedBytes(shape) <= 99 * 1024 && t.warps() <= 32 && t.stages >= 2);
                    QVERIFY(t.tileRows % (16 * t.warpsDown) == 0 && t.tileColumns % (16 * t.warpsAcross) == 0);
                    QVERIFY(t.tileSums % (16 * t.warpsDeep) == 0);
                }
        // A file's other products have its cut, and parts of their own.
        const HalfTiles other = halfTilesFor({1, 16, 256, 8192, 1}, cut);
        QVERIFY(other.tileRows == cut.tileRows && other.tileColumns == cut.tileColumns && other.parts > cut.parts);
    }

    /// Zeros of a triangle are not multiplied.
    void trianglesAreUsed() {
        const auto upper = emitFile(*task::loadCard(1, 14)), lower = emitFile(*task::loadCard(1, 15));
        QVERIFY(upper && lower);
        QVERIFY(upper->text.find("the left factor is 0 below its diagonal") != std::string::npos);
        QVERIFY(lower->text.find("the left factor is 0 above its diagonal") != std::string::npos);
    }

    void whatIsNoProductIsRefused() {
        const auto emitted = emitFile(*task::loadCard(1, 19));
        QVERIFY(!emitted);
        QCOMPARE(emitted.error().code, "unsupported");
        QVERIFY2(emitted.error().message.find("no matrix product") != std::string::npos,
                 emitted.error().message.c_str());
    }
};

KERNELARIUM_TEST(TestProducts);

} // namespace
} // namespace kernelarium::kernelgen::products

#include "TestProducts.moc"
