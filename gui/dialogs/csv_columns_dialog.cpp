// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/csv_columns_dialog.h"

#include "base/file_io.h"
#include "widgets/choice_box.h"
#include "widgets/widgets.h"
#include "work/latest_job.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {

constexpr qint64 kMostCsvBytes = 64 << 20;
constexpr qsizetype kShownRows = 5;

/// What is in the table, so that a column can be told by its values.
QTableWidget* previewOf(const imports::CsvTable& table)
{
    auto* preview = new QTableWidget(static_cast<int>(std::min(kShownRows, table.rows.size())),
                                     static_cast<int>(table.header.size()));
    preview->setAccessibleName(CsvColumnsDialog::tr("The first rows of the table"));
    preview->setHorizontalHeaderLabels(table.header);
    preview->setEditTriggers(QAbstractItemView::NoEditTriggers);
    preview->setTabKeyNavigation(false);
    for (int row = 0; row < preview->rowCount(); ++row)
        for (int column = 0; column < preview->columnCount(); ++column)
            preview->setItem(row, column, new QTableWidgetItem(table.rows[row][column]));
    preview->resizeColumnsToContents();
    preview->setMaximumHeight(190);
    return preview;
}

} // namespace

std::optional<imports::CsvTable> CsvColumnsDialog::neededFor(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != QLatin1String("csv") && suffix != QLatin1String("tsv"))
        return std::nullopt;
    const Result<QByteArray> bytes = readFile(file, kMostCsvBytes);
    if (!bytes)
        return std::nullopt;
    const Result<imports::CsvTable> table = imports::parseCsv(bytes.value(), file);
    if (!table)
        return std::nullopt;
    const auto runs = imports::runsOfCsv(table.value(), {}, file);
    if (runs || runs.failure().code != QLatin1String("columns_missing"))
        return std::nullopt;
    return table.value();
}

/// The names of imports::csvFields() for people.
static QString fieldTitle(const QString& field)
{
    const QHash<QString, QString> titles{
        {QStringLiteral("workload"), CsvColumnsDialog::tr("Workload")},
        {QStringLiteral("scale"), CsvColumnsDialog::tr("Scale")},
        {QStringLiteral("model"), CsvColumnsDialog::tr("Network")},
        {QStringLiteral("device"), CsvColumnsDialog::tr("Device")},
        {QStringLiteral("precision"), CsvColumnsDialog::tr("Precision")},
        {QStringLiteral("system"), CsvColumnsDialog::tr("System")},
        {QStringLiteral("submitter"), CsvColumnsDialog::tr("Submitter")},
        {QStringLiteral("round"), CsvColumnsDialog::tr("Round of MLPerf")},
        {QStringLiteral("nodes"), CsvColumnsDialog::tr("Nodes")},
        {QStringLiteral("workers"), CsvColumnsDialog::tr("Workers")},
        {QStringLiteral("global_batch"), CsvColumnsDialog::tr("Global batch")},
        {QStringLiteral("seed"), CsvColumnsDialog::tr("Seed")},
        {QStringLiteral("status"), CsvColumnsDialog::tr("State")},
        {QStringLiteral("quality"), CsvColumnsDialog::tr("Quality")},
        {QStringLiteral("target"), CsvColumnsDialog::tr("Target")},
        {QStringLiteral("epochs"), CsvColumnsDialog::tr("Epochs")},
        {QStringLiteral("seconds"), CsvColumnsDialog::tr("Time to train, in seconds")},
        {QStringLiteral("minutes"), CsvColumnsDialog::tr("Time to train, in minutes")},
        {QStringLiteral("samples_per_s"), CsvColumnsDialog::tr("Samples/s")},
        {QStringLiteral("threads_per_worker"), CsvColumnsDialog::tr("Threads per worker")},
        {QStringLiteral("data"), CsvColumnsDialog::tr("Data")},
        {QStringLiteral("batch_policy"), CsvColumnsDialog::tr("Batch policy")},
        {QStringLiteral("compute_precision"), CsvColumnsDialog::tr("Precision computed in")},
        {QStringLiteral("learning_rate"), CsvColumnsDialog::tr("Learning rate")},
        {QStringLiteral("series"), CsvColumnsDialog::tr("Series")},
        {QStringLiteral("oversubscribed"), CsvColumnsDialog::tr("Oversubscribed")},
        {QStringLiteral("marks"), CsvColumnsDialog::tr("Marks")},
        {QStringLiteral("remarks"), CsvColumnsDialog::tr("Remarks")},
        {QStringLiteral("run_id"), CsvColumnsDialog::tr("Name of the run")}};
    return titles.value(field, field);
}

/// The fields without which there is no run at the top of the long list.
static QStringList neededFirst(QStringList fields)
{
    const QStringList needed{QStringLiteral("workers"), QStringLiteral("minutes"),
                             QStringLiteral("seconds"), QStringLiteral("samples_per_s")};
    fields.removeIf([&needed](const QString& field) { return needed.contains(field); });
    return needed + fields;
}

CsvColumnsDialog::CsvColumnsDialog(const QString& file, const imports::CsvTable& table,
                                   QWidget* parent)
    : QDialog(parent),
      m_file(file),
      m_table(table),
      m_verdict(makeLabel(QString(), "small")),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel)),
      m_checking(new LatestJob(this))
{
    setWindowTitle(tr("Columns of the table"));
    resize(720, 620);
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeLabel(QFileInfo(file).fileName(), "section"));
    column->addWidget(makeLabel(
        tr("A row becomes a run. It needs the workers and a time; the rest says more about it."),
        "muted"));
    column->addWidget(previewOf(table));
    auto* body = new QWidget;
    auto* form = new QFormLayout(body);
    for (const QString& name : neededFirst(imports::csvFields())) {
        auto* choice = new ChoiceBox;
        choice->setObjectName(QStringLiteral("column_") + name);
        choice->addItem(tr("no column"), -1);
        for (int i = 0; i < table.header.size(); ++i)
            choice->addItem(table.header[i], i);
        const qsizetype same = table.column(name);
        choice->setCurrentIndex(same < 0 ? 0 : choice->findData(static_cast<int>(same)));
        choice->setToolTip(name); // what the command calls it
        form->addRow(fieldTitle(name), choice);
        m_fields.insert(name, choice);
        connect(choice, &QComboBox::currentIndexChanged, this, &CsvColumnsDialog::check);
    }
    column->addWidget(makeScrolled(body), 1);
    m_verdict->setWordWrap(true);
    m_verdict->setObjectName(QStringLiteral("columnsVerdict"));
    column->addWidget(m_verdict);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("&Import"));
    column->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

imports::CsvMapping CsvColumnsDialog::mapping() const
{
    imports::CsvMapping mapping;
    for (auto it = m_fields.begin(); it != m_fields.end(); ++it)
        if (const int column = it.value()->currentData().toInt(); column >= 0)
            mapping.insert(it.key(), m_table.header[column]);
    return mapping;
}

bool CsvColumnsDialog::isChecking() const
{
    return m_checking->isBusy();
}

void CsvColumnsDialog::check()
{
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(false);
    m_checking->ask(
        [table = m_table, columns = mapping(), name = QFileInfo(m_file).fileName()] {
            return imports::runsOfCsv(table, columns, name);
        },
        [this](const Result<imports::CsvRuns>& runs) { judge(runs); });
}

void CsvColumnsDialog::judge(const Result<imports::CsvRuns>& runs)
{
    const bool any = runs && !runs.value().runs.isEmpty();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(any);
    if (!runs) {
        m_verdict->setText(
            runs.failure().code == QLatin1String("columns_missing")
                ? tr("Choose the column of the workers, and one of the time to train or of "
                     "samples/s.")
                : runs.failure().message);
        return;
    }
    const auto count = static_cast<int>(runs.value().runs.size());
    QString text = tr("%n run(s) can be read.", nullptr, count);
    if (runs.value().defectCount > 0)
        text += QLatin1Char(' ') + tr("%n row(s) cannot.", nullptr, runs.value().defectCount);
    m_verdict->setText(text);
}

} // namespace scalebench
