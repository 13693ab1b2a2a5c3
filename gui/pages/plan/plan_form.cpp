// SPDX-License-Identifier: GPL-3.0-or-later
// The form's controls and where they are.
#include "pages/plan/plan_form.h"

#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/form_field.h"
#include "widgets/widgets.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace scalebench {

static QSpinBox* presetSpin()
{
    auto* spin = new QSpinBox;
    spin->setSpecialValueText(PlanForm::tr("preset"));
    spin->setGroupSeparatorShown(true);
    return spin;
}

PlanForm::PlanForm(QWidget* parent) : QWidget(parent), m_owner(makeLabel(QString(), "small"))
{
    setupControls();
    setupSwitches();
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    placeFields(grid);
    placeMore(grid);
    connectControls();
}

FormField* PlanForm::add(const QString& name, const QString& label, QWidget* control,
                         const QString& hint)
{
    auto* field = new FormField(label, control, hint);
    m_fields.insert(name, field);
    m_hints.insert(name, hint);
    return field;
}

void PlanForm::setupControls()
{
    m_name = new QLineEdit;
    m_device = new ChoiceBox;
    m_device->addItem(tr("CPU"), QStringLiteral("cpu"));
    m_device->addItem(tr("GPU (CUDA)"), QStringLiteral("cuda"));
    m_precision = new ChoiceBox;
    m_model = new ChoiceBox;
    m_batchPolicy = new ChoiceBox;
    m_batchPolicy->addItem(tr("strong: global batch fixed"), QStringLiteral("strong"));
    m_batchPolicy->addItem(tr("weak: batch per worker fixed"), QStringLiteral("weak"));
    m_batchPolicy->addItem(tr("table: a batch for each worker count"), QStringLiteral("table"));
    m_batch = presetSpin();
    m_epochs = presetSpin();
    m_target = new QLineEdit;
    m_noTarget = new QCheckBox(tr("train all epochs"));
    m_repeats = new QSpinBox;
    m_seed = new QLineEdit;
    m_threads = presetSpin();
    m_threads->setSpecialValueText(tr("cores / largest count"));
    m_data = new QLineEdit;
    m_learningRate = new QLineEdit;
    m_oversubscribe = new QCheckBox(tr("Allow more workers than cores (shown, not counted)"));
    m_order = new ChoiceBox;
    m_order->addItem(tr("interleaved: drift hits all alike"), QStringLiteral("interleaved"));
    m_order->addItem(tr("random, by the seed"), QStringLiteral("random"));
    m_order->addItem(tr("sequential: repeats together"), QStringLiteral("sequential"));
    m_exclusive = new QCheckBox(tr("Wait for other studies on the same machine"));
    m_exclusive->setToolTip(tr("Two runs at once would both be measured wrong"));
    m_retries = new QSpinBox;
    m_retries->setSpecialValueText(tr("never"));
    m_maxMinutes = new QSpinBox;
    m_maxMinutes->setSpecialValueText(tr("no limit"));
    m_maxMinutes->setSuffix(tr(" min"));
    m_maxMinutes->setGroupSeparatorShown(true);
    m_stopAfterTarget = new QCheckBox(tr("Stop a workload once its target is reached"));
    m_stopAfterTarget->setToolTip(
        tr("As soon as one of its runs has reached the target, the others are left out"));
    m_gradAccum = new QSpinBox;
    m_gradAccum->setSpecialValueText(tr("off"));
    m_allreduce = new ChoiceBox;
    m_bucket = new QSpinBox;
    m_bucket->setSuffix(tr(" MB"));
}

void PlanForm::setupSwitches()
{
    const auto add = [this](bool RunOptions::*member, const char* key, const QString& text) {
        m_switches.push_back({member, QStringLiteral("options.") + QString::fromLatin1(key), text,
                              new QCheckBox(text)});
    };
    add(&RunOptions::syncBn, "sync_bn", tr("Synchronised batch norm"));
    add(&RunOptions::overlap, "overlap", tr("Exchange gradients while computing"));
    add(&RunOptions::fusedOptimizer, "fused_optimizer", tr("Fused optimizer"));
    add(&RunOptions::shardOptimizer, "shard_optimizer", tr("Optimizer state shared out"));
    m_switches.back().box->setToolTip(
        tr("Workers on the processors of one node share it out anyway where they can"));
    add(&RunOptions::bindThreads, "bind_threads", tr("Bind threads to cores"));
    m_switches.back().box->setToolTip(
        tr("Without GPUs: each worker keeps to cores that share caches and memory"));
    add(&RunOptions::asyncEval, "async_eval", tr("Evaluate beside training"));
    add(&RunOptions::packSequences, "pack_sequences", tr("Pack sequences"));
    add(&RunOptions::alignBatch, "align_batch", tr("Batch aligned with the data set"));
    add(&RunOptions::cudaGraphs, "cuda_graphs", tr("CUDA graphs"));
    add(&RunOptions::autotune, "autotune", tr("Algorithms chosen by timing"));
}

/// A field that takes the room, and what belongs to it; the box's focus is the field's.
static QWidget* inOneRow(QWidget* field, QWidget* beside)
{
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(field, 1);
    row->addWidget(beside);
    box->setFocusProxy(field);
    return box;
}

QWidget* PlanForm::targetRow()
{
    return inOneRow(m_target, m_noTarget);
}

QWidget* PlanForm::dataRow()
{
    auto* browse = new QToolButton;
    browse->setProperty("outlined", true);
    browse->setText(tr("…"));
    browse->setAccessibleName(tr("Choose the data folder or file"));
    browse->setToolTip(browse->accessibleName());
    connect(browse, &QToolButton::clicked, this, &PlanForm::browseData);
    m_checkData = new QToolButton;
    m_checkData->setObjectName(QStringLiteral("checkData"));
    m_checkData->setProperty("outlined", true);
    m_checkData->setText(tr("Check…"));
    m_checkData->setAccessibleName(tr("Look at the data, check it or make it"));
    connect(m_checkData, &QToolButton::clicked, this, &PlanForm::dataWanted);
    setDataHere(true);
    return inOneRow(inOneRow(m_data, browse), m_checkData);
}

QWidget* PlanForm::repeatsRow()
{
    auto* five = new QToolButton;
    five->setObjectName(QStringLiteral("olympic"));
    five->setProperty("outlined", true);
    five->setText(tr("Five (olympic)"));
    five->setAccessibleName(tr("Five repeats (olympic)"));
    five->setToolTip(tr("Five repeats: the best and the worst are left out of the mean"));
    connect(five, &QToolButton::clicked, this, [this] { m_repeats->setValue(5); });
    return inOneRow(m_repeats, five);
}

void PlanForm::placeFields(QGridLayout* grid)
{
    m_owner->setObjectName(QStringLiteral("settingsOwner"));
    m_owner->setWordWrap(true);
    m_owner->hide();
    grid->addWidget(m_owner, 0, 0, 1, 2);
    // A message below one field never moves its neighbour's label.
    const auto place = [grid](FormField* field, int row, int column, int columns = 1) {
        grid->addWidget(field, row, column, 1, columns, Qt::AlignTop);
    };
    place(add(QStringLiteral("name"), tr("&Name"), m_name), 1, 0, 2);
    place(add(QStringLiteral("device"), tr("Dev&ice"), m_device), 2, 0);
    place(add(QStringLiteral("precisions"), tr("&Precision"), m_precision), 2, 1);
    place(add(QStringLiteral("batch_policy"), tr("&Batch policy"), m_batchPolicy), 3, 0);
    place(add(QStringLiteral("global_batch"), tr("Bat&ch size"), m_batch), 3, 1);
    place(add(QStringLiteral("target"), tr("Quality tar&get"), targetRow()), 4, 0);
    m_target->setAccessibleName(tr("Quality target"));
    place(add(QStringLiteral("epochs"), tr("At most ep&ochs"), m_epochs), 4, 1);
    place(add(QStringLiteral("data"), tr("&Data"), dataRow()), 5, 0, 2); // paths are long
    m_data->setAccessibleName(tr("Data"));
    place(add(QStringLiteral("repeats"), tr("Repea&ts of each run"), repeatsRow(),
              tr("3 or more give error bars")),
          6, 0);
    m_repeats->setAccessibleName(tr("Repeats of each run"));
    place(add(QStringLiteral("seed"), tr("Seed"), m_seed, tr("each repeat adds one")), 6, 1);
    place(add(QStringLiteral("max_minutes"), tr("At most minutes"), m_maxMinutes,
              tr("no further run begins after that")),
          7, 0);
    place(add(QStringLiteral("model"), tr("Net&work"), m_model), 7, 1);
    grid->addWidget(m_stopAfterTarget, 8, 0, 1, 2); // too long for half of a small window
}

void PlanForm::placeMore(QGridLayout* grid)
{
    auto* more = new QToolButton;
    more->setObjectName(QStringLiteral("moreSettings"));
    more->setText(tr("More settings"));
    more->setCheckable(true);
    more->setProperty("segment", true);
    grid->addWidget(more, 9, 0, Qt::AlignLeft);
    m_advanced = new QWidget;
    auto* inner = new QGridLayout(m_advanced);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setHorizontalSpacing(16);
    const auto place = [inner](FormField* field, int row, int column) {
        inner->addWidget(field, row, column, Qt::AlignTop);
    };
    place(add(QStringLiteral("threads_per_worker"), tr("Threads per worker"), m_threads), 0, 0);
    place(add(QStringLiteral("learning_rate"), tr("Learning rate"), m_learningRate), 0, 1);
    place(add(QStringLiteral("options.allreduce"), tr("Gradient exchange"), m_allreduce), 1, 0);
    place(add(QStringLiteral("options.bucket_mb"), tr("Bucket size"), m_bucket), 1, 1);
    place(add(QStringLiteral("order"), tr("Order of the runs"), m_order), 2, 0);
    place(add(QStringLiteral("retries"), tr("Try failed runs again"), m_retries), 2, 1);
    place(add(QStringLiteral("options.grad_accum"), tr("Gradient accumulation"), m_gradAccum), 3,
          0);
    inner->addWidget(m_exclusive, 4, 0, 1, 2);
    inner->addWidget(add(QStringLiteral("oversubscribe"), QString(), m_oversubscribe), 5, 0, 1, 2);
    m_switchGrid = new QGridLayout;
    m_switchGrid->setHorizontalSpacing(16);
    m_switchGrid->setVerticalSpacing(8);
    m_switchGrid->setColumnStretch(0, 1);
    m_switchGrid->setColumnStretch(1, 1);
    inner->addLayout(m_switchGrid, 6, 0, 1, 2);
    placeSwitches();
    inner->setColumnStretch(0, 1);
    inner->setColumnStretch(1, 1);
    m_advanced->hide();
    grid->addWidget(m_advanced, 10, 0, 1, 2);
    connect(more, &QToolButton::toggled, m_advanced, &QWidget::setVisible);
}

void PlanForm::placeSwitches()
{
    // Those offered, without holes, in as many columns as there is room for.
    int widest = 0;
    for (const Switch& s : m_switches)
        widest = s.box->isHidden() ? widest : std::max(widest, s.box->sizeHint().width());
    const int columns = 2 * widest + m_switchGrid->horizontalSpacing() <= m_room ? 2 : 1;
    m_switchGrid->setColumnStretch(1, columns - 1);
    int place = 0;
    for (const Switch& s : m_switches) {
        m_switchGrid->removeWidget(s.box);
        m_switchGrid->addWidget(s.box, place / columns, place % columns);
        place += s.box->isHidden() ? 0 : 1;
    }
}

void PlanForm::setRoom(int width)
{
    if (std::exchange(m_room, width) != width)
        placeSwitches();
}

void PlanForm::connectControls()
{
    for (QLineEdit* edit : {m_name, m_target, m_seed, m_data, m_learningRate})
        connect(edit, &QLineEdit::textChanged, this, &PlanForm::edited);
    for (QComboBox* box : {m_device, m_precision, m_model, m_batchPolicy, m_allreduce, m_order})
        connect(box, &QComboBox::currentIndexChanged, this, &PlanForm::edited);
    for (QSpinBox* spin :
         {m_batch, m_epochs, m_repeats, m_threads, m_bucket, m_retries, m_gradAccum, m_maxMinutes})
        connect(spin, &QSpinBox::valueChanged, this, &PlanForm::edited);
    for (QCheckBox* box : {m_noTarget, m_oversubscribe, m_exclusive, m_stopAfterTarget})
        connect(box, &QCheckBox::toggled, this, &PlanForm::edited);
    for (const Switch& s : m_switches)
        connect(s.box, &QCheckBox::toggled, this, &PlanForm::edited);
    connect(m_noTarget, &QCheckBox::toggled, m_target, &QWidget::setDisabled);
}

void PlanForm::setNameHint(const QString& name)
{
    m_name->setPlaceholderText(name);
}

void PlanForm::setDataHere(bool here)
{
    m_checkData->setEnabled(here);
    m_checkData->setToolTip(here ? m_checkData->accessibleName()
                                 : tr("The data lies on another machine, which checks it before a "
                                      "run starts"));
}

void PlanForm::setData(const QString& pathOrKind)
{
    m_data->setText(pathOrKind);
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
        m_noTarget->setChecked(true); // random samples have no quality to reach
}

} // namespace scalebench
