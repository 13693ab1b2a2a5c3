// SPDX-License-Identifier: GPL-3.0-or-later
// Whom the lock of a study names: signals are sent to that process.

#include "base/process_tree.h"
#include "run/study_lock.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class StudyLockTest : public QObject
{
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_dir.isValid()); }

    void namesItsHolder()
    {
        QVERIFY(!lockHolder(m_dir.path()));
        StudyLock lock;
        QVERIFY(lock.acquire(m_dir.path(), 0));
        QCOMPARE(lockHolder(m_dir.path()), std::optional<qint64>(::getpid()));
        StudyLock second;
        QVERIFY(!second.acquire(m_dir.path(), 0));
        lock.release();
        QVERIFY(!lockHolder(m_dir.path()));
    }

    /// The next holder has the lock before it has written who it is. Until then nobody is named:
    /// Stop would otherwise send its signal to the holder before, here to itself.
    void formerHolderIsNotNamed()
    {
        StudyLock lock;
        QVERIFY(lock.acquire(m_dir.path(), 0));
        lock.release();
        const QByteArray path = QFile::encodeName(m_dir.filePath(u"supervisor.lock"_s));
        const int next = ::open(path.constData(), O_RDWR | O_CLOEXEC);
        QVERIFY(next >= 0);
        QCOMPARE(::flock(next, LOCK_EX | LOCK_NB), 0);
        QCOMPARE(lockHolder(m_dir.path()), std::optional<qint64>(0));
        ::close(next);
        QVERIFY(!lockHolder(m_dir.path()));
    }

    /// A label that a copied or made-up folder brings names a process that lives but holds nothing.
    void labelAloneNamesNobody()
    {
        const QByteArray path = QFile::encodeName(m_dir.filePath(u"supervisor.lock"_s));
        QFile file(QFile::decodeName(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const ProcessIdentity parent = ProcessIdentity::of(::getppid());
        file.write(parent.toText());
        file.close();
        const int other = ::open(path.constData(), O_RDWR | O_CLOEXEC);
        QVERIFY(other >= 0);
        QCOMPARE(::flock(other, LOCK_EX | LOCK_NB), 0);
        QCOMPARE(lockHolder(m_dir.path()), std::optional<qint64>(0));
        ::close(other);
    }

private:
    QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(StudyLockTest)
#include "study_lock_test.moc"
