// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of recipes as the engine takes them: a value of another type is refused with its
// path whatever the key, and what the published schema allows is what the engine accepts.

#include "engine/config/run_config.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/registry.h"
#include "kernels/check.h"
#include "recipe_runs.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>

using namespace scalebench;
using namespace scalebench::tests;
using Json = nlohmann::json;

namespace {

/// Why the engine refuses a run; empty where it takes it.
std::string refusalOf(const Json& run)
{
    try {
        train::parseRunConfig(run.dump());
        return {};
    } catch (const InvalidArgument& e) {
        return e.what();
    }
}

/// What its settings are called: "data.augment.flip", and of an entry of a list, the list.
std::string nameOf(const Json::json_pointer& place)
{
    std::string name;
    for (Json::json_pointer p = place; !p.empty(); p = p.parent_pointer())
        if (p.back().find_first_not_of("0123456789") != std::string::npos)
            name = name.empty() ? p.back() : p.back() + "." + name;
    return name;
}

/// The places of all settings of a recipe within a run.
void collect(const Json& json, const Json::json_pointer& place,
             std::vector<Json::json_pointer>& out)
{
    if (!place.empty())
        out.push_back(place);
    if (json.is_object())
        for (const auto& [key, value] : json.items())
            collect(value, place / key, out);
    else if (json.is_array() && !json.empty())
        collect(json[0], place / std::size_t(0), out);
}

std::vector<Json::json_pointer> settingsOf(const Json& run)
{
    Json recipe = run;
    for (const char* key :
         {"format", "version", "study", "run_id", "workload", "scale", "workers", "device"})
        recipe.erase(key);
    std::vector<Json::json_pointer> places;
    collect(recipe, Json::json_pointer(), places);
    return places;
}

/// One value of every type but that of `value`, a target may have several of.
std::vector<Json> wrongTypes(const std::string& name, const Json& value)
{
    std::vector<Json> wrong;
    for (const Json& other : {Json(nullptr), Json(true), Json(7), Json("x"), Json::array({"x"}),
                              Json::object({{"x", 1}})}) {
        const bool same = other.type() == value.type() || (other.is_number() && value.is_number());
        const bool target =
            name == "target" && !other.is_boolean() && !other.is_string() && !other.is_array();
        if (!same && !target)
            wrong.push_back(other);
    }
    return wrong;
}

bool names(const std::string& refusal, const std::string& setting)
{
    return refusal.find('"' + setting + '"') != std::string::npos;
}

/// A setting of the schema: where it is within a run, and what it may be.
struct Setting {
    Json::json_pointer place;
    Json schema;
};

const Json& schema()
{
    static const Json json = jsonOf(QStringLiteral(SB_RECIPES "/recipe.schema.json"));
    return json;
}

Json resolved(const Json& part)
{
    return part.is_object() && part.contains("$ref")
               ? schema().at(Json::json_pointer(part["$ref"].get<std::string>().substr(1)))
               : part;
}

void collectSettings(const Json& part, const Json::json_pointer& place, std::vector<Setting>& out)
{
    if (part.is_boolean())
        return;
    const Json whole = resolved(part);
    if (whole.contains("properties"))
        for (const auto& [key, value] : whole["properties"].items())
            collectSettings(value, place / key, out);
    else
        out.push_back({place, whole});
}

/// What a schema allows at its edges, and what lies just beyond.
void edges(const Json& allowed, std::vector<Json>& within, std::vector<Json>& beyond)
{
    if (allowed.contains("anyOf")) {
        std::vector<Json> ignored;
        for (const Json& choice : allowed["anyOf"])
            edges(choice, within, ignored);
    } else if (allowed.contains("enum")) {
        within.insert(within.end(), allowed["enum"].begin(), allowed["enum"].end());
        beyond.push_back("nonesuch");
    } else if (allowed.value("type", "") == "boolean") {
        within.push_back(true);
        within.push_back(false);
    } else if (allowed.value("type", "") == "integer") {
        within.push_back(allowed["minimum"]);
        within.push_back(allowed["maximum"]);
        beyond.push_back(allowed["minimum"].get<std::int64_t>() - 1);
        beyond.push_back(allowed["maximum"].get<std::int64_t>() + 1);
        beyond.push_back(allowed["minimum"].get<double>() + 0.5);
    } else if (allowed.value("type", "") == "number") {
        within.push_back(allowed["minimum"]);
        within.push_back(allowed["maximum"]);
        beyond.push_back(allowed["minimum"].get<double>() / 2 - 1e-13);
        beyond.push_back(allowed["maximum"].get<double>() * 1.01);
    }
}

/// The workload's recipe that is the longest way from small: there its limits are the schema's.
Json largestRun(const std::string& workload)
{
    Json run;
    for (const RecipeRun& recipe : runsOfAllRecipes())
        if (recipe.workload == workload && (run.is_null() || recipe.name.endsWith("/mlperf")))
            run = recipe.run;
    // What would forbid an edge of something else.
    run["target"] = nullptr;
    if (workload == "dlrm")
        run["model"]["tables"] = "replicated";
    if (workload == "ncf")
        run["data"]["users"] = run["data"]["ratings_per_user"] = 2;
    return run;
}

} // namespace

class RecipeSettingsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void everyOtherType_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const RecipeRun& recipe : runsOfAllRecipes())
            QTest::newRow(recipe.name) << QByteArray::fromStdString(recipe.run.dump());
        QVERIFY(runsOfAllRecipes().size() >= 3 * 9);
    }
    void everyOtherType()
    {
        QFETCH(QByteArray, text);
        const Json run = Json::parse(text.toStdString());
        QCOMPARE(refusalOf(run), std::string());
        const auto settings = settingsOf(run);
        QVERIFY(settings.size() > 15);
        for (const Json::json_pointer& place : settings) {
            const std::string name = nameOf(place);
            for (const Json& wrong : wrongTypes(name, run.at(place))) {
                Json altered = run;
                altered[place] = wrong;
                const std::string refusal = refusalOf(altered);
                QVERIFY2(names(refusal, name),
                         (place.to_string() + " " + wrong.dump() + ": " + refusal).c_str());
            }
        }
    }

    void theSchemaSaysWhatIsTaken_data()
    {
        QTest::addColumn<QByteArray>("workload");
        for (const workloads::WorkloadEntry& entry : workloads::workloadTable())
            QTest::newRow(entry.id) << QByteArray(entry.id);
    }
    void theSchemaSaysWhatIsTaken()
    {
        QFETCH(QByteArray, workload);
        const std::string id = workload.toStdString();
        const Json run = largestRun(id);
        QCOMPARE(refusalOf(run), std::string());
        std::vector<Setting> settings;
        const Json& defs = schema()["$defs"];
        collectSettings(defs[id + "_model"], Json::json_pointer("/model"), settings);
        collectSettings(defs[id + "_data"], Json::json_pointer("/data"), settings);
        QVERIFY(settings.size() >= 6);
        for (const Setting& setting : settings)
            compare(run, setting, true);
    }

    void whatEveryRecipeMaySay()
    {
        Json run = largestRun("resnet");
        run["optimizer"] = {{"name", "sgd"}, {"momentum", 0.9}};
        run["schedule"] = {{"base_lr", 0.1}};
        run["epochs"] = 100000;
        QCOMPARE(refusalOf(run), std::string());
        std::vector<Setting> settings;
        collectSettings(schema()["$defs"]["scale"], Json::json_pointer(), settings);
        int seen = 0;
        for (const Setting& setting : settings) {
            const std::string part = nameOf(setting.place);
            // Those that the launcher keeps to itself, or leaves to the workload.
            static const std::vector<std::string> kNotSent{"title",
                                                           "description",
                                                           "parameters",
                                                           "forward_flops_per_sample",
                                                           "target",
                                                           "data_hint",
                                                           "batch_table",
                                                           "model",
                                                           "bytes_per_sample",
                                                           "activation_bytes_per_sample"};
            if (std::ranges::find(kNotSent, part) != kNotSent.end() || part.starts_with("model.") ||
                part == "data.generator" || part == "data.expects" || part == "data.augment")
                continue;
            // The bounds of counts are narrower in a recipe.
            compare(run, setting,
                    part.starts_with("optimizer.") ||
                        (part.starts_with("schedule.") && part != "schedule.milestones"));
            ++seen;
        }
        QVERIFY2(seen > 35, qPrintable(QString::number(seen)));
    }

private:
    /// `run` with the setting at all of its edges; what lies beyond must be refused when `exact`.
    static void compare(const Json& run, const Setting& setting, bool exact)
    {
        const std::string name = nameOf(setting.place);
        const bool list = setting.schema.value("type", "") == "array";
        std::vector<Json> within, beyond;
        edges(list ? resolved(setting.schema["items"]) : setting.schema, within, beyond);
        const auto altered = [&](const Json& value) {
            Json other = run;
            if (!list) {
                other[setting.place] = value;
                return other;
            }
            Json& place = other[setting.place];
            if (!place.is_array() || place.empty())
                place = Json::array({value});
            place.back() = value;
            return other;
        };
        for (const Json& value : within) {
            const std::string refusal = refusalOf(altered(value));
            QVERIFY2(!names(refusal, name) || refusal.find("must be below") != std::string::npos,
                     (value.dump() + ": " + refusal).c_str());
        }
        for (const Json& value : beyond) {
            const std::string refusal = refusalOf(altered(value));
            QVERIFY2(!exact || names(refusal, name),
                     (name + " " + value.dump() + ": " + refusal).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(RecipeSettingsTest)
#include "recipe_settings_test.moc"
