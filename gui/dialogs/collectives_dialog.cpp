// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/collectives_dialog.h"

#include "dialogs/file_reading.h"

#include "base/file_io.h"
#include "charts/chart_panel.h"
#include "import/import_store.h"
#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLocale>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {
constexpr qint64 kMostTextBytes = 64 << 20;
}

CollectivesDialog::CollectivesDialog(const QString& libraryDir, QWidget* parent)
    : QDialog(parent),
      m_panel(new ChartPanel(tr("Bandwidth of collectives"))),
      m_bar(new InlineBar),
      m_reading(new FileReading(m_bar, this)),
      m_which(new ChoiceBox),
      m_links(new QMenu(this))
{
    setWindowTitle(tr("Collective bandwidth"));
    setAcceptDrops(true);
    resize(820, 560);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_bar);
    column->addWidget(m_panel, 1);
    m_which->addItem(tr("bus bandwidth"), int(CollectiveBandwidth::Bus));
    m_which->addItem(tr("algorithm bandwidth"), int(CollectiveBandwidth::Algorithm));
    m_which->setAccessibleName(tr("Which bandwidth"));
    m_panel->addHeadWidget(m_which);
    m_panel->addHeadWidget(makeLinks());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* add = buttons->addButton(tr("&Add files…"), QDialogButtonBox::ActionRole);
    auto* clear = buttons->addButton(tr("&Clear"), QDialogButtonBox::ResetRole);
    column->addWidget(buttons);
    connect(m_which, &QComboBox::activated, this, &CollectivesDialog::rebuild);
    connect(add, &QPushButton::clicked, this, &CollectivesDialog::choose);
    connect(clear, &QPushButton::clicked, this, [this] {
        m_curves.clear();
        m_names.clear();
        m_bar->clear();
        rebuild();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    rebuild();
    if (!libraryDir.isEmpty())
        read([libraryDir] {
            return imports::storedReferences(libraryDir, QStringLiteral("nccl_tests")) +
                   imports::storedReferences(libraryDir, QStringLiteral("bench_collectives"));
        });
}

QPushButton* CollectivesDialog::makeLinks()
{
    auto* button = new QPushButton(tr("&Links"));
    button->setObjectName(QStringLiteral("linkPeaks"));
    button->setProperty("hasMenu", true);
    button->setToolTip(tr("Lines of what links can carry, to compare bus bandwidths with"));
    button->setMenu(m_links);
    QAction* device =
        m_links->addAction(tr("By the &device's name"), this, &CollectivesDialog::rebuild);
    device->setCheckable(true);
    device->setChecked(true);
    m_links->addSeparator();
    QAction* other = m_links->addAction(tr("&Other…"), this, &CollectivesDialog::addLink);
    for (const LinkPeak& link : knownLinks())
        offer(link, other);
    return button;
}

QAction* CollectivesDialog::offer(const LinkPeak& link, QAction* before)
{
    auto* action = new QAction(
        tr("%1: %2 GB/s").arg(link.name, QLocale().toString(link.oneWayGBs, 'g', 4)), m_links);
    action->setCheckable(true);
    m_links->insertAction(before, action);
    m_offered << std::pair(action, link);
    connect(action, &QAction::triggered, this, &CollectivesDialog::rebuild);
    return action;
}

void CollectivesDialog::addLink()
{
    bool ok = false;
    constexpr double kLeast = 0.001, kMost = 100'000;
    const double peak = QInputDialog::getDouble(this, tr("Another link"),
                                                tr("What it carries in one direction, GB/s"), 10,
                                                kLeast, kMost, 3, &ok);
    if (!ok)
        return;
    offer({tr("link"), peak}, m_links->actions().last())->setChecked(true);
    rebuild();
}

QList<LinkPeak> CollectivesDialog::links() const
{
    QList<LinkPeak> chosen;
    if (m_links->actions().first()->isChecked())
        chosen = linksOfCurves(m_curves);
    for (const auto& [action, link] : m_offered) {
        const bool there =
            std::any_of(chosen.begin(), chosen.end(), [&link = link](const LinkPeak& known) {
                return known.name == link.name && known.oneWayGBs == link.oneWayGBs;
            });
        if (action->isChecked() && !there)
            chosen << link;
    }
    return chosen;
}

void CollectivesDialog::choose()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Benchmarks of collectives, or nccl-tests"), AppSettings::instance().lastFolder());
    if (files.isEmpty())
        return;
    AppSettings::instance().setLastFolder(QFileInfo(files.first()).absolutePath());
    addFiles(files);
}

void CollectivesDialog::addFiles(const QStringList& files)
{
    if (!files.isEmpty())
        read([files] { return files; });
}

bool CollectivesDialog::isReading() const
{
    return m_reading->isBusy();
}

namespace {

struct ReadCurves {
    QList<imports::CollectiveCurve> curves;
    QStringList names, problems;
};

ReadCurves readCurves(const QStringList& files)
{
    ReadCurves read;
    for (const QString& file : files) {
        const Result<QByteArray> bytes = readFile(file, kMostTextBytes);
        const auto curves =
            bytes ? imports::readCollectives(bytes.value(), QFileInfo(file).fileName())
                  : Result<QList<imports::CollectiveCurve>>(bytes.failure());
        if (!curves) {
            read.problems << curves.failure().message;
            continue;
        }
        read.curves += curves.value();
        for (qsizetype i = 0; i < curves.value().size(); ++i)
            read.names << QFileInfo(imports::referenceName(file)).completeBaseName();
    }
    return read;
}

} // namespace

void CollectivesDialog::read(const std::function<QStringList()>& which)
{
    m_bar->clear();
    m_reading->start([which] { return readCurves(which()); },
                     [this](const ReadCurves& read) {
                         m_curves += read.curves;
                         m_names += read.names;
                         if (!read.problems.isEmpty())
                             m_bar->showMessage(InlineBar::Level::Error, read.problems.first(),
                                                read.problems.mid(1).join(QLatin1Char('\n')));
                         rebuild();
                     });
}

void CollectivesDialog::rebuild()
{
    const bool several = QSet<QString>(m_names.begin(), m_names.end()).size() > 1;
    m_panel->setChart([this, several] {
        return collectiveChart(m_curves, several ? m_names : QStringList(),
                               static_cast<CollectiveBandwidth>(m_which->currentData().toInt()),
                               links());
    });
}

void CollectivesDialog::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        acceptCopy(event);
}

void CollectivesDialog::dropEvent(QDropEvent* event)
{
    addFiles(droppedFiles(*event->mimeData()));
    acceptCopy(event);
}

} // namespace scalebench
