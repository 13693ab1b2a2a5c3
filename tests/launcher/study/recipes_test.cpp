// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes: our own fit the published schema, a user's add to a known workload, and one that is
// wrong is left out with a sentence that says where and what would be right.
#include "run/run_metrics.h"
#include "run/run_record.h"
#include "study/json_schema.h"
#include "study/workload_catalog.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace scalebench;

namespace {

const QString kFolder = QStringLiteral(SB_SOURCE_DIR "/resources/workloads");

QJsonObject jsonIn(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()
                                          : QJsonObject();
}

/// A recipe that is right, to be made wrong in one place.
QByteArray goodRecipe()
{
    return R"({"id":"ncf",
"scales":{"tiny":{"title":"Seconds","parameters":7,
"model":{"name":"neumf","factors":8,"layers":[16,8],"sparse_gradients":true},
"data":{"source":"generated","users":300},"global_batch":256,
"optimizer":{"name":"adam","no_decay":["bias"]},"precision":"fp32",
"schedule":{"name":"constant","base_lr":0.002,"milestones":[1,2]},"epochs":3,
"target":{"hit_rate":0.3,"ndcg":0.1}}}})";
}

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// Whether Python's jsonschema accepts each of the files; empty where it cannot be asked.
QString pythonVerdicts(const QStringList& files)
{
    QProcess python;
    python.start(QStringLiteral("python3"),
                 QStringList{QStringLiteral("-c"), QStringLiteral(R"(
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
check = jsonschema.Draft202012Validator
check.check_schema(schema)
for name in sys.argv[2:]:
    print('right' if check(schema).is_valid(json.load(open(name))) else 'wrong')
)"),
                             kFolder + QStringLiteral("/recipe.schema.json")} +
                     files);
    if (!python.waitForFinished(60'000) || python.exitCode() != 0)
        return {};
    return QString::fromUtf8(python.readAllStandardOutput());
}

} // namespace

class RecipesTest : public QObject
{
    Q_OBJECT
private slots:
    void everyFileIsCompiledIn()
    {
        QStringList files;
        for (const QString& name : QDir(kFolder).entryList({QStringLiteral("*.json")}))
            if (name != QStringLiteral("recipe.schema.json"))
                files << name.chopped(5);
        QStringList ids = WorkloadCatalog::builtin().ids();
        ids.sort();
        QCOMPARE(ids, files);
        QCOMPARE(WorkloadCatalog::builtin().ids().first(), QStringLiteral("resnet"));
    }

    void workloadsHaveMetricsAndFigures()
    {
        for (const Workload& workload : WorkloadCatalog::builtin().workloads()) {
            QVERIFY2(!workload.metrics.isEmpty(), qPrintable(workload.id));
            QCOMPARE(workload.metric, workload.metrics.first().id);
            for (const WorkloadScale& scale : workload.scales) {
                // How many users and items, pieces of words, or categories there are, the data
                // decides.
                const QStringList counted = {QStringLiteral("dlrm"), QStringLiteral("maskrcnn"),
                                             QStringLiteral("ncf"),  QStringLiteral("retinanet"),
                                             QStringLiteral("ssd"),  QStringLiteral("transformer")};
                const bool byData =
                    counted.contains(workload.id) && scale.id.startsWith(QStringLiteral("lab"));
                QVERIFY2((scale.parameters > 0 || byData) && scale.forwardFlops && scale.bytes,
                         qPrintable(workload.id + scale.id));
                // The plan tells what batches take; DLRM's follow from its sizes.
                const WorkloadModel* model = workload.model(scale.model);
                QVERIFY2(scale.activationBytes.value_or(0) > 0 ||
                             (model && model->activationBytes.value_or(0) > 0) ||
                             workload.id == QStringLiteral("dlrm"),
                         qPrintable(workload.id + scale.id));
                QVERIFY(byData || (scale.target && *scale.target <= mostOf(workload.unit())));
            }
        }
        const Workload* resnet = WorkloadCatalog::builtin().find(QStringLiteral("resnet"));
        const WorkloadScale* large = resnet->scale(QStringLiteral("mlperf"));
        QVERIFY(std::abs(*large->forwardFlops / 8.18e9 - 1) < 0.01);
        QCOMPARE(*large->bytes, 150528.0);
    }

    void ourRecipesFitThePublishedSchema()
    {
        const QJsonObject schema = jsonIn(kFolder + QStringLiteral("/recipe.schema.json"));
        QStringList files;
        for (const QString& id : WorkloadCatalog::builtin().ids()) {
            files << kFolder + QLatin1Char('/') + id + QStringLiteral(".json");
            QCOMPARE(schemaProblem(jsonIn(files.last()), schema), QString());
        }
        const QString verdicts = pythonVerdicts(files);
        if (verdicts.isEmpty())
            QSKIP("python3 with jsonschema is not here; only our own check has run");
        QCOMPARE(verdicts, QStringLiteral("right\n").repeated(files.size()));
    }

    void aUsersRecipeAdds()
    {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("mine.json")), goodRecipe());
        WorkloadCatalog catalog = WorkloadCatalog::builtin();
        QVERIFY(catalog.addFolder(dir.path()));
        QVERIFY(catalog.problems().isEmpty());
        const Workload* ncf = catalog.find(QStringLiteral("ncf"));
        const WorkloadScale* tiny = ncf->scale(QStringLiteral("tiny"));
        QVERIFY(tiny && ncf->scale(QStringLiteral("desk")));
        QCOMPARE(tiny->parameters, 7);
        QVERIFY(!tiny->forwardFlops);
        QCOMPARE(*tiny->target, 0.3);
        const QList<MetricValue> further{{QStringLiteral("ndcg"), 0.1}};
        QCOMPARE(tiny->furtherTargets, further);
        QCOMPARE(ncf->title, QStringLiteral("Recommendation"));
    }

    void aUsersRecipeNamesAFurtherNetwork()
    {
        QTemporaryDir dir;
        write(dir.filePath(QStringLiteral("deep.json")),
              R"({"id":"resnet","models":{"resnet110":{"title":"Deep","parameters":1727962}},
"scales":{"deep":{"model":{"name":"resnet110"},"data":{"source":"files"},"global_batch":128,
"schedule":{"base_lr":0.1},"epochs":2}}})");
        WorkloadCatalog catalog = WorkloadCatalog::builtin();
        QVERIFY(catalog.addFolder(dir.path()));
        QVERIFY2(catalog.problems().isEmpty(), qPrintable(catalog.problems().value(0).message));
        const Workload* resnet = catalog.find(QStringLiteral("resnet"));
        QCOMPARE(resnet->model(QStringLiteral("resnet110"))->title, QStringLiteral("Deep"));
        QCOMPARE(resnet->scale(QStringLiteral("deep"))->parameters, 1727962);
    }

    void wrongRecipes_data()
    {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("message");
        QTest::addColumn<bool>("schemaKnows");
        const auto row = [](const char* name, const char* from, const char* to, const char* message,
                            bool schemaKnows = true) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QString::fromUtf8(message)
                                << schemaKnows;
        };
        row("no JSON", "{\"id\"", "{id", "this is not valid JSON", false);
        row("another workload", "\"ncf\"", "\"dlrm_dcn\"",
            "$.id is \"dlrm_dcn\", which the engine does not train. Known: resnet,", false);
        row("no workload", "\"id\":\"ncf\",", "", "$.id is missing.");
        row("misspelt key", "\"epochs\"", "\"epoch\"", "$.scales.tiny.epochs is missing.");
        row("unknown key", "\"epochs\"", "\"epochss\":1,\"epochs\"",
            "$.scales.tiny.epochss is not known (did you mean \"epochs\"?).");
        row("key like no other", "\"epochs\"", "\"qqqq\":1,\"epochs\"",
            "$.scales.tiny.qqqq is not known. Allowed: activation_bytes_per_sample, batch_table, ");
        row("type", "\"epochs\":3", "\"epochs\":\"3\"",
            "$.scales.tiny.epochs must be a whole number from 1 to 100000, found the text \"3\".");
        row("fraction", "\"epochs\":3", "\"epochs\":3.5", "found the number 3.5.");
        row("range", "\"base_lr\":0.002", "\"base_lr\":-1",
            "$.scales.tiny.schedule.base_lr must be a number from 1e-12 to 1000000000000, found");
        row("choice", "\"adam\"", "\"adamm\"",
            "$.scales.tiny.optimizer.name must be one of sgd, lars, adam, adamw, lamb, found");
        row("in a list", "[\"bias\"]", "[\"bias\",3]",
            "$.scales.tiny.optimizer.no_decay[1] must be one line of text");
        row("path of the data", "\"users\":300", "\"path\":\"/etc\"",
            "$.scales.tiny.data.path is not allowed here.");
        row("type in the data", "\"users\":300", "\"users\":{\"n\":300}",
            "$.scales.tiny.data.users must be a whole number from 2 to 268435456, found an "
            "object.");
        row("range in the data", "\"users\":300", "\"users\":1", "found the number 1.");
        row("setting of another workload", "\"users\":300", "\"users\":300,\"documents\":80",
            "$.scales.tiny.data.documents is not known. Allowed: ");
        row("misspelt in the data", "\"users\":300", "\"user\":300",
            "$.scales.tiny.data.user is not known (did you mean \"users\"?).");
        row("type in the network", "\"sparse_gradients\":true", "\"sparse_gradients\":1",
            "$.scales.tiny.model.sparse_gradients must be true or false, found the number 1.");
        row("in a list of the network", "[16,8]", "[16,\"8\"]",
            "$.scales.tiny.model.layers[1] must be a whole number from 1 to 65536, found the text");
        row("network", "\"neumf\"", "\"neumf2\"",
            "$.scales.tiny.model.name must be one of neumf, found the text \"neumf2\".");
        row("name of a network", "\"scales\"", "\"models\":{\"neumf2\":{}},\"scales\"",
            "$.models.neumf2: the name of an entry must be one of neumf.");
        row("what the rule says", "\"epochs\":3",
            "\"epochs\":3,\"eval_unit\":\"mlperf_bert\",\"eval_every\":5",
            "$.scales.tiny.eval_every must be left out: the rule of mlperf_bert gives it, found");
        row("lengths in steps", "\"milestones\"",
            "\"length_unit\":\"steps\",\"warmup_epochs\":1,\"milestones\"",
            "$.scales.tiny.schedule.warmup_epochs must be left out: give warmup, in steps, found");
        row("batch of no workers", "\"epochs\":3", "\"batch_table\":{\"two\":64},\"epochs\":3",
            "$.scales.tiny.batch_table.two: the name of an entry must be a number of workers.");
        row("target of random numbers", "\"generated\"", "\"synthetic\"",
            "$.scales.tiny.target must be null: random numbers measure throughput only, found");
        row("nesterov without sgd", "\"no_decay\"", "\"nesterov\":true,\"no_decay\"",
            "$.scales.tiny.optimizer.name must be sgd, as nesterov is on, found the text");
        row("milestones that fall", "[1,2]", "[2,1]",
            "$.scales.tiny.schedule.milestones must rise, found 1 after 2.", false);
        row("warmup without an end", "\"milestones\"", "\"warmup_epochs\":3,\"milestones\"",
            "$.scales.tiny.schedule.warmup_epochs must be below \"epochs\" (3), found the number "
            "3.",
            false);
        row("name of a scale", "\"tiny\"", "\"../tiny\"",
            "the name of an entry must be a name of 1 to 64 small letters");
        row("line break in a title", "Seconds", "a\\nb", "$.scales.tiny.title must be one line");
        row("target's type", "\"ndcg\":0.1", "\"ndcg\":\"0.1\"",
            "$.scales.tiny.target.ndcg must be");
        row("target's metric", "\"ndcg\":0.1", "\"map\":0.1",
            "names \"map\", which is no metric of ncf. Known: hit_rate, ndcg.", false);
        row("target's range", "\"hit_rate\":0.3", "\"hit_rate\":30",
            "$.scales.tiny.target must be at most 1 for hit_rate, found the number 30.", false);
        row("scale that is there", "\"tiny\"", "\"desk\"",
            "$.scales.desk is a scale of ncf already. Give yours another name.", false);
        row("model that is there", "\"scales\"",
            "\"models\":{\"neumf\":{\"parameters\":7}},\"scales\"",
            "$.models.neumf is known with other figures.", false);
        row("metrics of its own", "\"scales\"",
            R"("metrics":[{"id":"map","title":"MAP","unit":"share"}],"scales")",
            "the engine measures ncf in other ways", false);
    }
    void wrongRecipes()
    {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, message);
        QFETCH(bool, schemaKnows);
        QTemporaryDir dir;
        QByteArray wrong = goodRecipe();
        QVERIFY(wrong.contains(from));
        wrong.replace(wrong.indexOf(from), from.size(), to);
        const QString path = dir.filePath(QStringLiteral("a_wrong.json"));
        write(path, wrong);
        write(dir.filePath(QStringLiteral("b_right.json")), goodRecipe());
        WorkloadCatalog catalog = WorkloadCatalog::builtin();
        QVERIFY(catalog.addFolder(dir.path()));
        QCOMPARE(catalog.problems().size(), 1);
        const QString problem = catalog.problems()[0].message;
        QVERIFY2(problem.startsWith(path + QLatin1Char(':')), qPrintable(problem));
        QVERIFY2(problem.contains(message), qPrintable(problem));
        // Nothing of it came in, and the other one did.
        const QString ncf = QStringLiteral("ncf");
        QCOMPARE(catalog.find(ncf)->scales.size(),
                 WorkloadCatalog::builtin().find(ncf)->scales.size() + 1);
        QVERIFY(catalog.find(QStringLiteral("ncf"))->scale(QStringLiteral("tiny")));
        if (!schemaKnows)
            return;
        m_wrong << m_dir.filePath(
            QString::fromUtf8(QTest::currentDataTag()).replace(QLatin1Char('/'), QLatin1Char(' ')));
        QVERIFY(QFile::copy(path, m_wrong.last()));
    }

    /// All of them at once, as Python takes long to begin.
    void wrongRecipesDoNotFitThePublishedSchema()
    {
        const QString verdicts = pythonVerdicts(m_wrong);
        if (verdicts.isEmpty())
            QSKIP("python3 with jsonschema is not here, or no recipe was tried");
        const QStringList lines = verdicts.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), m_wrong.size());
        for (qsizetype i = 0; i < lines.size(); ++i)
            QVERIFY2(lines[i] == QStringLiteral("wrong"), qPrintable(m_wrong[i]));
    }

    void valuesInTheirUnit()
    {
        const QLocale c = QLocale::c();
        QCOMPARE(metricText(MetricUnit::Share, 0.8126, 1, c), QStringLiteral("81.3 %"));
        QCOMPARE(metricText(MetricUnit::Share, 0.759, -1, c), QStringLiteral("75.9 %"));
        QCOMPARE(metricText(MetricUnit::Bleu, 24.14, 1, c), QStringLiteral("24.1"));
        QCOMPARE(metricText(MetricUnit::Score, 0.3773, 1, c), QStringLiteral("0.377"));
        QCOMPARE(mostOf(MetricUnit::Bleu), 100.0);
        RunRecord run;
        run.config.workload = QStringLiteral("ncf");
        run.config.target = 0.5;
        run.config.furtherTargets = {{QStringLiteral("ndcg"), 0.3}};
        run.evals << EvalPoint{1, 10, 1, 0.6, {{QStringLiteral("ndcg"), 0.25}}};
        QCOMPARE(targetText(run.config, 1, c), QStringLiteral("50.0 %, ndcg 30.0 %"));
        QCOMPARE(bestText(run, 1, c), QStringLiteral("60.0 %, ndcg 25.0 %"));
        run.config.workload = QStringLiteral("somebody's");
        QCOMPARE(metricsOf(run).first().title, QStringLiteral("Quality"));
        QCOMPARE(metricsOf(run).last().id, QStringLiteral("ndcg"));
    }

    void onlyOrdinaryFilesOfBoundedSize()
    {
        QTemporaryDir dir;
        const auto path = [&](const char* name) { return dir.filePath(QLatin1StringView(name)); };
        write(path("target.txt"), goodRecipe());
        QVERIFY(QFile::link(path("target.txt"), path("link.json")));
        QCOMPARE(::mkfifo(QFile::encodeName(path("pipe.json")).constData(), 0600), 0);
        QFile large(path("large.json"));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize((16 << 20) + 1));
        WorkloadCatalog catalog = WorkloadCatalog::builtin();
        QVERIFY(catalog.addFolder(dir.path()));
        QCOMPARE(catalog.problems().size(), 3);
        QVERIFY(!catalog.find(QStringLiteral("ncf"))->scale(QStringLiteral("tiny")));
        QVERIFY(!catalog.addFolder(path("nowhere")));
    }

private:
    QTemporaryDir m_dir;
    QStringList m_wrong; ///< files there, of which our own check has said so
};

QTEST_GUILESS_MAIN(RecipesTest)
#include "recipes_test.moc"
