// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"
#include "app/display_check.h"
#include "app/main_window.h"
#include "app/print_html.h"
#include "app/study_export.h"
#include "app/watched_application.h"
#include "base/file_io.h"
#include "base/user_account.h"
#include "settings/app_settings.h"
#include "settings/language.h"
#include "settings/theme_manager.h"
#include "settings/workbench_init.h"

#include <QApplication>
#include <QBuffer>
#include <QFileInfo>
#include <QIcon>
#include <QImageWriter>
#include <QPushButton>
#include <QTimer>

#include <cstdio>

using namespace scalebench;

namespace {

constexpr int kExitUsage = 2;
constexpr int kSettleMs = 900; ///< charts are drawn at most 15 times a second

void setIdentity()
{
    QCoreApplication::setOrganizationName(QStringLiteral("Scalebench"));
    QCoreApplication::setApplicationName(QStringLiteral("Workbench"));
    QCoreApplication::setApplicationVersion(QStringLiteral(SB_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("com.scalebench.Workbench"));
}

Result<CommandLine> parseArguments(int argc, char** argv)
{
    // The parser wants an application object, but which kind is only known after parsing.
    QCoreApplication core(argc, argv);
    return CommandLine::parse(core.arguments());
}

int runExport(int argc, char** argv, const CommandLine& line)
{
    // Pictures need fonts but no display.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication app(argc, argv);
    initWorkbench();
    if (!line.language.isEmpty())
        applyLanguage(line.language);
    if (!line.chartFile.isEmpty())
        return runDrawCommand(line.chartFile, line.outDir);
    return line.exportDir.isEmpty() ? runPrintCommand(line.printFile, line.outDir)
                                    : runExportCommand(line.exportDir, line.outDir, line.view);
}

/// For tests that click with a real mouse: where the Start button is, as the screen counts, and
/// again each time it has moved.
void printStartButton(MainWindow& window)
{
    auto* timer = new QTimer(&window);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, last = QPoint()]() mutable {
        const auto* button = window.findChild<QPushButton*>(QStringLiteral("startButton"));
        const QPoint at = button->mapToGlobal(button->rect().center());
        if (at == last)
            return;
        last = at;
        std::printf("start button %d %d\n", at.x(), at.y());
        std::fflush(stdout);
    });
    timer->start(kSettleMs);
}

bool writeScreenshot(MainWindow& window, const QString& file)
{
    QByteArray picture;
    QBuffer buffer(&picture);
    QImageWriter writer(&buffer, QFileInfo(file).suffix().toLatin1());
    const Result<void> written =
        writer.write(window.grab().toImage())
            ? writeFileAtomically(file, picture)
            : Failure{QStringLiteral("format_unknown"),
                      QStringLiteral("“%1” has no known ending: use .png.").arg(file)};
    if (!written)
        std::fputs(
            qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(written.failure().message)),
            stderr);
    return written.ok();
}

int runWorkbench(int argc, char** argv, const CommandLine& line)
{
    WatchedApplication app(argc, argv);
    initWorkbench();
    applyLanguage(line.language.isEmpty() ? AppSettings::instance().language() : line.language);
    app.setWindowIcon(QIcon(QStringLiteral(":/scalebench/icons/com.scalebench.Workbench.svg")));
    ThemeManager::instance().apply(line.theme.value_or(AppSettings::instance().theme()));
    MainWindow window(line);
    if (!line.screenshot.isEmpty()) {
        QObject::connect(&window, &MainWindow::loaded, &window, [&] {
            auto* timer = new QTimer(&window);
            QObject::connect(timer, &QTimer::timeout, &window, [&, settled = 0]() mutable {
                settled = window.isSettled() ? settled + 1 : 0;
                if (settled < 2) // what came last is drawn by then
                    return;
                QCoreApplication::exit(writeScreenshot(window, line.screenshot) ? 0 : 3);
            });
            timer->start(kSettleMs);
        });
    }
    if (qEnvironmentVariableIsSet("SCALEBENCH_TEST_GEOMETRY"))
        QObject::connect(&window, &MainWindow::loaded, &window, [&] { printStartButton(window); });
    window.show();
    return app.exitCode(QApplication::exec());
}

} // namespace

int main(int argc, char** argv)
{
    setMissingHome();
    setIdentity();
    initResources();
    const Result<CommandLine> parsed = parseArguments(argc, argv);
    if (!parsed) {
        std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(parsed.failure().message)),
                   stderr);
        return kExitUsage;
    }
    const CommandLine& line = parsed.value();
    if (line.help) {
        std::fputs(qPrintable(line.helpText), stdout);
        return 0;
    }
    if (line.version) {
        std::puts("scalebench-gui " SB_VERSION);
        return 0;
    }
    if (!line.exportDir.isEmpty() || !line.printFile.isEmpty() || !line.chartFile.isEmpty())
        return runExport(argc, argv, line);
    if (const QString problem = displayProblem(); !problem.isEmpty()) {
        std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(problem)), stderr);
        return kExitUsage;
    }
    return runWorkbench(argc, argv, line);
}
