// SPDX-License-Identifier: GPL-3.0-or-later
// Bundles: a study to another library and back, anonymised, and zip files that were made to do
// harm.
#include "analysis/speedup_table.h"
#include "base/file_io.h"
#include "import/bundle.h"
#include "import/import_files.h"
#include "import/import_store.h"
#include "run/own_studies.h"
#include "run/stream_faults.h"
#include "support/launcher_fixture.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <archive.h>
#include <archive_entry.h>

#include <atomic>
#include <thread>

using namespace scalebench;
using namespace scalebench::imports;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

namespace {

struct Entry {
    QByteArray name, bytes;
    int type = AE_IFREG;
    QByteArray link = {};
};

void writeZip(const QString& path, const QList<Entry>& entries)
{
    archive* a = archive_write_new();
    archive_write_set_format_zip(a);
    archive_write_open_filename(a, QFile::encodeName(path).constData());
    for (const Entry& e : entries) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, e.name.constData());
        archive_entry_set_filetype(entry, unsigned(e.type));
        archive_entry_set_perm(entry, 0644);
        if (e.type == AE_IFLNK)
            archive_entry_set_symlink(entry, e.link.constData());
        else
            archive_entry_set_size(entry, e.bytes.size());
        archive_write_header(a, entry);
        if (e.type == AE_IFREG)
            archive_write_data(a, e.bytes.constData(), size_t(e.bytes.size()));
        archive_entry_free(entry);
    }
    archive_write_close(a);
    archive_write_free(a);
}

QList<Entry> readZip(const QString& path)
{
    QList<Entry> entries;
    archive* a = archive_read_new();
    archive_read_support_format_zip(a);
    archive_read_open_filename(a, QFile::encodeName(path).constData(), 65536);
    archive_entry* entry = nullptr;
    while (archive_read_next_header(a, &entry) == ARCHIVE_OK) {
        Entry e{archive_entry_pathname(entry), {}};
        char piece[4096];
        for (la_ssize_t n = 0; (n = archive_read_data(a, piece, sizeof(piece))) > 0;)
            e.bytes.append(piece, n);
        entries << e;
    }
    archive_read_free(a);
    return entries;
}

QByteArray manifestOf(const QList<Entry>& files, const QJsonObject& change = {})
{
    QJsonArray list;
    for (const Entry& file : files) {
        QJsonObject entry{
            {u"path"_s, QString::fromUtf8(file.name)},
            {u"bytes"_s, file.bytes.size()},
            {u"sha256"_s,
             QString::fromLatin1(
                 QCryptographicHash::hash(file.bytes, QCryptographicHash::Sha256).toHex())}};
        for (auto it = change.begin(); it != change.end(); ++it)
            if (it.key() != "study"_L1)
                entry.insert(it.key(), it.value());
        list << entry;
    }
    return QJsonDocument(QJsonObject{{u"format"_s, u"scalebench.bundle"_s},
                                     {u"version"_s, 1},
                                     {u"study"_s, change.value("study"_L1).toString(u"demo"_s)},
                                     {u"files"_s, list}})
        .toJson();
}

QByteArray record(double ms, const char* key, const QByteArray& value, const QByteArray& metadata)
{
    return ":::MLLOG {\"namespace\":\"\",\"time_ms\":" + QByteArray::number(ms, 'f', 0) +
           ",\"event_type\":\"POINT_IN_TIME\",\"key\":\"" + key + "\",\"value\":" + value +
           ",\"metadata\":{" + metadata + "}}\n";
}

/// Everything below a folder, by name.
QStringList filesBelow(const QString& dir)
{
    QStringList names;
    QDirIterator it(dir, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                    QDirIterator::Subdirectories);
    while (it.hasNext())
        names << QDir(dir).relativeFilePath(it.next());
    names.sort();
    return names;
}

} // namespace

class BundleTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<TemporaryLibrary> m_here;
    std::shared_ptr<Library> m_there;

    QString path(const QString& name) const { return m_dir->filePath(name); }

    /// A study of two runs that have ended, on a host with a telling name.
    Study endedStudy()
    {
        const Study study = m_here->create({1, 2}, u"adas-study"_s);
        int number = 0;
        for (const RunRecord& run : study.runs) {
            ++number;
            const QByteArray stream =
                record(1000, "run_start", "null", "\"rank\":0") + "a line of nobody\n" +
                record(1500, "warning",
                       "{\"code\":\"waiting\",\"message\":\"ada-laptop is used by the study "
                       "thesis of bertha from ada-laptop\"}",
                       "") +
                record(5000, "eval_accuracy", "0.85", "\"epoch_num\":3,\"samples\":300") +
                record(1000 + 8000.0 / number, "run_stop", "null",
                       "\"status\":\"success\",\"file\":\"/home/ada/secret/train.cpp\"");
            (void)writeFileAtomically(run.runDir + u"/result_0.txt"_s, stream);
            const Result<QByteArray> old = readFile(run.runDir + u"/status.json"_s);
            QJsonObject status = QJsonDocument::fromJson(old.value()).object();
            status.insert(u"state"_s, u"completed"_s);
            status.insert(u"command"_s, QJsonArray{u"/home/ada/bin/mpirun"_s});
            status.insert(u"mpirun"_s,
                          QJsonObject{{u"session"_s, 17492}, {u"start_ticks"_s, 8151623}});
            (void)writeJsonAtomically(run.runDir + u"/status.json"_s, status);
            (void)writeJsonAtomically(
                run.runDir + u"/system.json"_s,
                {{u"hostname"_s, u"ada-laptop.example.org"_s},
                 {u"cpu"_s, u"Example CPU"_s},
                 {u"note"_s, u"mail ada@example.org, see /home/ada/x.txt"_s}});
            (void)writeFileAtomically(run.runDir + u"/stderr_0.txt"_s, "not for others\n");
        }
        (void)m_here->library->updateIndex(study.dir);
        return study;
    }

    Result<BundleRead> readEntries(const QList<Entry>& entries)
    {
        const QString zip = path(u"made.zip"_s);
        QFile::remove(zip);
        writeZip(zip, entries);
        return readBundle(zip, *m_there);
    }

private slots:
    void init()
    {
        m_dir = std::make_unique<QTemporaryDir>();
        m_here = std::make_unique<TemporaryLibrary>();
        m_there = Library::open(path(u"there"_s)).value();
    }

    void thereAndBack()
    {
        const Study study = endedStudy();
        const QString zip = path(u"study.zip"_s);
        const auto written = writeBundle(study.dir, zip, false);
        QVERIFY2(written, written ? "" : qPrintable(written.failure().message));
        QCOMPARE(written.value().files, 10);
        QCOMPARE(writeBundle(study.dir, zip, false).failure().code, u"file_exists"_s);
        QVERIFY(isZipFile(zip));
        const auto read = readBundle(zip, *m_there);
        QVERIFY2(read, read ? "" : qPrintable(read.failure().message));
        QCOMPARE(read.value().runs, 2);
        QVERIFY(!read.value().known);
        QVERIFY(readBundle(zip, *m_there).value().known);
        const auto studies = m_there->studies().value();
        QCOMPARE(studies.size(), 1);
        QCOMPARE(studies[0].origin, u"imported: bundle"_s);
        QCOMPARE(studies[0].id, read.value().study);
        const Study before = loadStudy(study.dir).value();
        const Study after = loadStudy(studies[0].dir).value();
        QCOMPARE(after.runs.size(), before.runs.size());
        for (qsizetype i = 0; i < before.runs.size(); ++i) {
            QCOMPARE(after.runs[i].timeToTrainS(), before.runs[i].timeToTrainS());
            QCOMPARE(after.runs[i].evals.size(), 1);
            QCOMPARE(after.runs[i].state, RunState::Completed);
        }
        QCOMPARE(speedupTable(after.runs).size(), speedupTable(before.runs).size());
        // What is not of the results stayed at home, and nobody may act in it.
        QVERIFY(!filesBelow(studies[0].dir).join(u' ').contains(u"stderr"_s));
        QVERIFY(!isOwnStudy(studies[0].dir));
        QVERIFY(!filesBelow(m_there->dir()).join(u' ').contains(u".incoming"_s));
    }

    void importsAtOnce()
    {
        QVERIFY(writeBundle(endedStudy().dir, path(u"study.zip"_s), false));
        // What a killed import left goes too.
        const QString left = m_there->dir() + u"/imported/.incoming-AbCdEf"_s;
        QVERIFY(QDir().mkpath(left));
        std::atomic<int> read = 0, known = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&] {
                const auto library = Library::open(m_there->dir());
                const auto done = readBundle(path(u"study.zip"_s), *library.value());
                read += done && !done.value().known;
                known += done && done.value().known;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(read.load(), 1);
        QCOMPARE(known.load(), 5);
        QVERIFY(!QFile::exists(left));
        const QString dir = m_there->studies().value()[0].dir;
        QCOMPARE(QFileInfo(dir).permissions(), QFileInfo(dir + u"/.."_s).permissions());
    }

    /// A file in a bundle is named as the person knows it.
    void wrongFileIsNamed()
    {
        const Entry study{"study.json", "{\"workload\":\"resnet\","};
        const QString zip = path(u"wrong.zip"_s);
        writeZip(zip, {{"manifest.json", manifestOf({study})}, study});
        const auto read = readBundle(zip, *m_there);
        QVERIFY(!read);
        QVERIFY2(read.failure().message.startsWith(zip + u":study.json:1:"_s),
                 qPrintable(read.failure().message));
    }

    /// What a stream contradicts counts for no mean there either.
    void contradictedThereToo()
    {
        const Study study = endedStudy();
        const QString stream = study.runs[0].runDir + u"/result_0.txt"_s;
        QByteArray bytes = readFile(stream).value();
        bytes.replace("\"status\":\"success\"", "\"status\":\"aborted\"");
        QVERIFY(writeFileAtomically(stream, bytes));
        QVERIFY(writeBundle(study.dir, path(u"c.zip"_s), false));
        QVERIFY(readBundle(path(u"c.zip"_s), *m_there));
        const Study after = loadStudy(m_there->studies().value()[0].dir).value();
        QCOMPARE(contradiction(after.runs[0]), contradiction(loadStudy(study.dir).value().runs[0]));
        QVERIFY(!contradiction(after.runs[0]).isEmpty());
        QCOMPARE(speedupTable(after.runs)[0].leftOut, 1);
    }

    void anonymous()
    {
        const Study study = endedStudy();
        const QString zip = path(u"study.zip"_s);
        QVERIFY(writeBundle(study.dir, zip, true));
        for (const Entry& entry : readZip(zip))
            for (const char* word :
                 {"adas", "ada-laptop", "ada@", "/ada", "/home", "secret", "nobody", "example.org",
                  "bin/mpirun", "17492", "8151623", "bertha", "thesis"})
                QVERIFY2(!entry.bytes.contains(word),
                         qPrintable(QString::fromUtf8(entry.name) + u": "_s +
                                    QString::fromUtf8(entry.bytes)));
        const auto read = readBundle(zip, *m_there);
        QVERIFY2(read, read ? "" : qPrintable(read.failure().message));
        const Study after = loadStudy(m_there->studies().value()[0].dir).value();
        QCOMPARE(after.runs.size(), 2);
        QCOMPARE(after.runs[0].timeToTrainS(), 8.0);
        QCOMPARE(after.runs[0].evals.size(), 1);
    }

    void importedRunsTravelToo()
    {
        const QString log =
            QStringLiteral(SB_SOURCE_DIR "/tests/launcher/import/fixtures/defects/nan.txt");
        QVERIFY(storeImports(*m_here->library, importFiles({log})));
        const QString dir = m_here->library->studies().value()[0].dir;
        QVERIFY(writeBundle(dir, path(u"i.zip"_s), true));
        const auto read = readBundle(path(u"i.zip"_s), *m_there);
        QVERIFY2(read, read ? "" : qPrintable(read.failure().message));
        QCOMPARE(m_there->studies().value()[0].origin, u"imported: MLPerf log"_s);
        QCOMPARE(storeImports(*m_there, importFiles({log})).value().known, 1);
    }

    void command()
    {
        endedStudy();
        const auto run = [](const QStringList& arguments) {
            return QProcess::execute(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
        };
        const QString zip = path(u"x.zip"_s);
        QCOMPARE(run({u"results"_s, u"bundle"_s, u"adas-study"_s, u"--out"_s, zip, u"--library"_s,
                      m_here->folder.path()}),
                 0);
        QCOMPARE(run({u"import"_s, zip, u"--library"_s, path(u"third"_s)}), 0);
        QCOMPARE(run({u"results"_s, u"show"_s, u"adas"_s, u"--library"_s, path(u"third"_s)}), 0);
        QCOMPARE(run({u"results"_s, u"bundle"_s, u"adas-study"_s, u"--library"_s,
                      m_here->folder.path()}),
                 2);
    }

    void hostile_data()
    {
        QTest::addColumn<QString>("code");
        const char* refused[] = {"dots",         "absolute", "run dots",         "link",
                                 "not listed",   "twice",    "no manifest",      "manifest later",
                                 "folder",       "job.sh",   "listed with dots", "too large",
                                 "sum of sizes", "backslash"};
        for (const char* name : refused)
            QTest::newRow(name) << u"bundle_refused"_s;
        for (const char* name : {"wrong checksum", "missing file", "shorter"})
            QTest::newRow(name) << u"bundle_damaged"_s;
    }
    void hostile()
    {
        const QString tag = QString::fromUtf8(QTest::currentDataTag());
        const Entry study{"study.json", "{\"workload\":\"resnet\"}"};
        const Entry plan{"plan.json", "{\"format\":\"scalebench.plan\",\"version\":1,\"runs\":[]}"};
        const QList<Entry> files{study, plan};
        const auto with = [&](const QByteArray& manifest, const QList<Entry>& rest) {
            return QList<Entry>{{"manifest.json", manifest}} + rest;
        };
        const auto evil = [&](const QByteArray& name, int type = AE_IFREG) {
            const Entry entry{name, type == AE_IFREG ? QByteArray("x") : QByteArray(), type,
                              "/etc/passwd"};
            return with(manifestOf(files), files + QList<Entry>{entry});
        };
        const QByteArray listed = manifestOf(files + QList<Entry>{{"../../evil.txt", "x"}});
        const QHash<QString, QList<Entry>> cases{
            {u"dots"_s, evil("../../evil.txt")},
            {u"absolute"_s, evil("/tmp/scalebench-evil.txt")},
            {u"run dots"_s, evil("runs/../study.json")},
            {u"backslash"_s, evil("runs\\..\\evil.txt")},
            {u"link"_s, evil("runs.csv", AE_IFLNK)},
            {u"folder"_s, evil("runs/a/", AE_IFDIR)},
            {u"job.sh"_s, evil("runs/a/job.sh")},
            {u"not listed"_s, evil("runs.csv")},
            {u"twice"_s, with(manifestOf(files), files + QList<Entry>{plan})},
            {u"no manifest"_s, files},
            {u"manifest later"_s, files + QList<Entry>{{"manifest.json", manifestOf(files)}}},
            {u"listed with dots"_s, with(listed, files)},
            {u"too large"_s, with(manifestOf({study, {"plan.json", "x"}}), files)},
            {u"sum of sizes"_s, with(manifestOf(files, {{u"bytes"_s, 1e12}}), files)},
            {u"wrong checksum"_s,
             with(manifestOf({study, {"plan.json", QByteArray(plan.bytes).replace("1", "2")}}),
                  files)},
            {u"missing file"_s, with(manifestOf(files), {study})},
            {u"shorter"_s, with(manifestOf({study, {"plan.json", plan.bytes + "  "}}), files)}};
        QVERIFY(cases.contains(tag));
        const QStringList before = filesBelow(m_there->dir() + u"/imported"_s);
        const auto read = readEntries(cases.value(tag));
        QVERIFY(!read);
        QTEST(read.failure().code, "code");
        QCOMPARE(read.failure().message.contains(u"but no bundle of Scalebench"_s),
                 tag == "no manifest"_L1 || tag == "manifest later"_L1);
        QCOMPARE(filesBelow(m_there->dir() + u"/imported"_s), before);
        QVERIFY(!QFile::exists(u"/tmp/scalebench-evil.txt"_s));
        QVERIFY(m_there->studies().value().isEmpty());
    }

    /// A few kilobytes that would become gigabytes.
    void bomb()
    {
        const QByteArray zeros(64 << 20, '\0');
        const Entry study{"study.json", "{\"workload\":\"resnet\"}"};
        const auto read = readEntries({{"manifest.json", manifestOf({study, {"plan.json", "{}"}})},
                                       study,
                                       {"plan.json", zeros}});
        QCOMPARE(read.failure().code, u"bundle_refused"_s);
        QVERIFY(read.failure().message.contains(u"larger"_s));
    }

    /// Cut anywhere or with any byte changed, it is refused or the same.
    void damagedAnywhere()
    {
        const Study study = endedStudy();
        const QString zip = path(u"study.zip"_s), bad = path(u"bad.zip"_s);
        QVERIFY(writeBundle(study.dir, zip, false));
        QFile file(zip);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        const auto refusedOrWhole = [&](const QByteArray& bytes) {
            QDir(path(u"fourth"_s)).removeRecursively();
            QFile::remove(bad);
            QFile out(bad);
            if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size())
                return false;
            out.close();
            const auto library = Library::open(path(u"fourth"_s)).value();
            const auto read = readBundle(bad, *library);
            return !read || read.value().runs == 2;
        };
        for (qsizetype size = 0; size < whole.size(); size += 1 + whole.size() / 40)
            QVERIFY(refusedOrWhole(whole.left(size)));
        for (qsizetype i = 0; i < whole.size(); i += 1 + whole.size() / 60) {
            QByteArray one = whole;
            one[i] = char(one[i] ^ 0x41);
            QVERIFY(refusedOrWhole(one));
        }
    }
};

QTEST_GUILESS_MAIN(BundleTest)
#include "bundle_test.moc"
