// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as matrices: every pair of dimensions is planned, and what differs is never averaged.
#include "analysis/speedup_table.h"
#include "run/run_series.h"
#include "study/dimensions.h"
#include "study/run_config.h"
#include "study/study_cells.h"
#include "study/workload_catalog.h"
#include "support/launcher_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
#include <QTest>

#include <map>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

using Values = QList<QJsonValue>;

/// Two values that the workload can really have, for every path of the table and some of recipes.
static QMap<QString, Values> twoOf()
{
    QMap<QString, Values> two{{u"precision"_s, {u"fp32"_s, u"bf16"_s}},
                              {u"batch_policy"_s, {u"strong"_s, u"weak"_s}},
                              {u"global_batch"_s, {64, 128}},
                              {u"epochs"_s, {2, 3}},
                              {u"target"_s, {0.5, 0.6}},
                              {u"threads_per_worker"_s, {1, 2}},
                              {u"model.name"_s, {u"resnet20"_s, u"resnet32"_s}},
                              {u"schedule.base_lr"_s, {0.1, 0.2}},
                              {u"schedule.warmup_epochs"_s, {0.5, 1}},
                              {u"schedule.name"_s, {u"cosine"_s, u"constant"_s}},
                              {u"optimizer.name"_s, {u"sgd"_s, u"adamw"_s}},
                              {u"data.augment.pad_crop"_s, {2, 4}},
                              {u"eval_every"_s, {1, 2}},
                              {u"options.allreduce"_s, {u"shm"_s, u"mpi"_s}}};
    for (const Dimension& d : knownDimensions()) {
        if (d.path == "options.pack_sequences"_L1 || d.path == "model.dropout"_L1 ||
            d.path == "options.checkpoint_every"_L1 ||
            d.path == "options.collective_timeout_s"_L1 || two.contains(d.path))
            continue; // without meaning for resnet, or for what is measured
        if (d.kind == Dimension::Kind::Flag)
            two.insert(d.path, {false, true});
        else if (d.kind == Dimension::Kind::Whole)
            two.insert(d.path, {std::max(1, int(d.least)), 2});
        else
            two.insert(d.path, {0.01, 0.02});
    }
    return two;
}

/// A completed run of a plan that took so long.
static RunRecord completed(const RunConfig& config, double seconds)
{
    RunRecord r;
    r.config = config;
    r.state = RunState::Completed;
    r.runStartMs = 1000;
    r.runStopMs = 1000 + seconds * 1000;
    EvalPoint point;
    point.epoch = 1;
    point.value = 1;
    r.evals << point;
    return r;
}

/// Everything in run.json that a repeat may not differ in, found without the code under test.
static QByteArray allButRepeat(const RunConfig& config)
{
    QJsonObject json = config.json;
    for (const QString& key : {u"run_id"_s, u"seed"_s, u"repeat"_s})
        json.remove(key);
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

class StudyMatrixTest : public QObject
{
    Q_OBJECT

    static QList<RunConfig> planned(const StudySpec& spec)
    {
        const auto runs = planRuns(spec, goodMachine(), u"s"_s, u"/d"_s);
        if (!runs)
            qWarning("%s", qPrintable(runs.failure().message));
        return runs ? runs.value() : QList<RunConfig>();
    }

    static QList<Problem> problemsOf(const StudySpec& spec)
    {
        return validate(spec, goodMachine());
    }

    static Result<StudySpec> parsed(const char* json)
    {
        return StudySpec::fromJson(json, u"my.json"_s);
    }

private Q_SLOTS:
    void everyPairOfDimensions()
    {
        const QMap<QString, Values> two = twoOf();
        for (auto a = two.begin(); a != two.end(); ++a)
            for (auto b = std::next(a); b != two.end(); ++b) {
                StudySpec spec;
                spec.workers = {1, 2};
                spec.repeats = 2;
                spec.precisions.clear();
                spec.settings = {{a.key(), a.value()}, {b.key(), b.value()}};
                const QList<RunConfig> runs = planned(spec);
                const QByteArray pair = (a.key() + u" x "_s + b.key()).toUtf8();
                QVERIFY2(runs.size() == 16, pair + ": " + QByteArray::number(runs.size()));
                QSet<QString> ids;
                std::map<QByteArray, QList<double>> cells;
                QList<RunRecord> records;
                for (const RunConfig& run : runs) {
                    ids << run.runId;
                    const double seconds = 10 + records.size() * 1.25;
                    records << completed(run, seconds);
                    cells[allButRepeat(run)] << seconds;
                }
                QVERIFY2(ids.size() == 16, pair + ": run ids are not unique");
                QVERIFY2(cells.size() == 8, pair + ": cells are not told apart in run.json");
                QSet<QByteArray> expected, found;
                for (const auto& [cell, seconds] : cells)
                    expected << QByteArray::number((seconds[0] + seconds[1]) / 2, 'g', 12);
                QSet<QString> rows;
                for (const SpeedupRow& row : speedupTable(records)) {
                    QVERIFY2(row.runs == 2, pair);
                    found << QByteArray::number(row.meanTimeS, 'g', 12);
                    const QString name = u"%1|%2|%3|%4"_s.arg(row.group)
                                             .arg(row.nodes)
                                             .arg(row.workers)
                                             .arg(row.globalBatch);
                    QVERIFY2(!rows.contains(name), pair + ": two rows are called " + name.toUtf8());
                    rows << name;
                }
                QVERIFY2(found == expected, pair + ": other means than those of the repeats");
            }
    }

    void valuesReachTheRuns()
    {
        StudySpec spec;
        spec.workers = {2};
        spec.precisions.clear();
        for (const auto& [path, values] : twoOf().asKeyValueRange())
            if (path != "batch_policy"_L1 && path != "global_batch"_L1) // which move the rate
                spec.settings.insert(path, {values.last()});
        const QList<RunConfig> runs = planned(spec);
        QCOMPARE(runs.size(), 1);
        for (const auto& [path, values] : spec.settings.asKeyValueRange()) {
            QJsonValue value = runs[0].json;
            for (const QString& part : path.split(u'.'))
                value = value.toObject().value(part);
            QVERIFY2(value == values.first(), qPrintable(path));
        }
    }

    void severalWorkloads()
    {
        const auto spec = parsed(R"({"workers":[1,2],"repeats":2,
            "workloads":["resnet",{"workload":"ncf","epochs":3,"settings":{"model.factors":[8,16]}}],
            "settings":{"options.overlap":[false,true]}})");
        QVERIFY2(spec, spec ? "" : qPrintable(spec.failure().message));
        const QList<RunConfig> runs = planned(spec.value());
        QCOMPARE(runs.size(), 2 * 2 * 2 + 2 * 2 * 2 * 2);
        int resnets = 0;
        const WorkloadScale* recipe =
            WorkloadCatalog::instance().find(u"resnet"_s)->scale(u"desk"_s);
        for (const RunConfig& run : runs) {
            const bool ncf = run.workload == "ncf"_L1;
            resnets += ncf ? 0 : 1;
            QCOMPARE(run.epochs, ncf ? 3 : recipe->epochs);
        }
        QCOMPARE(resnets, 8);
        QCOMPARE(runs[0].runId, u"resnet-desk-cpu-fp32-1x1-b128-overlap=off-s1-r1"_s);
        QCOMPARE(runs[4].runId, u"ncf-desk-cpu-fp32-1x1-b2048-factors=8-overlap=off-s1-r1"_s);
    }

    void files_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("settings") << QByteArray(
            R"({"settings":{"schedule.base_lr":[0.1,0.2],"options.overlap":true}})");
        QTest::newRow("workloads") << QByteArray(
            R"({"workloads":["resnet",{"workload":"ncf","scale":"lab","data":"/d","target":null,
                "batch_policy":"table","batch_table":{"1":64},"precisions":["bf16"],
                "learning_rate":0.5,"settings":{"model.factors":[8,16]}}],"max_minutes":30,
                "stop_after_target":true})");
    }
    /// What the person wrote is what a file keeps, not the runs it stands for.
    void files()
    {
        QFETCH(QByteArray, json);
        const auto spec = StudySpec::fromJson(withWorkload(json), u"s"_s);
        QVERIFY2(spec, spec ? "" : qPrintable(spec.failure().message));
        const QByteArray written = QJsonDocument(spec.value().toJson()).toJson();
        const auto back = StudySpec::fromJson(written, u"s"_s);
        QVERIFY2(back, back ? "" : qPrintable(back.failure().message));
        QVERIFY(back.value() == spec.value());
        QVERIFY(written.contains("\"version\": 2"));
        QVERIFY(QJsonDocument(StudySpec().toJson()).toJson().contains("\"version\": 1"));
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& json, const char* code,
                            const char* part) {
            QTest::newRow(name) << json << QString::fromLatin1(code) << QString::fromUtf8(part);
        };
        row("empty list", R"({"settings":{"epochs":[]}})", "values_missing", "\"epochs\"");
        row("value twice", R"({"settings":{"epochs":[2,2]}})", "value_duplicate", "2 twice");
        row("path twice", R"({"learning_rate":1,"settings":{"schedule.base_lr":2}})", "path_twice",
            "\"learning_rate\" says it too");
        row("option twice", R"({"options":{"overlap":true},"settings":{"options.overlap":false}})",
            "path_twice", "options.overlap");
        row("both", R"({"workload":"ncf","workloads":["ncf"]})", "path_twice", "\"workloads\"");
        row("object", R"({"settings":{"model":{"name":"x"}}})", "wrong_type", "an object");
        row("no workload", R"({"workloads":[]})", "wrong_type", "1 to 1000");
        row("number", R"({"workloads":[1]})", "wrong_type", "workloads[0]");
        row("unknown key", R"({"workloads":[{"workload":"ncf","workers":[1]}]})", "unknown_key",
            "workers");
    }
    void refused()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        QFETCH(QString, part);
        const auto spec = StudySpec::fromJson(json, u"my.json"_s);
        QVERIFY(!spec);
        QCOMPARE(spec.failure().code, code);
        QVERIFY2(spec.failure().message.contains(part), qPrintable(spec.failure().message));
    }

    void problems_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const QByteArray& json, const char* code,
                            const char* part) {
            QTest::newRow(name) << json << QString::fromLatin1(code) << QString::fromUtf8(part);
        };
        row("path", R"({"settings":{"schedule.bas_lr":[0.1]}})", "path_unknown",
            "did you mean \"schedule.base_lr\"?");
        row("last word of a path", R"({"settings":{"base_lr":[0.1]}})", "path_unknown",
            "did you mean \"schedule.base_lr\"?");
        row("as charts call it", R"({"settings":{"Learning rate":[0.1]}})", "path_unknown",
            "did you mean \"schedule.base_lr\"?");
        row("two as near", R"({"settings":{"options.hot":[0.1]}})", "path_unknown",
            "did you mean \"options.hot_rows\"?");
        row("several as near", R"({"settings":{"optimizer.":[0.1]}})", "path_unknown",
            "\" or \"optimizer.");
        row("of another workload", R"({"settings":{"model.factors":[8]}})", "path_unknown",
            "resnet has no setting");
        row("own word", R"({"settings":{"workers":[1,2]}})", "path_unknown", "--workers");
        row("range", R"({"settings":{"optimizer.momentum":[0.9,2]}})", "value_invalid",
            "from 0 to 0.9999, found the number 2");
        row("type", R"({"settings":{"options.overlap":["yes"]}})", "value_invalid", "on or off");
        row("schema", R"({"settings":{"schedule.power":[1000]}})", "value_invalid", "to 100");
        row("like the recipe", R"({"workload":"ncf","settings":{"model.factors":["big"]}})",
            "value_invalid", "like the number 32");
        row("switch", R"({"settings":{"options.pack_sequences":[false,true]}})", "switch_unused",
            "makes no difference to resnet");
        row("workload twice", R"({"workloads":["ncf","ncf"]})", "workload_duplicate", "twice");
        row("too many",
            R"({"repeats":1000,"settings":{"epochs":[1,2,3,4,5,6,7,8],"global_batch":[2,4,6,8,10,12,14]}})",
            "plan_too_large", "112,000 runs; 100,000");
        row("no use anywhere", R"({"workers":[1,2],"settings":{"global_batch":[64,1],
            "options.grad_accum":[2,4]}})",
            "batch_too_small", "smaller than");
    }
    void problems()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, code);
        QFETCH(QString, part);
        const auto spec = StudySpec::fromJson(withWorkload(json), u"s"_s);
        QVERIFY2(spec, spec ? "" : qPrintable(spec.failure().message));
        const QList<Problem> found = problemsOf(spec.value());
        QVERIFY(!found.isEmpty());
        QCOMPARE(found.first().code, code);
        QCOMPARE(found.first().level, Problem::Level::Error);
        QVERIFY2(found.first().message.contains(part), qPrintable(found.first().message));
        QVERIFY(!planRuns(spec.value(), goodMachine(), u"s"_s, u"/d"_s));
    }

    /// A batch of 3 is good for one worker only: that combination is left out, the rest runs.
    void whatCannotBeIsLeftOut()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.settings = {{u"global_batch"_s, {3, 64}}};
        const QList<Problem> found = problemsOf(spec);
        QCOMPARE(found.size(), 1);
        QVERIFY(found[0].level == Problem::Level::Warning);
        QCOMPARE(found[0].code, u"batch_not_divisible"_s);
        QVERIFY2(found[0].message.startsWith(u"Left out (resnet, 2 workers, batch 3): A batch of"
                                             " 3 cannot be divided evenly"_s),
                 qPrintable(found[0].message));
        const QList<LeftOutCell> leftOut = checkCells(spec, goodMachine()).leftOutCells;
        QCOMPARE(leftOut.size(), 1);
        QCOMPARE(leftOut[0].cell, u"resnet, 2 workers, batch 3"_s);
        QVERIFY(leftOut[0].reason.startsWith(u"A batch of 3 cannot"_s));
        QStringList runs;
        for (const RunConfig& run : planned(spec))
            runs << u"%1/%2"_s.arg(run.globalBatch).arg(run.workers);
        QCOMPARE(runs, (QStringList{u"3/1"_s, u"64/1"_s, u"64/2"_s}));
    }

    void aSwitchThatOneWorkloadLacks()
    {
        const auto spec = parsed(R"({"workers":[1],"workloads":["gnmt","bert"],
            "settings":{"options.pack_sequences":[false,true]}})");
        QVERIFY(spec);
        QStringList ids;
        for (const RunConfig& run : planned(spec.value()))
            ids << run.runId;
        QCOMPARE(ids.size(), 3); // gnmt off, bert off and on
        QVERIFY(ids.filter(u"gnmt"_s).size() == 1);
        const QList<LeftOutCell> leftOut = checkCells(spec.value(), goodMachine()).leftOutCells;
        QCOMPARE(leftOut.size(), 1);
        QCOMPARE(leftOut[0].cell, u"gnmt, 1 worker, pack_sequences on"_s);
        QVERIFY(leftOut[0].reason.contains(u"makes no difference to gnmt"_s));
    }

    /// Of many cells that fall out the problem names a few; the plan has them all.
    void everyCellThatIsLeftOutIsThere()
    {
        StudySpec spec;
        spec.workers = {1, 2};
        spec.settings = {{u"global_batch"_s, {3, 64}},
                         {u"schedule.base_lr"_s, {0.1, 0.2, 0.3, 0.4, 0.5}}};
        QVERIFY(problemsOf(spec)[0].message.contains(u"and 2 more): "_s));
        const QList<LeftOutCell> leftOut = checkCells(spec, goodMachine()).leftOutCells;
        QCOMPARE(leftOut.size(), 5);
        QCOMPARE(planned(spec).size(), 15);
        QSet<QString> names;
        for (const LeftOutCell& cell : leftOut)
            names << cell.cell;
        QVERIFY(names.contains(u"resnet, 2 workers, batch 3, lr 0.5"_s));
        QCOMPARE(names.size(), 5);
    }

    /// A rate is told as people write it, wherever it is.
    void numbersOfSettings()
    {
        const QString rate = u"schedule.base_lr"_s;
        for (const auto& [number, text] :
             std::initializer_list<std::pair<double, QString>>{{0.0003, u"0.0003"_s},
                                                               {0.1, u"0.1"_s},
                                                               {0.00012345, u"0.00012345"_s},
                                                               {5e-5, u"5e-5"_s},
                                                               {1.5e-12, u"1.5e-12"_s},
                                                               {800000, u"800000"_s},
                                                               {123456.25, u"123456.25"_s},
                                                               {2e20, u"2e+20"_s}}) {
            QCOMPARE(valueText(rate, number), text);
            QCOMPARE(valueFromText(rate, text).toDouble(), number);
        }
    }

    void longListsHaveShortIds()
    {
        StudySpec spec;
        spec.workers = {1};
        for (const QString& path :
             {u"optimizer.momentum"_s, u"optimizer.weight_decay"_s, u"optimizer.label_smoothing"_s,
              u"schedule.end_lr"_s, u"schedule.power"_s, u"schedule.warmup_epochs"_s})
            spec.settings.insert(path, {0.0123456789, 0.02});
        QSet<QString> ids;
        for (const RunConfig& run : planned(spec)) {
            QVERIFY(run.runId.size() <= 200);
            ids << run.runId;
        }
        QCOMPARE(ids.size(), 64);
    }
};

QTEST_GUILESS_MAIN(StudyMatrixTest)
#include "study_matrix_test.moc"
