// SPDX-License-Identifier: GPL-3.0-or-later
// What the window promises with an archive of the published size: an import that does not stall it, hits at every key,
// sorting, a kernel's source at once, and memory. Run it with QT_QPA_PLATFORM=offscreen.
//
//     bench_archive_window [ROWS] [--keep FOLDER]
#include "tests/benchmarks/archive_figures.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/archive/SearchField.h"
#include "ui/editor/CodeEditor.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/BusyMeter.h"
#include "ui/tour/Keys.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QTemporaryDir>
#include <cstdio>
#include <fstream>
#include <random>

namespace kernelarium::benchmarks {

double memory(const std::string& field) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(field + ":")) return std::strtod(line.c_str() + field.size() + 1, nullptr) / 1e3;
    return 0;
}

namespace {

using namespace ui;
namespace fs = std::filesystem;

/// Handles events until `reached`; exits when it takes minutes.
void waitFor(const std::function<bool()>& reached, const char* what) {
    QElapsedTimer time;
    time.start();
    while (!reached()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 20);
        if (time.elapsed() > 600000) {
            fmt::print(stderr, "{} does not end\n", what);
            std::exit(2);
        }
    }
}

struct WindowRoom {
    WindowRoom() {
        paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
        paths.dataFolder = folder.path();
        paths.sessionFile = folder.filePath(QStringLiteral("sessions.sqlite"));
        workspace = std::make_unique<Workspace>(paths);
        window = std::make_unique<MainWindow>(*workspace, theme);
        workspace->session().wantValues(Settings::keys());
        workspace->session().open(paths.sessionFile);
        waitFor([this] { return workspace->session().isReady(); }, "opening the session");
        window->restore();
        window->resize(1440, 900);
        window->show();
        QCoreApplication::processEvents();
    }
    ~WindowRoom() {
        window.reset();
        workspace.reset();
    }

    /// From `begin` until rows that it brought are painted; then on until nothing more comes. 0 when there is nothing
    /// to search for: half a field ("speedup>") leaves what is shown.
    double untilShown(const std::function<void()>& begin) {
        bool shown = false, complete = false, nothing = false;
        const std::string what = "a search behind '" + window->archive().filters().field().text().toStdString() + "'";
        const auto first =
            QObject::connect(&window->archive(), &ArchivePanel::shownChanged, window.get(), [&] { shown = true; });
        const auto last =
            QObject::connect(&workspace->archive(), &ArchiveDesk::shownChanged, window.get(), [&] { complete = true; });
        const double time = milliseconds([&] {
            begin();
            if (!window->archive().filters().query()) shown = complete = nothing = true;
            waitFor([&] { return shown; }, what.c_str());
            window->archive().table().viewport()->repaint();
        });
        waitFor([&] { return complete; }, what.c_str());
        QObject::disconnect(first);
        QObject::disconnect(last);
        return nothing ? 0 : time;
    }

    QTemporaryDir folder;
    WorkspacePaths paths;
    Theme theme;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<MainWindow> window;
};

void importFigure(WindowRoom& bench, const fs::path& lines) {
    BusyMeter meter;
    bool ended = false;
    int parts = 0;
    ArchiveDesk& desk = bench.workspace->archive();
    QObject::connect(&desk, &ArchiveDesk::importEnded, bench.window.get(), [&] { ended = true; });
    const auto arriving = QObject::connect(&desk, &ArchiveDesk::arrivingChanged, bench.window.get(), [&] { ++parts; });
    meter.start(QStringLiteral("import"));
    const double time = milliseconds([&] {
        bench.window->openPath(QString::fromStdString(lines.string()));
        waitFor([&] { return ended && desk.table() && !desk.arriving(); }, "the import");
    });
    meter.pause();
    QObject::disconnect(arriving);
    fmt::print("import            {} rows in {:.1f} s, the table filled in {} steps; the window's thread worked {:.1f} "
               "ms without a break at most (under 50), an event waited {:.1f} ms\n",
               desk.table()->size(), time / 1000, parts, meter.worked().ms, meter.waited().ms);
}

void searchFigure(WindowRoom& bench) {
    SearchField& field = bench.window->archive().filters().field();
    std::vector<double> times;
    double slowest = 0;
    std::string slowestText;
    BusyMeter meter;
    for (const QString word : {"__shfl_down_sync", "atomicAdd(&", "__launch_bounds__(256", "wmma::fragment", "float4",
                               "extern __shared__", "#pragma unroll", "synthetic_tile", "cublasSgemm",
                               "not_in_any_kernel", "speedup>1.5 uses:float4", "correct:yes __syncthreads"}) {
        bench.untilShown([&] { field.clear(); });
        for (const QChar letter : word) {
            meter.start(field.text());
            const double time = bench.untilShown([&] { typeText(field, letter); });
            meter.pause();
            if (time > 0) times.push_back(time);
            if (time > slowest) slowest = time, slowestText = field.text().toStdString();
        }
    }
    bench.untilShown([&] { field.clear(); });
    fmt::print("a key to its hits {} keys: median {:.1f}, p95 {:.1f} (under 50), slowest {:.1f} ms ('{}'); the "
               "window's thread worked {:.1f} ms without a break at most (under 16)\n",
               times.size(), quantile(times, 0.5), quantile(times, 0.95), slowest, slowestText, meter.worked().ms);
}

void sortFigure(WindowRoom& bench) {
    std::vector<double> times;
    QHeaderView* header = bench.window->archive().table().horizontalHeader();
    for (int column = 0; column < KernelTableModel::columnCount_; ++column)
        for (const auto order : {Qt::DescendingOrder, Qt::AscendingOrder})
            if (header->sortIndicatorSection() != column || header->sortIndicatorOrder() != order)
                times.push_back(bench.untilShown([&] { header->setSortIndicator(column, order); }));
    fmt::print("sort              median {:.1f}, p95 {:.1f}, slowest {:.1f} ms to the painted table (under 16)\n",
               quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1));
}

void sourceFigure(WindowRoom& bench) {
    std::vector<double> times;
    std::mt19937 random(1);
    KernelTableView& table = bench.window->archive().table();
    for (int i = 0; i < 60; ++i) {
        const int row = int(random() % unsigned(bench.window->archive().model().rowCount()));
        const QModelIndex index = table.model()->index(row, KernelTableModel::name);
        const QString label = index.data(KernelTableModel::labelRole).toString();
        times.push_back(milliseconds([&] {
            table.setCurrentIndex(index);
            waitFor(
                [&] {
                    return bench.workspace->bench().kernel().row &&
                           QString::fromStdString(bench.workspace->bench().kernel().row->label()) == label;
                },
                "opening a kernel");
            bench.window->editorArea().editor().viewport()->repaint();
        }));
        waitFor([&] { return bench.workspace->compiler().isSettled(); }, "compiling");
    }
    fmt::print("row to source     median {:.1f}, p95 {:.1f}, slowest {:.1f} ms to the painted text (under 30)\n",
               quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1));
}

} // namespace
} // namespace kernelarium::benchmarks

int main(int argc, char** argv) {
    using namespace kernelarium::benchmarks;
    const QApplication application(argc, argv);
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // each figure as soon as it is known
    int rows = publishedRows;
    QTemporaryDir own;
    std::filesystem::path kept = own.path().toStdString();
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--keep" && i + 1 < argc)
            kept = argv[++i];
        else
            rows = std::max(1000, std::atoi(argv[i]));
    }
    std::filesystem::create_directories(kept);
    const auto lines = kept / "synthetic.jsonl";
    const char* named = std::getenv("KERNELARIUM_SHARED_DIR");
    const std::filesystem::path shared = named != nullptr ? named : KERNELARIUM_SHARED_DIR;
    if (!std::filesystem::exists(lines)) writeRows(lines, shared / "archive_sample", rows, 1);
    WindowRoom bench;
    const auto tell = [](const char* behind) {
        double load = 0;
        getloadavg(&load, 1);
        fmt::print(
            "  memory behind {} {:.0f} MB, peak {:.0f} MB (under 350); {:.1f} programs wanted a core of this machine\n",
            behind, memory("VmRSS"), memory("VmHWM"), load);
    };
    tell("the start");
    importFigure(bench, lines);
    tell("the import");
    searchFigure(bench);
    tell("the searches");
    sortFigure(bench);
    sourceFigure(bench);
    tell("the sources");
    return 0;
}
