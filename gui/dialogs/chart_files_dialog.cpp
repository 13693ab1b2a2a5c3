// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/chart_files_dialog.h"

#include "dialogs/file_reading.h"

#include "base/file_io.h"
#include "charts/chart_panel.h"
#include "figures/chart_csv.h"
#include "import/import_store.h"
#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr qint64 kMostChartBytes = 256 << 20;
}

ChartFilesDialog::ChartFilesDialog(const QString& libraryDir, QWidget* parent)
    : QDialog(parent),
      m_choice(new ChoiceBox),
      m_panel(new ChartPanel(tr("Chart"))),
      m_bar(new InlineBar),
      m_reading(new FileReading(m_bar, this))
{
    setWindowTitle(tr("Charts from files"));
    setAcceptDrops(true);
    resize(860, 600);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_bar);
    auto* row = new QHBoxLayout;
    auto* label = makeLabel(tr("C&hart"));
    label->setBuddy(m_choice);
    m_choice->setAccessibleName(tr("Chart"));
    m_choice->setObjectName(QStringLiteral("chartFile"));
    row->addWidget(label);
    row->addWidget(m_choice, 1);
    column->addLayout(row);
    column->addWidget(m_panel, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* add = buttons->addButton(tr("&Add files…"), QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(m_choice, &QComboBox::activated, this, &ChartFilesDialog::show);
    connect(add, &QPushButton::clicked, this, &ChartFilesDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    ChartData nothing;
    nothing.emptyText = tr("Add the CSV of a chart: what “Export picture or data” wrote, or any "
                           "table of series, x and y. Imported ones are offered here.");
    m_panel->setChart(nothing);
    if (!libraryDir.isEmpty())
        read([libraryDir] {
            return imports::storedReferences(libraryDir, QStringLiteral("chart"));
        });
}

void ChartFilesDialog::choose()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Charts that were exported as CSV"), AppSettings::instance().lastFolder(),
        tr("Tables (*.csv *.tsv);;All files (*)"));
    if (files.isEmpty())
        return;
    AppSettings::instance().setLastFolder(QFileInfo(files.first()).absolutePath());
    addFiles(files);
}

void ChartFilesDialog::addFiles(const QStringList& files)
{
    if (!files.isEmpty())
        read([files] { return files; });
}

bool ChartFilesDialog::isReading() const
{
    return m_reading->isBusy();
}

namespace {

struct ReadCharts {
    QList<std::pair<QString, ChartData>> charts; ///< by the files' names
    QStringList problems;
};

ReadCharts readCharts(const QStringList& files)
{
    ReadCharts read;
    for (const QString& file : files) {
        const QString name = imports::referenceName(file);
        const Result<QByteArray> bytes = readFile(file, kMostChartBytes);
        const Result<ChartData> chart =
            bytes ? chartOfCsv(bytes.value(), name) : Result<ChartData>(bytes.failure());
        if (chart)
            read.charts << std::pair(QFileInfo(name).fileName(), chart.value());
        else
            read.problems << chart.failure().message;
    }
    return read;
}

} // namespace

void ChartFilesDialog::read(const std::function<QStringList()>& which)
{
    m_bar->clear();
    m_reading->start([which] { return readCharts(which()); },
                     [this](const ReadCharts& read) {
                         for (const auto& [name, chart] : read.charts) {
                             m_charts << chart;
                             m_choice->addItem(QStringLiteral("%1 (%2)").arg(chart.title, name));
                         }
                         if (!read.problems.isEmpty())
                             m_bar->showMessage(InlineBar::Level::Error, read.problems.first(),
                                                read.problems.mid(1).join(QLatin1Char('\n')));
                         if (!read.charts.isEmpty())
                             show(static_cast<int>(m_charts.size()) - 1);
                     });
}

void ChartFilesDialog::show(int index)
{
    m_choice->setCurrentIndex(index);
    m_panel->setTitle(m_charts[index].title);
    m_panel->setChart(m_charts[index]);
}

void ChartFilesDialog::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        acceptCopy(event);
}

void ChartFilesDialog::dropEvent(QDropEvent* event)
{
    addFiles(droppedFiles(*event->mimeData()));
    acceptCopy(event);
}

} // namespace scalebench
