// SPDX-License-Identifier: GPL-3.0-or-later
// Sets that are made once: found while their files are the same, made anew when those changed, by
// one of several processes, and never believed.

#include "engine/data/prepared_set.h"
#include "kernels/check.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace scalebench;
using data::Column, data::PreparedFrom, data::PreparedSet;
namespace fs = std::filesystem;

class PreparedSetTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    int m_made = 0;

    void write(const QString& name, const QByteArray& bytes)
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    PreparedFrom from(const char* settings = "some") const
    {
        return {"test 1", settings, {m_folder->filePath(QStringLiteral("text")).toStdString()}};
    }
    bool make(const PreparedFrom& from, int64_t value = 7)
    {
        return data::prepareSet(from, [&](const fs::path& folder) {
            ++m_made;
            data::writeColumn(folder / "numbers", Column<int64_t>{1, value, -3});
            data::writeColumn(folder / "none", Column<int32_t>{});
        });
    }
    static int64_t second(const std::shared_ptr<const PreparedSet>& set)
    {
        return set->column<int64_t>("numbers")[1];
    }
    QString setFolder() const
    {
        const QDir kept(m_folder->filePath(QStringLiteral("kept")));
        return kept.filePath(kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot).value(0));
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_made = 0;
        write(QStringLiteral("text"), "three words here");
        qputenv("SCALEBENCH_PREPARED_DIR",
                m_folder->filePath(QStringLiteral("kept")).toLocal8Bit());
    }

    /// Another process has the set: whoever waits for it can be stopped.
    void waitingCanBeStopped()
    {
        QVERIFY(make(from()));
        const QStringList locks = QDir(m_folder->filePath(QStringLiteral("kept")))
                                      .entryList({QStringLiteral("*.lock")}, QDir::Files);
        std::vector<int> held;
        for (const QString& name : locks) {
            const QString path = m_folder->filePath(QStringLiteral("kept/") + name);
            held.push_back(::open(path.toLocal8Bit().constData(), O_RDWR | O_CLOEXEC));
            QCOMPARE(::flock(held.back(), LOCK_EX), 0);
        }
        int told = 0;
        try {
            data::prepareSet(
                from(), [](const fs::path&) { QFAIL("written"); },
                [&] {
                    if (++told > 3)
                        throw Error("stopped", "enough");
                });
            QFAIL("not stopped");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("stopped"));
        }
        for (const int fd : held)
            ::close(fd);
        QVERIFY(make(from()));
        QVERIFY(PreparedSet::find(from()) != nullptr);
    }
    void columnsComeInPieces()
    {
        std::vector<int64_t> numbers(200'000);
        for (size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = int64_t(i) * 7 - 5;
        QVERIFY(data::prepareSet(from(), [&](const fs::path& folder) {
            data::ColumnFile<int64_t> file(folder / "numbers");
            for (size_t i = 0, n = 1; i < numbers.size(); i += n, n = 1 + (i * 37) % 90'000)
                file.append(std::span(numbers).subspan(i, std::min(n, numbers.size() - i)));
            QCOMPARE(file.size(), int64_t(numbers.size()));
            QCOMPARE(file.back(), numbers.back());
            file.close();
            data::ColumnFile<int32_t>(folder / "none").close();
        }));
        const auto set = PreparedSet::find(from());
        QVERIFY(std::ranges::equal(set->column<int64_t>("numbers"), numbers));
        QCOMPARE(set->column<int32_t>("none").size(), size_t{0});
    }
    /// What a killed process had begun goes once it is old, and nothing else.
    void halfWrittenSetsGo()
    {
        const QDir folder(m_folder->path());
        QVERIFY(make(from()));
        const fs::path kept = folder.filePath(QStringLiteral("kept")).toStdString();
        const auto now = fs::file_time_type::clock::now();
        for (const auto& [name, hours] :
             {std::pair("0123.new.77", 72), {"0123.new.78", 1}, {"own files", 24 * 300}}) {
            fs::create_directory(kept / name);
            fs::last_write_time(kept / name, now - std::chrono::hours(hours));
        }
        QVERIFY(make(from("other")));
        QVERIFY(!fs::exists(kept / "0123.new.77"));
        QVERIFY(fs::exists(kept / "0123.new.78"));
        QVERIFY(fs::exists(kept / "own files"));
    }
    void isFoundAsItWasMade()
    {
        QVERIFY(!PreparedSet::find(from()));
        QVERIFY(make(from()));
        const auto set = PreparedSet::find(from());
        QVERIFY(set != nullptr);
        const Column<int64_t> numbers = set->column<int64_t>("numbers");
        QCOMPARE(std::vector<int64_t>(numbers.begin(), numbers.end()),
                 (std::vector<int64_t>{1, 7, -3}));
        QCOMPARE(set->column<int32_t>("none").size(), size_t(0));
        QVERIFY(set->bytes() > 24);
        QVERIFY(make(from()));
        QCOMPARE(m_made, 1);
        QVERIFY(!PreparedSet::find(from("other")));
    }

    void numbersOutliveTheSet()
    {
        QVERIFY(make(from()));
        const Column<int64_t> numbers = PreparedSet::find(from())->column<int64_t>("numbers");
        const Column<int64_t> copy = numbers;
        QCOMPARE(copy[2], -3);
    }

    void changedFilesAreAnotherSet()
    {
        QVERIFY(make(from()));
        write(QStringLiteral("text"), "three other words here");
        QVERIFY(!PreparedSet::find(from()));
        QVERIFY(make(from(), 8));
        QCOMPARE(second(PreparedSet::find(from())), 8);
    }

    /// What copying programs do: other bytes, the size and the time of before.
    void theChecksumTellsWhatTimeDoesNot()
    {
        QVERIFY(make(from()));
        const QByteArray path = m_folder->filePath(QStringLiteral("text")).toLocal8Bit();
        struct stat before {
        };
        QCOMPARE(::stat(path.constData(), &before), 0);
        write(QStringLiteral("text"), "THREE words here");
        const timespec times[2] = {before.st_atim, before.st_mtim};
        QCOMPARE(::utimensat(AT_FDCWD, path.constData(), times, 0), 0);
        QVERIFY(make(from(), 9));
        QCOMPARE(m_made, 2);
        QCOMPARE(second(PreparedSet::find(from())), 9);
    }

    /// Not those in use, of today or of somebody else.
    void whatNobodyReadsForLongGoes()
    {
        const auto age = [](const QString& folder) {
            fs::last_write_time(folder.toStdString(),
                                fs::file_time_type::clock::now() -
                                    std::chrono::hours(24 * (data::kUnusedDays + 1)));
        };
        const QDir kept(m_folder->filePath(QStringLiteral("kept")));
        const auto folders = [&] {
            return kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size();
        };
        QVERIFY(make(from("old")));
        age(setFolder());
        QVERIFY(kept.mkdir(QStringLiteral("foreign")));
        age(kept.filePath(QStringLiteral("foreign")));
        QVERIFY(make(from("new")));
        QCOMPARE(folders(), 2); // the new one and the foreign one
        QVERIFY(!PreparedSet::find(from("old")));

        const auto read = PreparedSet::find(from("new"));
        for (const QString& name : kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            age(kept.filePath(name));
        QVERIFY(make(from("newest")));
        QCOMPARE(second(read), 7);
        QCOMPARE(folders(), 3);
        for (const QString& name : kept.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            age(kept.filePath(name));
        QVERIFY(PreparedSet::find(from("new"))); // finding is using
        QVERIFY(make(from("last")));
        QVERIFY(PreparedSet::find(from("new")));
        QVERIFY(!PreparedSet::find(from("newest")));
    }

    void noneIsKeptWhereNoneIsWanted()
    {
        qputenv("SCALEBENCH_PREPARED_DIR", "off");
        QVERIFY(!make(from()));
        QCOMPARE(m_made, 0);
        QVERIFY(!PreparedSet::find(from()));
    }

    void filesThatAreNoneAreLeftToTheirReader()
    {
        PreparedFrom gone = from();
        gone.files = {m_folder->path().toStdString()};
        QVERIFY(!make(gone));
        gone.files = {m_folder->filePath(QStringLiteral("nothing")).toStdString()};
        QVERIFY(!make(gone));
        QVERIFY(!PreparedSet::find(gone));
    }

    void aFailureLeavesNothing()
    {
        const auto fail = [](const fs::path& folder) {
            data::writeColumn(folder / "numbers", Column<int64_t>{1});
            throw InvalidArgument("the text is damaged", "data_damaged");
        };
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, data::prepareSet(from(), fail));
        QVERIFY(!PreparedSet::find(from()));
        QCOMPARE(QDir(m_folder->filePath(QStringLiteral("kept"))).entryList(QDir::Dirs).size(), 2);
        QVERIFY(make(from()));
        QCOMPARE(second(PreparedSet::find(from())), 7);
    }

    void oneProcessMakesIt()
    {
        constexpr int kProcesses = 4;
        std::vector<pid_t> children;
        for (int i = 0; i < kProcesses; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                make(from(), 7);
                const auto set = PreparedSet::find(from());
                ::_exit(set && second(set) == 7 ? m_made : 100);
            }
            children.push_back(child);
        }
        int made = 0;
        for (const pid_t child : children) {
            int status = 0;
            QCOMPARE(::waitpid(child, &status, 0), child);
            made += WEXITSTATUS(status);
        }
        QCOMPARE(made, 1);
    }

    void damagedFiles_data()
    {
        QTest::addColumn<QString>("how");
        for (const char* how : {"cut", "gone", "link", "folder"})
            QTest::newRow(how) << QString::fromLatin1(how);
    }
    void damagedFiles()
    {
        QFETCH(QString, how);
        QVERIFY(make(from()));
        const QString file = setFolder() + QStringLiteral("/numbers");
        if (how == QLatin1String("cut")) {
            QVERIFY(QFile::resize(file, 23));
        } else {
            QVERIFY(QFile::rename(file, m_folder->filePath(QStringLiteral("real"))));
            if (how == QLatin1String("link"))
                QVERIFY(QFile::link(m_folder->filePath(QStringLiteral("real")), file));
            if (how == QLatin1String("folder"))
                QVERIFY(QDir().mkdir(file));
        }
        const auto set = PreparedSet::find(from());
        QVERIFY(set != nullptr);
        try {
            set->column<int64_t>("numbers");
            QFAIL("a damaged file was taken");
        } catch (const InvalidArgument& e) {
            QCOMPARE(e.code(), std::string("data_damaged"));
            QVERIFY(std::string(e.what()).find("made again") != std::string::npos);
        }
    }

    void aFolderOfSomebodyElseIsLeftAlone()
    {
        QVERIFY(make(from()));
        const QString folder = setFolder();
        QVERIFY(QFile::remove(folder + QStringLiteral("/GENERATED.txt")));
        QVERIFY(!PreparedSet::find(from()));
        try {
            make(from());
            QFAIL("files without our mark were replaced");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("not_writable"));
            QVERIFY(std::string(e.what()).find("SCALEBENCH_PREPARED_DIR") != std::string::npos);
        }
        QVERIFY(QFile::exists(folder + QStringLiteral("/numbers")));
    }
};

QTEST_APPLESS_MAIN(PreparedSetTest)
#include "prepared_set_test.moc"
