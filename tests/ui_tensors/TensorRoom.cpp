// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_tensors/TensorRoom.h"

namespace kernelarium::ui {

TensorRoom::TensorRoom(Theme::Choice choice, bool withGpu) {
    if (withGpu) bench.plugGpu();
    theme.setChoice(choice);
    panel = std::make_unique<TensorPanel>(
        TensorPanel::Around{bench.workspace->bench(), bench.workspace->trials(), bench.workspace->tensors()}, theme);
    panel->resize(1200, 420);
    panel->show();
}

bool TensorRoom::write(const QString& name, const char* text) {
    QFile file(bench.folder.filePath(name));
    return file.open(QIODevice::WriteOnly) && file.write(text) >= 0;
}

bool TensorRoom::open(const char* source, const QString& arguments, const char* reference) {
    if (!write(QStringLiteral("kernel.cu"), source)) return false;
    bench.workspace->bench().openFile(bench.folder.filePath(QStringLiteral("kernel.cu")));
    if (!QTest::qWaitFor([&] { return !bench.workspace->bench().kernel().isEmpty(); }, longWait)) return false;
    bench.workspace->assignment().setArguments({arguments});
    if (reference) {
        if (!write(QStringLiteral("reference.cu"), reference)) return false;
        bench.workspace->assignment().setReference(bench.folder.filePath(QStringLiteral("reference.cu")));
        if (!QTest::qWaitFor([&] { return !bench.workspace->bench().kernel().referenceText.isEmpty(); }, longWait))
            return false;
    }
    return bench.compiled();
}

bool TensorRoom::ended(TensorDesk::Kind kind) {
    return QTest::qWaitFor(
        [&] {
            const Stage stage = desk().state(kind).stage;
            return stage != Stage::idle && !isBusy(stage);
        },
        longWait);
}

bool TensorRoom::settled() {
    return QTest::qWaitFor(
        [&] {
            for (const TensorDesk::Kind kind : TensorDesk::kinds)
                if (isBusy(desk().state(kind).stage)) return false;
            return !bench.workspace->trials().isBusy();
        },
        longWait);
}

bool TensorRoom::look() {
    bench.workspace->trials().lookAtTensors();
    return QTest::qWaitFor([&] { return desk().isOpen(); }, longWait) && ended(TensorDesk::Kind::figures) &&
           QTest::qWaitFor([&] { return panel->isShowingTensors(); }, longWait) && ended(TensorDesk::Kind::picture) &&
           settled();
}

} // namespace kernelarium::ui
