// SPDX-License-Identifier: GPL-3.0-or-later
// How long `scalebench import` needs for a round's logs: bench_import [--logs N] [--lines N] makes
// a tree of submissions of that many logs, of the size that real ones have, and reads it, with the
// store into a library after it.
#include "import/import_files.h"
#include "import/import_store.h"
#include "library/library.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>

using namespace scalebench;
using namespace scalebench::imports;
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray record(qint64 timeMs, const char* key, const QByteArray& value,
                  const QByteArray& metadata)
{
    return ":::MLLOG {\"namespace\": \"\", \"time_ms\": " + QByteArray::number(timeMs) +
           ", \"event_type\": \"POINT_IN_TIME\", \"key\": \"" + key + "\", \"value\": " + value +
           ", \"metadata\": {" + metadata +
           "\"file\": \"/workspace/image_classification/mlperf_log_utils.py\", \"lineno\": 83}}\n";
}

/// A log as a run of ResNet-50 writes it: names of weights, evaluations, and other output between.
QByteArray makeLog(int seed, int lines)
{
    qint64 t = 1'652'000'000'000 + seed * 1'000'000;
    QByteArray log;
    for (const auto& [key, value] : {std::pair("submission_benchmark", "\"resnet\""),
                                     {"submission_org", "\"Example\""},
                                     {"submission_division", "\"closed\""},
                                     {"submission_platform", "\"1xBox\""},
                                     {"global_batch_size", "3264"},
                                     {"d_batch_size", "408"}})
        log += record(t, key, value, "");
    for (int i = 0; i < 161; ++i)
        log += record(t + i, "weights_initialization", "null",
                      "\"tensor\": \"stage1_unit" + QByteArray::number(i) + "_conv1_weight\", ");
    t += 60'000;
    log += record(t, "run_start", "null", "");
    const int epochs = 35;
    for (int e = 1; e <= epochs; ++e) {
        const QByteArray number = "\"epoch_num\": " + QByteArray::number(e) + ", ";
        log += record(t + e * 40'000, "epoch_start", "null", number);
        for (int i = 0; i < lines / epochs; ++i)
            log += "Epoch[" + QByteArray::number(e) + "] Batch [" + QByteArray::number(i * 20) +
                   "]\tSpeed: 22272.23 samples/sec\taccuracy=0.512345\n";
        log += record(t + e * 40'000 + 39'000, "epoch_stop", "null", number);
        if (e % 4 == 3)
            log += record(t + e * 40'000 + 39'500, "eval_accuracy",
                          QByteArray::number(e == epochs ? 0.7601 : 0.02 * e), number);
    }
    return log +
           record(t + epochs * 40'000 + 40'000, "run_stop", "null", "\"status\": \"success\", ");
}

qint64 makeTree(const QString& dir, int logs, int lines)
{
    qint64 bytes = 0;
    for (int i = 0; i < logs; ++i) {
        const QString folder =
            u"%1/Submitter%2/results/system%3/resnet"_s.arg(dir).arg(i / 50).arg(i / 5 % 10);
        QDir().mkpath(folder);
        QDir().mkpath(u"%1/Submitter%2/systems"_s.arg(dir).arg(i / 50));
        QFile system(
            u"%1/Submitter%2/systems/system%3.json"_s.arg(dir).arg(i / 50).arg(i / 5 % 10));
        if (!system.exists() && system.open(QIODevice::WriteOnly))
            system.write("{\"submitter\": \"Example\", \"number_of_nodes\": " +
                         QByteArray::number(1 << (i / 5 % 10)) +
                         ", \"accelerators_per_node\": 8, \"accelerator_model_name\": \"A1\"}");
        QFile file(folder + u"/result_%1.txt"_s.arg(i % 5));
        const QByteArray log = makeLog(i, lines);
        if (!file.open(QIODevice::WriteOnly) || file.write(log) != log.size())
            return -1;
        bytes += log.size();
    }
    return bytes;
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOption({u"logs"_s, u"How many logs."_s, u"N"_s, u"2750"_s});
    parser.addOption({u"lines"_s, u"Lines of other output in each."_s, u"N"_s, u"1500"_s});
    parser.addOption({u"threads"_s, u"Threads; 0: all processors."_s, u"N"_s, u"0"_s});
    parser.process(application);
    QTemporaryDir dir;
    QElapsedTimer timer;
    timer.start();
    const int logs = parser.value(u"logs"_s).toInt();
    const qint64 bytes =
        makeTree(dir.filePath(u"training_results_v2.0"_s), logs, parser.value(u"lines"_s).toInt());
    if (bytes < 0) {
        std::fprintf(stderr, "bench_import: the disk is full\n");
        return 1;
    }
    std::printf("made %d logs, %.0f MB, in %.1f s\n", logs, double(bytes) / 1e6,
                double(timer.restart()) / 1e3);
    ImportOptions options;
    options.threads = parser.value(u"threads"_s).toInt();
    const ImportReport report = importFiles({dir.path()}, options);
    const double read = double(timer.restart()) / 1e3;
    std::printf("read: %.2f s, %.0f logs/s, %.0f MB/s; %d converged of %d\n", read, logs / read,
                double(report.bytes) / 1e6 / read, report.converged, report.read());
    const auto library = Library::open(dir.filePath(u"library"_s));
    const auto stored =
        library ? storeImports(*library.value(), report) : Result<StoreOutcome>(library.failure());
    std::printf("stored: %.2f s, %d runs\n", double(timer.elapsed()) / 1e3,
                stored ? stored.value().stored : -1);
    return stored && report.converged == logs ? 0 : 1;
}
