// SPDX-License-Identifier: GPL-3.0-or-later
// Whose files a generated set may take the place of, and the lock beside it.
#include "engine/data/generated_set.h"

#include "kernels/check.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::data;
namespace fs = std::filesystem;

namespace {

std::string labelOf(const std::string& generator, int rows)
{
    return "GENERATED\ngenerator: " + generator + "\nrows: " + std::to_string(rows) + "\n";
}

void put(const fs::path& file, const std::string& text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string contentOf(const fs::path& file)
{
    std::string text;
    std::getline(std::ifstream(file), text, '\0');
    return text;
}

/// Draws one file, rows.txt.
std::unique_ptr<GeneratedSetLock> draw(const fs::path& path, int rows,
                                       const std::string& generator = "test-rows-v1")
{
    return ensureGenerated(path, labelOf(generator, rows), drawsOnly({"rows.txt"}),
                           [rows](const fs::path& folder) {
                               const std::string text = std::to_string(rows);
                               writeGenerated(folder / "rows.txt", text.data(), text.size());
                           });
}

std::string refusalOf(const fs::path& path, int rows, const std::string& generator = "test-rows-v1")
{
    try {
        draw(path, rows, generator);
    } catch (const Error& e) {
        return e.code() == "not_writable" ? e.what() : "another code: " + e.code();
    }
    return {};
}

} // namespace

class GeneratedSetTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void anotherSettingReplacesWhatWasDrawn()
    {
        draw(set(), 3);
        fs::create_directory(set() / "empty");
        draw(set(), 4);
        QCOMPARE(contentOf(set() / "rows.txt"), std::string("4"));
        draw(set(), 4, "test-rows-v2"); // a later version of the same generator
        QCOMPARE(lineOfLabel(labelOfGenerated(set()), "generator"), std::string("test-rows-v2"));
    }

    void aUsersFileIsLeftAlone_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("beside the drawn files") << QStringLiteral("mine.csv");
        QTest::newRow("in a folder") << QStringLiteral("notes/rows.txt");
    }
    void aUsersFileIsLeftAlone()
    {
        QFETCH(const QString, file);
        const fs::path mine = set() / file.toStdString();
        draw(set(), 3);
        put(mine, "x");
        const std::string why = refusalOf(set(), 4);
        QVERIFY2(why.find(file.toStdString()) != std::string::npos, why.c_str());
        QCOMPARE(contentOf(mine), std::string("x"));
        QCOMPARE(contentOf(set() / "rows.txt"), std::string("3"));
        QCOMPARE(refusalOf(set(), 3), std::string()); // as it is, it can be used
    }

    /// A library has a folder for each label, whose name says the generator.
    void aLibraryKeepsWhatIsUsed()
    {
        const auto folder = [this](const char* name) { return set().parent_path() / name; };
        const fs::path used = folder("test-rows-v1-0000000000000001");
        const std::vector<fs::path> unused = {folder("test-rows-v1-0000000000000002"),
                                              folder("test-rows-v1"), // as early ones were named
                                              folder("test-rows-v1-0000000000000003.new.77")};
        const std::vector<fs::path> kept = {
            folder("test-rows-v1-0000000000000004"), // a file of his
            folder("test-pictures-v1-0000000000000001"), folder("test-rows-v1-mine"),
            folder("made")};
        const auto age = [](const fs::path& path) {
            fs::last_write_time(path, fs::file_time_type::clock::now() -
                                          std::chrono::hours(24 * (kUnusedDays + 1)));
        };
        draw(used, 1);
        for (const fs::path& path : unused)
            draw(path, 2);
        fs::remove(unused[2] / "GENERATED.txt");
        draw(kept[0], 3);
        put(kept[0] / "mine.csv", "x");
        draw(kept[1], 3, "test-pictures-v1");
        draw(kept[2], 3);
        draw(kept[3], 3);
        for (const auto& paths : {unused, kept, {used}})
            for (const fs::path& path : paths)
                age(path);
        draw(used, 1);    // is there
        draw(kept[3], 4); // a user's folder: nothing beside it is touched
        QVERIFY(fs::exists(unused[0]));
        draw(folder("test-rows-v1-0000000000000005"), 5);
        for (const fs::path& path : unused)
            QVERIFY2(!fs::exists(path), path.c_str());
        for (const fs::path& path : kept)
            QVERIFY2(fs::exists(path), path.c_str());
        QVERIFY(fs::exists(used));
    }

    /// The set that could not be written is called as it would have been.
    void aFullDiskIsToldOfTheSet()
    {
        try {
            ensureGenerated(set(), labelOf("mine", 1), drawsOnly({"rows.txt"}),
                            [](const fs::path& folder) { createGenerated(folder / "no" / "x"); });
            QFAIL("it was written");
        } catch (const Error& e) {
            QCOMPARE(e.code(), std::string("not_writable"));
            QVERIFY2(std::string(e.what()).find((set() / "no/x").string()) != std::string::npos,
                     e.what());
        }
    }

    /// Of a process that was killed: nobody writes while the lock is held.
    void whatWasBegunGoes()
    {
        const fs::path begun = set().string() + ".new.99999999";
        put(begun / "rows.txt", "half");
        // A person's own, named alike.
        const fs::path photos = set().string() + ".old.2025/holiday.jpg",
                       notes = set().string() + ".new.notes/rows.txt";
        put(photos, "ours");
        put(notes, "ours");
        draw(set(), 3);
        QVERIFY(!fs::exists(begun));
        QVERIFY(fs::exists(photos) && fs::exists(notes));
        QVERIFY(fs::exists(set()));
    }

    void aSetOfAnotherGeneratorIsLeftAlone()
    {
        draw(set(), 3);
        QVERIFY(refusalOf(set(), 3, "test-pictures-v1").find("another kind (test-rows)") !=
                std::string::npos);
        QCOMPARE(contentOf(set() / "rows.txt"), std::string("3"));
    }

    void aFileIsNoFolder()
    {
        put(set(), "");
        QVERIFY(refusalOf(set(), 3).find("is a file") != std::string::npos);
        QVERIFY(fs::is_regular_file(set()));
        QVERIFY(!fs::exists(lock())); // a refusal leaves nothing beside it
    }

    void theLockFileGoesUnlessSomebodyHoldsIt()
    {
        {
            const auto held = draw(set(), 3);
            removeLockFile(set());
            QVERIFY(fs::exists(lock()));
        }
        removeLockFile(set());
        QVERIFY(!fs::exists(lock()));
        put(lock(), "a user's own");
        removeLockFile(set());
        QVERIFY(fs::exists(lock()));
    }

    /// Who waited for a lock file that was removed must not take it for the lock.
    void aRemovedLockFileLocksNothing()
    {
        const int old = ::open(lock().c_str(), O_RDWR | O_CREAT, 0666);
        QCOMPARE(::flock(old, LOCK_EX), 0);
        std::thread waiting([this] {
            const auto held = draw(set(), 3); // waits for the old file
            const int now = ::open(lock().c_str(), O_RDWR);
            m_locked = ::flock(now, LOCK_EX | LOCK_NB) != 0;
            ::close(now);
        });
        QTest::qWait(200);
        fs::remove(lock());
        ::close(old);
        waiting.join();
        QVERIFY(m_locked);
    }

    void manyDrawAndRemoveAtOnce()
    {
        std::vector<std::thread> threads;
        std::atomic<int> wrong = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 20; ++i) {
                    const auto held = draw(set(), t % 2);
                    wrong += contentOf(set() / "rows.txt") != std::to_string(t % 2);
                    removeLockFile(set());
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
    }

private:
    fs::path set() const { return m_dir->filePath(QStringLiteral("s")).toStdString(); }
    fs::path lock() const { return set().string() + ".lock"; }

    std::unique_ptr<QTemporaryDir> m_dir;
    bool m_locked = false;
};

QTEST_GUILESS_MAIN(GeneratedSetTest)
#include "generated_set_test.moc"
