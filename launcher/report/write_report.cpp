// SPDX-License-Identifier: GPL-3.0-or-later
// The folder that a report comes in.
#include "analysis/baseline_check.h"
#include "analysis/chart_files.h"
#include "analysis/result_files.h"
#include "base/file_io.h"
#include "base/interruption.h"
#include "base/ordinary_file.h"
#include "base/staged_folder.h"
#include "import/bundle.h"
#include "import/import_store.h"
#include "report/study_report.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QXmlStreamReader>

#include <algorithm>
#include <limits>

namespace scalebench::report {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kMostPictureBytes = 32 << 20;

/// What a chart says of itself, for those who do not see it.
QString textOf(const QByteArray& svg)
{
    QXmlStreamReader xml(svg);
    QStringList texts;
    while (texts.size() < 2 && !xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement &&
            (xml.name() == "title"_L1 || xml.name() == "desc"_L1))
            texts << xml.readElementText();
    return texts.join(u". "_s);
}

QStringList pictureStems(const QDir& folder)
{
    QStringList stems;
    for (const QString& name : folder.entryList({u"*.svg"_s}, QDir::Files, QDir::Name))
        if (name != "speedup_table.svg"_L1) // the report has it as a table
            stems << name.chopped(4);
    const auto placeOf = [](const QString& stem) {
        return chartPlace(stem).value_or(std::numeric_limits<qsizetype>::max());
    };
    std::stable_sort(stems.begin(), stems.end(), [&placeOf](const QString& a, const QString& b) {
        return placeOf(a) < placeOf(b);
    });
    return stems;
}

enum class Pictures { Embedded, Beside };

QList<Picture> picturesIn(const QDir& folder, Pictures where)
{
    QList<Picture> pictures;
    for (const QString& stem : pictureStems(folder))
        if (const Result<QByteArray> svg =
                readFile(folder.filePath(stem + u".svg"_s), kMostPictureBytes))
            pictures << Picture{textOf(svg.value()),
                                where == Pictures::Beside
                                    ? stem + u".png"_s
                                    : u"data:image/svg+xml;base64,"_s +
                                          QString::fromLatin1(svg.value().toBase64())};
    return pictures;
}

QJsonObject systemOf(const Study& study)
{
    for (const RunRecord& run : study.runs)
        if (const Result<QByteArray> bytes = readFileBelow(run.runDir, u"system.json"_s))
            return QJsonDocument::fromJson(bytes.value()).object();
    return {};
}

QString wordBehind(const QStringList& options, const QString& name)
{
    const qsizetype at = options.indexOf(name);
    return at < 0 ? QString() : options.value(at + 1);
}

/// How the charts are looked at, for the text beside them.
ReportView viewOf(const QStringList& pictureOptions)
{
    return {Baseline::fromText(wordBehind(pictureOptions, u"--baseline"_s)).value_or(Baseline()),
            wordBehind(pictureOptions, u"--quantity"_s)};
}

/// What an earlier report may have that this one has not.
QStringList filesOfEarlier(const QString& dir)
{
    return QStringList{u"report.pdf"_s, u"effects.csv"_s} + noticesIn(dir) + chartFilesIn(dir);
}

} // namespace

QStringList noticesIn(const QString& dir)
{
    const QString name = u"notice.txt"_s; // which a person may have one of as well
    const Result<QByteArray> text = readFileBelow(dir, name);
    return text && text.value().contains("MLCommons Association") ? QStringList{name}
                                                                  : QStringList();
}

/// All of it into the folder, from where it comes out when it is whole.
static Result<ReportWritten> writeStaged(const Study& study, const ReportView& view,
                                         const QStringList& pictureOptions, StagedFolder& staged,
                                         const QString& outDir)
{
    const QDir folder(staged.path());
    if (const Result<void> done = writeCsvFiles(study, folder.path(), view.baseline); !done)
        return done.failure();
    if (const Result<void> done = imports::writeOriginNotice(study, folder.path()); !done)
        return done.failure();
    const Result<imports::BundleWritten> bundle =
        imports::writeBundle(study.dir, folder.filePath(u"bundle.zip"_s), false);
    if (!bundle)
        return bundle.failure();
    ReportWritten written{QFileInfo(outDir).absoluteFilePath(), {}, {}};
    const QJsonObject system = systemOf(study);
    if (const Result<void> drawn = writePictures(study.dir, folder.path(), pictureOptions); !drawn)
        written.without = staged.told(drawn.failure().message);
    if (isInterrupted())
        return interruptedFailure();
    const auto write = [&](const QString& name, const QList<Picture>& pictures) {
        return writeFileAtomically(folder.filePath(name),
                                   reportHtml(study, system, pictures, view).toUtf8());
    };
    if (const Result<void> done = write(u"report.html"_s, picturesIn(folder, Pictures::Embedded));
        !done)
        return done.failure();
    if (written.without.isEmpty()) {
        const QString page = u"page.html"_s; // as the PDF's writer reads it
        if (const Result<void> done = write(page, picturesIn(folder, Pictures::Beside)); !done)
            return done.failure();
        const Result<void> printed =
            writePdf(folder.filePath(page), folder.filePath(u"report.pdf"_s));
        QFile::remove(folder.filePath(page));
        if (!printed)
            written.without = staged.told(printed.failure().message);
    }
    if (isInterrupted())
        return interruptedFailure();
    const Result<QStringList> files = staged.moveOut(filesOfEarlier(outDir));
    if (!files)
        return files.failure();
    written.files = files.value();
    return written;
}

Result<ReportWritten> writeReport(const QString& studyDir, const QString& outDir,
                                  const QStringList& pictureOptions)
{
    const Result<Study> study = loadStudy(studyDir);
    if (!study)
        return study.failure();
    const ReportView view = viewOf(pictureOptions);
    if (const Result<void> there = checkBaseline(study.value().runs, view.baseline); !there)
        return there.failure();
    const Result<std::unique_ptr<StagedFolder>> staged = StagedFolder::in(outDir);
    if (!staged)
        return staged.failure();
    const Result<ReportWritten> written =
        writeStaged(study.value(), view, pictureOptions, *staged.value(), outDir);
    return written ? written : Result<ReportWritten>(staged.value()->told(written.failure()));
}

} // namespace scalebench::report
