// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/verify_report.h"

#include "analysis/result_files.h"
#include "analysis/run_groups.h"
#include "base/file_io.h"
#include "base/interruption.h"
#include "base/plain_text.h"
#include "base/staged_folder.h"
#include "base/translated.h"
#include "import/published_results.h"
#include "import/published_studies.h"
#include "report/html.h"

#include <QDateTime>
#include <QDir>
#include <QLocale>

#include <cmath>

namespace scalebench::report {

using namespace Qt::Literals::StringLiterals;

namespace {

QString nameOf(const Study& study)
{
    return study.spec.name.isEmpty() ? study.id : study.spec.name;
}

QString speedOrNothing(double value)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', 3) : QString();
}

QString itemsHtml(const Verification& verification)
{
    HtmlTable table(Launcher::tr("What was compared with the reference"),
                    {Launcher::tr("item"), Launcher::tr("verdict"), Launcher::tr("speed"),
                     Launcher::tr("from"), Launcher::tr("to"), Launcher::tr("mean time"),
                     Launcher::tr("reference"), Launcher::tr("runs"), Launcher::tr("likely cause"),
                     Launcher::tr("note")});
    for (const VerifiedItem& item : verification.items) {
        const RatioInterval speed = item.told();
        table.add({item.name, verdictText(item.verdict), speedOrNothing(speed.ratio),
                   speedOrNothing(speed.low), speedOrNothing(speed.high),
                   std::isfinite(item.timeS) ? formatDuration(item.timeS) : QString(),
                   std::isfinite(item.referenceS) ? formatDuration(item.referenceS) : QString(),
                   Launcher::tr("%1 against %2").arg(item.runs).arg(item.referenceRuns),
                   item.causes.join(u' '), item.notes.join(u", "_s)});
    }
    return table.html();
}

} // namespace

QString verificationHtml(const Verification& verification, const Study& study,
                         const Study& reference, const QJsonObject& system, const QString& picture)
{
    const QString title = Launcher::tr("Verification: %1").arg(nameOf(study));
    QString body = element("h1", title);
    body += element("p", Launcher::tr("Reference: %1").arg(nameOf(reference)));
    body += element("p", QLocale().toString(QDateTime::currentDateTime(), u"yyyy-MM-dd HH:mm"_s) +
                             u" · Scalebench "_s + QLatin1StringView(SB_VERSION));
    body += element("h2", verification.summary());
    if (!picture.isEmpty())
        body += u"<div><img src=\"%1\" alt=\"%2\" width=\"740\"/></div>\n"_s.arg(
            htmlText(picture), htmlText(verification.summary()));
    body += itemsHtml(verification) + bulletList(verification.remarks) + systemHtml(study, system);
    body += element("h2", Launcher::tr("Method")) + element("p", verification.method());
    body += u"<p class=\"note\">"_s +
            htmlText(imports::publishedFigureOf(reference).isEmpty()
                         ? Launcher::tr("Result not verified by MLCommons Association.")
                         : imports::publishedNotice()) +
            u"</p>\n"_s;
    return htmlPage(title, body);
}

Result<ReportWritten> writeVerification(const Verification& verification, const Study& study,
                                        const Study& reference, const QString& outDir,
                                        const QByteArray& png)
{
    const Result<std::unique_ptr<StagedFolder>> staged = StagedFolder::in(outDir);
    if (!staged)
        return staged.failure();
    const QDir folder(staged.value()->path());
    ReportWritten written{QDir(outDir).absolutePath(), {}, {}};
    const QString picture = u"verification.png"_s, page = u"verification.html"_s,
                  paper = u"verification.pdf"_s;
    if (!png.isEmpty())
        if (const Result<void> done = writeFileAtomically(folder.filePath(picture), png); !done)
            return done.failure();
    const QString html = verificationHtml(verification, study, reference, systemOf(study.runs),
                                          png.isEmpty() ? QString() : picture);
    if (const Result<void> done = writeFileAtomically(folder.filePath(page), html.toUtf8()); !done)
        return done.failure();
    if (const Result<void> printed = writePdf(folder.filePath(page), folder.filePath(paper));
        !printed)
        written.without = printed.failure().message;
    if (isInterrupted())
        return interruptedFailure();
    const Result<QStringList> files = staged.value()->moveOut({picture, paper});
    if (!files)
        return files.failure();
    written.files = files.value();
    return written;
}

} // namespace scalebench::report
