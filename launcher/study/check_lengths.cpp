// SPDX-License-Identifier: GPL-3.0-or-later
// What may not be longer than the training or the data, which each number's own range cannot say.
#include "study/dimensions.h"
#include "study/problem_list.h"
#include "study/workload_catalog.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

class LengthChecks : private ProblemList
{
public:
    LengthChecks(const StudySpec& spec, const Workload& workload, const WorkloadScale& scale,
                 const QList<int>& workers)
        : m_spec(spec), m_workload(workload), m_scale(scale), m_workers(workers)
    {
    }

    QList<Problem> all()
    {
        checkWarmup();
        checkBatch();
        checkRatings();
        return m_problems;
    }

private:
    /// As the run has it: the study's setting, else the recipe's.
    QJsonValue valueOf(const QString& path) const
    {
        const QList<QJsonValue> own = m_spec.settings.value(path);
        return own.isEmpty() ? valueAt(m_scale.preset, path) : own.first();
    }

    /// The recipe's warm-up shrinks with the epochs; one that is given does not.
    void checkWarmup()
    {
        const QString inEpochs = u"schedule.warmup_epochs"_s;
        const QString path =
            valueOf(inEpochs).isUndefined() ? u"schedule.warmup"_s : inEpochs; // as the engine
        const double warmup = valueOf(path).toDouble();
        const int epochs = m_spec.epochs > 0 ? m_spec.epochs : m_scale.epochs;
        if (m_spec.settings.contains(path) && warmup > 0 && warmup >= epochs &&
            valueOf(u"schedule.length_unit"_s).toString() != "steps"_L1)
            error(
                u"settings"_s, u"value_invalid"_s,
                Launcher::tr("A warm-up (\"%1\") of %2 epochs leaves nothing of a training of %3. "
                             "Give less than %3, or more epochs.")
                    .arg(path)
                    .arg(warmup)
                    .arg(epochs));
    }

    void checkBatch()
    {
        const qint64 samples = knownSamples();
        if (samples <= 0 || m_spec.options.alignBatch) // which shrinks it
            return;
        for (const int workers : m_workers) {
            qint64 batch = m_spec.globalBatch > 0 ? m_spec.globalBatch : m_scale.globalBatch;
            if (m_spec.batchPolicy == "weak"_L1)
                batch *= workers;
            else if (m_spec.batchPolicy == "table"_L1)
                batch = batchTableOf(m_spec, m_scale).value(workers);
            if (batch > samples)
                error(u"global_batch"_s, u"batch_invalid"_s,
                      Launcher::tr("A batch of %1 is larger than the %2 samples there are to train "
                                   "on. Use at most %2, or more data.")
                          .arg(batch)
                          .arg(samples));
        }
    }

    /// As the engine's generator of preferences asks, which else only a begun run would tell.
    void checkRatings()
    {
        for (const qint64 ratings : numbersOf(u"data.ratings_per_user"_s))
            for (const qint64 items : numbersOf(u"data.items"_s))
                if (const qint64 least = 2 * ratings + 200;
                    source() == "generated"_L1 && items < least)
                    error(u"settings"_s, u"value_invalid"_s,
                          Launcher::tr("Generated ratings need at least %1 items (\"data.items\"), "
                                       "twice \"data.ratings_per_user\" and 200 more; there are "
                                       "%2.")
                              .arg(least)
                              .arg(items));
    }

    /// All values of a setting of generated data.
    QList<qint64> numbersOf(const QString& path) const
    {
        QList<QJsonValue> values = m_spec.settings.value(path);
        if (values.isEmpty())
            values << valueAt(m_scale.preset, path);
        if (values.first().isUndefined()) // as planned
            values = {valueAt(m_workload.scales.first().preset, path)};
        QList<qint64> numbers;
        for (const QJsonValue& value : std::as_const(values))
            if (value.isDouble())
                numbers << value.toInteger();
        return numbers;
    }

    QString source() const { return m_spec.data.isEmpty() ? m_scale.dataSource : m_spec.data; }

    /// 0: the data is not counted yet, or batches count something else than its samples.
    qint64 knownSamples() const
    {
        const WorkloadScale& desk = m_workload.scales.first();
        const QString generator = valueAt(desk.preset, u"data.generator"_s).toString();
        if ((source() != "generated"_L1 && source() != "synthetic"_L1) ||
            generator.contains("language-pair"_L1)) // tokens
            return 0;
        const qint64 samples = valueOf(u"data.train_samples"_s).toInteger();
        return samples > 0 ? samples : desk.trainSamples; // as planned
    }

    const StudySpec& m_spec;
    const Workload& m_workload;
    const WorkloadScale& m_scale;
    const QList<int> m_workers;
};

} // namespace

QList<Problem> checkLengths(const StudySpec& spec, const Workload& workload,
                            const WorkloadScale& scale, const QList<int>& workers)
{
    return LengthChecks(spec, workload, scale, workers).all();
}

} // namespace scalebench
