// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_files.h"
#include "base/translated.h"

#include "base/file_io.h"
#include "log_tree.h"
#include "mlperf_run.h"
#include "other_files.h"
#include "wide_text.h"

#include <QCryptographicHash>
#include <QFile>
#include <QStringDecoder>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kHashPiece = 1 << 20;
constexpr int kMostThreads = 16;

ImportedFile skipped(ImportedFile file, const QString& reason)
{
    file.outcome = FileOutcome::Skipped;
    file.reason = reason;
    return file;
}

/// gzip, bzip2, xz, zstd, 7-Zip, RAR or tar.
bool isPacked(const QString& path)
{
    constexpr qsizetype kTarMark = 257;
    QFile file;
    const QByteArray head = openOrdinaryFile(file, path) ? file.read(kTarMark + 5) : QByteArray();
    for (const char* first :
         {"\x1f\x8b", "BZh", "\3757zXZ", "\x28\xb5\x2f\xfd", "7z\xbc\xaf", "Rar!"})
        if (head.startsWith(first))
            return true;
    return head.mid(kTarMark) == "ustar";
}

/// Of a file in which nothing was found.
QString whyNothing(const QString& path)
{
    static const QStringList kPacked{u"zip"_s, u"gz"_s, u"tgz"_s, u"bz2"_s, u"xz"_s,
                                     u"zst"_s, u"7z"_s, u"rar"_s, u"tar"_s};
    if (isPacked(path))
        return Launcher::tr("it is packed: unpack it and import what is in it");
    if (kPacked.contains(path.section(u'.', -1).toLower()))
        return Launcher::tr("it is no archive, though its name says so: it was damaged on its way");
    return Launcher::tr("no MLPerf record in it");
}

/// Feeds a file piece by piece to what reads it.
class FileReader
{
public:
    FileReader(const ImportOptions& options, const std::atomic<bool>& stop,
               std::atomic<qint64>& bytes)
        : m_options(options), m_stop(stop), m_bytes(bytes)
    {
    }

    /// `named`: by a person, so it is looked at for all that is known here.
    ImportedFile read(const QString& path, bool named)
    {
        m_named = named;
        ImportedFile file;
        file.path = path;
        QFile input;
        if (!openOrdinaryFile(input, path))
            return skipped(file, Launcher::tr("cannot be read"));
        if (input.size() > m_options.mostFileBytes)
            return skipped(file,
                           Launcher::tr("larger than %1 MiB").arg(m_options.mostFileBytes >> 20));
        const bool whole = readPieces(input, file);
        if (m_stop)
            return skipped(file, u"cancelled"_s);
        if (!whole)
            return skipped(file,
                           Launcher::tr("larger than %1 MiB").arg(m_options.mostFileBytes >> 20));
        file.sha256 = QString::fromLatin1(m_hash.result().toHex());
        MlperfLog log = m_log.finish();
        if (log.empty() && mayBeOther(path))
            if (const auto other = readOtherFile(path, file.sha256, m_options))
                return *other;
        if (log.empty())
            return skipped(file, whyNothing(path));
        if (log.onlyPower())
            return skipped(file, Launcher::tr("a power measurement of MLPerf"));
        if (log.holdsNoRun())
            return skipped(file, Launcher::tr("MLPerf's marker is in it, but nothing of a run"));
        fill(file, log);
        return file;
    }

private:
    /// False when the file grows beyond the limit meanwhile.
    bool readPieces(QFile& input, ImportedFile& file)
    {
        std::optional<QStringDecoder> decoder;
        while (!m_stop) {
            const QByteArray piece = input.read(kHashPiece);
            if (piece.isEmpty())
                return true;
            if (file.bytes == 0)
                if (const auto encoding = wideEncoding(piece)) {
                    decoder.emplace(*encoding);
                    m_wide = true;
                }
            file.bytes += piece.size();
            m_bytes += piece.size();
            if (file.bytes > m_options.mostFileBytes)
                return false;
            m_hash.addData(piece);
            if (decoder) {
                const QString text = decoder->decode(piece);
                m_log.feed(text.toUtf8());
            } else {
                m_log.feed(piece);
            }
        }
        return true;
    }

    bool mayBeOther(const QString& path) const
    {
        return m_named || path.section(u'/', -1).contains(".tfevents."_L1);
    }

    void fill(ImportedFile& file, MlperfLog& log) const
    {
        const bool own = std::all_of(log.runs.begin(), log.runs.end(),
                                     [](const MlperfRun& run) { return run.own.has_value(); });
        file.kind = own ? u"scalebench_log"_s : u"mlperf_log"_s;
        file.defects = log.defects;
        file.defectCount = log.defectCount;
        file.records = log.records;
        file.doubled = log.doubled;
        if (m_wide) {
            file.defects.prepend(
                {1, Launcher::tr("the file is UTF-16; logs are UTF-8 or Latin-1")});
            ++file.defectCount;
        }
        const LogContext context{file.path, findSystemDescription(file.path),
                                 m_options.accelerators};
        bool converged = !log.runs.isEmpty();
        int number = 0;
        for (const MlperfRun& logged : log.runs) {
            ImportedRun run = interpretRun(logged, context);
            run.source = {file.path, file.sha256, file.bytes, ++number};
            converged = converged && run.converged;
            addRemarks(run, file);
            file.runs << run;
        }
        file.outcome = file.defectCount > 0 ? FileOutcome::Damaged
                       : converged          ? FileOutcome::Converged
                                            : FileOutcome::NotConverged;
    }

    static void addRemarks(ImportedRun& run, const ImportedFile& file)
    {
        if (file.doubled > 0)
            run.remarks
                << Launcher::tr("%1 lines are in the file twice and count once").arg(file.doubled);
        run.damaged = file.defectCount > 0 && !run.converged;
        for (const LogDefect& defect : file.defects.mid(0, 20))
            run.remarks << Launcher::tr("line %1: %2").arg(defect.line).arg(defect.text);
        if (file.defectCount > 20)
            run.remarks << Launcher::tr("and %1 more").arg(file.defectCount - 20);
    }

    const ImportOptions& m_options;
    const std::atomic<bool>& m_stop;
    std::atomic<qint64>& m_bytes;
    MlperfLogReader m_log;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    bool m_wide = false;
    bool m_named = false;
};

/// Reads all files with some threads; results stand at the files' places.
class Pool
{
public:
    Pool(const LogTree& tree, const ImportOptions& options)
        : m_tree(tree),
          m_files(tree.files),
          m_options(options),
          m_results(size_t(tree.files.size()))
    {
    }

    /// False when it was cancelled.
    bool run(const ImportProgressFunction& progress)
    {
        int threads =
            m_options.threads > 0 ? m_options.threads : int(std::thread::hardware_concurrency());
        threads = std::clamp(threads, 1, kMostThreads);
        std::vector<std::jthread> workers;
        for (int i = 0; i < threads && i < m_files.size(); ++i)
            workers.emplace_back([this] { work(); });
        const int total = int(m_files.size());
        while (m_done < total && !m_stop) {
            std::this_thread::sleep_for(std::chrono::milliseconds(total < 20 ? 2 : 50));
            if (progress && !progress({m_done, total, m_bytes}))
                m_stop = true;
        }
        workers.clear();
        return !m_stop;
    }

    std::vector<ImportedFile>& results() { return m_results; }
    qint64 bytes() const { return m_bytes; }

private:
    void work()
    {
        for (size_t i = m_next++; i < m_results.size() && !m_stop; i = m_next++) {
            const QString& path = m_files[qsizetype(i)];
            m_results[i] =
                FileReader(m_options, m_stop, m_bytes).read(path, m_tree.named.contains(path));
            ++m_done;
        }
    }

    const LogTree& m_tree;
    const QStringList& m_files;
    const ImportOptions& m_options;
    std::vector<ImportedFile> m_results;
    std::atomic<size_t> m_next = 0;
    std::atomic<int> m_done = 0;
    std::atomic<qint64> m_bytes = 0;
    std::atomic<bool> m_stop = false;
};

void count(ImportReport& report, const ImportedFile& file)
{
    switch (file.outcome) {
    case FileOutcome::Converged:
        ++report.converged;
        break;
    case FileOutcome::NotConverged:
        ++report.notConverged;
        break;
    case FileOutcome::Damaged:
        ++report.damaged;
        break;
    case FileOutcome::Reference:
        ++report.references;
        break;
    case FileOutcome::Skipped:
        ++report.skipped[file.reason];
        break;
    }
}

} // namespace

QString outcomeName(FileOutcome outcome)
{
    switch (outcome) {
    case FileOutcome::Converged:
        return u"converged"_s;
    case FileOutcome::NotConverged:
        return u"not_converged"_s;
    case FileOutcome::Damaged:
        return u"damaged"_s;
    case FileOutcome::Reference:
        return u"reference"_s;
    case FileOutcome::Skipped:
        break;
    }
    return u"skipped"_s;
}

int ImportReport::skippedCount() const
{
    return std::accumulate(skipped.begin(), skipped.end(), 0);
}

ImportReport importFiles(const QStringList& paths, const ImportOptions& options,
                         const ImportProgressFunction& progress)
{
    ImportReport report;
    const LogTree tree = collectFiles(paths, [&progress] { return progress && !progress({}); });
    report.skipped = tree.passedOver;
    for (const PassedOver& entry : tree.worthNaming) {
        ImportedFile file;
        file.path = entry.path;
        report.files << skipped(file, entry.reason); // counted already
    }
    report.cancelled = tree.cancelled;
    if (report.cancelled)
        return report;
    Pool pool(tree, options);
    report.cancelled = !pool.run(progress);
    report.bytes = pool.bytes();
    for (ImportedFile& file : pool.results()) {
        if (file.path.isEmpty()) // was not begun
            continue;
        count(report, file);
        report.files << std::move(file);
    }
    return report;
}

} // namespace scalebench::imports
