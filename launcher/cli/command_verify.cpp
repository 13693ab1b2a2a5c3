// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench verify STUDY --against REFERENCE`.
#include "analysis/result_files.h"
#include "analysis/verification.h"
#include "base/file_io.h"
#include "base/interruption.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "cli.h"
#include "figures/verify_chart.h"
#include "import/published_studies.h"
#include "import/reference_check.h"
#include "library/library.h"
#include "report/verify_report.h"
#include "text_table.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonObject verificationJson(const Verification& verification)
{
    QJsonArray items;
    for (const VerifiedItem& item : verification.items)
        items << QJsonObject{{u"item"_s, item.name},
                             {u"verdict"_s, verdictText(item.verdict)},
                             {u"speed"_s, orNull(item.speed.ratio)},
                             {u"speed_low"_s, orNull(item.speed.low)},
                             {u"speed_high"_s, orNull(item.speed.high)},
                             {u"reference_low"_s, orNull(item.referenceLow)},
                             {u"reference_high"_s, orNull(item.referenceHigh)},
                             {u"time_s"_s, orNull(item.timeS)},
                             {u"reference_time_s"_s, orNull(item.referenceS)},
                             {u"runs"_s, item.runs},
                             {u"reference_runs"_s, item.referenceRuns},
                             {u"of_throughput"_s, item.ofThroughput},
                             {u"causes"_s, QJsonArray::fromStringList(item.causes)},
                             {u"notes"_s, QJsonArray::fromStringList(item.notes)}};
    return {{u"passed"_s, verification.passed()},
            {u"summary"_s, verification.summary()},
            {u"margin"_s, verification.margin},
            {u"without_reference"_s, verification.withoutReference},
            {u"remarks"_s, QJsonArray::fromStringList(verification.remarks)},
            {u"items"_s, items}};
}

void printVerification(const Verification& verification)
{
    out(verification.summary() + u'\n');
    if (verification.items.isEmpty())
        return;
    TextTable table({u"item"_s, u"verdict"_s, u"speed"_s, u"from"_s, u"to"_s, u"time"_s,
                     u"reference"_s, u"runs"_s},
                    2);
    for (const VerifiedItem& item : verification.items) {
        const RatioInterval speed = item.told();
        table.add({visibleLine(item.name), verdictText(item.verdict), formatNumber(speed.ratio, 3),
                   formatNumber(speed.low, 3), formatNumber(speed.high, 3),
                   formatDuration(item.timeS), formatDuration(item.referenceS),
                   u"%1/%2"_s.arg(item.runs).arg(item.referenceRuns)});
    }
    out(u'\n' + table.text());
    for (const VerifiedItem& item : verification.items)
        for (const QString& sentence : item.causes)
            out(u"  %1: %2\n"_s.arg(item.name, sentence));
    for (const QString& sentence : verification.remarks)
        out(sentence + u'\n');
    out(u'\n' + verification.method() + u'\n');
}

/// A study of the library, or published results by "published:ID".
Result<Study> studyOf(Library& library, const QString& word)
{
    const QString kPublished = u"published:"_s;
    if (word.startsWith(kPublished)) {
        const Study study = imports::publishedStudy(word.mid(kPublished.size()));
        if (study.runs.isEmpty())
            return Failure{u"usage"_s,
                           u"There is no published result \"%1\" with times: \"scalebench results "
                           "reference\" lists them."_s.arg(word.mid(kPublished.size()))};
        return study;
    }
    const Result<QString> dir = library.findStudyDir(word);
    return dir ? loadStudy(dir.value()) : Result<Study>(dir.failure());
}

/// Empty: there is nothing to draw, or it cannot be drawn here, and why is said.
QByteArray chartPicture(const Study& study, const Verification& verification)
{
    ChartData data = verifyChart(study, verification);
    if (data.isEmpty())
        return {};
    const QTemporaryDir dir;
    const QString chart = dir.filePath(u"verification.csv"_s),
                  picture = dir.filePath(u"verification.png"_s);
    data.title = u"Speed over the reference's"_s; // numbers of workloads have no plural forms here
    Result<void> drawn = writeFileAtomically(chart, data.csv());
    if (drawn)
        drawn = drawChartFile(chart, picture);
    QFile file(picture);
    if (drawn && file.open(QIODevice::ReadOnly))
        return file.readAll();
    if (!isInterrupted()) // which is told at the end
        error(drawn ? u"%1 cannot be read."_s.arg(picture) : drawn.failure().message);
    return {};
}

} // namespace

int commandVerify(const QStringList& arguments)
{
    CommandParser parser(
        u"verify STUDY --against REFERENCE"_s,
        u"Says item by item whether a study is as fast as a reference: another study, imported "
        "results, or published ones. Exit code 0 where all pass, else 4."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption({u"against"_s, u"A study, or published:ID (scalebench results reference)."_s,
                      u"REFERENCE"_s});
    parser.addOption(
        {u"margin"_s, u"How many per cent slower is the same (default: 5)."_s, u"PCT"_s});
    parser.addOption({u"out"_s, u"Folder for verification.html and .pdf."_s, u"DIR"_s});
    parser.addPositionalArgument(u"study"_s, u"Which study (default: latest)."_s, u"[STUDY]"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() > 1)
        return report(
            {u"usage"_s, u"\"%1\" is one word too many."_s.arg(parser.positionalArguments()[1])});
    if (parser.value(u"against"_s).isEmpty())
        return report({u"usage"_s, u"verify needs --against REFERENCE."_s});
    bool ok = true;
    const double margin =
        parser.isSet(u"margin"_s) ? parser.value(u"margin"_s).toDouble(&ok) / 100 : 0.05;
    if (!ok || !(margin > 0 && margin < 1))
        return report(
            {u"usage"_s, u"--margin needs a number above 0 and below 100, not \"%1\"."_s.arg(
                             parser.value(u"margin"_s))});
    const QFileInfo outDir(parser.value(u"out"_s));
    if (parser.isSet(u"out"_s) && outDir.exists() && !outDir.isDir())
        return report({u"usage"_s, u"\"%1\" is a file; --out takes a folder."_s.arg(
                                       visibleLine(parser.value(u"out"_s)))});
    int code = kOk;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    const Result<Study> study =
        studyOf(*library, parser.positionalArguments().value(0, u"latest"_s));
    if (!study)
        return report(study.failure());
    const Result<Study> reference = studyOf(*library, parser.value(u"against"_s));
    if (!reference)
        return report(reference.failure());
    Verification verification = verifyRuns(study.value().runs, reference.value().runs, margin);
    verification.remarks = imports::remarksOfStoredPoints(study.value().runs, library->dir());
    if (parser.json())
        printJson(QJsonDocument(verificationJson(verification)));
    else
        printVerification(verification);
    if (parser.isSet(u"out"_s)) {
        watchInterruption();
        const auto written = scalebench::report::writeVerification(
            verification, study.value(), reference.value(), outDir.absoluteFilePath(),
            chartPicture(study.value(), verification));
        if (!written)
            return report(written.failure());
        if (!written.value().without.isEmpty())
            error(written.value().without);
        if (!parser.json())
            out(u"\nWrote %1\n"_s.arg(written.value().files.join(u", "_s)));
    }
    return verification.passed() ? kOk : kNotReached;
}

} // namespace scalebench::cli
