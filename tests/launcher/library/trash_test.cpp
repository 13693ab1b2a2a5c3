// SPDX-License-Identifier: GPL-3.0-or-later
// Studies put away and taken back; nothing outside the library, nothing at work, nothing unmarked.
#include "library/trash.h"
#include "run/study.h"
#include "run/study_lock.h"
#include "support/launcher_fixture.h"

using namespace scalebench;
using namespace scalebench::test;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
}

} // namespace

class TrashTest : public QObject
{
    Q_OBJECT
private slots:
    void awayAndBack()
    {
        TemporaryLibrary t;
        const Study study = t.create({1, 2}, QStringLiteral("first"));
        t.create({1}, QStringLiteral("second"));
        const QByteArray plan = bytesOf(study.dir + QStringLiteral("/plan.json"));
        const auto put = moveToTrash(*t.library, study.dir);
        QVERIFY2(put, put ? "" : qPrintable(put.failure().message));
        QVERIFY(!QFile::exists(study.dir));
        QCOMPARE(t.library->studies().value().size(), 1);
        QCOMPARE(t.library->runs().value().size(), 1);
        QCOMPARE(trashedStudies(*t.library).size(), 1);
        QCOMPARE(trashedStudies(*t.library).first().id, QStringLiteral("first"));
        // Not over one that has taken the name since.
        t.create({1}, QStringLiteral("first"));
        QCOMPARE(restoreFromTrash(*t.library, QStringLiteral("first")).failure().code,
                 QStringLiteral("study_exists"));
        QCOMPARE(trashedStudies(*t.library).size(), 1);
        QVERIFY(moveToTrash(*t.library, study.dir));
        QCOMPARE(trashedStudies(*t.library).size(), 2);
        QVERIFY(restoreFromTrash(*t.library, put.value().name));
        QCOMPARE(bytesOf(study.dir + QStringLiteral("/plan.json")), plan);
        QCOMPARE(t.library->studies().value().size(), 2);
        QCOMPARE(t.library->runs(QStringLiteral("first")).value().size(), 2);
        QCOMPARE(emptyTrash(*t.library).value(), 1);
        QVERIFY(trashedStudies(*t.library).isEmpty());
        QVERIFY(QFile::exists(study.dir));
        QCOMPARE(restoreFromTrash(*t.library, QStringLiteral("latest")).failure().code,
                 QStringLiteral("not_in_trash"));
    }

    void whatIsAtWorkStays()
    {
        TemporaryLibrary t;
        const Study study = t.create({1}, QStringLiteral("busy"));
        {
            StudyLock lock;
            QVERIFY(lock.acquire(study.dir, 0));
            QCOMPARE(moveToTrash(*t.library, study.dir).failure().code,
                     QStringLiteral("study_active"));
            QVERIFY(QFile::exists(study.dir + QStringLiteral("/study.json")));
            QVERIFY(trashedStudies(*t.library).isEmpty());
        }
        QVERIFY(moveToTrash(*t.library, study.dir));
    }

    void onlyTheLibrarysOwn()
    {
        TemporaryLibrary t;
        const QTemporaryDir elsewhere;
        const Study outside =
            t.create({1}, QStringLiteral("outside"), elsewhere.filePath(QStringLiteral("o")));
        const Study inside = t.create({1}, QStringLiteral("inside"));
        const QString link = t.folder.filePath(QStringLiteral("studies/link"));
        QVERIFY(QFile::link(outside.dir, link));
        for (const QString& dir :
             {outside.dir, link, t.folder.path(), t.folder.filePath(QStringLiteral("studies")),
              inside.dir + QStringLiteral("/../../studies"), inside.dir + QStringLiteral("/runs"),
              QStringLiteral("/"), QString(), t.folder.filePath(QStringLiteral("studies/none"))})
            QVERIFY2(!moveToTrash(*t.library, dir), qPrintable(dir));
        QVERIFY(QFile::exists(outside.dir + QStringLiteral("/study.json")));
        QVERIFY(QFile::exists(inside.dir + QStringLiteral("/study.json")));
        QVERIFY(trashedStudies(*t.library).isEmpty());
    }

    /// A mark that was written to lead elsewhere, and what has none, is neither moved nor deleted.
    void foreignMarks()
    {
        TemporaryLibrary t;
        const QString trash = t.folder.filePath(QStringLiteral("trash"));
        const auto plant = [&trash](const char* name, const QByteArray& mark) {
            const QString place = trash + u'/' + QLatin1String(name);
            QDir().mkpath(place + QStringLiteral("/study"));
            QFile file(place + QStringLiteral("/trash.json"));
            return file.open(QIODevice::WriteOnly) && file.write(mark) >= 0;
        };
        QVERIFY(plant("a", R"({"format":"scalebench.trash","folder":"..","id":"x"})"));
        QVERIFY(plant("b", R"({"format":"scalebench.trash","folder":"studies","id":"../../x"})"));
        QVERIFY(plant("c", R"({"format":"other","folder":"studies","id":"x"})"));
        QVERIFY(plant("d", "{"));
        QVERIFY(plant("e", ""));
        const QTemporaryDir elsewhere;
        QVERIFY(QDir(elsewhere.path()).mkpath(QStringLiteral("study")));
        QVERIFY(QFile::link(elsewhere.path(), trash + QStringLiteral("/f")));
        QVERIFY(trashedStudies(*t.library).isEmpty());
        QCOMPARE(emptyTrash(*t.library).value(), 0);
        for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
            QVERIFY(!restoreFromTrash(*t.library, QLatin1String(name)));
            QVERIFY(QFile::exists(trash + u'/' + QLatin1String(name) + QStringLiteral("/study")));
        }
    }

    /// Deleting follows no link out of the study.
    void linksInAStudy()
    {
        TemporaryLibrary t;
        const QTemporaryDir elsewhere;
        QFile kept(elsewhere.filePath(QStringLiteral("kept")));
        QVERIFY(kept.open(QIODevice::WriteOnly));
        const Study study = t.create({1}, QStringLiteral("linked"));
        QVERIFY(QFile::link(elsewhere.path(), study.dir + QStringLiteral("/runs/out")));
        QVERIFY(moveToTrash(*t.library, study.dir));
        QCOMPARE(emptyTrash(*t.library).value(), 1);
        QVERIFY(kept.exists());
    }
};

QTEST_MAIN(TrashTest)
#include "trash_test.moc"
