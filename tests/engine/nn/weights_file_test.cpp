// SPDX-License-Identifier: GPL-3.0-or-later
// Files of weights: a file of the public safetensors package, the three types, hostile files, and
// checkpoints.

#include "engine/nn/checkpoint_weights.h"
#include "engine/nn/weights_file.h"
#include "kernels/check.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace scalebench;
using Json = nlohmann::json;

namespace {

/// Header and values as the format puts them together.
std::string safetensors(const std::string& header, const std::string& data)
{
    std::string file;
    for (int i = 0; i < 8; ++i)
        file += char(header.size() >> (8 * i) & 0xff);
    return file + header + data;
}

std::string safetensors(const Json& header, const std::string& data)
{
    return safetensors(header.dump(), data);
}

std::string bytesOf(std::vector<float> values)
{
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

Json tensor(const char* type, std::vector<int64_t> shape, uint64_t begin, uint64_t end)
{
    return {{"dtype", type}, {"shape", shape}, {"data_offsets", {begin, end}}};
}

} // namespace

class WeightsFileTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path() const { return (m_folder.path() + QStringLiteral("/w")).toStdString(); }
    std::unique_ptr<WeightsFile> open(const std::string& bytes) const
    {
        std::ofstream(path(), std::ios::binary) << bytes;
        return openWeights(path());
    }
    /// Why a file is refused, or nothing.
    QString refusal(const std::string& bytes) const
    {
        try {
            const auto file = open(bytes);
            for (size_t i = 0; i < file->entries().size(); ++i)
                file->read(i);
        } catch (const InvalidArgument& error) {
            return error.code() == "weights" ? QString::fromStdString(error.what()) : QString();
        }
        return {};
    }

private slots:
    void readsWhatThePublicPackageWrote()
    {
        const auto file =
            openWeights(SB_SOURCE_DIR "/tests/engine/nn/fixtures/torchvision_names.safetensors");
        QCOMPARE(file->format(), std::string("safetensors"));
        std::ifstream sums(SB_SOURCE_DIR "/tests/engine/nn/fixtures/torchvision_names.txt");
        std::string name, shape;
        double sum = 0, last = 0;
        int compared = 0;
        for (; sums >> name >> shape >> sum >> last; ++compared) {
            const auto at = std::ranges::find(file->entries(), name, &WeightsFile::Entry::name);
            QVERIFY2(at != file->entries().end(), name.c_str());
            std::string got;
            for (const int64_t edge : at->shape)
                got += (got.empty() ? "" : "x") + std::to_string(edge);
            QCOMPARE(got, shape);
            const std::vector<float> values = file->read(size_t(at - file->entries().begin()));
            QVERIFY(std::abs(std::accumulate(values.begin(), values.end(), 0.0) - sum) < 1e-9);
            QCOMPARE(double(values.back()), last);
        }
        QCOMPARE(compared, 37);
    }

    void readsHalfTypes()
    {
        // 1.5, -0.25, the smallest number of fp16; 1.5, -0.25 as bf16.
        const std::string data("\x00\x3e\x00\xb4\x01\x00\xc0\x3f\x80\xbe", 10);
        const auto file = open(safetensors(
            Json{{"h", tensor("F16", {3}, 0, 6)}, {"b", tensor("BF16", {2, 1}, 6, 10)}}, data));
        QCOMPARE(file->entries().at(0).name, std::string("b"));
        QCOMPARE(file->read(0), (std::vector<float>{1.5f, -0.25f}));
        QCOMPARE(file->read(1), (std::vector<float>{1.5f, -0.25f, 0x1p-24f}));
    }

    void otherTypesMayBeThereButNotBeRead()
    {
        const auto file = open(
            safetensors(Json{{"n", tensor("I64", {}, 0, 8)}, {"__metadata__", {{"format", "pt"}}}},
                        std::string(8, '\0')));
        QCOMPARE(file->entries().size(), size_t(1));
        QVERIFY_EXCEPTION_THROWN(file->read(0), InvalidArgument);
    }

    void hostileFilesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const std::string& bytes, const char* reason) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(reason);
        };
        const std::string two = bytesOf({1, 2});
        const auto one = [&](const Json& entry) { return safetensors(Json{{"a", entry}}, two); };
        row("empty", "", "neither");
        row("text", "not weights at all, but long enough", "neither");
        row("huge header", std::string("\xff\xff\xff\xff\xff\xff\xff\x7f", 8) + "{}", "8 MB");
        row("header cut off", safetensors(Json{{"a", 1}}, "").substr(0, 12), "cut off");
        row("no JSON", safetensors(std::string("{\"a\""), ""), "JSON");
        row("a list", safetensors(std::string("[1]"), ""), "JSON");
        row("deep", safetensors(std::string(100000, '['), ""), "JSON");
        row("no members", one(7), "lacks");
        row("negative edge", one(tensor("F32", {-1}, 0, 8)), "lacks");
        row("negative place", one({{"dtype", "F32"}, {"shape", {2}}, {"data_offsets", {-8, 0}}}),
            "lacks");
        row("fractions", one({{"dtype", "F32"}, {"shape", {2}}, {"data_offsets", {0.0, 8.0}}}),
            "lacks");
        row("type", one(tensor("F31", {2}, 0, 8)), "unknown type");
        row("shape", one(tensor("F32", {3}, 0, 8)), "another number of bytes");
        row("turned", one(tensor("F32", {2}, 8, 0)), "another number of bytes");
        row("overflow", one(tensor("F32", {int64_t{1} << 62, 16}, 0, 8)),
            "another number of bytes");
        row("behind the end", one(tensor("F32", {4}, 0, 16)), "behind the end");
        row("rest", one(tensor("F32", {1}, 0, 4)), "bytes behind the last tensor");
        row("hole", one(tensor("F32", {1}, 4, 8)), "hole");
        row("overlap",
            safetensors(Json{{"a", tensor("F32", {2}, 0, 8)}, {"b", tensor("F32", {1}, 4, 8)}},
                        two),
            "overlaps");
        row("no numbers",
            safetensors(Json{{"a", tensor("F32", {2}, 0, 8)}},
                        bytesOf({1, std::numeric_limits<float>::infinity()})),
            "no numbers");
        row("long name", safetensors(Json{{std::string(2000, 'x'), tensor("F32", {2}, 0, 8)}}, two),
            "longer");
    }
    void hostileFilesAreRefused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, reason);
        const QString said = refusal(bytes.toStdString());
        QVERIFY2(said.contains(reason), qPrintable(said));
        QVERIFY(said.contains(m_folder.path()) && !said.contains(QLatin1Char('\n')));
    }

    void otherThanFilesAreRefused()
    {
        for (const char* name : {"/there_is_none", "/dev/zero", "/tmp"})
            QVERIFY_EXCEPTION_THROWN(openWeights(name), InvalidArgument);
    }

    void readsACheckpoint()
    {
        ParameterSet set;
        const int a = set.addParameter("a.weight", {3, 5}, true);
        const int b = set.addParameter("b.weight", {7}, false);
        set.addBuffer("b.running_mean", {2}, 0.0f);
        set.build();
        std::ranges::fill(set.value(a).f32(), 2.0f);
        set.value(b).f32()[6] = 3.0f;
        std::vector<float> buffers(2 * set.bufferValues().size());
        buffers[1] = 1.0f; // of the first worker
        buffers[set.bufferValues().size() + 1] = 5.0f;
        writeCheckpoint(path() + "_folder", {{"layout", layoutOf(set)}},
                        {{"values", set.values()}, {"buffers", buffers}, {"optimizer/m", buffers}});
        const auto file = openWeights(path() + "_folder/latest.sbckpt");
        QCOMPARE(file->format(), std::string("checkpoint"));
        QCOMPARE(file->entries().size(), size_t(3));
        QCOMPARE(file->entries()[0].shape, (std::vector<int64_t>{3, 5}));
        QCOMPARE(file->read(0), std::vector<float>(15, 2.0f));
        QCOMPARE(file->read(1).back(), 3.0f);
        QCOMPARE(file->read(2), (std::vector<float>{0.0f, 3.0f}));
    }

    void checkpointsWithoutAFittingLayoutAreRefused()
    {
        const std::vector<float> values(16);
        const auto reason = [&](const Json& header) {
            writeCheckpoint(path() + "_folder", header, {{"values", values}, {"buffers", {}}});
            try {
                openWeights(path() + "_folder/latest.sbckpt");
            } catch (const InvalidArgument& error) {
                return QString::fromStdString(error.what());
            }
            return QString();
        };
        QVERIFY(reason(Json::object()).contains(QStringLiteral("older version")));
        const auto layout = [](const Json& parameters) {
            return Json{
                {"layout",
                 {{"parameters", parameters}, {"buffers", Json::array()}, {"buffer_values", 0}}}};
        };
        QCOMPARE(reason(layout(Json::array({Json::array({"a", Json::array({16}), 0})}))),
                 QString());
        QVERIFY(reason(layout(Json::array({Json::array({"a", Json::array({16}), 1})})))
                    .contains(QStringLiteral("behind the end")));
        QVERIFY(reason(layout(Json::array({Json::array({"a", Json::array({-1}), 0})})))
                    .contains(QStringLiteral("damaged")));
        QVERIFY(reason(layout(Json::array({7}))).contains(QStringLiteral("damaged")));
        QVERIFY(reason(Json{{"layout", 3}}).contains(QStringLiteral("damaged")));
    }
};

QTEST_APPLESS_MAIN(WeightsFileTest)
#include "weights_file_test.moc"
