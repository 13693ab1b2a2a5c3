// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every recipe of the product as the run.json that the launcher makes of it for one worker.

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QList>

#include <string>

namespace scalebench::tests {

struct RecipeRun {
    QByteArray name; ///< "ncf/desk"
    std::string workload;
    nlohmann::json run;
};

inline nlohmann::json jsonOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? nlohmann::json::parse(file.readAll().toStdString())
                                          : nlohmann::json();
}

inline nlohmann::json runOf(const std::string& workload, const std::string& scaleName,
                            const nlohmann::json& scale)
{
    nlohmann::json run = {
        {"format", "scalebench.run"}, {"version", 1},       {"study", "s"}, {"run_id", "r"},
        {"workload", workload},       {"scale", scaleName}, {"workers", 1}, {"device", "cpu"}};
    for (const char* key :
         {"model", "data", "optimizer", "schedule", "global_batch", "epochs", "target",
          "eval_every", "eval_first", "eval_unit", "eval_batch", "precision", "options"}) {
        if (scale.contains(key))
            run[key] = scale[key];
    }
    run["data"]["path"] = "/data";
    run["data"].erase("generator");
    return run;
}

inline QList<RecipeRun> runsOfAllRecipes()
{
    QList<RecipeRun> runs;
    const QDir dir(QStringLiteral(SB_RECIPES));
    for (const QString& name : dir.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        if (name.contains(QStringLiteral(".schema.")))
            continue;
        const nlohmann::json recipe = jsonOf(dir.filePath(name));
        const std::string id = recipe["id"];
        for (const auto& [scale, values] : recipe["scales"].items())
            runs.append(
                {QByteArray::fromStdString(id + "/" + scale), id, runOf(id, scale, values)});
    }
    return runs;
}

} // namespace scalebench::tests
