// SPDX-License-Identifier: GPL-3.0-or-later
// run.json with anything in it: every recipe of the product, altered at random in its values, its
// structure and its bytes, is accepted or refused as `usage` or `batch`, and nothing else happens.
// The fuzzers (tests/fuzz) leave this parser out because it brings the whole engine along.

#include "engine/config/run_config.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/registry.h"
#include "kernels/check.h"
#include "recipe_runs.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

#include <sys/stat.h>

using namespace scalebench;
using namespace scalebench::train;
using namespace scalebench::tests;
using Json = nlohmann::json;

namespace {

constexpr int kPerRecipe = 600;

/// All values within `json`, itself first.
void collect(Json& json, std::vector<Json*>& out)
{
    out.push_back(&json);
    if (json.is_structured()) {
        for (Json& child : json)
            collect(child, out);
    }
}

class Mutator
{
public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string operator()(Json run)
    {
        for (size_t n = 1 + below(3); n > 0; --n)
            alterValue(run);
        std::string text = run.dump();
        if (below(3) == 0)
            alterBytes(text);
        return text;
    }

private:
    size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

    void alterValue(Json& run)
    {
        static const std::vector<Json> kStrange = {nullptr,
                                                   true,
                                                   -1,
                                                   0,
                                                   1,
                                                   0.5,
                                                   -0.0,
                                                   1e-300,
                                                   1e300,
                                                   INT64_MIN,
                                                   INT64_MAX,
                                                   UINT64_MAX,
                                                   4294967296LL,
                                                   "",
                                                   "x",
                                                   "../..",
                                                   std::string("a\nb"),
                                                   std::string(3000, 'x'),
                                                   Json::array(),
                                                   Json::object(),
                                                   Json::array({-1}),
                                                   Json::array({1, "x", nullptr}),
                                                   Json::object({{"a", 1}}),
                                                   Json::array({Json::array({Json::array()})})};
        std::vector<Json*> places;
        collect(run, places);
        Json& place = *places[below(places.size())];
        switch (below(6)) {
        case 0:
            if (place.is_structured() && !place.empty()) {
                place.erase(std::next(place.begin(), long(below(place.size()))));
                break;
            }
            [[fallthrough]];
        case 1:
            if (place.is_object()) {
                place["unknown"] = 1;
                break;
            }
            [[fallthrough]];
        case 2: { // something that belongs elsewhere
            const Json other = *places[below(places.size())];
            place = other;
            break;
        }
        default:
            place = kStrange[below(kStrange.size())];
        }
    }

    void alterBytes(std::string& text)
    {
        const size_t at = below(text.size());
        switch (below(4)) {
        case 0:
            text.resize(at);
            break;
        case 1:
            text[at] = char(below(256));
            break;
        case 2:
            text.insert(at, "1e999");
            break;
        default:
            text.insert(at, std::string(1 + below(200), "[{\"\\,"[below(5)]));
            break;
        }
    }

    std::mt19937 random_;
};

/// Empty when the text was accepted; else the refusal's code.
std::string codeOf(const std::string& text)
{
    try {
        const RunConfig run = parseRunConfig(text);
        return {};
    } catch (const InvalidArgument& e) {
        return e.code();
    } catch (const std::exception& e) {
        return std::string("not a refusal: ") + e.what();
    }
}

} // namespace

class RunConfigMutationTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyRecipe_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const RecipeRun& recipe : runsOfAllRecipes())
            QTest::newRow(recipe.name) << QByteArray::fromStdString(recipe.run.dump());
        QVERIFY(runsOfAllRecipes().size() >= 3 * 9);
    }

    void everyRecipe()
    {
        QFETCH(QByteArray, text);
        // As it is it must be taken: else what is altered is refused for something else.
        QCOMPARE(codeOf(text.toStdString()), std::string());
        const Json run = Json::parse(text.toStdString());
        int accepted = 0, refused = 0;
        for (unsigned seed = 1; seed <= kPerRecipe; ++seed) {
            const std::string altered = Mutator(seed)(run);
            const std::string code = codeOf(altered);
            QVERIFY2(code.empty() || code == "usage" || code == "batch",
                     (code + "\n" + altered.substr(0, 4000)).c_str());
            ++(code.empty() ? accepted : refused);
        }
        QVERIFY2(accepted > 0 && refused > kPerRecipe / 4,
                 qPrintable(QStringLiteral("%1 accepted, %2 refused").arg(accepted).arg(refused)));
    }

    void deepNumbersAndLargeFiles()
    {
        for (const std::string& text :
             {std::string(2'000'000, '['),
              R"({"a":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}",
              std::string(R"({"epochs":1e999})"), std::string(R"({"epochs":"\ud800"})")})
            QCOMPARE(codeOf(text), std::string("usage"));
    }

    /// What --run is given may hold anything under that name.
    void ordinaryFilesOnly()
    {
        QTemporaryDir dir;
        const QByteArray path = dir.filePath(QStringLiteral("run.json")).toLocal8Bit();
        const auto code = [&] {
            try {
                loadRunConfig(dir.path().toStdString());
                return std::string();
            } catch (const InvalidArgument& e) {
                return e.code();
            }
        };
        QCOMPARE(code(), std::string("usage")); // none
        QCOMPARE(::mkfifo(path.constData(), 0600), 0);
        QCOMPARE(code(), std::string("usage"));
        QVERIFY(QFile::remove(QString::fromLocal8Bit(path)));
        QVERIFY(QDir(dir.path()).mkdir(QStringLiteral("run.json")));
        QCOMPARE(code(), std::string("usage"));
        QVERIFY(QDir(dir.path()).rmdir(QStringLiteral("run.json")));
        QFile large(QString::fromLocal8Bit(path));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(qint64(1) << 40)); // with holes
        QCOMPARE(code(), std::string("usage"));
    }
};

QTEST_GUILESS_MAIN(RunConfigMutationTest)
#include "run_config_mutation_test.moc"
