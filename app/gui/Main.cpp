// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/Arguments.h"
#include "app/gui/BundledFonts.h"
#include "core/session/SessionFile.h"
#include "gpu/protocol/kept/KeptUnits.h"
#include "ui/sessions/SessionClaim.h"
#include "ui/theme/Theme.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QMessageBox>
#include <QStandardPaths>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <initializer_list>

using namespace kernelarium;

namespace {

ui::WorkspacePaths pathsFor(const Arguments& arguments) {
    const QString folder = QCoreApplication::applicationDirPath();
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    ui::WorkspacePaths paths;
    paths.program = folder + QStringLiteral("/kernelarium-cli");
    const QString starter = QDir::cleanPath(folder + QStringLiteral("/../share/kernelarium/starter.sqlite"));
    if (QFileInfo::exists(starter)) paths.starterArchive = starter;
    // A tour searches and keeps what it finds: not among what is the user's.
    paths.dataFolder = arguments.tour && !arguments.tourFolder.isEmpty()
                           ? QDir(arguments.tourFolder).absoluteFilePath(QStringLiteral("data"))
                           : data;
    paths.compiled = QString::fromStdString(protocol::KeptUnits::standardFolder().string());
    paths.sessionFile =
        arguments.sessionFile.isEmpty() ? data + QStringLiteral("/sessions.sqlite") : arguments.sessionFile;
    return paths;
}

/// A session file among the files, as a file manager names it, is the one to keep sessions in.
void takeSessionFile(Arguments& arguments) {
    QStringList others;
    for (const QString& file : arguments.files)
        if (arguments.sessionFile.isEmpty() && session::isSessionFile(file.toStdString()))
            arguments.sessionFile = file;
        else
            others << file;
    arguments.files = others;
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
    if (contains(argc, argv, {"-h", "--help", "-v", "--version", "--manual"})) {
        const QCoreApplication application(argc, argv); // needs no display
        const std::optional<QString> text = parseArguments(application).text;
        if (text) std::fputs(qUtf8Printable(*text), stdout);
        return text && text->isEmpty() ? 2 : 0;
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
    // The desktop finds the entry that the window belongs to by this name, and there its icon.
    QGuiApplication::setDesktopFileName(QStringLiteral(KERNELARIUM_DESKTOP_ID));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/desktop/kernelarium.svg")));
    Arguments arguments = parseArguments(application);
    takeSessionFile(arguments);
    if (!arguments.theme.isEmpty() && ui::Theme::word(ui::Theme::choiceFromWord(arguments.theme)) != arguments.theme) {
        std::fprintf(stderr, "error: there is no theme '%s': --theme takes system, light or dark.\n",
                     qUtf8Printable(arguments.theme));
        return 2;
    }
    const ui::WorkspacePaths paths = pathsFor(arguments);
    ui::SessionClaim claim(paths.sessionFile);
    if (int exitCode = 0; !isFirst(claim, arguments, exitCode)) return exitCode;

    protocol::KeptUnits::setOfProcess(std::make_shared<protocol::KeptUnits>(paths.compiled.toStdString()));
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
