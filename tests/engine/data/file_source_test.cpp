// SPDX-License-Identifier: GPL-3.0-or-later
// What is listed of folders and tars, and what is not passed over in silence.

#include "engine/data/file_source.h"
#include "engine/data/fixtures.h"
#include "kernels/check.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::data;
using namespace scalebench::test;

namespace fs = std::filesystem;

class FileSourceTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;
    std::string path(const std::string& name) const
    {
        return dir_.filePath(QString::fromStdString(name)).toStdString();
    }
    static FileListing listed(const std::string& where)
    {
        return listFiles(where, [](const std::string& name) { return name.ends_with(".jpg"); });
    }
    static std::string names(const FileListing& listing)
    {
        std::string text;
        for (const StoredFile& file : listing.files)
            text += (text.empty() ? "" : " ") + file.name;
        return text;
    }

private slots:
    void hiddenFilesAreLeftAside()
    {
        QVERIFY(isHidden(".a") && isHidden("a/.b/c.jpg") && isHidden("a/._b.jpg"));
        QVERIFY(!isHidden("../a/b.jpg") && !isHidden("./a.b/c..jpg"));
        std::vector<Member> members;
        for (const char* name :
             {"a/0.jpg", "a/._0.jpg", "a/.ipynb_checkpoints/0.jpg", ".x/b/1.jpg"}) {
            members.push_back({name, {'x'}});
            writeBytes(path("hidden/" + std::string(name)), {'x'});
        }
        writeTar(path("hidden.tar"), members, false);
        QCOMPARE(names(listed(path("hidden"))), std::string("a/0.jpg"));
        QCOMPARE(names(listed(path("hidden.tar"))), std::string("a/0.jpg"));
    }
    void linksToNoFolderAreTold()
    {
        writeBytes(path("dead/train/cat/0.jpg"), {'x'});
        fs::create_symlink("/nowhere/fox", path("dead/train/fox"));
        const FileListing listing = listed(path("dead"));
        QCOMPARE(listing.deadLinks.size(), size_t{1});
        QCOMPARE(listing.deadLinks[0].name, std::string("train/fox"));
        QCOMPARE(listing.deadLinks[0].message,
                 path("dead/train/fox") + " is a link to /nowhere/fox, which is not there");
    }
    void foldersThatMayNotBeReadAreTold()
    {
        writeBytes(path("closed/train/cat/0.jpg"), {'x'});
        writeBytes(path("closed/train/dog/0.jpg"), {'x'});
        writeBytes(path("closed/lost+found/0.jpg"), {'x'});
        // Root may read everything: for a while we are somebody else.
        const bool root = ::geteuid() == 0;
        QVERIFY(::chmod(dir_.path().toLatin1().constData(), 0755) == 0);
        const auto refusal = [&](const char* folder, mode_t mode) {
            ::chmod(path("closed/lost+found").c_str(), 0);
            ::chmod(path(folder).c_str(), mode);
            std::string told = "nothing";
            if (root && ::seteuid(65534) != 0)
                return std::string("cannot be somebody else");
            try {
                told = names(listed(path("closed")));
            } catch (const InvalidArgument& e) {
                told = e.code() + ": " + e.what();
            }
            if (root && ::seteuid(0) != 0)
                qFatal("cannot be root again");
            ::chmod(path(folder).c_str(), 0755);
            ::chmod(path("closed/lost+found").c_str(), 0755);
            return told;
        };
        QCOMPARE(refusal("closed/train/dog", 0755), std::string("train/cat/0.jpg train/dog/0.jpg"));
        const std::string whole = refusal("closed/train/dog", 0);
        QVERIFY2(whole.starts_with("data_missing: cannot read the folder " +
                                   path("closed/train/dog") + ": Permission denied."),
                 whole.c_str());
        // Its names may be read, its files not.
        const std::string names = refusal("closed/train/dog", 0444);
        QVERIFY2(names.starts_with("data_missing: cannot read " + path("closed/train/dog") +
                                   "/0.jpg: Permission denied."),
                 names.c_str());
    }
};

QTEST_GUILESS_MAIN(FileSourceTest)
#include "file_source_test.moc"
