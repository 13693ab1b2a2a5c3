// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_pictures.h"

#include "base/plain_text.h"
#include "library/library.h"
#include "machine/this_computer.h"
#include "run/drawn_pictures.h"
#include "run/study_files.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Drawn {
    QString dir; ///< where they are
    QList<DrawnPicture> pictures;
};

Result<Drawn> draw(const QString& engine, const QString& runDir, const QString& outDir)
{
    QProcess process;
    process.start(engine, drawPicturesArguments(runDir, outDir));
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit)
        return Failure{u"engine_failed"_s,
                       u"%1 did not end as it should: %2"_s.arg(engine, process.errorString())};
    if (process.exitCode() != 0)
        return Failure{u"pictures"_s, visibleLine(QString::fromUtf8(process.readAllStandardError())
                                                      .remove(u"scalebench-engine: "_s)
                                                      .trimmed())};
    return Drawn{outDir, parseDrawnPictures(process.readAllStandardOutput())};
}

/// Folders of runs, with the part of the output path that is theirs.
Result<QList<std::pair<QString, QString>>> runsOf(Library& library, const QString& named)
{
    if (QFileInfo::exists(named + u"/run.json"_s))
        return QList<std::pair<QString, QString>>{{QDir(named).absolutePath(), QString()}};
    const Result<QString> dir = library.findStudyDir(named);
    if (!dir)
        return dir.failure();
    const Result<Study> study = loadStudyHead(dir.value());
    if (!study)
        return study.failure();
    QList<std::pair<QString, QString>> runs;
    for (const RunRecord& run : study.value().runs)
        if (hasPictures(run.runDir))
            runs.append({run.runDir, u'/' + run.config.runId});
    if (runs.isEmpty())
        return Failure{u"pictures"_s, u"No run of %1 has pictures: only runs of detectors leave "
                                      "some, after their first evaluation."_s.arg(dir.value())};
    return runs;
}

} // namespace

int drawRunPictures(const CommandParser& parser, Library& library, const QString& studyOrRun)
{
    const QString engine = findProgram(u"scalebench-engine"_s);
    if (engine.isEmpty())
        return report({u"engine_missing"_s,
                       u"scalebench-engine was not found beside this program or in PATH."_s});
    const Result<QList<std::pair<QString, QString>>> runs = runsOf(library, studyOrRun);
    if (!runs)
        return report(runs.failure());
    const QString folder = QFileInfo(parser.value(u"pictures"_s)).absoluteFilePath();
    QJsonArray list;
    for (const auto& [runDir, below] : runs.value()) {
        const Result<Drawn> drawn = draw(engine, runDir, folder + below);
        if (!drawn)
            return report(drawn.failure());
        for (const DrawnPicture& picture : drawn.value().pictures) {
            const QString path =
                picture.file.isEmpty() ? QString() : drawn.value().dir + u'/' + picture.file;
            list << QJsonObject{{u"path"_s, path}, {u"text"_s, picture.text}};
            if (!parser.json())
                out(path + (path.isEmpty() ? QString() : u"  "_s) + picture.text + u'\n');
        }
    }
    if (parser.json())
        printJson(QJsonDocument(QJsonObject{{u"pictures"_s, list}}));
    return kOk;
}

} // namespace scalebench::cli
