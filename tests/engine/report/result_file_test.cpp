// SPDX-License-Identifier: GPL-3.0-or-later
// Files of results: whole or absent, and nothing is destroyed that is no ordinary file.

#include "engine/report/result_file.h"
#include "kernels/check.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::report;

class ResultFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    std::string path(const char* name) const
    {
        return m_dir.filePath(QString::fromLatin1(name)).toStdString();
    }
    void put(const char* name, const QByteArray& bytes) const
    {
        QFile file(m_dir.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QByteArray contentOf(const char* name) const
    {
        QFile file(m_dir.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static std::string codeOf(const std::function<void()>& call)
    {
        try {
            call();
        } catch (const Error& e) {
            return e.code();
        }
        return {};
    }

private Q_SLOTS:
    void filesAreWholeOrAbsent()
    {
        put("out.csv.tmp", "mine");
        replaceFile(path("out.csv"), "a\n1\n");
        QCOMPARE(contentOf("out.csv"), "a\n1\n");
        QCOMPARE(contentOf("out.csv.tmp"), "mine");
        QCOMPARE(QDir(m_dir.path()).entryList(QDir::Files).size(), 2);
        QCOMPARE(codeOf([&] { replaceFile(path("none/out"), "a"); }), std::string("not_writable"));
    }

    void linksLeadToTheFileAndPermissionsStay()
    {
        put("measured.csv", "old");
        QVERIFY(::chmod(path("measured.csv").c_str(), 0640) == 0);
        QVERIFY(::symlink("measured.csv", path("link.csv").c_str()) == 0);
        const NamedFile file(path("link.csv"));
        QVERIFY(!file.isStream() && file.isSameAs(NamedFile(path("./measured.csv"))));
        file.write("new");
        QVERIFY(QFileInfo(m_dir.filePath(QStringLiteral("link.csv"))).isSymLink());
        QCOMPARE(contentOf("measured.csv"), "new");
        struct stat info {
        };
        QVERIFY(::stat(path("measured.csv").c_str(), &info) == 0);
        QCOMPARE(info.st_mode & 07777, mode_t(0640));
    }

    void pipesAndDevicesAreWrittenToAndStay()
    {
        QVERIFY(::mkfifo(path("pipe").c_str(), 0600) == 0);
        const NamedFile file(path("pipe"));
        QVERIFY(file.isStream());
        QCOMPARE(codeOf([&] { file.write("unread"); }), std::string("not_writable"));
        const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        file.write("rows");
        char bytes[8] = {};
        QCOMPARE(::read(reader, bytes, sizeof bytes), ssize_t{4});
        ::close(reader);
        QCOMPARE(std::string(bytes), std::string("rows"));
        struct stat info {
        };
        QVERIFY(::lstat(path("pipe").c_str(), &info) == 0 && S_ISFIFO(info.st_mode));
        QCOMPARE(codeOf([] { NamedFile("/dev/full").write("rows"); }), std::string("disk_full"));
        QVERIFY(::lstat("/dev/full", &info) == 0 && S_ISCHR(info.st_mode));
    }

    void whatCannotBeWrittenToIsRefusedBefore()
    {
        QVERIFY(::symlink("nowhere", path("dangling").c_str()) == 0);
        for (const char* name : {"", "dangling", "none/out.csv"})
            QVERIFY2(codeOf([&] { NamedFile file(path(name)); }) == "usage", name);
        if (::geteuid() == 0)
            return; // who may do everything is not asked for permission
        put("locked.csv", "old");
        QVERIFY(::chmod(path("locked.csv").c_str(), 0444) == 0);
        QCOMPARE(codeOf([&] { NamedFile file(path("locked.csv")); }), std::string("usage"));
    }
};

QTEST_GUILESS_MAIN(ResultFileTest)
#include "result_file_test.moc"
