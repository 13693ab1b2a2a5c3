// SPDX-License-Identifier: GPL-3.0-or-later
// Links in tars, and members that a tar has twice, give the files that an unpacked tar has.

#include "engine/data/file_source.h"
#include "engine/data/fixtures.h"
#include "kernels/check.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

using namespace scalebench;
using namespace scalebench::data;
using namespace scalebench::test;

class TarLinksTest : public QObject
{
    Q_OBJECT

    QTemporaryDir dir_;

    /// The .jpg that a tar of these has.
    FileListing listed(const std::vector<Member>& members, bool gzip = false) const
    {
        const std::string path =
            dir_.filePath(gzip ? QStringLiteral("a.tar.gz") : QStringLiteral("a.tar"))
                .toStdString();
        writeTar(path, members, gzip);
        return listFiles(path, [](const std::string& name) { return name.ends_with(".jpg"); });
    }
    /// "NAME=FIRST BYTE" of each.
    static std::string text(const FileListing& listing)
    {
        std::string text;
        for (const StoredFile& file : listing.files)
            text += (text.empty() ? "" : " ") + file.name + "=" + char(file.read().at(0));
        return text;
    }

private slots:
    void linksToFolders()
    {
        const std::vector<Member> members = {
            {"train/dog", {}, {}, "../pool/dog"},
            {"./pool/dog/0.jpg", {'a'}},
            {"pool/dog/deep/1.jpg", {'b'}},
            {"pool/dogs/2.jpg", {'c'}},
            {"pool/dog/cat", {}, {}, "../../cat/"},
            {"cat/3.jpg", {'d'}},
            {"through.jpg", {}, {}, "train/dog/cat/3.jpg"},
            {"notes", {}, {}, "pool/dogs/2.jpg"},
        };
        for (const bool gzip : {false, true})
            QCOMPARE(text(listed(members, gzip)),
                     std::string("cat/3.jpg=d pool/dog/0.jpg=a pool/dog/cat/3.jpg=d "
                                 "pool/dog/deep/1.jpg=b pool/dogs/2.jpg=c through.jpg=d "
                                 "train/dog/0.jpg=a train/dog/cat/3.jpg=d "
                                 "train/dog/deep/1.jpg=b"));
    }
    void linksToFoldersAboveAreNotFollowed()
    {
        QCOMPARE(text(listed({{"a/0.jpg", {'x'}},
                              {"a/again", {}, {}, "../a"},
                              {"a/top", {}, {}, ".."},
                              {"a/b/up", {}, {}, "../.."}})),
                 std::string("a/0.jpg=x"));
        // Each holds the other: seen once in it.
        QCOMPARE(text(listed({{"a/0.jpg", {'x'}},
                              {"b/1.jpg", {'y'}},
                              {"a/b", {}, {}, "../b"},
                              {"b/a", {}, {}, "../a"}})),
                 std::string("a/0.jpg=x a/b/1.jpg=y b/1.jpg=y b/a/0.jpg=x"));
    }
    void linksToNothingAreTold()
    {
        const FileListing listing = listed({{"train/cat/0.jpg", {'x'}},
                                            {"train/fox", {}, {}, "/mnt/nas/fox"},
                                            {"round", {}, {}, "round"},
                                            {"hard", {}, "gone"}});
        QCOMPARE(listing.deadLinks.size(), size_t{2});
        QCOMPARE(listing.deadLinks[0].name, std::string("round"));
        QCOMPARE(listing.deadLinks[1].name, std::string("train/fox"));
        QVERIFY(listing.deadLinks[1].message.ends_with(
            "member train/fox, is a link to /mnt/nas/fox, where this tar has no picture"));
    }
    /// What "tar -r" and "tar -u" leave.
    void theLastOfANameCounts()
    {
        const std::vector<Member> members = {
            {"a.jpg", {'1'}}, {"b.jpg", {'1'}}, {"./a.jpg", {'2'}},         {"c.jpg", {'1'}},
            {"a.jpg", {'3'}}, {"b.jpg", {'2'}}, {"again.jpg", {}, "a.jpg"},
        };
        for (const bool gzip : {false, true}) {
            const FileListing listing = listed(members, gzip);
            QCOMPARE(text(listing), std::string("a.jpg=3 again.jpg=3 b.jpg=2 c.jpg=1"));
            QCOMPARE(listing.remarks.size(), size_t{1});
            QVERIFY2(listing.remarks[0].ends_with("left out: 3, the first: a.jpg"),
                     listing.remarks[0].c_str());
        }
        QVERIFY(listed({{"a.jpg", {'1'}}, {"b.jpg", {'1'}}}).remarks.empty());
    }
    void theLastOfANameMayBeALink()
    {
        const FileListing toLink =
            listed({{"a.jpg", {'1'}}, {"b.jpg", {'2'}}, {"a.jpg", {}, "b.jpg"}});
        QCOMPARE(text(toLink), std::string("a.jpg=2 b.jpg=2"));
        QCOMPARE(toLink.remarks.size(), size_t{1});
        const FileListing toFile = listed({{"b.jpg", {'2'}},
                                           {"a.jpg", {}, {}, "gone.jpg"},
                                           {"a.jpg", {}, {}, "b.jpg"},
                                           {"a.jpg", {'3'}}});
        QCOMPARE(text(toFile), std::string("a.jpg=3 b.jpg=2"));
        QVERIFY(toFile.remarks.at(0).find("left out: 2") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TarLinksTest)
#include "tar_links_test.moc"
