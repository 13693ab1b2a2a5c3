// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "import/published_studies.h"
#include "pages/registry.h"
#include "settings/language.h"

#include <QCommandLineParser>
#include <QFileInfo>

namespace scalebench {

namespace {

Failure usage(const QString& message)
{
    return {QStringLiteral("usage"), message};
}

} // namespace

/// Without the options that Qt takes for itself (Qt's documentation of QGuiApplication and
/// QApplication), with one dash or two.
static QStringList withoutQtOptions(const QStringList& arguments)
{
    static const QStringList alone{QStringLiteral("reverse")};
    static const QStringList withValue{
        QStringLiteral("platform"),        QStringLiteral("platformpluginpath"),
        QStringLiteral("platformtheme"),   QStringLiteral("plugin"),
        QStringLiteral("qwindowgeometry"), QStringLiteral("qwindowicon"),
        QStringLiteral("qwindowtitle"),    QStringLiteral("session"),
        QStringLiteral("display"),         QStringLiteral("geometry"),
        QStringLiteral("style"),           QStringLiteral("stylesheet")};
    QStringList ours;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        const qsizetype dashes = argument.startsWith(QLatin1String("--")) ? 2 : 1;
        const QString name = argument.mid(dashes).section(QLatin1Char('='), 0, 0);
        if (argument.startsWith(QLatin1Char('-')) && alone.contains(name))
            continue;
        if (argument.startsWith(QLatin1Char('-')) && withValue.contains(name)) {
            if (!argument.contains(QLatin1Char('=')))
                ++i;
            continue;
        }
        ours << argument;
    }
    return ours;
}

/// What --export draws beside the defaults.
static Result<ScalingView> viewOf(const QCommandLineParser& parser)
{
    ScalingView view;
    if (const QString name = parser.value(QStringLiteral("quantity")); !name.isEmpty()) {
        const auto quantity = speedupOfFromName(name);
        if (!quantity)
            return usage(
                QStringLiteral("There is no quantity “%1”: time, epoch, throughput.").arg(name));
        view.quantity = *quantity;
    }
    if (const QString name = parser.value(QStringLiteral("baseline")); !name.isEmpty()) {
        const auto baseline = Baseline::fromText(name);
        if (!baseline)
            return usage(QStringLiteral("There is no baseline “%1”: smallest, node, or a number "
                                        "of workers.")
                             .arg(name));
        view.baseline = *baseline;
    }
    view.reference = parser.value(QStringLiteral("reference"));
    QStringList known;
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        known << figure.id;
    if (!view.reference.isEmpty() && !known.contains(view.reference))
        return usage(QStringLiteral("There is no published result “%1”: %2.")
                         .arg(view.reference, known.join(QStringLiteral(", "))));
    return view;
}

Result<CommandLine> CommandLine::parse(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Scalebench, the workbench: measures how deep-learning training scales."));
    const auto option = [&parser](const char* name, const char* text, const char* value = "") {
        parser.addOption(
            {QString::fromLatin1(name), QString::fromLatin1(text), QString::fromLatin1(value)});
    };
    parser.addOption(
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Shows this help.")});
    parser.addOption(
        {{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Shows the version.")});
    option("library", "Folder where runs are kept (default: the user's data folder).", "DIR");
    parser.addOption(
        {QStringLiteral("start"), QStringLiteral("Starts the study given (or the default one).")});
    parser.addOption({QStringLiteral("import"), QStringLiteral("Asks for results to import.")});
    parser.addOption({QStringLiteral("page"),
                      QStringLiteral("First page: %1.").arg(pageIds().join(QStringLiteral(", "))),
                      QStringLiteral("NAME")});
    option("replay",
           "Shows a recorded study as it trained, from its folder or bundle; trains nothing.",
           "STUDYDIR");
    option("speed", "How many times as fast as it was (default: 10).", "N");
    option("theme", "system, light, dark or contrast.", "THEME");
    parser.addOption({QStringLiteral("language"),
                      QStringLiteral("Language of the window: system, %1.")
                          .arg(languages().join(QStringLiteral(", "))),
                      QStringLiteral("LANGUAGE")});
    option("screenshot", "Writes a picture of the window once it is loaded, then ends.", "FILE");
    option("size", "Size of the window, for example 1280x800.", "WxH");
    option("export", "Writes the charts of a study as PNG, SVG and PDF; opens no window.",
           "STUDYDIR");
    option("quantity", "What a speedup of --export is of: time (default), epoch or throughput.",
           "WHAT");
    option("baseline", "What it is told against: smallest (default), node, or a number of workers.",
           "WHAT");
    option("reference", "Published results to lay beside it (scalebench results reference).", "ID");
    option("print", "Lays a report out on pages, into the PDF named by --out; opens no window.",
           "FILE");
    option("draw", "Draws the CSV file of a chart as the picture named by --out.", "FILE");
    option("out", "Where --export, --print and --draw write.", "PATH");
    parser.addPositionalArgument(
        QStringLiteral("study"),
        QStringLiteral("A study.json to plan, a study's folder to open, or results to import: "
                       "bundles, logs, tables."),
        QStringLiteral("[STUDY.json|STUDYDIR|FILE...]"));
    if (!parser.parse(withoutQtOptions(arguments)))
        return usage(parser.errorText());
    CommandLine line;
    line.helpText = parser.helpText();
    line.help = parser.isSet(QStringLiteral("help"));
    line.version = parser.isSet(QStringLiteral("version"));
    line.libraryDir = parser.value(QStringLiteral("library"));
    line.importsResults = parser.isSet(QStringLiteral("import"));
    line.start = parser.isSet(QStringLiteral("start"));
    line.page = parser.value(QStringLiteral("page"));
    line.replayDir = parser.value(QStringLiteral("replay"));
    if (const QString speed = parser.value(QStringLiteral("speed")); !speed.isEmpty()) {
        bool isNumber = false;
        line.speed = speed.toDouble(&isNumber);
        if (!isNumber || !(line.speed > 0) || line.replayDir.isEmpty())
            return usage(QStringLiteral("--speed wants a number above 0, with --replay."));
    }
    const QFileInfo recorded(line.replayDir);
    if (!line.replayDir.isEmpty() &&
        (!recorded.isReadable() ||
         (recorded.isDir() && !QFileInfo::exists(line.replayDir + QStringLiteral("/study.json")))))
        return usage(
            QStringLiteral("There is no study or bundle %1 that can be read: --replay takes "
                           "the folder of a study, or a bundle.")
                .arg(line.replayDir));
    line.language = parser.value(QStringLiteral("language"));
    if (!line.language.isEmpty() && line.language != QLatin1String("system") &&
        !languages().contains(line.language))
        return usage(QStringLiteral("There is no language “%1”: system, %2.")
                         .arg(line.language, languages().join(QStringLiteral(", "))));
    line.screenshot = parser.value(QStringLiteral("screenshot"));
    line.exportDir = parser.value(QStringLiteral("export"));
    line.printFile = parser.value(QStringLiteral("print"));
    line.chartFile = parser.value(QStringLiteral("draw"));
    line.outDir = parser.value(QStringLiteral("out"));
    const Result<ScalingView> view = viewOf(parser);
    if (!view)
        return view.failure();
    line.view = view.value();
    line.files = parser.positionalArguments();
    if (line.start && line.files.size() > 1)
        return usage(QStringLiteral("One study at a time, please."));
    if (!line.page.isEmpty() && !pageIds().contains(line.page))
        return usage(QStringLiteral("There is no page “%1”: %2.")
                         .arg(line.page, pageIds().join(QStringLiteral(", "))));
    if (parser.isSet(QStringLiteral("theme"))) {
        const QString name = parser.value(QStringLiteral("theme"));
        line.theme = themeChoiceFromName(name);
        if (themeChoiceName(*line.theme) != name)
            return usage(QStringLiteral("There is no theme “%1”: %2.")
                             .arg(name, themeChoiceNames().join(QStringLiteral(", "))));
    }
    if (parser.isSet(QStringLiteral("size"))) {
        const QStringList parts = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
        line.size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
        if (line.size.width() < 200 || line.size.height() < 200)
            return usage(QStringLiteral("--size wants something like 1280x800."));
    }
    if (parser.isSet(QStringLiteral("export")) && line.outDir.isEmpty())
        return usage(QStringLiteral("--export needs --out DIR."));
    if (parser.isSet(QStringLiteral("print")) && line.outDir.isEmpty())
        return usage(QStringLiteral("--print needs --out FILE."));
    if (parser.isSet(QStringLiteral("draw")) && line.outDir.isEmpty())
        return usage(QStringLiteral("--draw needs --out FILE."));
    return line;
}

} // namespace scalebench
