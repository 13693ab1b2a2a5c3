// SPDX-License-Identifier: GPL-3.0-or-later
// Tags and notes: kept, found in lists, whole after many writers and damage, and of the right
// study.
#include "library/annotations.h"
#include "library/library.h"
#include "library/trash.h"
#include "support/launcher_fixture.h"

#include <QFile>
#include <QTest>

#include <atomic>
#include <thread>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class AnnotationsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void tagsAsTyped()
    {
        QCOMPARE(parseTags(u" good, H100,, Good ,before the update "_s).value(),
                 (QStringList{u"before the update"_s, u"good"_s, u"H100"_s}));
        QVERIFY(parseTags({}).value().isEmpty());
        QCOMPARE(parseTags(QString(kLongestTag + 1, u'x')).failure().code, u"tag_refused"_s);
        QCOMPARE(parseTags(u"a\x1b[2Jb"_s).failure().code, u"tag_refused"_s);
        QStringList many;
        for (int i = 0; i <= kMostTags; ++i)
            many << QString::number(i);
        QCOMPARE(parseTags(many.join(u',')).failure().code, u"tag_refused"_s);
    }

    void keptAndListed()
    {
        TemporaryLibrary t;
        const Study first = t.create({1, 2}, u"first"_s);
        const QTemporaryDir out;
        const Study outside = t.create({1}, u"outside"_s, out.filePath(u"st\u00fcdy"_s));
        const Annotation good{{u"good"_s}, u"two\nlines \"quoted\""_s};
        QVERIFY(t.library->annotate(first.dir + u"/"_s, editBetween({}, good)).ok());
        QVERIFY(t.library->annotate(outside.dir, editBetween({}, {{u"elsewhere"_s}, {}})).ok());
        const auto studies = t.library->studies();
        for (const StudySummary& study : studies.value())
            QCOMPARE(study.tags, QStringList{study.id == "first"_L1 ? u"good"_s : u"elsewhere"_s});
        int noted = 0;
        const auto runs = t.library->runs();
        for (const RunSummary& run : runs.value())
            noted += run.note == good.note;
        QCOMPARE(noted, 2);
        // The index is made anew without them being lost; they go with a study into the trash.
        QCOMPARE(t.library->rebuild().value(), 2);
        const auto away = moveToTrash(*t.library, first.dir);
        QVERIFY(away.ok());
        QVERIFY(restoreFromTrash(*t.library, away.value().name).ok());
        const Annotations all = readAnnotations(t.folder.path()).value();
        QCOMPARE(annotationOf(all, t.folder.path(), first.dir), good);
        QVERIFY(!QFile::exists(first.dir + u"/annotations.json"_s));
        // Empty: taken away.
        QVERIFY(t.library->annotate(first.dir, editBetween(good, {})).ok());
        QCOMPARE(readAnnotations(t.folder.path()).value().size(), 1);
        QCOMPARE(
            t.library->annotate(first.dir, editBetween({}, {{}, QString(kLongestNote + 1, u'n')}))
                .failure()
                .code,
            u"out_of_range"_s);
    }

    /// Two people, of whom each saw what was kept before.
    void editsOfTheSameStudy()
    {
        TemporaryLibrary t;
        const Study study = t.create({1});
        const Annotation seen{{u"both"_s, u"old"_s}, u"a note"_s};
        QVERIFY(t.library->annotate(study.dir, editBetween({}, seen)).ok());
        const Annotation one{{u"both"_s, u"one"_s, u"old"_s}, u"a better note"_s};
        QVERIFY(t.library->annotate(study.dir, editBetween(seen, one)).ok());
        const Annotation two{{u"both"_s, u"two"_s}, u"a note"_s};
        const auto kept = t.library->annotate(study.dir, editBetween(seen, two));
        const Annotation wanted{{u"both"_s, u"one"_s, u"two"_s}, u"a better note"_s};
        QCOMPARE(kept.value(), wanted);
        // Taken back: only what it changed.
        const Annotation undone{{u"both"_s, u"old"_s, u"one"_s}, u"a better note"_s};
        QCOMPARE(t.library->annotate(study.dir, editBetween(two, seen)).value(), undone);
        QStringList many;
        for (int i = 0; i < kMostTags; ++i)
            many << QString::number(i);
        QCOMPARE(t.library->annotate(study.dir, editBetween({}, {many, {}})).failure().code,
                 u"tag_refused"_s);
    }

    void damagedFileHidesNothing()
    {
        TemporaryLibrary t;
        const Study study = t.create({1});
        for (const char* damaged :
             {"{", "[]", "{\"format\":\"scalebench.annotations\",\"version\":2,\"studies\":{}}",
              "{\"format\":\"scalebench.annotations\",\"version\":1,\"studies\":{\"a\":{\"tags\":7}"
              "}}",
              "{\"format\":\"scalebench.annotations\",\"version\":1,\"studies\":{\"a\":{\"x\":7}}"
              "}"}) {
            QFile file(t.folder.filePath(u"annotations.json"_s));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(damaged) > 0);
            file.close();
            QVERIFY2(!readAnnotations(t.folder.path()).ok(), damaged);
            QCOMPARE(t.library->studies().value().size(), 1);
            // What cannot be read is not written over either.
            QVERIFY(!t.library->annotate(study.dir, editBetween({}, {{u"x"_s}, {}})).ok());
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), QByteArray(damaged));
        }
    }

    void manyWriters()
    {
        TemporaryLibrary t;
        std::atomic<int> failures = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&, i] {
                for (int n = 0; n < 10; ++n)
                    if (!annotate(t.folder.path(),
                                  t.folder.filePath(u"studies/s%1-%2"_s.arg(i).arg(n)),
                                  editBetween({}, {{u"t"_s}, {}})))
                        ++failures;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(failures.load(), 0);
        QCOMPARE(readAnnotations(t.folder.path()).value().size(), 40);
    }
};

QTEST_GUILESS_MAIN(AnnotationsTest)
#include "annotations_test.moc"
