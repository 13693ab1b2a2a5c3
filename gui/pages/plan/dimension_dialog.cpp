// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/dimension_dialog.h"

#include "pages/plan/plan_edits.h"
#include "study/dimensions.h"
#include "study/workload_catalog.h"
#include "widgets/widgets.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kListHeight = 220;

} // namespace

DimensionDialog::DimensionDialog(const StudySpec& spec, int entry, const QString& path,
                                 bool wholeStudy, QWidget* parent)
    : QDialog(parent),
      m_spec(spec),
      m_view(entrySpec(spec, entry)),
      m_fixed(path),
      m_search(new QLineEdit),
      m_list(new QListWidget),
      m_title(makeLabel(QString(), "section")),
      m_hint(makeLabel(QString(), "small")),
      m_choiceRow(new QWidget),
      m_values(new QLineEdit),
      m_problem(makeLabel(QString(), "error")),
      m_onlyHere(new QCheckBox),
      m_accept(nullptr)
{
    setObjectName(QStringLiteral("dimensionDialog"));
    setWindowTitle(path.isEmpty() ? tr("Add what the runs differ in")
                                  : tr("Values of %1").arg(dimensionTitle(path)));
    new QVBoxLayout(this);
    const Workload* workload = WorkloadCatalog::instance().find(m_view.workload);
    QStringList paths;
    if (workload && path.isEmpty()) {
        paths = pathsOf(*workload);
        paths.removeIf([&](const QString& p) {
            return m_view.settings.contains(p) || !makesDifference(p, *workload, spec.device);
        });
    }
    if (path.isEmpty())
        setupList(paths);
    setupValues();
    const bool several = spec.workloads.size() > 1;
    m_onlyHere->setText(tr("Only for %1").arg(workload ? workload->title : m_view.workload));
    m_onlyHere->setVisible(several && path.isEmpty());
    m_onlyHere->setChecked(!wholeStudy);
    showPath();
    (path.isEmpty() ? m_search : m_values)->setFocus();
    resize(460, sizeHint().height());
}

void DimensionDialog::setupList(const QStringList& paths)
{
    m_search->setPlaceholderText(tr("Search, for example overlap or momentum"));
    m_search->setAccessibleName(tr("Search a setting"));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("settingList"));
    m_list->setAccessibleName(tr("Settings"));
    m_list->setFixedHeight(kListHeight);
    // Those with a name first: a recipe has many more that are only paths.
    for (const bool known : {true, false}) {
        for (const QString& path : paths) {
            if ((findDimension(path) != nullptr) != known)
                continue;
            auto* item = new QListWidgetItem(
                known ? QStringLiteral("%1   %2").arg(dimensionTitle(path), path) : path, m_list);
            item->setData(Qt::UserRole, path);
        }
    }
    m_list->setCurrentRow(0);
    layout()->addWidget(m_search);
    layout()->addWidget(m_list);
    connect(m_search, &QLineEdit::textChanged, this, &DimensionDialog::filter);
    connect(m_list, &QListWidget::currentRowChanged, this, &DimensionDialog::showPath);
}

void DimensionDialog::setupValues()
{
    auto* row = new QHBoxLayout(m_choiceRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    m_values->setAccessibleName(tr("Values, separated by commas"));
    m_values->setPlaceholderText(tr("values with commas, for example 0.1, 0.2"));
    m_hint->setWordWrap(true);
    m_problem->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setIcon({});
    m_accept = buttons->addButton(m_fixed.isEmpty() ? tr("Add") : tr("Change"),
                                  QDialogButtonBox::AcceptRole);
    m_accept->setProperty("primary", true);
    m_accept->setDefault(true);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_title, m_hint, m_choiceRow, m_values,
                                                           m_problem, m_onlyHere, buttons})
        layout()->addWidget(widget);
    connect(m_values, &QLineEdit::textChanged, this, &DimensionDialog::check);
    connect(m_onlyHere, &QCheckBox::toggled, this, &DimensionDialog::check);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void DimensionDialog::filter(const QString& words)
{
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_list->count(); ++row) {
        const QString text = m_list->item(row)->text();
        const bool fits = std::all_of(wanted.begin(), wanted.end(), [&](const QString& word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        m_list->item(row)->setHidden(!fits);
        if (fits && first < 0)
            first = row;
    }
    m_list->setCurrentRow(first);
}

QString DimensionDialog::path() const
{
    if (!m_fixed.isEmpty())
        return m_fixed;
    const QListWidgetItem* item = m_list->currentItem();
    return item ? item->data(Qt::UserRole).toString() : QString();
}

bool DimensionDialog::isForWholeStudy() const
{
    return m_spec.workloads.isEmpty() || !m_onlyHere->isChecked();
}

QString DimensionDialog::recipesValue() const
{
    const Workload* workload = WorkloadCatalog::instance().find(m_view.workload);
    const WorkloadScale* scale = workload ? workload->scale(m_view.scale) : nullptr;
    if (path() == QLatin1String("precision"))
        return defaultPrecisions(m_view.workload, m_view.scale).join(QLatin1Char(' '));
    const QJsonValue value = scale ? valueAt(scale->preset, path()) : QJsonValue::Undefined;
    return value.isUndefined() || value.isNull() ? QString() : valueText(path(), value);
}

void DimensionDialog::showPath()
{
    const QString now = path();
    m_title->setText(now.isEmpty() ? tr("Nothing of that name") : dimensionTitle(now));
    const QString recipes = recipesValue();
    m_hint->setText(recipes.isEmpty() ? now : tr("%1, the recipe's: %2").arg(now, recipes));
    const Dimension* known = findDimension(now);
    QStringList choices;
    if (known && known->kind == Dimension::Kind::Flag)
        choices = {QStringLiteral("off"), QStringLiteral("on")};
    else if (known)
        choices = wordsOn(known->path, m_spec.device);
    const QSignalBlocker blocker(m_values);
    QStringList texts;
    const QList<QJsonValue> given =
        m_fixed.isEmpty() ? QList<QJsonValue>() : m_view.settings.value(now);
    for (const QJsonValue& value : given)
        texts << (known && !known->unit.isEmpty() ? valueText({}, value) : valueText(now, value));
    if (m_fixed.isEmpty() && known && known->kind == Dimension::Kind::Flag)
        texts = choices; // what one adds a switch for
    m_values->setText(texts.join(QStringLiteral(", ")));
    m_values->setVisible(choices.isEmpty() && !now.isEmpty());
    showChoices(choices);
    if (m_fixed.isEmpty() && !m_spec.workloads.isEmpty()) {
        const bool all = isForAll(m_spec, now);
        m_onlyHere->setEnabled(all);
        if (!all)
            m_onlyHere->setChecked(true);
    }
    check();
}

void DimensionDialog::showChoices(const QStringList& choices)
{
    qDeleteAll(m_choices);
    m_choices.clear();
    m_choiceRow->setVisible(!choices.isEmpty());
    const QStringList now = m_values->text().split(QStringLiteral(", "), Qt::SkipEmptyParts);
    auto* row = qobject_cast<QHBoxLayout*>(m_choiceRow->layout());
    for (const QString& choice : choices) {
        auto* box = new QCheckBox(choice);
        box->setChecked(now.contains(choice));
        row->insertWidget(static_cast<int>(m_choices.size()), box);
        m_choices << box;
        connect(box, &QCheckBox::toggled, this, [this] {
            QStringList texts;
            for (const QCheckBox* other : std::as_const(m_choices))
                if (other->isChecked())
                    texts << other->text();
            m_values->setText(texts.join(QStringLiteral(", ")));
        });
    }
}

QList<QJsonValue> DimensionDialog::values() const
{
    QList<QJsonValue> values;
    for (const QString& text : valuesInText(m_values->text()))
        values << valueFromText(path(), text);
    return values;
}

QString DimensionDialog::problem() const
{
    const QStringList texts = valuesInText(m_values->text());
    if (texts.size() == 1 && texts.first().isEmpty())
        return m_choices.isEmpty() ? tr("Give at least one value.")
                                   : tr("Tick at least one value.");
    QStringList ids{m_view.workload};
    if (isForWholeStudy())
        ids = m_spec.workloadIds();
    QList<QJsonValue> seen;
    for (const QString& text : texts) {
        const QJsonValue value = valueFromText(path(), text);
        if (text.isEmpty())
            return tr("A value is missing between two commas.");
        if (seen.contains(value))
            return tr("%1 is there twice; use repeats for several runs of it.")
                .arg(valueText(path(), value));
        seen << value;
        for (const QString& id : std::as_const(ids)) {
            const Workload* workload = WorkloadCatalog::instance().find(id);
            const Result<void> good =
                workload ? checkSetting(*workload, path(), value) : Result<void>();
            if (!good)
                return good.failure().message;
        }
    }
    return {};
}

void DimensionDialog::check()
{
    const QString text = path().isEmpty() ? QString() : problem();
    // An empty field is not a mistake yet.
    m_problem->setText(m_values->text().isEmpty() ? QString() : text);
    m_accept->setEnabled(!path().isEmpty() && text.isEmpty());
}

} // namespace scalebench
