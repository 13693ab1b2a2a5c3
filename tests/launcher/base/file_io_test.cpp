// SPDX-License-Identifier: GPL-3.0-or-later
// Files are replaced as a whole, and what is no ordinary file is left alone.
#include "base/file_io.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class FileIoTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QString path(const QString& name) const { return m_dir.filePath(name); }
    static mode_t modeOf(const QString& path)
    {
        struct stat info {
        };
        return ::lstat(QFile::encodeName(path).constData(), &info) == 0 ? info.st_mode : 0;
    }

private Q_SLOTS:
    void aPipeStays()
    {
        QVERIFY(::mkfifo(QFile::encodeName(path(u"pipe"_s)).constData(), 0600) == 0);
        QCOMPARE(writeFileAtomically(path(u"pipe"_s), "a").failure().code, u"not_a_file"_s);
        QCOMPARE(writeChosenFile(path(u"pipe"_s), "a").failure().code, u"not_a_file"_s);
        QVERIFY(S_ISFIFO(modeOf(path(u"pipe"_s))));
    }

    /// Chosen by a person, the file behind it; in a folder of results, the link itself.
    void links()
    {
        QVERIFY(writeFileAtomically(path(u"file"_s), "old"));
        QVERIFY(::chmod(QFile::encodeName(path(u"file"_s)).constData(), 0640) == 0);
        QVERIFY(QFile::link(u"file"_s, path(u"link"_s)));
        QVERIFY(writeChosenFile(path(u"link"_s), "new"));
        QVERIFY(S_ISLNK(modeOf(path(u"link"_s))));
        QCOMPARE(readFile(path(u"file"_s)).value(), "new");
        QCOMPARE(modeOf(path(u"file"_s)) & 07777, mode_t(0640));
        QVERIFY(writeFileAtomically(path(u"link"_s), "own"));
        QVERIFY(S_ISREG(modeOf(path(u"link"_s))));
        QCOMPARE(readFile(path(u"file"_s)).value(), "new");
    }

    /// root, too, can put nothing into /proc, where access() says it may.
    void whatMayBeWritten()
    {
        QVERIFY(mayBeWritten(m_dir.path()));
        QVERIFY(mayBeWritten(path(u"not/there/yet"_s)));
        QVERIFY(!QFileInfo::exists(path(u"not"_s)));
        QVERIFY(writeFileAtomically(path(u"plain"_s), "x"));
        QVERIFY(mayBeWritten(path(u"plain"_s)));
        QVERIFY(!mayBeWritten(path(u"plain/below"_s)));
        QVERIFY(!mayBeWritten(u"/proc/nope"_s));
        QCOMPARE(existingPart(path(u"not/there"_s)), m_dir.path());
    }
};

QTEST_GUILESS_MAIN(FileIoTest)
#include "file_io_test.moc"
