// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_fields.h"
#include "base/translated.h"
#include "study/dimensions.h"
#include "study/machine_info.h"
#include "study/problem_list.h"
#include "study/study_cells.h"
#include "study/study_spec.h"
#include "study/workload_catalog.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

class Checks : private ProblemList
{
public:
    Checks(const StudySpec& spec, const MachineInfo& machine) : m_spec(spec), m_machine(machine) {}

    QList<Problem> all()
    {
        checkWorkload();
        checkDevice();
        checkPrecisions();
        m_problems << checkPlacement(m_spec, m_machine);
        checkQueue();
        checkBatch();
        checkNumbers();
        if (m_scale)
            m_problems << checkLengths(m_spec, *m_workload, *m_scale, workerCounts());
        checkTarget();
        checkOptions();
        checkData();
        m_problems << checkPrograms(m_machine);
        return m_problems;
    }

private:
    void checkWorkload()
    {
        const WorkloadCatalog& catalog = WorkloadCatalog::instance();
        m_workload = catalog.find(m_spec.workload);
        if (!m_workload) {
            unknown(u"workload"_s, u"workload"_s, m_spec.workload, catalog.ids());
            return;
        }
        m_scale = m_workload->scale(m_spec.scale);
        if (!m_scale) {
            QStringList known;
            for (const WorkloadScale& scale : m_workload->scales)
                known << scale.id;
            unknown(u"scale"_s, u"scale"_s, m_spec.scale, known);
        }
        if (!m_spec.model.isEmpty() && !m_workload->model(m_spec.model)) {
            QStringList known;
            for (const WorkloadModel& model : m_workload->models)
                known << model.id;
            unknown(u"model"_s, u"model"_s, m_spec.model, known);
        }
    }

    void checkDevice()
    {
        if (m_spec.device != "cpu"_L1 && m_spec.device != "cuda"_L1)
            unknown(u"device"_s, u"device"_s, m_spec.device, {u"cpu"_s, u"cuda"_s});
        else if (m_spec.device == "cuda"_L1 && !m_machine.cudaReason.isEmpty())
            error(u"device"_s, u"cuda_unavailable"_s,
                  Launcher::tr(
                      "CUDA cannot be used here: %1. Choose the device \"cpu\" to train on this "
                      "machine's "
                      "processors.")
                      .arg(m_machine.cudaReason));
    }

    void checkPrecisions()
    {
        const QStringList known = wordsOn(u"precision"_s, m_spec.device);
        for (const QString& precision : m_spec.precisions)
            if (!known.contains(precision) &&
                findDimension(u"precision"_s)->words.contains(precision))
                error(u"precisions"_s, u"precision_unavailable"_s,
                      Launcher::tr("The device \"%1\" does not train in %2. It has: %3.")
                          .arg(m_spec.device, precision, known.join(u", "_s)));
            else if (!known.contains(precision))
                unknown(u"precisions"_s, u"precision"_s, precision, known);
        if (m_spec.device == "cpu"_L1 && m_spec.precisions.contains(u"bf16"_s))
            noteBf16();
    }

    /// Where the engine computes it otherwise, in its words; where it was not asked, a run tells.
    void noteBf16()
    {
        for (const QJsonValue& device : m_machine.engineProbe.value("devices"_L1).toArray())
            if (device["device"_L1].toString() == "cpu"_L1 &&
                !device["precisions"_L1].toArray().contains(u"bf16"_s))
                warning(u"precisions"_s, u"precision_not_computed"_s,
                        Launcher::tr("On this computer %1; runs in bf16 are marked so.")
                            .arg(device["bf16_note"_L1].toString(u"bf16 is computed in fp32"_s)));
    }

    /// Every run's number of workers, whether given as counts or as shapes.
    QList<int> workerCounts() const
    {
        if (m_spec.shapes.isEmpty())
            return m_spec.workers;
        QList<int> counts;
        for (const Shape& shape : m_spec.shapes)
            counts << shape.workers();
        return counts;
    }

    void checkQueue()
    {
        const QStringList orders{u"interleaved"_s, u"random"_s, u"sequential"_s};
        if (!orders.contains(m_spec.order))
            unknown(u"order"_s, u"order"_s, m_spec.order, orders);
        if (m_spec.retries < 0 || m_spec.retries > 100)
            error(
                u"retries"_s, u"retries_invalid"_s,
                Launcher::tr("A failed run can be tried again 0 to 100 times; %1 is not possible.")
                    .arg(m_spec.retries));
    }

    void checkBatch()
    {
        const QStringList policies{u"strong"_s, u"weak"_s, u"table"_s};
        if (!policies.contains(m_spec.batchPolicy)) {
            error(u"batch_policy"_s, u"batch_policy_unknown"_s,
                  Launcher::tr("The batch policy \"%1\" is not known%2. Known: %3.")
                      .arg(m_spec.batchPolicy, didYouMean(m_spec.batchPolicy, policies),
                           policies.join(u", "_s)));
            return;
        }
        if (m_spec.globalBatch < 0) {
            error(u"global_batch"_s, u"batch_invalid"_s,
                  Launcher::tr("The batch must be at least 1; %1 is not possible.")
                      .arg(m_spec.globalBatch));
            return;
        }
        if (m_spec.globalBatch > 100'000'000) {
            error(u"global_batch"_s, u"batch_invalid"_s,
                  Launcher::tr("A batch of %1 samples is too large.").arg(m_spec.globalBatch));
            return;
        }
        if (!m_scale || m_spec.options.gradAccum < 1)
            return;
        for (int workers : workerCounts()) {
            if (workers < 1 || workers > 4096)
                continue;
            const int preset = m_spec.globalBatch > 0 ? m_spec.globalBatch : m_scale->globalBatch;
            if (m_spec.batchPolicy == "table"_L1) {
                const QMap<int, int> table = batchTableOf(m_spec, *m_scale);
                if (!table.contains(workers))
                    error(u"batch_table"_s, u"batch_table_missing"_s,
                          missingBatch(table, workers, preset));
                else
                    checkDivisible(u"batch_table"_s, table.value(workers), workers);
            } else if (m_spec.batchPolicy == "strong"_L1) {
                checkDivisible(u"global_batch"_s, preset, workers);
            } else if (preset % m_spec.options.gradAccum != 0) {
                checkDivisible(u"global_batch"_s, preset, 1);
            }
        }
    }

    static QString missingBatch(const QMap<int, int>& table, int workers, int example)
    {
        if (table.isEmpty())
            return Launcher::tr("There is no batch table. Give each number of workers its batch, "
                                "such as %1:%2 (in a terminal: --batch %1:%2).")
                .arg(workers)
                .arg(example);
        if (workers == 1)
            return Launcher::tr("The batch table has no batch for 1 worker. Add it, such as 1:%1.")
                .arg(example);
        return Launcher::tr("The batch table has no batch for %1 workers. Add it, such as %1:%2.")
            .arg(workers)
            .arg(example);
    }

    void checkDivisible(const QString& field, int batch, int workers)
    {
        const int unit = workers * m_spec.options.gradAccum;
        const QString parts = m_spec.options.gradAccum > 1
                                  ? Launcher::tr("%1 workers × %2 accumulation steps")
                                        .arg(workers)
                                        .arg(m_spec.options.gradAccum)
                                  : Launcher::tr("%1 workers").arg(workers);
        if (batch < unit) {
            error(field, u"batch_too_small"_s,
                  Launcher::tr("A batch of %1 is smaller than %2: every worker needs at least one "
                               "sample. Use %3.")
                      .arg(batch)
                      .arg(parts)
                      .arg(unit));
        } else if (batch % unit != 0) {
            const int nearest = std::max(unit, int(std::lround(double(batch) / unit)) * unit);
            error(
                field, u"batch_not_divisible"_s,
                Launcher::tr(
                    "A batch of %1 cannot be divided evenly among %2. The nearest that fits is %3.")
                    .arg(batch)
                    .arg(parts)
                    .arg(nearest));
        }
    }

    /// The range that the same setting has in a matrix.
    bool isWithin(const QString& path, const QString& code, int value)
    {
        const Dimension& d = *findDimension(path);
        const bool fits = value >= d.least && value <= d.most;
        if (!fits)
            error(path, code,
                  Launcher::tr("\"%1\" must be a whole number from %2 to %3; %4 is not possible.")
                      .arg(d.title)
                      .arg(qint64(d.least))
                      .arg(qint64(d.most))
                      .arg(value));
        return fits;
    }

    void checkNumbers()
    {
        if (m_spec.name.size() > kLongestStudyName)
            error(u"name"_s, u"out_of_range"_s,
                  Launcher::tr("The name of a study has at most %1 characters; this one has %2.")
                      .arg(kLongestStudyName)
                      .arg(m_spec.name.size()));
        if (m_spec.epochs < 0 || m_spec.epochs > 100'000)
            error(u"epochs"_s, u"epochs_invalid"_s,
                  Launcher::tr(
                      "The number of epochs must be between 1 and 100000; %1 is not possible.")
                      .arg(m_spec.epochs));
        if (m_spec.repeats < 1 || m_spec.repeats > 1000)
            error(u"repeats"_s, u"repeats_invalid"_s,
                  Launcher::tr(
                      "The number of repeats must be between 1 and 1000; %1 is not possible.")
                      .arg(m_spec.repeats));
        if (m_spec.learningRate &&
            !(*m_spec.learningRate > 0 && std::isfinite(*m_spec.learningRate)))
            error(u"learning_rate"_s, u"learning_rate_invalid"_s,
                  Launcher::tr("The learning rate must be greater than 0; %1 is not possible.")
                      .arg(*m_spec.learningRate));
        static constexpr int kMostMinutes = 1'000'000; // as study.json
        if (m_spec.maxMinutes < 0 || m_spec.maxMinutes > kMostMinutes)
            error(u"max_minutes"_s, u"value_invalid"_s,
                  Launcher::tr(
                      "A study's minutes at most must be between 1 and %1; %2 is not possible.")
                      .arg(kMostMinutes)
                      .arg(m_spec.maxMinutes));
        if (m_spec.threadsPerWorker != 0 &&
            !isWithin(u"threads_per_worker"_s, u"threads_invalid"_s, m_spec.threadsPerWorker))
            return;
        if (m_spec.device == "cpu"_L1 && m_spec.threadsPerWorker > 0)
            for (int workers : m_machine.isRemote() ? QList<int>() : workerCounts())
                if (workers >= 1 && workers <= m_machine.cores &&
                    qint64(workers) * m_spec.threadsPerWorker > m_machine.cores)
                    warning(u"threads_per_worker"_s, u"threads_too_many"_s,
                            Launcher::tr(
                                "%1 workers with %2 threads each are more than this machine's %3 "
                                "processors; "
                                "they will slow each other down.")
                                .arg(workers)
                                .arg(m_spec.threadsPerWorker)
                                .arg(m_machine.cores));
    }

    void checkTarget()
    {
        const MetricUnit unit = m_workload ? m_workload->unit() : MetricUnit::Share;
        if (m_spec.target && !(*m_spec.target > 0 && *m_spec.target <= mostOf(unit) &&
                               std::isfinite(*m_spec.target)))
            error(u"target"_s, u"target_invalid"_s,
                  (unit == MetricUnit::Share
                       ? Launcher::tr("The target must be greater than 0 and at most 1 (0.8 means "
                                      "80 %); %1 is not possible.")
                   : unit == MetricUnit::Bleu
                       ? Launcher::tr("The target must be greater than 0 and at most 100 (BLEU); "
                                      "%1 is not possible.")
                       : Launcher::tr("The target must be greater than 0; %1 is not possible."))
                      .arg(QString::number(*m_spec.target)));
        else if (m_spec.target && m_spec.data == "synthetic"_L1)
            error(
                u"target"_s, u"target_with_synthetic"_s,
                Launcher::tr(
                    "Synthetic data is random and only measures speed, so it cannot have a target. "
                    "Leave the "
                    "target out or choose other data."));
    }

    void checkOptions()
    {
        const RunOptions& o = m_spec.options;
        isWithin(u"options.grad_accum"_s, u"grad_accum_invalid"_s, o.gradAccum);
        isWithin(u"options.bucket_mb"_s, u"bucket_mb_invalid"_s, o.bucketMb);
        isWithin(u"options.checkpoint_every"_s, u"checkpoint_every_invalid"_s, o.checkpointEvery);
        isWithin(u"options.collective_timeout_s"_s, u"collective_timeout_invalid"_s,
                 o.collectiveTimeoutS);
        const QStringList known = wordsOn(u"options.allreduce"_s, m_spec.device);
        if (!known.contains(o.allreduce))
            unknown(u"options.allreduce"_s, u"allreduce"_s, o.allreduce, known);
        const QJsonObject options{{u"options"_s, o.toJson()}};
        const QJsonObject defaults{{u"options"_s, RunOptions().toJson()}};
        for (const Dimension& d : knownDimensions())
            if (!d.onlyDevice.isEmpty() && d.onlyDevice != m_spec.device &&
                valueAt(options, d.path).toBool() && !valueAt(defaults, d.path).toBool())
                warning(
                    d.path, u"switch_without_effect"_s,
                    Launcher::tr(
                        "%1 makes a difference only on the device %2; these runs train on %3 and "
                        "will be the same without it.")
                        .arg(d.title, d.onlyDevice, m_spec.device));
    }

    void checkData()
    {
        if (!m_scale || m_spec.data == "generated"_L1 || m_spec.data == "synthetic"_L1)
            return;
        if (m_spec.data.isEmpty()) {
            if (m_scale->dataSource == "files"_L1)
                error(
                    u"data"_s, u"data_required"_s,
                    Launcher::tr(
                        "The scale \"%1\" trains on real data: give its folder or file. %2. Or use "
                        "\"synthetic\" to measure speed only.")
                        .arg(m_scale->id, m_scale->dataHint));
            return;
        }
        if (m_machine.isRemote()) { // the hosts' files are looked at by the pre-flight
            if (!m_spec.data.startsWith(u'/') && !m_spec.data.startsWith("~/"_L1) &&
                m_machine.dataFolder.isEmpty())
                error(u"data"_s, u"data_not_absolute"_s,
                      Launcher::tr("The data path \"%1\" is one on the hosts of \"%2\": give it "
                                   "absolute or from "
                                   "the home folder there (~/…).")
                          .arg(m_spec.data, m_machine.hostName));
            return;
        }
        const QFileInfo info(m_spec.data);
        if (!info.exists() && m_workload->dataForms.contains(u"stem"_s) && isStem(info))
            return;
        if (!info.exists())
            error(u"data"_s, u"data_missing"_s,
                  Launcher::tr("The data folder or file %1 does not exist. Check the path.")
                      .arg(info.absoluteFilePath()));
        else if (!info.isReadable() || (info.isDir() && !info.isExecutable()))
            error(u"data"_s, u"data_unreadable"_s,
                  Launcher::tr("%1 may not be read by this user. Change its rights.")
                      .arg(info.absoluteFilePath()));
        else if (info.isDir() && QDir(m_spec.data).isEmpty(QDir::AllEntries | QDir::NoDotAndDotDot))
            error(u"data"_s, u"data_empty"_s,
                  Launcher::tr("The data folder %1 is empty. Expected: %2.")
                      .arg(info.absoluteFilePath(), expectedData()));
        else if (info.isFile() && info.size() == 0)
            error(u"data"_s, u"data_empty"_s,
                  Launcher::tr("The data file %1 is empty. Expected: %2.")
                      .arg(info.absoluteFilePath(), expectedData()));
    }

    QString expectedData() const
    {
        const bool made = m_scale->dataSource != "files"_L1 && !m_workload->dataFiles.isEmpty();
        return made ? m_workload->dataFiles : m_scale->dataHint;
    }

    /// Whether names of files there begin with this one: "ml-1m" for "ml-1m.train.rating".
    static bool isStem(const QFileInfo& info)
    {
        const QStringList names = info.dir().entryList(QDir::Files);
        return std::any_of(names.begin(), names.end(), [&](const QString& name) {
            return name.startsWith(info.fileName() + u'.');
        });
    }

    const StudySpec& m_spec;
    const MachineInfo& m_machine;
    const Workload* m_workload = nullptr;
    const WorkloadScale* m_scale = nullptr;
};

} // namespace

QList<Problem> checkPlain(const StudySpec& spec, const MachineInfo& machine)
{
    return Checks(spec, machine).all();
}

} // namespace scalebench
