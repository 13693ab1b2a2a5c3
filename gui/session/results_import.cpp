// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/results_import.h"

#include "base/translated.h"
#include "import/take_in.h"
#include "work/background.h"

#include <QCoreApplication>
#include <QTimer>

namespace scalebench {

namespace {

constexpr int kProgressMs = 100;

class ResultsImportTexts
{
    Q_DECLARE_TR_FUNCTIONS(ResultsImport)
};

ImportNews newsOf(const imports::TakenIn& taken, const Library& library)
{
    const imports::ImportReport& report = taken.report;
    ImportNews news;
    news.failure = taken.failure;
    news.studyDirs = taken.studyDirs(library);
    int runs = taken.stored ? taken.stored->stored + taken.stored->updated : 0;
    int known = taken.stored ? taken.stored->known : 0;
    QStringList details;
    for (const auto& [path, read] : taken.bundles) {
        if (read)
            (read.value().known ? known : runs) += read.value().runs;
        else
            details << read.failure().message;
    }
    const bool refused = !details.isEmpty();
    QStringList sentences;
    if (refused)
        sentences << ResultsImportTexts::tr("Refused: %n bundle(s).", nullptr,
                                            static_cast<int>(details.size()));
    details << imports::importRemarks(report);
    if (taken.stored)
        details << taken.stored->unread; // of the library, left as they are
    if (report.cancelled)
        sentences << ResultsImportTexts::tr("Cancelled: nothing was stored.");
    else if (runs > 0)
        sentences << ResultsImportTexts::tr("Imported %n run(s).", nullptr, runs);
    if (known > 0)
        sentences << ResultsImportTexts::tr("There already: %n run(s).", nullptr, known);
    if (taken.stored && taken.stored->references > 0)
        sentences << ResultsImportTexts::tr("Kept %n file(s) of reference points.", nullptr,
                                            taken.stored->references);
    if (taken.stored && taken.stored->knownReferences > 0)
        sentences << ResultsImportTexts::tr("Kept already: %n file(s) of reference points.",
                                            nullptr, taken.stored->knownReferences);
    if (report.damaged > 0)
        sentences << ResultsImportTexts::tr("Damaged: %n file(s).", nullptr, report.damaged);
    if (const int skipped = report.skippedCount(); skipped > 0)
        sentences << ResultsImportTexts::tr("Without results, so skipped: %n file(s).", nullptr,
                                            skipped);
    const bool nothing = runs + known == 0 && !taken.stored && !report.cancelled;
    if (nothing && report.skippedCount() > 0)
        sentences << ResultsImportTexts::tr("Data to train on is chosen on the Plan page: Data.");
    if (runs + known == 0 && sentences.isEmpty())
        sentences << ResultsImportTexts::tr("Nothing that holds results was found.");
    news.text = sentences.join(QLatin1Char(' '));
    news.details = details.join(QLatin1Char('\n'));
    news.clean = !refused && report.damaged == 0 && report.skippedCount() == 0 &&
                 (runs + known > 0 || taken.stored);
    return news;
}

} // namespace

ResultsImport::ResultsImport(const QStringList& paths, const imports::CsvMapping& columns,
                             const LibraryPlace& library, QObject* parent)
    : QObject(parent)
{
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, this, [this] {
        if (const int total = m_shared->total; total > 0)
            Q_EMIT progress(m_shared->done, total);
    });
    timer->start(kProgressMs);
    inBackground(
        this,
        [paths, columns, library, shared = m_shared]() -> ImportNews {
            const auto opened = library.open();
            if (!opened)
                return {opened.failure(), {}, {}, true, {}};
            const auto progress = [&shared](const imports::ImportProgress& now) {
                shared->done = now.done;
                shared->total = now.total;
                return !shared->cancelled;
            };
            imports::ImportOptions options;
            options.columns = columns;
            const imports::TakenIn taken = [&] {
                const EnglishText english; // what is found is kept in files
                return imports::takeIn(paths, opened.value().get(), options, progress);
            }();
            return newsOf(taken, *opened.value());
        },
        [this, timer](const ImportNews& news) {
            timer->stop(); // the last word is the news; deletion comes later than a due timeout
            Q_EMIT finished(news);
            deleteLater();
        });
}

ResultsImport::~ResultsImport()
{
    cancel();
}

void ResultsImport::cancel()
{
    m_shared->cancelled = true;
}

} // namespace scalebench
