// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/export_dialog.h"

#include "base/file_io.h"
#include "charts/picture_file.h"
#include "settings/app_settings.h"
#include "widgets/choice_box.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>

#include <cmath>

namespace scalebench {

namespace {

QSize ofMillimetres(double width, double height)
{
    constexpr double kInch = 25.4;
    return (QSizeF(width, height) / kInch * kCssDpi).toSize();
}

} // namespace

ExportDialog::ExportDialog(const ChartData& chart, const ExportOptions& shown, QWidget* parent)
    : QDialog(parent),
      m_chart(chart),
      m_values(chart),
      m_shown(shown),
      m_format(new ChoiceBox),
      m_scale(new ChoiceBox),
      m_size(new ChoiceBox),
      m_light(new QCheckBox(tr("&Light theme, for print"))),
      m_headings(new QCheckBox(tr("&Title and caption"))),
      m_file(new QLineEdit),
      m_message(makeLabel(QString(), "error")),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Export chart"));
    setMinimumWidth(540);
    setupForm();
    setupButtons();
    updateFormat();
    m_file->setFocus();
    m_file->selectAll();
}

void ExportDialog::setupForm()
{
    auto* form = new QFormLayout(this);
    form->setContentsMargins(18, 16, 18, 14);
    form->setVerticalSpacing(9);
    form->addRow(makeLabel(m_chart.title, "section"));
    m_format->addItem(tr("PNG picture"), QStringLiteral("png"));
    m_format->addItem(tr("SVG drawing"), QStringLiteral("svg"));
    m_format->addItem(tr("PDF document"), QStringLiteral("pdf"));
    m_format->addItem(tr("CSV data of this chart"), QStringLiteral("csv"));
    m_format->addItem(tr("JSON data of this chart"), QStringLiteral("json"));
    m_format->setAccessibleName(tr("Format"));
    form->addRow(tr("&Format"), m_format);
    m_size->addItem(tr("1200 × 750, report"), QSize(1200, 750));
    m_size->addItem(tr("900 × 600, two columns"), QSize(900, 600));
    m_size->addItem(tr("1600 × 900, slide"), QSize(1600, 900));
    m_size->addItem(tr("170 × 106 mm, width of a page"), ofMillimetres(170, 106));
    m_size->setAccessibleName(tr("Size"));
    form->addRow(tr("Si&ze"), m_size);
    for (int scale = 1; scale <= 4; ++scale)
        m_scale->addItem(tr("%1×").arg(scale), double(scale));
    for (const int dpi : {150, 300, 600})
        m_scale->addItem(tr("%1 dpi").arg(dpi), double(dpi) / kCssDpi);
    m_scale->setCurrentIndex(AppSettings::instance().exportScale() - 1);
    m_scale->setAccessibleName(tr("Scale"));
    form->addRow(tr("&Scale"), m_scale);
    m_light->setChecked(AppSettings::instance().exportLightTheme());
    m_headings->setChecked(true);
    form->addRow(QString(), m_light);
    form->addRow(QString(), m_headings);
    auto* fileRow = new QHBoxLayout;
    auto* browseButton = new QPushButton(tr("&Browse…"));
    browseButton->setAutoDefault(false);
    m_file->setAccessibleName(tr("File"));
    m_file->setText(
        QDir(AppSettings::instance().lastFolder()).filePath(m_chart.id + QStringLiteral(".png")));
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(browseButton);
    auto* fileLabel = new QLabel(tr("F&ile"));
    fileLabel->setBuddy(m_file);
    form->addRow(fileLabel, fileRow);
    m_message->setWordWrap(true);
    m_message->hide();
    form->addRow(QString(), m_message);
    connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_format, &QComboBox::currentIndexChanged, this, &ExportDialog::updateFormat);
}

void ExportDialog::setupButtons()
{
    m_buttons->button(QDialogButtonBox::Save)->setDefault(true);
    static_cast<QFormLayout*>(layout())->addRow(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &ExportDialog::save);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString ExportDialog::suffix() const
{
    return m_format->currentData().toString();
}

bool ExportDialog::isPicture() const
{
    return suffix() != QLatin1String("csv") && suffix() != QLatin1String("json");
}

QString ExportDialog::fileName() const
{
    return m_file->text();
}

void ExportDialog::setFileName(const QString& file)
{
    m_file->setText(file);
}

void ExportDialog::updateFormat()
{
    const bool picture = isPicture();
    m_scale->setEnabled(suffix() == QLatin1String("png"));
    m_size->setEnabled(picture);
    m_light->setEnabled(picture);
    m_headings->setEnabled(picture);
    const QFileInfo info(m_file->text());
    static const QStringList known{QStringLiteral("png"), QStringLiteral("svg"),
                                   QStringLiteral("pdf"), QStringLiteral("csv"),
                                   QStringLiteral("json")};
    if (known.contains(info.suffix().toLower()))
        m_file->setText(info.path() + QLatin1Char('/') + info.completeBaseName() +
                        QLatin1Char('.') + suffix());
}

void ExportDialog::browse()
{
    const QString file = QFileDialog::getSaveFileName(this, tr("Export chart"), m_file->text());
    if (!file.isEmpty())
        m_file->setText(file);
}

void ExportDialog::save()
{
    QString file = m_file->text().trimmed();
    if (QFileInfo(file).suffix().isEmpty())
        file += QLatin1Char('.') + suffix();
    // What is typed counts: a known ending chooses the format.
    const int byEnding = m_format->findData(QFileInfo(file).suffix().toLower());
    if (byEnding >= 0 && byEnding != m_format->currentIndex()) {
        m_format->setCurrentIndex(byEnding);
        m_file->setText(file);
    }
    if (QFileInfo::exists(file) &&
        QMessageBox::question(
            this, windowTitle(), tr("“%1” exists. Replace it?").arg(QFileInfo(file).fileName()),
            QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) != QMessageBox::Yes)
        return;
    ExportOptions options = m_shown;
    options.size = m_size->currentData().toSize();
    options.scale = m_scale->currentData().toDouble();
    options.lightTheme = m_light->isChecked();
    options.headings = m_headings->isChecked();
    // Cancel leaves the dialog; the file is whole or not there.
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(false);
    inBackground(
        this, drawChart(isPicture() ? m_chart : m_values, behindLink(file), options),
        [this, file, options](const Result<void>& result) { written(result, file, options); });
}

void ExportDialog::written(const Result<void>& result, const QString& file,
                           const ExportOptions& options)
{
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(true);
    if (!result) {
        m_message->setText(result.failure().message);
        m_message->show();
        return;
    }
    auto& settings = AppSettings::instance();
    if (options.scale == std::floor(options.scale)) // a resolution is of this picture alone
        settings.setExportScale(int(options.scale));
    settings.setExportLightTheme(options.lightTheme);
    settings.setLastFolder(QFileInfo(file).absolutePath());
    m_file->setText(file);
    accept();
}

} // namespace scalebench
