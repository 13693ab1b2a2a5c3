// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluation pictures of a run in the window: drawn by another program, when they are looked at.
#include "gui/gui_fixture.h"

#include "pages/results/run_detail.h"
#include "run/drawn_pictures.h"
#include "support/program_file.h"
#include "widgets/run_pictures.h"

#include <QFile>
#include <QImage>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class RunPicturesTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    /// An engine that does what `script` says; "$2" is the run, "$4" where the pictures go.
    void putEngine(const QByteArray& script)
    {
        writeProgram(m_folder.filePath(u"scalebench-engine"_s), "#!/bin/sh\n" + script);
    }
    QString runFolder(const QString& name) const
    {
        const QString dir = m_folder.filePath(name);
        QDir().mkpath(dir);
        QFile notes(dir + u"/pictures.json"_s);
        return notes.open(QIODevice::WriteOnly) ? dir : QString();
    }

private Q_SLOTS:
    void initTestCase()
    {
        initGuiTest();
        qputenv("SCALEBENCH_ENGINE", QFile::encodeName(m_folder.filePath(u"scalebench-engine"_s)));
        QImage image(300, 100, QImage::Format_RGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(m_folder.filePath(u"red.png"_s)));
    }

    void readsOnlyTheEnginesLines()
    {
        const QList<DrawnPicture> drawn = parseDrawnPictures(
            "picture_1.png\ta: 1 object\n../x.png\tb\npicture_2.png\n\t3 masks\x1b[2J\n"
            "picture_12.png\tc\n/etc/passwd\td\n");
        QCOMPARE(drawn.size(), 3);
        QCOMPARE(drawn[0].file, u"picture_1.png"_s);
        QCOMPARE(drawn[0].text, u"a: 1 object"_s);
        QVERIFY(drawn[1].file.isEmpty() && !drawn[1].text.contains(QChar(0x1b)));
        QCOMPARE(drawn[2].file, u"picture_12.png"_s);
    }

    void drawsWhenLookedAt()
    {
        const QByteArray red = QFile::encodeName(m_folder.filePath(u"red.png"_s));
        putEngine("echo \"$2\" >>" + QFile::encodeName(m_folder.filePath(u"asked"_s)) + "\ncp " +
                  red + " \"$4/picture_1.png\"\ncp " + red +
                  " \"$4/picture_2.png\"\nprintf 'picture_1.png\\tone\\npicture_2.png\\ttwo\\n'\n"
                  "printf 'picture_3.png\\tnot there\\n'\n");
        RunPictures pictures;
        QSignalSpy drawn(&pictures, &RunPictures::drawn);
        pictures.setRun(runFolder(u"a"_s));
        QVERIFY(!QFile::exists(m_folder.filePath(u"asked"_s)));
        pictures.resize(200, 400);
        pictures.show();
        QVERIFY(drawn.wait(20000));
        QCOMPARE(pictures.count(), 2);
        QVERIFY(pictures.message().contains(u"Green"_s));
        bool fits = false;
        for (const QLabel* label : pictures.findChildren<QLabel*>())
            if (!label->pixmap().isNull())
                fits = label->pixmap().width() <= 200 && label->pixmap().width() > 100;
        QVERIFY(fits);
        pictures.setRun(runFolder(u"b"_s)); // visible: at once
        QVERIFY(drawn.wait(20000));
        QCOMPARE(pictures.count(), 2);
    }

    void saysWhyThereAreNone()
    {
        putEngine(
            "echo 'scalebench-engine: the data set /x is not on this computer' >&2\nexit 2\n");
        RunPictures pictures;
        QSignalSpy drawn(&pictures, &RunPictures::drawn);
        pictures.setRun(runFolder(u"c"_s));
        pictures.show();
        QVERIFY(drawn.wait(20000));
        QCOMPARE(pictures.message(), u"the data set /x is not on this computer"_s);
        QCOMPARE(pictures.count(), 0);
    }

    void aRunOfADetectorHasATab()
    {
        RunDetail detail;
        auto* tabs = detail.findChild<QTabWidget*>();
        const int at = tabs->indexOf(detail.pictures());
        QVERIFY(at >= 0 && !tabs->isTabVisible(at));
        RunDetailData data;
        data.study = inventedStudy({1});
        data.study.runs[0].runDir = runFolder(u"d"_s);
        data.pictures = true;
        detail.show(data);
        QVERIFY(tabs->isTabVisible(at));
        data.pictures = false;
        detail.show(data);
        QVERIFY(!tabs->isTabVisible(at));
        QVERIFY(hasPictures(data.study.runs[0].runDir));
        QVERIFY(!hasPictures(m_folder.path()));
    }
};

QTEST_MAIN(RunPicturesTest)
#include "run_pictures_test.moc"
