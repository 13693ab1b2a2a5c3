// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of class folders in which something is not read.

#include "engine/data/fixtures.h"
#include "engine/data/open_dataset.h"
#include "kernels/check.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace scalebench;
using namespace scalebench::data;
using namespace scalebench::test;

namespace fs = std::filesystem;

class ClassFoldersTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    std::string path(const std::string& name) const
    {
        return dir_.filePath(QString::fromStdString(name)).toStdString();
    }
    /// Two classes; returns their folder.
    std::string folders(const char* name) const
    {
        for (const char* picture :
             {"train/cat/0.png", "train/dog/0.png", "val/cat/0.png", "val/dog/0.png"})
            writeBytes(path(name) + "/" + picture, makePng(picture[0] == 'v' ? 9 : 8, 8, 1));
        return path(name);
    }
    static std::string refusalOf(const std::string& where)
    {
        try {
            PictureFiles files(where);
            return {};
        } catch (const InvalidArgument& e) {
            return e.code() + ": " + e.what();
        }
    }

private slots:
    void remarksOnWhatIsNotRead()
    {
        const std::string where = folders("aside");
        QVERIFY(PictureFiles(where).summary().remarks.empty());
        for (const char* name : {"train/cat/a.webp", "train/cat/b.WEBP", "val/dog/c.bmp",
                                 "train/cat/notes.txt", "train/cat/.d.bmp", "logo.gif"})
            writeBytes(where + "/" + name, {'x'});
        writeBytes(where + "/train/loose.png", makePng(8, 8, 1));
        writeBytes(where + "/logo.png", makePng(8, 8, 1));
        const std::vector<std::string> remarks = PictureFiles(where).summary().remarks;
        QCOMPARE(remarks.size(), size_t{2});
        QVERIFY2(remarks[0].starts_with("2 pictures lie in no class folder") &&
                     remarks[0].find(where + "/logo.png") != std::string::npos,
                 remarks[0].c_str());
        QVERIFY2(remarks[1].starts_with("3 files of other formats (.bmp, .webp) in class folders"),
                 remarks[1].c_str());
    }
    void missingClassesAreRefused_data()
    {
        QTest::addColumn<QString>("link");
        QTest::addColumn<bool>("refused");
        QTest::newRow("class") << "train/fox" << true;
        QTest::newRow("class with a dot") << "val/n01.v2" << true;
        QTest::newRow("folder in a class") << "train/cat/more" << true;
        QTest::newRow("part") << "test" << true;
        QTest::newRow("file in a class") << "train/cat/notes.txt" << false;
        QTest::newRow("beside") << "fox" << false;
        QTest::newRow("hidden") << "train/.fox" << false;
    }
    void missingClassesAreRefused()
    {
        QFETCH(QString, link);
        QFETCH(bool, refused);
        const std::string where = folders(QTest::currentDataTag());
        const std::string name = where + "/" + link.toStdString();
        fs::create_symlink("/nowhere/x", name);
        const std::string refusal = refusalOf(where);
        QCOMPARE(refusal.empty(), !refused);
        if (refused)
            QVERIFY2(refusal.starts_with("data_damaged: " + name + " is a link to /nowhere/x"),
                     refusal.c_str());
    }
    void linkedClassesInTars()
    {
        std::vector<Member> members = {{"pool/dog/0.png", makePng(8, 8, 1)},
                                       {"pool/cat/0.png", makePng(8, 8, 2)}};
        for (const char* name : {"train/dog", "train/cat", "val/dog", "val/cat"})
            members.push_back({name, {}, {}, "../pool/" + fs::path(name).filename().string()});
        writeTar(path("linked.tar"), members, false);
        const DatasetSummary summary = PictureFiles(path("linked.tar")).summary();
        QCOMPARE(summary.classes, 2);
        QCOMPARE(summary.trainSamples, 2);
        members.push_back({"train/fox", {}, {}, "../pool/fox"});
        writeTar(path("linked.tar"), members, false);
        const std::string refusal = refusalOf(path("linked.tar"));
        QVERIFY2(refusal.find("member train/fox, is a link to pool/fox") != std::string::npos,
                 refusal.c_str());
    }
    void picturesOfBothPartsAreTold()
    {
        const std::string where = folders("shared");
        fs::copy_file(where + "/train/cat/0.png", where + "/val/cat/1.png");
        QVERIFY(PictureFiles(where).summary().remarks.empty()); // of another name
        fs::copy_file(where + "/train/cat/0.png", where + "/val/cat/0.png",
                      fs::copy_options::overwrite_existing);
        const std::vector<std::string> remarks = PictureFiles(where).summary().remarks;
        QCOMPARE(remarks.size(), size_t{1});
        QVERIFY2(remarks[0].starts_with("1 of the 3 pictures to evaluate with have class, name and "
                                        "size of one to train on, and of 1 that were compared 1 "
                                        "are the same bytes, the first: " +
                                        where + "/val/cat/0.png"),
                 remarks[0].c_str());
        // The size alone says nothing.
        Bytes other = makePng(8, 8, 1);
        other[other.size() - 1] ^= 1;
        writeBytes(where + "/val/cat/0.png", other);
        QVERIFY(PictureFiles(where).summary().remarks.empty());
    }
    void membersTwiceAreTold()
    {
        const std::vector<Member> members = {
            {"train/cat/0.png", makePng(8, 8, 1)}, {"train/dog/0.png", makePng(8, 8, 2)},
            {"val/cat/0.png", makePng(8, 8, 3)},   {"val/dog/0.png", makePng(8, 8, 4)},
            {"train/cat/0.png", makePng(8, 8, 5)},
        };
        writeTar(path("twice.tar"), members, false);
        const DatasetSummary summary = PictureFiles(path("twice.tar")).summary();
        QCOMPARE(summary.trainSamples, 2);
        QCOMPARE(summary.remarks.size(), size_t{1});
    }
};

QTEST_GUILESS_MAIN(ClassFoldersTest)
#include "class_folders_test.moc"
