// SPDX-License-Identifier: GPL-3.0-or-later
// The command that the Plan page shows, read back by what reads `scalebench run`.

#include "study/study_command.h"

#include "cli/cli.h"
#include "cli/run_options.h"
#include "study/machine_info.h"
#include "study/run_config.h"
#include "study/study_spec.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

using namespace scalebench;

namespace {

Result<StudySpec> specOf(const QStringList& arguments)
{
    cli::CommandParser parser(QStringLiteral("run"), {});
    cli::addRunOptions(parser);
    parser.addPositionalArgument(QStringLiteral("workload"), {});
    if (parser.parseArguments(arguments.mid(1)))
        return Failure{QStringLiteral("usage"), arguments.join(u' ')};
    return cli::readRunOptions(parser);
}

QByteArray jsonOf(const StudySpec& spec)
{
    return QJsonDocument(spec.toJson()).toJson();
}

} // namespace

class StudyCommandTest : public QObject
{
    Q_OBJECT
private slots:
    void roundTrip_data()
    {
        QTest::addColumn<QString>("words");
        for (const char* words :
             {"resnet --workers 1,2",
              "ncf --workers 2 --scale lab --data \"/my data/ml-100k\" --epochs 3",
              "resnet --workers 1 --data synthetic --target none --threads 1 --name \"a b\"",
              "resnet:lab,ncf --workers 1,2 --set ncf:epochs=2 --set options.overlap=on,off "
              "--olympic",
              "resnet --workers 2,1 --batch 64 --lr 0.05 --seed 77 --repeats 2 --order random "
              "--retries 2 --concurrent --max-minutes 9 --stop-after-target",
              "resnet --workers 1,2 --batch-policy table --batch 1:64,2:128 --target 0.5",
              "resnet --workers 1 --sync-bn --overlap --bucket-mb 8 --grad-accum 2 --allreduce mpi "
              "--shard-optimizer --fused-optimizer off --async-eval --align-batch "
              "--checkpoint-every 0 --collective-timeout 60 --precision fp32,bf16",
              "transformer --workers 1,8 --oversubscribe --pack-sequences --device cuda "
              "--cuda-graphs --autotune --model transformer_tiny",
              "resnet --workers 1,2 --device cuda --no-autotune",
              "resnet --shapes 1x2,2x1 --machine lab",
              "resnet --workers 1 --set schedule.base_lr=0.1,0.2 --set optimizer.momentum=0.9",
              "dlrm --workers 1 --set data.table_rows=[100] --set model.top=[512,256],[512],[]",
              "resnet,ncf --workers 1,2 --batch-policy weak --set ncf:epochs=2 --set "
              "options.overlap=on,off --repeats 2"})
            QTest::newRow(words) << QString::fromLatin1(words);
    }

    void roundTrip()
    {
        QFETCH(QString, words);
        const QStringList typed =
            QStringList{QStringLiteral("run")} + QProcess::splitCommand(words);
        const Result<StudySpec> spec = specOf(typed);
        QVERIFY(spec.ok());
        const auto told = runArguments(spec.value());
        QVERIFY(told);
        const Result<StudySpec> again = specOf(*told);
        QVERIFY(again.ok());
        QCOMPARE(jsonOf(again.value()), jsonOf(spec.value()));
        QVERIFY2(told->size() <= typed.size() + 2, qPrintable(told->join(u' '))); // no defaults
    }

    void autotuningIsTheDefault()
    {
        const QStringList run{QStringLiteral("run"), QStringLiteral("resnet"),
                              QStringLiteral("--workers"), QStringLiteral("1")};
        const QString on = QStringLiteral("--autotune"), off = QStringLiteral("--no-autotune");
        QVERIFY(specOf(run).value().options.autotune);
        QVERIFY(specOf(run + QStringList{on}).value().options.autotune);
        QVERIFY(!specOf(run + QStringList{off}).value().options.autotune);
        QVERIFY(!specOf(run + QStringList{on, off}).ok());
    }

    /// The Plan page keeps these in fields; as settings they mean the same runs.
    void fieldsOfAWorkload()
    {
        StudySpec spec;
        spec.precisions.clear();
        WorkloadPlan ncf{QStringLiteral("ncf")};
        ncf.epochs = 4;
        ncf.precisions = {QStringLiteral("bf16"), QStringLiteral("fp32")};
        spec.workloads = {{QStringLiteral("resnet")}, ncf};
        const auto told = runArguments(spec);
        QVERIFY(told);
        const QString text = told->join(u' ');
        QVERIFY2(text.contains(QStringLiteral("--set ncf:epochs=4")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("--set ncf:precision=bf16,fp32")), qPrintable(text));
        QVERIFY(specOf(*told).ok());
    }

    /// The command of one cell plans exactly that run: the same run.json but for repeat and id.
    void oneCell_data() { roundTrip_data(); }
    void oneCell()
    {
        QFETCH(QString, words);
        const StudySpec spec =
            specOf(QStringList{QStringLiteral("run")} + QProcess::splitCommand(words)).value();
        MachineInfo machine;
        machine.cores = 8;
        machine.mpirunPath = machine.enginePath = QStringLiteral("/bin/true");
        const auto bare = [](QJsonObject json) {
            for (const char* key : {"run_id", "repeat"})
                json.remove(QLatin1StringView(key));
            return json;
        };
        const auto plan = [&](const StudySpec& of) {
            return planStudy(of, machine, QStringLiteral("s"), QStringLiteral("/d"));
        };
        const StudyPlan whole = plan(spec);
        if (whole.failure())
            QSKIP("cannot be planned here");
        QVERIFY(!whole.runs.isEmpty());
        for (const RunConfig& run : whole.runs) {
            const auto told = cellArguments(spec, run);
            QVERIFY2(told, qPrintable(run.runId));
            const StudyPlan cell = plan(specOf(*told).value());
            QCOMPARE(cell.runs.size(), 1);
            QCOMPARE(bare(cell.runs.first().json), bare(run.json));
        }
    }

    void whatOptionsCannotSay()
    {
        StudySpec spec;
        spec.workloads = {{QStringLiteral("resnet")}, {QStringLiteral("ncf")}};
        spec.workloads[1].noTarget = true;
        QVERIFY(!runArguments(spec));
        StudySpec odd;
        odd.settings.insert(QStringLiteral("data.path"), {QStringLiteral("a,b")});
        QVERIFY(!runArguments(odd));
    }
};

QTEST_GUILESS_MAIN(StudyCommandTest)
#include "study_command_test.moc"
