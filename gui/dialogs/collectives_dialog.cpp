// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/collectives_dialog.h"

#include "base/file_io.h"
#include "charts/chart_panel.h"
#include "settings/app_settings.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QSet>
#include <QVBoxLayout>

namespace scalebench {

namespace {
constexpr qint64 kMostTextBytes = 64 << 20;
}

CollectivesDialog::CollectivesDialog(QWidget* parent)
    : QDialog(parent),
      m_panel(new ChartPanel(tr("Bandwidth of collectives"))),
      m_bar(new InlineBar),
      m_which(new QComboBox)
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
    QStringList problems;
    m_bar->clear();
    for (const QString& file : files) {
        const Result<QByteArray> bytes = readFile(file, kMostTextBytes);
        if (!bytes) {
            problems << bytes.failure().message;
            continue;
        }
        const auto curves = imports::readCollectives(bytes.value(), QFileInfo(file).fileName());
        if (!curves) {
            problems << curves.failure().message;
            continue;
        }
        m_curves += curves.value();
        for (qsizetype i = 0; i < curves.value().size(); ++i)
            m_names << QFileInfo(file).completeBaseName();
    }
    if (!problems.isEmpty())
        m_bar->showMessage(InlineBar::Level::Error, problems.first(),
                           problems.mid(1).join(QLatin1Char('\n')));
    rebuild();
}

void CollectivesDialog::rebuild()
{
    const bool several = QSet<QString>(m_names.begin(), m_names.end()).size() > 1;
    m_panel->setChart(
        collectiveChart(m_curves, several ? m_names : QStringList(),
                        static_cast<CollectiveBandwidth>(m_which->currentData().toInt())));
}

void CollectivesDialog::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void CollectivesDialog::dropEvent(QDropEvent* event)
{
    QStringList files;
    const auto urls = event->mimeData()->urls();
    for (const QUrl& url : urls)
        if (url.isLocalFile())
            files << url.toLocalFile();
    addFiles(files);
    event->acceptProposedAction();
}

} // namespace scalebench
