// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/BundledFonts.h"
#include "ui/sessions/SessionClaim.h"
#include "ui/theme/Theme.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>

using namespace kernelarium;

namespace {

struct Arguments {
    QStringList files;
    QString archive;
    QString sessionFile;
    QString tourFolder;
    QString theme;
    bool tour = false;
};

Arguments parse(const QCoreApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Inspect, tune and learn from CUDA kernels, with or without a GPU."));
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption archive(QStringLiteral("archive"), QStringLiteral("Open this archive."),
                                     QStringLiteral("file"));
    const QCommandLineOption session(QStringLiteral("session-file"), QStringLiteral("Keep sessions in this file."),
                                     QStringLiteral("file"));
    const QCommandLineOption tour(QStringLiteral("tour"),
                                  QStringLiteral("Tour the program automatically and save screenshots in this folder."),
                                  QStringLiteral("folder"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("system, light or dark."),
                                   QStringLiteral("name"));
    parser.addOptions({archive, session, tour, theme});
    parser.addPositionalArgument(QStringLiteral("files"), QStringLiteral(".cu, .sqlite or .jsonl files to open."),
                                 QStringLiteral("[files...]"));
    parser.process(application);
    return {parser.positionalArguments(), parser.value(archive), parser.value(session),
            parser.value(tour),           parser.value(theme),   parser.isSet(tour)};
}

ui::WorkspacePaths pathsFor(const Arguments& arguments) {
    const QString folder = QCoreApplication::applicationDirPath();
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    ui::WorkspacePaths paths;
    paths.program = folder + QStringLiteral("/kernelarium-cli");
    const QString starter = QDir::cleanPath(folder + QStringLiteral("/../share/kernelarium/starter.sqlite"));
    if (QFileInfo::exists(starter)) paths.starterArchive = starter;
    paths.dataFolder = data;
    paths.sessionFile =
        arguments.sessionFile.isEmpty() ? data + QStringLiteral("/sessions.sqlite") : arguments.sessionFile;
    return paths;
}

void runTour(ui::MainWindow& window, const QString& folder) {
    auto* tour = new ui::Tour(window, folder, &window);
    QObject::connect(tour, &ui::Tour::finished, &window, [tour](bool ok, const QString& problem) {
        const auto& worked = tour->meter().worked();
        const auto& waited = tour->meter().waited();
        std::printf(
            "The window's thread was never busy for longer than %.0f ms (%s); an event waited %.0f ms at most (%s).\n",
            worked.ms, qUtf8Printable(worked.phase), waited.ms, qUtf8Printable(waited.phase));
        if (!ok) std::fprintf(stderr, "error: %s\n", qUtf8Printable(problem));
        QCoreApplication::exit(ok ? 0 : 1);
    });
    tour->start();
}

/// What a second start is asked to open is opened by the first, whose folder may be another one.
ui::SessionClaim::Wish wishOf(const Arguments& arguments) {
    ui::SessionClaim::Wish wish;
    if (!arguments.archive.isEmpty()) wish.archive = QFileInfo(arguments.archive).absoluteFilePath();
    for (const QString& file : arguments.files)
        wish.files << QFileInfo(file).absoluteFilePath();
    wish.activation = qgetenv("XDG_ACTIVATION_TOKEN");
    return wish;
}

/// Whether this start shall have a window; else `exitCode` says how it ended.
bool isFirst(ui::SessionClaim& claim, const Arguments& arguments, int& exitCode) {
    constexpr std::chrono::seconds patience(10);
    const Result<bool> first = claim.take(wishOf(arguments), arguments.tour ? std::chrono::seconds(0) : patience);
    if (first && *first) return true;
    exitCode = first ? 0 : 1;
    if (first) {
        std::printf("Kernelarium is open with this session file; it was asked to come to the front.\n");
        return false;
    }
    std::fprintf(stderr, "error: %s\n", first.error().text().c_str());
    if (QGuiApplication::platformName() != QLatin1String("offscreen"))
        QMessageBox::critical(nullptr, QGuiApplication::applicationDisplayName(),
                              QString::fromStdString(first.error().text()));
    return false;
}

void fulfil(ui::MainWindow& window, ui::Workspace& workspace, const ui::SessionClaim::Wish& wish) {
    if (!wish.archive.isEmpty()) workspace.archive().open(wish.archive);
    window.openPaths(wish.files);
}

void bringToFront(ui::MainWindow& window, const QByteArray& activation) {
    if (!activation.isEmpty()) qputenv("XDG_ACTIVATION_TOKEN", activation);
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
    window.show();
    window.raise();
    window.activateWindow();
}

bool contains(int argc, char** argv, std::initializer_list<const char*> words) {
    for (int i = 1; i < argc; ++i)
        for (const char* word : words)
            if (std::strncmp(argv[i], word, std::strlen(word)) == 0) return true;
    return false;
}

bool hasDisplay() {
    return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // a child that goes away is an error of write, not our end
    QCoreApplication::setApplicationName(QStringLiteral("kernelarium"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KERNELARIUM_VERSION));
    if (contains(argc, argv, {"-h", "--help", "-v", "--version"})) {
        const QCoreApplication application(argc, argv); // needs no display
        parse(application);
        return 0;
    }
    if (!hasDisplay()) {
        if (!contains(argc, argv, {"--tour"})) {
            std::fprintf(stderr,
                         "error: there is no display. --tour FOLDER takes the tour off screen; kernelarium-cli is the "
                         "command line.\n");
            return 3;
        }
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    useBundledFonts();
    QApplication application(argc, argv);
    QApplication::setApplicationDisplayName(QStringLiteral("Kernelarium"));
    const Arguments arguments = parse(application);
    if (!arguments.theme.isEmpty() && ui::Theme::word(ui::Theme::choiceFromWord(arguments.theme)) != arguments.theme) {
        std::fprintf(stderr, "error: there is no theme '%s': --theme takes system, light or dark.\n",
                     qUtf8Printable(arguments.theme));
        return 2;
    }
    const ui::WorkspacePaths paths = pathsFor(arguments);
    ui::SessionClaim claim(paths.sessionFile);
    if (int exitCode = 0; !isFirst(claim, arguments, exitCode)) return exitCode;

    ui::Theme theme;
    ui::Workspace workspace(paths);
    ui::MainWindow window(workspace, theme);
    workspace.session().wantValues(ui::Settings::keys());
    QObject::connect(&workspace.session(), &ui::SessionDesk::ready, &window, [&] {
        window.restore();
        if (!arguments.theme.isEmpty()) theme.setChoice(ui::Theme::choiceFromWord(arguments.theme));
        fulfil(window, workspace, wishOf(arguments));
        window.show();
        if (arguments.tour) runTour(window, arguments.tourFolder);
    });
    QObject::connect(&claim, &ui::SessionClaim::wished, &window, [&](const ui::SessionClaim::Wish& wish) {
        const auto serve = [&window, &workspace, wish] {
            fulfil(window, workspace, wish);
            bringToFront(window, wish.activation);
        };
        if (workspace.session().isReady()) return serve();
        QObject::connect(&workspace.session(), &ui::SessionDesk::ready, &window, serve); // after the one above
    });
    workspace.session().open(paths.sessionFile);
    return QApplication::exec();
}
