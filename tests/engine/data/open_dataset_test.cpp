// SPDX-License-Identifier: GPL-3.0-or-later
// Readers: every accepted layout, and a clear refusal of everything damaged or missing.

#include "engine/data/fixtures.h"
#include "engine/data/open_dataset.h"
#include "engine/data/pipeline.h"
#include "kernels/check.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::data;
using namespace scalebench::test;

namespace {

struct Caught {
    std::string code = "none";
    std::string message;
};

template <typename Body>
Caught catchError(Body body)
{
    try {
        body();
    } catch (const Error& e) {
        return {e.code(), e.what()};
    }
    return {};
}

bool contains(const Caught& caught, const std::string& text)
{
    return caught.message.find(text) != std::string::npos;
}

/// train/{cat,dog}/ and `evalName`/{cat,dog}/ with 3 + 2 pictures a class.
std::vector<Member> folderMembers(const std::string& prefix, const std::string& evalName,
                                  int edge = 32)
{
    std::vector<Member> members;
    int tint = 0;
    for (const std::string className : {"dog", "cat"}) {
        for (int i = 0; i < 3; ++i)
            members.push_back({prefix + "train/" + className + "/" + std::to_string(i) + ".jpg",
                               makeJpeg(edge, edge, ++tint)});
        for (int i = 0; i < 2; ++i)
            members.push_back(
                {prefix + evalName + "/" + className + "/" + std::to_string(i) + ".png",
                 makePng(edge, edge, ++tint)});
    }
    return members;
}

void unpack(const std::string& folder, const std::vector<Member>& members)
{
    for (const Member& member : members)
        writeBytes(folder + "/" + member.name, member.bytes);
}

} // namespace

class OpenDatasetTest : public QObject
{
    Q_OBJECT

    static std::string firstIn(const std::vector<Member>& members, const std::string& folder)
    {
        return std::ranges::find_if(members,
                                    [&](const Member& member) {
                                        return member.name.starts_with(folder) &&
                                               !member.bytes.empty();
                                    })
            ->name;
    }

    QTemporaryDir dir_;
    std::string path(const char* name) const
    {
        return dir_.filePath(QString::fromLatin1(name)).toStdString();
    }

    void checkFolders(const std::string& where)
    {
        const DatasetSummary summary = PictureFiles(where).summary();
        QCOMPARE(summary.trainSamples, 6);
        QCOMPARE(summary.evalSamples, 4);
        QCOMPARE(summary.classes, 2);
        QCOMPARE(summary.format, std::string("class folders"));
        QVERIFY(summary.emptyClasses.empty());
        const DatasetPair pair = openImageDatasets(where, {});
        QCOMPARE(pair.train->size(), 6);
        QCOMPARE(pair.eval->size(), 4);
        QCOMPARE(pair.train->classNames(), (std::vector<std::string>{"cat", "dog"}));
        QCOMPARE(pair.train->label(0), 0);
        QCOMPARE(pair.train->label(5), 1);
        QCOMPARE(pair.train->edge(), 32);
        const Image direct =
            decodeImage(makePng(32, 32, 4), "x"); // first dog of the evaluation set
        const auto pixels = pair.eval->pixels(2);
        QVERIFY(std::equal(pixels.begin(), pixels.end(), direct.rgb.begin(), direct.rgb.end()));
    }

private slots:
    void classFolders()
    {
        unpack(path("a"), folderMembers("", "test"));
        checkFolders(path("a"));
        unpack(path("b"), folderMembers("deep/cifar10/", "validation"));
        checkFolders(path("b"));
    }
    void classFoldersInTars()
    {
        writeTar(path("plain.tar"), folderMembers("set/", "val"), false);
        checkFolders(path("plain.tar"));
        writeTar(path("packed.tar.gz"), folderMembers("./", "val"), true);
        checkFolders(path("packed.tar.gz"));
        std::filesystem::create_directories(path("holder"));
        writeTar(path("holder/only.tgz"), folderMembers("", "val"), true);
        writeBytes(path("holder/LICENSE"), {'x'});
        checkFolders(path("holder"));
    }
    void validationBeatsTest()
    {
        unpack(path("both"), folderMembers("", "val"));
        unpack(path("both"), {{"test/cat/9.jpg", makeJpeg(32, 32, 9)}});
        QCOMPARE(openImageDatasets(path("both"), {}).eval->size(), 4);
    }
    void largePicturesStayStored()
    {
        for (const bool gzip : {false, true}) {
            const std::string tar = path(gzip ? "large.tar.gz" : "large.tar");
            writeTar(tar, folderMembers("", "val", 200), gzip);
            const DatasetPair pair = openImageDatasets(tar, {});
            QCOMPARE(pair.train->edge(), 0);
            QVERIFY(pair.train->storedBytes(0) > 500);
            const int64_t size = int64_t(std::filesystem::file_size(tar));
            QCOMPARE(PictureFiles(tar).bytesRead(), gzip ? size : 0);
            const Image first = pair.train->decode(0);
            QCOMPARE(first.width, 200);
            QCOMPARE(first.rgb, decodeImage(makeJpeg(200, 200, 6), "x").rgb); // first cat
        }
    }
    void smallPicturesOfOtherSizesAreResized()
    {
        unpack(path("odd"), folderMembers("", "val", 48));
        const DatasetPair pair = openImageDatasets(path("odd"), {});
        QCOMPARE(pair.train->edge(), 32);
    }
    /// Keeping pictures decoded changes how fast they come, not what they look like.
    void everySizeTakesOnePath_data()
    {
        QTest::addColumn<int>("pictures");
        QTest::addColumn<int>("imageSize");
        QTest::addColumn<bool>("photoCrops");
        QTest::newRow("32 to 32") << 32 << 32 << false;
        QTest::newRow("48 to 32") << 48 << 32 << false;
        QTest::newRow("28 to 32") << 28 << 32 << false;
        QTest::newRow("28 to 224") << 28 << 224 << false;
        QTest::newRow("48 to 32, photo crops") << 48 << 32 << true;
        QTest::newRow("32 to 32, photo crops") << 32 << 32 << true;
    }
    void everySizeTakesOnePath()
    {
        QFETCH(int, pictures);
        QFETCH(int, imageSize);
        QFETCH(bool, photoCrops);
        const std::string where =
            path(QStringLiteral("size %1").arg(pictures).toLatin1().constData());
        unpack(where, folderMembers("", "val", pictures));
        OpenOptions options;
        options.imageSize = imageSize;
        options.photoCrops = photoCrops;
        const DatasetPair kept = openImageDatasets(where, options);
        // The same pictures with one that is too large to be kept: nothing is.
        unpack(where + "-stored", folderMembers("", "val", pictures));
        unpack(where + "-stored", {{"train/cat/zz.jpg", makeJpeg(65, 65, 1)},
                                   {"val/cat/zz.jpg", makeJpeg(65, 65, 1)}});
        const DatasetPair stored = openImageDatasets(where + "-stored", options);
        QCOMPARE(stored.eval->edge(), 0);
        CachingAllocator memory;
        const AugmentOptions augment{0, false, photoCrops};
        Batch one, other;
        const std::vector<int64_t> samples{0, 1};
        ImagePipeline(*kept.eval, imageSize, {}, augment, 1, memory).fillEval(samples, 2, one);
        ImagePipeline(*stored.eval, imageSize, {}, augment, 1, memory).fillEval(samples, 2, other);
        QVERIFY(std::ranges::equal(one.tensors[0].f32(), other.tensors[0].f32()));
        // And the same square to train on, where nothing is left to chance.
        if (!photoCrops) {
            ImagePipeline(*kept.eval, imageSize, {}, augment, 1, memory)
                .fillTrain(samples, 3, other);
            QVERIFY(std::ranges::equal(one.tensors[0].f32(), other.tensors[0].f32()));
        }
    }
    /// What Pillow and torchvision give: the stored numbers.
    void pngNumbersAreTakenAsTheyAre()
    {
        const Image plain = decodeImage(makePng(17, 9, 3), "x");
        QCOMPARE(decodeImage(makePng(17, 9, 3, 16), "x").rgb, plain.rgb);   // with a gamma chunk
        QCOMPARE(decodeImage(makePng(17, 9, 3, 8, 4), "x").rgb, plain.rgb); // with alpha
    }
    void linksInTarsAreFiles()
    {
        std::vector<Member> members = folderMembers("", "val");
        members.push_back({"train/dog/again.png", {}, "train/dog/1.png"});
        members.push_back({"val/cat/again.png", {}, {}, "../dog/0.png"});
        for (const bool gzip : {false, true}) {
            const std::string tar = path(gzip ? "links.tar.gz" : "links.tar");
            std::vector<Member> real = members;
            real[real.size() - 2].hardLinkTo = firstIn(members, "train/dog/");
            real.back().symLinkTo = "../../" + firstIn(members, "train/dog/");
            writeTar(tar, real, gzip);
            const DatasetPair pair = openImageDatasets(tar, {});
            QCOMPARE(pair.train->size(), 7);
            QCOMPARE(pair.eval->size(), 5);
        }
        members.back().symLinkTo = "../nowhere.png";
        members[members.size() - 2].hardLinkTo = "gone.png";
        writeTar(path("broken-links.tar"), members, false);
        const Caught caught = catchError([&] { openImageDatasets(path("broken-links.tar"), {}); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.message.find("gone.png") != std::string::npos, caught.message.c_str());
    }
    /// Also to one that comes later, but not round and round.
    void linksLeadToLinks()
    {
        std::vector<Member> members = folderMembers("", "val");
        const std::string file = firstIn(members, "train/dog/");
        members.insert(members.begin(), {{"train/dog/first.png", {}, {}, "second.png"},
                                         {"train/dog/second.png", {}, {}, "third.png"},
                                         {"train/dog/third.png", {}, {}, "../../" + file}});
        writeTar(path("chain.tar"), members, false);
        QCOMPARE(openImageDatasets(path("chain.tar"), {}).train->size(), 9);
        members[2].symLinkTo = "first.png";
        writeTar(path("round.tar"), members, false);
        const Caught caught = catchError([&] { openImageDatasets(path("round.tar"), {}); });
        QCOMPARE(caught.code, std::string("data_damaged"));
    }
    /// As in a tar: a picture that is missing is not just left out.
    void aLinkToNothingIsTold()
    {
        unpack(path("dangling"), folderMembers("", "val"));
        const std::string link = path("dangling") + "/train/cat/gone.png";
        std::filesystem::create_symlink("nowhere.png", link);
        const Caught caught = catchError([&] { PictureFiles files(path("dangling")); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.message.find(link + " is a link to nowhere.png") != std::string::npos,
                 caught.message.c_str());
        std::filesystem::remove(link);
        std::filesystem::create_symlink("nowhere.txt", path("dangling") + "/train/cat/notes.txt");
        QCOMPARE(PictureFiles(path("dangling")).summary().trainSamples, 6);
    }
    /// A header may say anything: eight EiB were asked of the memory at once.
    void claimedSizesAreNotBelieved()
    {
        for (const char* size : {"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xfe\0", // 2^63 - 512
                                 "\x80\0\0\0\0\0\0\1\xf0\0\0\0"}) {          // 7.75 GiB
            const std::string tar = path("claims.tar");
            writeTar(tar, folderMembers("", "val"), false);
            QFile file(QString::fromStdString(tar));
            QVERIFY(file.open(QIODevice::ReadWrite));
            QByteArray header = file.read(512);
            header.replace(124, 12, QByteArray(size, 12)).replace(148, 8, QByteArray(8, ' '));
            unsigned sum = 0;
            for (const char c : header)
                sum += uint8_t(c);
            header.replace(148, 8, QByteArray::number(sum, 8).rightJustified(6, '0') + '\0' + ' ');
            QVERIFY(file.seek(0) && file.write(header) == 512);
            file.close();
            const Caught plain = catchError([&] { openImageDatasets(tar, {}); });
            QCOMPARE(plain.code, std::string("data_damaged"));
            QCOMPARE(QProcess::execute(QStringLiteral("gzip"),
                                       {QStringLiteral("-f"), QString::fromStdString(tar)}),
                     0);
            const Caught packed = catchError([&] { openImageDatasets(tar + ".gz", {}); });
            QVERIFY2(packed.code == "data_damaged" || packed.code == "unsupported",
                     (packed.code + packed.message).c_str());
        }
    }
    /// A pipe was waited for, for ever; a device has no end.
    void noOrdinaryFile()
    {
        for (const char* name : {"data_batch_1.bin", "pipe.tar", "pipe.tar.gz"}) {
            QCOMPARE(::mkfifo(path(name).c_str(), 0600), 0);
            QCOMPARE(catchError([&] { openImageDatasets(path(name), {}); }).code,
                     std::string("data_missing"));
            std::filesystem::remove(path(name));
            std::filesystem::create_symlink("/dev/zero", path(name));
            QCOMPARE(catchError([&] { openImageDatasets(path(name), {}); }).code,
                     std::string("data_missing"));
            std::filesystem::remove(path(name));
        }
    }
    void aLinkToAFolderAboveIsNoData()
    {
        unpack(path("loop"), folderMembers("", "val"));
        std::filesystem::create_directory_symlink(path("loop"), path("loop") + "/train/cat/loop");
        std::filesystem::create_directory_symlink(path("loop") + "/val", path("loop") + "/extra");
        QCOMPARE(PictureFiles(path("loop")).summary().trainSamples, 6);
    }
    void classesAreCounted()
    {
        std::vector<Member> members;
        for (int c = 0; c < 17; ++c)
            for (const char* part : {"train", "val"})
                members.push_back(
                    {part + std::string("/class") + char('a' + c) + "/1.png", makePng(32, 32, c)});
        unpack(path("many"), members);
        std::filesystem::create_directories(path("many") + "/train/nothing here");
        const DatasetSummary summary = PictureFiles(path("many")).summary();
        QCOMPARE(summary.classes, 17);
        QCOMPARE(summary.emptyClasses, std::vector<std::string>{"nothing here"});
        unpack(path("single"),
               {{"train/cat/1.png", makePng(32, 32, 1)}, {"val/cat/1.png", makePng(32, 32, 2)}});
        const Caught caught = catchError([&] { PictureFiles(path("single")).summary(); });
        QCOMPARE(caught.code, std::string("data_empty"));
    }
    void pngKinds()
    {
        for (const int channels : {1, 2, 3, 4})
            for (const int depth : {8, 16})
                QCOMPARE(decodeImage(makePng(17, 9, 3, depth, channels), "x").rgb.size(),
                         size_t(17 * 9 * 3));
        QCOMPARE(decodeImage(makeJpeg(17, 9, 3, 1), "x").rgb.size(), size_t(17 * 9 * 3));
        QCOMPARE(decodeImage(makeJpeg(17, 9, 3, 4), "x").rgb.size(), size_t(17 * 9 * 3));
    }

    void cifarBinary()
    {
        std::vector<Member> members = {{"cifar-10-batches-bin/data_batch_1.bin", makeCifar(20, 1)},
                                       {"cifar-10-batches-bin/data_batch_2.bin", makeCifar(10, 2)},
                                       {"cifar-10-batches-bin/test_batch.bin", makeCifar(10, 3)}};
        writeTar(path("cifar-10-binary.tar.gz"), members, true);
        unpack(path("cifar"), members);
        for (const char* where :
             {"cifar-10-binary.tar.gz", "cifar", "cifar/cifar-10-batches-bin"}) {
            QCOMPARE(PictureFiles(path(where)).summary().trainSamples, 30);
            const DatasetPair pair = openImageDatasets(path(where), {});
            QCOMPARE(pair.train->size(), 30);
            QCOMPARE(pair.eval->size(), 10);
            QCOMPARE(pair.train->label(13), 3);
            // Planes become interleaved pixels: red, green, blue of pixel 5 in record 2.
            const Bytes raw = makeCifar(20, 1);
            const auto pixels = pair.train->pixels(2);
            for (size_t c = 0; c < 3; ++c)
                QCOMPARE(pixels[5 * 3 + c], raw[2 * 3073 + 1 + c * 1024 + 5]);
        }
        const DatasetPair one =
            openImageDatasets(path("cifar/cifar-10-batches-bin/data_batch_2.bin"), {});
        QCOMPARE(one.train->size(), 10);
        QCOMPARE(one.eval->size(), 10);
    }

    void missing()
    {
        const Caught nothing = catchError([&] { openImageDatasets(path("nowhere"), {}); });
        QCOMPARE(nothing.code, std::string("data_missing"));
        QVERIFY(contains(nothing, "nowhere"));
        std::filesystem::create_directories(path("empty"));
        const Caught empty = catchError([&] { openImageDatasets(path("empty"), {}); });
        QCOMPARE(empty.code, std::string("data_empty"));
        QVERIFY(contains(empty, "data_batch_*.bin"));
        unpack(path("trainonly"), {{"train/cat/1.jpg", makeJpeg(32, 32, 1)}});
        QCOMPARE(catchError([&] { openImageDatasets(path("trainonly"), {}); }).code,
                 std::string("data_empty"));
        writeBytes(path("binonly/data_batch_1.bin"), makeCifar(3, 1));
        const Caught noTest = catchError([&] { openImageDatasets(path("binonly"), {}); });
        QCOMPARE(noTest.code, std::string("data_empty"));
        QVERIFY(contains(noTest, "test_batch.bin"));
    }
    void damagedJpeg()
    {
        for (const bool inTar : {false, true}) {
            std::vector<Member> members = folderMembers("", "test");
            Bytes& bytes = members[1].bytes; // train/dog/1.jpg
            bytes.resize(bytes.size() - 60);
            std::string where = path("torn");
            if (inTar)
                writeTar(where = path("torn.tar.gz"), members, true);
            else
                unpack(where, members);
            const Caught caught = catchError([&] { openImageDatasets(where, {}); });
            QCOMPARE(caught.code, std::string("data_damaged"));
            QVERIFY2(contains(caught, "train/dog/1.jpg") && contains(caught, "byte "),
                     caught.message.c_str());
        }
        const Caught text = catchError([] {
            decodeImage(Bytes{'h', 'e', 'l', 'l', 'o'}, "letter.jpg");
        });
        QVERIFY(contains(text, "letter.jpg"));
    }
    void damagedPng()
    {
        Bytes bytes = makePng(32, 32, 1);
        bytes[bytes.size() - 20] ^= 0x55;
        const Caught caught = catchError([&] { decodeImage(bytes, "p.png"); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(contains(caught, "p.png") && contains(caught, "byte "), caught.message.c_str());
    }
    void damagedCifar()
    {
        Bytes cut = makeCifar(5, 1);
        cut.resize(cut.size() - 100);
        writeBytes(path("cut/data_batch_1.bin"), cut);
        writeBytes(path("cut/test_batch.bin"), makeCifar(2, 1));
        const Caught caught = catchError([&] { openImageDatasets(path("cut"), {}); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(contains(caught, "record 4") && contains(caught, "data_batch_1.bin"),
                 caught.message.c_str());
        Bytes label = makeCifar(5, 1);
        label[3073 * 3] = 77;
        writeBytes(path("label/data_batch_1.bin"), label);
        writeBytes(path("label/test_batch.bin"), makeCifar(2, 1));
        const Caught wrong = catchError([&] { openImageDatasets(path("label"), {}); });
        QCOMPARE(wrong.code, std::string("data_damaged"));
        QVERIFY2(contains(wrong, "record 3 at byte 9219"), wrong.message.c_str());
    }
    void damagedTar()
    {
        writeTar(path("whole.tar.gz"), folderMembers("", "test"), true);
        for (const char* kind : {"whole.tar.gz", "whole.tar"}) {
            writeTar(path(kind), folderMembers("", "test"), std::string(kind).ends_with("gz"));
            std::filesystem::resize_file(path(kind), std::filesystem::file_size(path(kind)) / 2);
            const Caught caught = catchError([&] { openImageDatasets(path(kind), {}); });
            QCOMPARE(caught.code, std::string("data_damaged"));
            QVERIFY2(contains(caught, kind), caught.message.c_str());
        }
    }

    void damagedHeadersAndMissingEndsOfTars()
    {
        const std::string tar = path("headers.tar");
        writeTar(tar, folderMembers("", "test"), false);
        QFile file(QString::fromStdString(tar));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray whole = file.readAll();
        const qsizetype header = whole.lastIndexOf("ustar") - 257; // of the last member
        QVERIFY(header > 0);
        const auto refusal = [&](const QByteArray& bytes) {
            file.resize(0);
            file.seek(0);
            file.write(bytes);
            file.flush();
            try {
                data::PictureFiles files(tar);
            } catch (const InvalidArgument& e) {
                return std::string(e.what());
            }
            return std::string("it was read");
        };
        QByteArray flipped = whole;
        flipped[header + 136] = char(flipped[header + 136] ^ 1); // in the time
        QVERIFY2(refusal(flipped).find("is damaged at byte") != std::string::npos,
                 refusal(flipped).c_str());
        const std::string cut = refusal(whole.first(header));
        QVERIFY2(cut.find("without the mark that ends a tar") != std::string::npos, cut.c_str());
        QCOMPARE(refusal(whole), std::string("it was read"));
    }

    void aGapInCifarsFilesIsSaid()
    {
        QDir().mkpath(QString::fromStdString(path("gap")));
        for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "test_batch.bin"})
            writeBytes(path("gap/") + name, makeCifar(20, 1));
        QVERIFY(data::PictureFiles(path("gap")).summary().remarks.empty());
        writeBytes(path("gap/data_batch_4.bin"), makeCifar(20, 1));
        const auto remarks = data::PictureFiles(path("gap")).summary().remarks;
        QCOMPARE(remarks.size(), size_t{1});
        QVERIFY2(remarks[0].starts_with("data_batch_3.bin is missing"), remarks[0].c_str());
    }

    void realCifarTar()
    {
        const QString tar =
            QStringLiteral(SB_SOURCE_DIR "/../shared/data/cifar10_jpeg/cifar10_jpeg.tar.gz");
        if (!QFileInfo::exists(tar))
            QSKIP("the CIFAR-10 tar is not on this machine");
        OpenOptions options;
        options.decodeThreads = 2;
        const DatasetPair pair = openImageDatasets(tar.toStdString(), options);
        QCOMPARE(pair.train->size(), 50000);
        QCOMPARE(pair.eval->size(), 10000);
        QCOMPARE(pair.train->classNames().front(), std::string("airplane"));
        const ChannelStatistics statistics = measureChannels(*pair.train);
        const float mean[] = {0.4913f, 0.4821f, 0.4465f}, deviation[] = {0.2452f, 0.2428f, 0.2606f};
        for (int c = 0; c < 3; ++c) {
            QVERIFY(std::abs(statistics.mean[c] - mean[c]) < 0.001f);
            QVERIFY(std::abs(statistics.deviation[c] - deviation[c]) < 0.001f);
        }
    }
    void realPhotos()
    {
        const QString tar =
            QStringLiteral(SB_SOURCE_DIR "/../shared/data/clothing/clothing_small_subset.tar");
        if (!QFileInfo::exists(tar))
            QSKIP("the clothing photographs are not on this machine");
        const DatasetPair pair = openImageDatasets(tar.toStdString(), {});
        QCOMPARE(pair.train->size(), 400);
        QCOMPARE(pair.eval->size(), 341);
        QCOMPARE(pair.train->classes(), 10);
        const Image image = pair.eval->decode(340);
        QVERIFY(image.width >= 400 && image.height >= 400);
    }
};

QTEST_GUILESS_MAIN(OpenDatasetTest)
#include "open_dataset_test.moc"
