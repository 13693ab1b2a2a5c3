// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_form.h"

#include "launcher/run_metrics.h"
#include "launcher/workload_catalog.h"
#include "settings/app_settings.h"
#include "widgets/form_field.h"
#include "widgets/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {

/// "0.8", "0,8", "80 %" and "80" all mean 80 %.
std::optional<double> shareFromText(QString text)
{
    text = text.trimmed();
    if (text.isEmpty())
        return std::nullopt;
    text.remove(QLatin1Char('%')).replace(QLatin1Char(','), QLatin1Char('.'));
    bool ok = false;
    const double value = text.trimmed().toDouble(&ok);
    if (!ok)
        return qQNaN();
    return value > 1 ? value / 100 : value;
}

std::optional<double> numberFromText(QString text)
{
    text = text.trimmed().replace(QLatin1Char(','), QLatin1Char('.'));
    if (text.isEmpty())
        return std::nullopt;
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? value : qQNaN();
}

/// A target as it is typed: per cent without their sign for a share.
QString targetInput(const QString& workload, double target)
{
    const bool share = leadingUnit(workload) == MetricUnit::Share;
    return QLocale().toString(share ? target * 100 : target, 'g', 6);
}

/// "synthetic; your own: CIFAR-10 …".
QString otherData(const QString& workload)
{
    const Workload* known = WorkloadCatalog::instance().find(workload);
    return known && !known->dataFiles.isEmpty()
               ? PlanForm::tr("synthetic; your own: %1").arg(known->dataFiles)
               : PlanForm::tr("synthetic");
}

QSpinBox* presetSpin(int maximum)
{
    auto* spin = new QSpinBox;
    spin->setRange(0, maximum);
    spin->setSpecialValueText(PlanForm::tr("preset"));
    spin->setGroupSeparatorShown(true);
    return spin;
}

} // namespace

PlanForm::PlanForm(QWidget* parent) : QWidget(parent)
{
    setupControls();
    setupAdvanced();
    placeFields();
    connectControls();
}

FormField* PlanForm::add(const QString& name, const QString& label, QWidget* control,
                         const QString& hint)
{
    auto* field = new FormField(label, control, hint);
    m_fields.insert(name, field);
    return field;
}

void PlanForm::setupControls()
{
    m_name = new QLineEdit;
    m_device = new QComboBox;
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_device->addItem(tr("GPU (CUDA)"), QStringLiteral("cuda"));
    m_precision = new QComboBox;
    m_precision->addItem(tr("fp32"), QStringList{QStringLiteral("fp32")});
    m_precision->addItem(tr("bf16"), QStringList{QStringLiteral("bf16")});
    m_precision->addItem(tr("fp32 and bf16"),
                         QStringList{QStringLiteral("fp32"), QStringLiteral("bf16")});
    m_precision->addItem(tr("fp16 (GPU)"), QStringList{QStringLiteral("fp16")});
    m_batchPolicy = new QComboBox;
    m_batchPolicy->addItem(tr("strong: global batch fixed"), QStringLiteral("strong"));
    m_batchPolicy->addItem(tr("weak: batch per worker fixed"), QStringLiteral("weak"));
    m_batchPolicy->addItem(tr("table: as in the study file"), QStringLiteral("table"));
    m_batch = presetSpin(1 << 22);
    m_epochs = presetSpin(100000);
    m_target = new QLineEdit;
    m_noTarget = new QCheckBox(tr("train all epochs"));
    m_repeats = new QSpinBox;
    m_repeats->setRange(1, 99);
    m_seed = new QLineEdit;
    m_threads = presetSpin(1024);
    m_threads->setSpecialValueText(tr("cores / largest count"));
    m_data = new QLineEdit;
    m_learningRate = new QLineEdit;
}

void PlanForm::setupAdvanced()
{
    m_oversubscribe = new QCheckBox(tr("Allow more workers than cores (shown, not counted)"));
    m_order = new QComboBox;
    m_order->addItem(tr("interleaved: drift hits all alike"), QStringLiteral("interleaved"));
    m_order->addItem(tr("random, by the seed"), QStringLiteral("random"));
    m_order->addItem(tr("sequential: repeats together"), QStringLiteral("sequential"));
    m_exclusive = new QCheckBox(tr("Wait for other studies on the same machine"));
    m_exclusive->setToolTip(tr("Two runs at once would both be measured wrong"));
    m_retries = new QSpinBox;
    m_retries->setRange(0, 100);
    m_retries->setSpecialValueText(tr("never"));
    m_gradAccum = new QSpinBox;
    m_gradAccum->setRange(1, 1024);
    m_gradAccum->setSpecialValueText(tr("off"));
    const std::pair<bool RunOptions::*, QString> switches[] = {
        {&RunOptions::syncBn, tr("Synchronised batch norm")},
        {&RunOptions::overlap, tr("Exchange gradients while computing")},
        {&RunOptions::fusedOptimizer, tr("Fused optimizer")},
        {&RunOptions::shardOptimizer, tr("Optimizer state shared out")},
        {&RunOptions::asyncEval, tr("Evaluate beside training")},
        {&RunOptions::packSequences, tr("Pack sequences")},
        {&RunOptions::alignBatch, tr("Batch aligned with the data set")},
        {&RunOptions::cudaGraphs, tr("CUDA graphs")}};
    for (const auto& [member, text] : switches)
        m_switches.emplace_back(member, new QCheckBox(text));
    m_allreduce = new QComboBox;
    m_allreduce->addItem(tr("automatic"), QStringLiteral("auto"));
    m_allreduce->addItem(tr("shared memory"), QStringLiteral("shm"));
    m_allreduce->addItem(tr("MPI"), QStringLiteral("mpi"));
    m_allreduce->addItem(tr("NCCL (GPU)"), QStringLiteral("nccl"));
    m_allreduce->addItem(tr("host memory (GPU)"), QStringLiteral("staged"));
    m_bucket = new QSpinBox;
    m_bucket->setRange(1, 1024);
    m_bucket->setSuffix(tr(" MB"));
}

void PlanForm::placeFields()
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->addWidget(add(QStringLiteral("name"), tr("&Name"), m_name), 0, 0, 1, 2);
    grid->addWidget(add(QStringLiteral("device"), tr("De&vice"), m_device), 1, 0);
    grid->addWidget(add(QStringLiteral("precisions"), tr("&Precision"), m_precision), 1, 1);
    grid->addWidget(add(QStringLiteral("batch_policy"), tr("&Batch policy"), m_batchPolicy), 2, 0);
    grid->addWidget(add(QStringLiteral("global_batch"), tr("Bat&ch size"), m_batch), 2, 1);
    auto* targetBox = new QWidget;
    auto* targetRow = new QHBoxLayout(targetBox);
    targetRow->setContentsMargins(0, 0, 0, 0);
    targetRow->addWidget(m_target, 1);
    targetRow->addWidget(m_noTarget);
    auto* target = add(QStringLiteral("target"), tr("Quality tar&get"), targetBox);
    m_target->setAccessibleName(tr("Quality target"));
    targetBox->setFocusProxy(m_target);
    grid->addWidget(target, 3, 0);
    grid->addWidget(add(QStringLiteral("epochs"), tr("At most ep&ochs"), m_epochs), 3, 1);
    auto* dataBox = new QWidget;
    auto* dataRow = new QHBoxLayout(dataBox);
    dataRow->setContentsMargins(0, 0, 0, 0);
    auto* browse = new QToolButton;
    browse->setProperty("outlined", true);
    browse->setText(tr("…"));
    browse->setAccessibleName(tr("Choose the data folder or file"));
    browse->setToolTip(browse->accessibleName());
    dataRow->addWidget(m_data, 1);
    dataRow->addWidget(browse);
    dataBox->setFocusProxy(m_data);
    m_data->setAccessibleName(tr("Data"));
    connect(browse, &QToolButton::clicked, this, &PlanForm::browseData);
    grid->addWidget(add(QStringLiteral("data"), tr("&Data"), dataBox), 4, 0, 1, 2);
    grid->addWidget(add(QStringLiteral("repeats"), tr("Repea&ts of each run"), m_repeats,
                        tr("3 or more give error bars")),
                    5, 0);
    grid->addWidget(add(QStringLiteral("seed"), tr("Seed"), m_seed, tr("each repeat adds one")), 5,
                    1);

    auto* more = new QToolButton;
    more->setText(tr("More settings"));
    more->setCheckable(true);
    more->setProperty("segment", true);
    grid->addWidget(more, 6, 0, Qt::AlignLeft);
    m_advanced = new QWidget;
    auto* inner = new QGridLayout(m_advanced);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setHorizontalSpacing(16);
    inner->addWidget(add(QStringLiteral("threads_per_worker"), tr("Threads per worker"), m_threads),
                     0, 0);
    inner->addWidget(add(QStringLiteral("learning_rate"), tr("Learning rate"), m_learningRate), 0,
                     1);
    inner->addWidget(add(QStringLiteral("allreduce"), tr("Gradient exchange"), m_allreduce), 1, 0);
    inner->addWidget(add(QStringLiteral("bucket_mb"), tr("Bucket size"), m_bucket), 1, 1);
    inner->addWidget(add(QStringLiteral("order"), tr("Order of the runs"), m_order), 2, 0);
    inner->addWidget(add(QStringLiteral("retries"), tr("Try failed runs again"), m_retries), 2, 1);
    inner->addWidget(add(QStringLiteral("grad_accum"), tr("Gradient accumulation"), m_gradAccum), 3,
                     0);
    inner->addWidget(m_exclusive, 4, 0, 1, 2);
    inner->addWidget(add(QStringLiteral("oversubscribe"), QString(), m_oversubscribe), 5, 0, 1, 2);
    int place = 0;
    for (const auto& [member, box] : m_switches) {
        inner->addWidget(box, 6 + place / 2, place % 2);
        ++place;
    }
    inner->setColumnStretch(0, 1);
    inner->setColumnStretch(1, 1);
    m_advanced->hide();
    grid->addWidget(m_advanced, 7, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    connect(more, &QToolButton::toggled, m_advanced, &QWidget::setVisible);
}

void PlanForm::connectControls()
{
    for (QLineEdit* edit : {m_name, m_target, m_seed, m_data, m_learningRate})
        connect(edit, &QLineEdit::textChanged, this, &PlanForm::edited);
    for (QComboBox* box : {m_device, m_precision, m_batchPolicy, m_allreduce, m_order})
        connect(box, &QComboBox::currentIndexChanged, this, &PlanForm::edited);
    for (QSpinBox* spin :
         {m_batch, m_epochs, m_repeats, m_threads, m_bucket, m_retries, m_gradAccum})
        connect(spin, &QSpinBox::valueChanged, this, &PlanForm::edited);
    for (QCheckBox* box : {m_noTarget, m_oversubscribe, m_exclusive})
        connect(box, &QCheckBox::toggled, this, &PlanForm::edited);
    for (const auto& [member, box] : m_switches)
        connect(box, &QCheckBox::toggled, this, &PlanForm::edited);
    connect(m_noTarget, &QCheckBox::toggled, m_target, &QWidget::setDisabled);
}

void PlanForm::setPreset(const QString& workload, const WorkloadScale* scale)
{
    m_workload = workload;
    if (!scale)
        return;
    const QLocale locale;
    m_batch->setSpecialValueText(tr("preset: %1").arg(scale->globalBatch));
    m_epochs->setSpecialValueText(tr("preset: %1").arg(scale->epochs));
    m_target->setPlaceholderText(
        scale->target ? tr("preset: %1").arg(qualityText(m_workload, *scale->target, -1))
                      : tr("preset: none"));
    m_data->setPlaceholderText(scale->dataSource == QLatin1String("generated")
                                   ? tr("made by Scalebench (or: %1)").arg(otherData(workload))
                                   : tr("choose: %1").arg(scale->dataHint));
    const double rate = scale->preset.value(QStringLiteral("schedule"))
                            .toObject()
                            .value(QStringLiteral("base_lr"))
                            .toDouble();
    m_learningRate->setPlaceholderText(tr("preset: %1").arg(locale.toString(rate, 'g', 4)));
}

void PlanForm::setNameHint(const QString& name)
{
    m_name->setPlaceholderText(name);
}

void PlanForm::load(const StudySpec& spec)
{
    const QSignalBlocker blocker(this);
    m_name->setText(spec.name);
    m_device->setCurrentIndex(std::max(0, m_device->findData(spec.device)));
    // findData compares lists by value
    int precision = 0;
    for (int i = 0; i < m_precision->count(); ++i) {
        if (m_precision->itemData(i).toStringList() == spec.precisions)
            precision = i;
    }
    m_precision->setCurrentIndex(precision);
    m_batchPolicy->setCurrentIndex(std::max(0, m_batchPolicy->findData(spec.batchPolicy)));
    m_batch->setValue(spec.globalBatch);
    m_epochs->setValue(spec.epochs);
    m_workload = spec.workload;
    m_target->setText(spec.target ? targetInput(spec.workload, *spec.target) : QString());
    m_noTarget->setChecked(spec.noTarget);
    m_repeats->setValue(spec.repeats);
    m_seed->setText(QString::number(spec.seed));
    m_threads->setValue(spec.threadsPerWorker);
    m_data->setText(spec.data);
    m_learningRate->setText(spec.learningRate ? QLocale().toString(*spec.learningRate, 'g', 6)
                                              : QString());
    m_oversubscribe->setChecked(spec.oversubscribe);
    for (const auto& [member, box] : m_switches)
        box->setChecked(spec.options.*member);
    m_order->setCurrentIndex(std::max(0, m_order->findData(spec.order)));
    m_retries->setValue(spec.retries);
    m_exclusive->setChecked(spec.exclusive);
    m_gradAccum->setValue(spec.options.gradAccum);
    m_allreduce->setCurrentIndex(std::max(0, m_allreduce->findData(spec.options.allreduce)));
    m_bucket->setValue(spec.options.bucketMb);
}

void PlanForm::store(StudySpec& spec) const
{
    spec.name = m_name->text().trimmed();
    spec.device = m_device->currentData().toString();
    spec.precisions = m_precision->currentData().toStringList();
    spec.batchPolicy = m_batchPolicy->currentData().toString();
    spec.globalBatch = m_batch->value();
    spec.epochs = m_epochs->value();
    spec.noTarget = m_noTarget->isChecked();
    spec.target = spec.noTarget                                  ? std::nullopt
                  : leadingUnit(m_workload) == MetricUnit::Share ? shareFromText(m_target->text())
                                                                 : numberFromText(m_target->text());
    spec.repeats = m_repeats->value();
    spec.seed = m_seed->text().trimmed().toULongLong();
    spec.threadsPerWorker = m_threads->value();
    spec.data = m_data->text().trimmed();
    spec.learningRate = numberFromText(m_learningRate->text());
    spec.oversubscribe = m_oversubscribe->isChecked();
    for (const auto& [member, box] : m_switches)
        spec.options.*member = box->isChecked();
    spec.order = m_order->currentData().toString();
    spec.retries = m_retries->value();
    spec.exclusive = m_exclusive->isChecked();
    spec.options.gradAccum = m_gradAccum->value();
    spec.options.allreduce = m_allreduce->currentData().toString();
    spec.options.bucketMb = m_bucket->value();
}

bool PlanForm::oversubscribe() const
{
    return m_oversubscribe->isChecked();
}

void PlanForm::browseData()
{
    QMenu menu(this);
    QAction* folder = menu.addAction(tr("Choose a &folder…"));
    QAction* file = menu.addAction(tr("Choose a &file…"));
    QAction* generated = menu.addAction(tr("&Generated by Scalebench"));
    QAction* synthetic = menu.addAction(tr("&Synthetic batches (throughput only)"));
    QAction* chosen = menu.exec(QCursor::pos());
    QString path;
    if (chosen == folder)
        path = QFileDialog::getExistingDirectory(this, tr("Data folder"),
                                                 AppSettings::instance().lastFolder());
    else if (chosen == file)
        path = QFileDialog::getOpenFileName(this, tr("Data file"),
                                            AppSettings::instance().lastFolder());
    else if (chosen == generated)
        path = QStringLiteral("generated");
    else if (chosen == synthetic)
        path = QStringLiteral("synthetic");
    if (path.isEmpty())
        return;
    m_data->setText(path);
    if (chosen == synthetic)
        m_noTarget->setChecked(true); // random pictures have no quality to reach
}

} // namespace scalebench
