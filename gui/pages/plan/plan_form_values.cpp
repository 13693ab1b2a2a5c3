// SPDX-License-Identifier: GPL-3.0-or-later
// What the form's controls show of a study, what they offer and what they write back.
#include "pages/plan/plan_form.h"
#include "run/run_metrics.h"
#include "study/dimensions.h"
#include "study/workload_catalog.h"
#include "widgets/form_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

std::optional<double> numberFromText(QString text)
{
    text = text.trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// "0.8", "0,8", "80 %" and "80" all mean 80 %.
std::optional<double> shareFromText(QString text)
{
    const bool perCent = text.contains(QLatin1Char('%'));
    const std::optional<double> value = numberFromText(text.remove(QLatin1Char('%')));
    return value && (perCent || *value > 1) ? std::optional(*value / 100) : value;
}

std::optional<double> targetFromText(const QString& workload, const QString& text)
{
    return leadingUnit(workload) == MetricUnit::Share ? shareFromText(text) : numberFromText(text);
}

/// A target as it is typed: per cent without their sign for a share.
QString targetInput(const QString& workload, double target)
{
    const bool share = leadingUnit(workload) == MetricUnit::Share;
    return share && target * 100 > 1 ? QLocale().toString(target * 100, 'g', 6)
           : share ? QLocale().toString(target * 100, 'g', 6) + QStringLiteral(" %")
                   : QLocale().toString(target, 'g', 6);
}

std::optional<qint64> seedFromText(const QString& text)
{
    bool ok = false;
    const qint64 seed = text.trimmed().toLongLong(&ok);
    return ok && seed >= 0 ? std::optional(seed) : std::nullopt;
}

/// "synthetic; your own: CIFAR-10 …".
QString otherData(const QString& workload)
{
    const Workload* known = WorkloadCatalog::instance().find(workload);
    return known && !known->dataFiles.isEmpty()
               ? PlanForm::tr("synthetic; your own: %1").arg(known->dataFiles)
               : PlanForm::tr("synthetic");
}

/// A value that a file holds is shown, whatever the limits of what is offered.
void showNumber(QSpinBox* spin, int least, int most, int value)
{
    spin->setRange(std::min(least, value), std::max(most, value));
    spin->setValue(value);
}

void choose(QComboBox* box, const QString& value)
{
    int index = box->findData(value);
    if (index < 0) {
        box->addItem(PlanForm::tr("%1 (not known)").arg(value), value);
        index = box->count() - 1;
    }
    box->setCurrentIndex(index);
}

struct Word {
    QString text, value;
    QString device; ///< where alone it can be used; empty: everywhere
};

/// Offers the words of the device, and the present one.
void offer(QComboBox* box, const QList<Word>& words, const QString& device, const QString& present)
{
    const QSignalBlocker blocker(box);
    box->clear();
    for (const Word& word : words)
        if (word.device.isEmpty() || word.device == device || word.value == present)
            box->addItem(word.text, word.value);
    choose(box, present);
}

} // namespace

void PlanForm::load(const StudySpec& spec)
{
    const QSignalBlocker blocker(this);
    const auto setText = [](QLineEdit* edit, const QString& text) {
        if (edit->text() != text)
            edit->setText(text);
    };
    m_workload = spec.workload;
    m_shown.spec = spec; // the lists below are made of it
    setText(m_name, spec.name);
    choose(m_device, spec.device);
    offerWords();
    choose(m_batchPolicy, spec.batchPolicy);
    showNumber(m_batch, 0, 100'000'000, spec.globalBatch);
    showNumber(m_epochs, 0, 100'000, spec.epochs);
    setText(m_target, spec.target ? targetInput(spec.workload, *spec.target) : QString());
    m_noTarget->setChecked(spec.noTarget);
    showNumber(m_repeats, 1, 1000, spec.repeats);
    setText(m_seed, QString::number(spec.seed));
    showNumber(m_threads, 0, 4096, spec.threadsPerWorker);
    setText(m_data, spec.data);
    setText(m_learningRate,
            spec.learningRate ? QLocale().toString(*spec.learningRate, 'g', 6) : QString());
    m_oversubscribe->setChecked(spec.oversubscribe);
    for (const Switch& s : m_switches)
        s.box->setChecked(spec.options.*s.member);
    choose(m_order, spec.order);
    showNumber(m_retries, 0, 100, spec.retries);
    m_exclusive->setChecked(spec.exclusive);
    showNumber(m_maxMinutes, 0, 1'000'000, spec.maxMinutes);
    m_stopAfterTarget->setChecked(spec.stopAfterTarget);
    showNumber(m_gradAccum, 1, 1024, spec.options.gradAccum);
    showNumber(m_bucket, 1, 4096, spec.options.bucketMb);
    m_shown = read();
}

PlanForm::Shown PlanForm::read() const
{
    Shown shown;
    StudySpec& spec = shown.spec;
    spec.name = m_name->text().trimmed();
    spec.device = m_device->currentData().toString();
    spec.precisions = m_precision->currentData().toString().split(u' ', Qt::SkipEmptyParts);
    spec.model = m_model->currentData().toString();
    spec.batchPolicy = m_batchPolicy->currentData().toString();
    spec.globalBatch = m_batch->value();
    spec.epochs = m_epochs->value();
    spec.noTarget = m_noTarget->isChecked();
    spec.repeats = m_repeats->value();
    spec.threadsPerWorker = m_threads->value();
    spec.data = m_data->text().trimmed();
    spec.oversubscribe = m_oversubscribe->isChecked();
    for (const Switch& s : m_switches)
        spec.options.*s.member = s.box->isChecked();
    spec.order = m_order->currentData().toString();
    spec.retries = m_retries->value();
    spec.exclusive = m_exclusive->isChecked();
    spec.maxMinutes = m_maxMinutes->value();
    spec.stopAfterTarget = m_stopAfterTarget->isChecked();
    spec.options.gradAccum = m_gradAccum->value();
    spec.options.allreduce = m_allreduce->currentData().toString();
    spec.options.bucketMb = m_bucket->value();
    shown.target = m_target->text().trimmed();
    shown.seed = m_seed->text().trimmed();
    shown.learningRate = m_learningRate->text().trimmed();
    return shown;
}

void PlanForm::store(StudySpec& spec)
{
    Shown now = read();
    const auto copy = [&](auto member) {
        if (!(now.spec.*member == m_shown.spec.*member))
            spec.*member = now.spec.*member;
    };
    const auto copyOption = [&](auto member) {
        if (!(now.spec.options.*member == m_shown.spec.options.*member))
            spec.options.*member = now.spec.options.*member;
    };
    copy(&StudySpec::name);
    copy(&StudySpec::device);
    copy(&StudySpec::precisions);
    copy(&StudySpec::model);
    copy(&StudySpec::batchPolicy);
    copy(&StudySpec::globalBatch);
    copy(&StudySpec::epochs);
    copy(&StudySpec::repeats);
    copy(&StudySpec::threadsPerWorker);
    copy(&StudySpec::data);
    copy(&StudySpec::oversubscribe);
    copy(&StudySpec::order);
    copy(&StudySpec::retries);
    copy(&StudySpec::exclusive);
    copy(&StudySpec::maxMinutes);
    copy(&StudySpec::stopAfterTarget);
    copyOption(&RunOptions::gradAccum);
    copyOption(&RunOptions::allreduce);
    copyOption(&RunOptions::bucketMb);
    for (const Switch& s : m_switches)
        copyOption(s.member);
    storeTexts(spec, now);
    m_shown = now;
}

void PlanForm::storeTexts(StudySpec& spec, const Shown& now)
{
    const bool retarget =
        now.target != m_shown.target || now.spec.noTarget != m_shown.spec.noTarget;
    if (retarget && now.spec.noTarget) {
        spec.noTarget = true;
        spec.target.reset();
    } else if (retarget) {
        const std::optional<double> target = targetFromText(m_workload, now.target);
        if (target || now.target.isEmpty()) {
            spec.noTarget = false;
            spec.target = target;
        }
    }
    if (now.seed != m_shown.seed)
        if (const std::optional<qint64> seed = seedFromText(now.seed))
            spec.seed = quint64(*seed);
    if (now.learningRate != m_shown.learningRate) {
        const std::optional<double> rate = numberFromText(now.learningRate);
        if (rate || now.learningRate.isEmpty())
            spec.learningRate = rate;
    }
}

QList<Problem> PlanForm::problems() const
{
    QList<Problem> problems;
    const auto error = [&](const char* field, const QString& message) {
        problems << Problem{Problem::Level::Error, QString::fromLatin1(field),
                            QStringLiteral("value_invalid"), message};
    };
    const Shown now = read();
    if (!seedFromText(now.seed))
        error("seed", tr("The seed is a whole number from 0 to 9223372036854775807."));
    if (!now.learningRate.isEmpty() && !numberFromText(now.learningRate))
        error("learning_rate", tr("The learning rate is a number, for example 0.1."));
    if (now.target.isEmpty() || now.spec.noTarget)
        return problems;
    const std::optional<double> target = targetFromText(m_workload, now.target);
    if (leadingUnit(m_workload) != MetricUnit::Share) {
        if (!target)
            error("target", tr("The target is a number, for example 25."));
    } else if (!target) {
        error("target", tr("The target is a number in per cent, for example 80."));
    } else if (*target > 1) {
        error("target", tr("At most 100 % is possible."));
    }
    return problems;
}

void PlanForm::setPreset(const QString& workload, const QString& scaleId)
{
    m_workload = workload;
    const Workload* known = WorkloadCatalog::instance().find(workload);
    const WorkloadScale* scale = known ? known->scale(scaleId) : nullptr;
    if (!scale)
        return;
    const QLocale locale;
    m_batch->setSpecialValueText(tr("preset: %1").arg(scale->globalBatch));
    m_epochs->setSpecialValueText(tr("preset: %1").arg(scale->epochs));
    m_target->setPlaceholderText(
        scale->target ? tr("preset: %1").arg(qualityText(m_workload, *scale->target, -1))
                      : tr("preset: none"));
    m_target->setToolTip(m_target->placeholderText());
    m_data->setPlaceholderText(scale->dataSource == QLatin1String("generated")
                                   ? tr("made by Scalebench (or: %1)").arg(otherData(workload))
                                   : tr("choose: %1").arg(scale->dataHint));
    m_data->setToolTip(m_data->placeholderText());
    const double rate = valueAt(scale->preset, QStringLiteral("schedule.base_lr")).toDouble();
    m_learningRate->setPlaceholderText(tr("preset: %1").arg(locale.toString(rate, 'g', 4)));
    QList<Word> models{{tr("preset: %1").arg(scale->model), QString(), {}}};
    for (const WorkloadModel& model : known->models)
        models << Word{model.id, model.id, {}};
    offer(m_model, models, {}, m_shown.spec.model);
}

void PlanForm::offerWords()
{
    const QString device = m_device->currentData().toString();
    const QString cuda = QStringLiteral("cuda"), cpu = QStringLiteral("cpu");
    QList<Word> precisions{{tr("the recipe's"), QString(), {}},
                           {tr("fp32"), QStringLiteral("fp32"), {}},
                           {tr("bf16"), QStringLiteral("bf16"), {}},
                           {tr("fp32 and bf16"), QStringLiteral("fp32 bf16"), {}},
                           {tr("fp16"), QStringLiteral("fp16"), cuda},
                           {tr("fp32, bf16 and fp16"), QStringLiteral("fp32 bf16 fp16"), cuda}};
    const QString present = m_shown.spec.precisions.join(u' ');
    const bool listed = std::any_of(precisions.begin(), precisions.end(),
                                    [&](const Word& word) { return word.value == present; });
    if (!listed) // any list of a file, as it is
        precisions << Word{m_shown.spec.precisions.join(QStringLiteral(", ")), present, {}};
    offer(m_precision, precisions, device, present);
    const QMap<QString, QString> ways{{QStringLiteral("auto"), tr("automatic")},
                                      {QStringLiteral("shm"), tr("shared memory")},
                                      {QStringLiteral("mpi"), tr("MPI")},
                                      {QStringLiteral("nccl"), tr("NCCL")},
                                      {QStringLiteral("staged"), tr("host memory")}};
    QList<Word> exchanges;
    for (const QString& way : wordsOn(QStringLiteral("options.allreduce"), device))
        exchanges << Word{ways.value(way, way), way, {}};
    offer(m_allreduce, exchanges, device, m_shown.spec.options.allreduce);
    if (m_model->findData(m_shown.spec.model) < 0)
        m_model->addItem(m_shown.spec.model, m_shown.spec.model);
    choose(m_model, m_shown.spec.model);
}

void PlanForm::setOffers(const QList<const Workload*>& workloads, const QString& device)
{
    offerWords();
    for (const Switch& s : m_switches) {
        const bool useful = std::any_of(workloads.begin(), workloads.end(), [&](const Workload* w) {
            return w && makesDifference(s.path, *w, device);
        });
        // One that was changed can be changed back.
        s.box->setVisible(useful || s.box->isChecked() != RunOptions().*s.member);
    }
    placeSwitches();
}

void PlanForm::setOwner(const QString& title)
{
    m_owner->setVisible(!title.isEmpty());
    m_owner->setText(tr("Precision, batch, target, epochs, data, network and learning rate are "
                        "those of %1; the rest is every workload's.")
                         .arg(title));
}

void PlanForm::setVarying(const QSet<QString>& paths)
{
    QSet<QString> fields; // which are named as in study.json
    for (const QString& path : paths)
        if (const Dimension* known = findDimension(path))
            fields << known->studyKey;
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it) {
        const bool varies = fields.contains(it.key());
        it.value()->control()->setEnabled(!varies);
        it.value()->setHint(varies ? tr("varies, see below") : m_hints.value(it.key()));
    }
    for (const Switch& s : m_switches) {
        const bool varies = paths.contains(s.path);
        s.box->setEnabled(!varies);
        s.box->setText(varies ? tr("%1 (varies)").arg(s.text) : s.text);
    }
}

} // namespace scalebench
