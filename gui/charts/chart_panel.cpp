// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_panel.h"

#include "base/translated.h"
#include "charts/chart_export.h"
#include "charts/chart_table_model.h"
#include "charts/chart_widget.h"
#include "dialogs/export_dialog.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"
#include "widgets/widgets.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

ChartPanel::ChartPanel(const QString& title, QWidget* parent)
    : QFrame(parent),
      m_title(new ElidedLabel("chartTitle")),
      m_head(new QHBoxLayout),
      m_follow(new QToolButton),
      m_chartTab(new QToolButton),
      m_dataTab(new QToolButton),
      m_menu(new QToolButton),
      m_stack(new QStackedWidget),
      m_chart(new ChartWidget),
      m_notes(new ElidedLabel("small")),
      m_model(new ChartTableModel(this)),
      m_table(new DataTable(QString(), title, false)),
      m_tableTimer(new QTimer(this))
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 7, 7, 7);
    column->setSpacing(3);
    column->addLayout(m_head);
    column->addWidget(m_stack, 1);
    m_notes->setObjectName(QStringLiteral("chartNotes"));
    m_notes->hide();
    column->addWidget(m_notes);
    setupHead(title);
    setupBody();
}

void ChartPanel::setupHead(const QString& title)
{
    m_head->setSpacing(4);
    static_cast<ElidedLabel*>(m_title)->setFullText(title);
    m_head->addWidget(m_title);
    m_head->addStretch(1);
    m_follow->setText(tr("Follow"));
    m_follow->setToolTip(tr("Show all data again and follow new points (Home)"));
    m_follow->setProperty("segment", true);
    m_follow->hide();
    m_head->addWidget(m_follow);
    auto* tabs = new QButtonGroup(this);
    const auto tab = [&](QToolButton* button, const QString& text, const QString& name) {
        button->setText(text);
        button->setAccessibleName(name);
        button->setCheckable(true);
        button->setProperty("segment", true);
        tabs->addButton(button);
        m_head->addWidget(button);
    };
    tab(m_chartTab, tr("Chart"), tr("%1: show the chart").arg(title));
    tab(m_dataTab, tr("Data"), tr("%1: show the values as a table").arg(title));
    m_chartTab->setChecked(true);
    m_menu->setToolTip(tr("Export, axes and views of this chart"));
    m_menu->setAccessibleName(tr("%1: export and view").arg(title));
    m_menu->setPopupMode(QToolButton::InstantPopup);
    m_menu->setProperty("menuOnly", true);
    setThemeIcon(m_menu, QStringLiteral("export"));
    auto* menu = new QMenu(m_menu);
    menu->addAction(tr("&Export picture or data…"), this, &ChartPanel::exportPicture);
    menu->addAction(tr("&Copy picture"), this, &ChartPanel::copyPicture);
    menu->addAction(tr("Copy &data"), this, &ChartPanel::copyData);
    m_chart->addActions(menu->actions()); // by a right click too
    setupMenu(menu);
    m_menu->setMenu(menu);
    m_head->addWidget(m_menu);
    connect(m_dataTab, &QToolButton::toggled, this, &ChartPanel::showData);
    connect(m_follow, &QToolButton::clicked, m_chart, &ChartWidget::fit);
}

void ChartPanel::setupMenu(QMenu* menu)
{
    menu->addSeparator();
    menu->addAction(tr("&Fit to data (Home)"), m_chart, &ChartWidget::fit);
    QAction* back = menu->addAction(tr("View &before (Backspace)"), m_chart, &ChartWidget::goBack);
    QAction* forward = menu->addAction(tr("&Next view"), m_chart, &ChartWidget::goForward);
    menu->addSeparator();
    const auto check = [&](const QString& text, const char* name) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        return action;
    };
    QAction* logX = check(tr("Logarithmic &x axis"), "logX");
    QAction* logY = check(tr("Logarithmic &y axis"), "logY");
    connect(logX, &QAction::triggered, m_chart, &ChartWidget::setLogX);
    connect(logY, &QAction::triggered, m_chart, &ChartWidget::setLogY);
    setupLegendMenu(menu->addMenu(tr("&Legend")));
    connect(menu, &QMenu::aboutToShow, this, [this, back, forward, logX, logY] {
        back->setEnabled(m_chart->canGoBack());
        forward->setEnabled(m_chart->canGoForward());
        logX->setChecked(m_chart->isLogX());
        logY->setChecked(m_chart->isLogY());
        logX->setEnabled(chart().canLogX());
        logY->setEnabled(chart().canLogY());
    });
    menu->addSeparator();
    for (const QString& how :
         {tr("Drag moves, Shift and drag frames, Ctrl and wheel zoom, click pins"),
          tr("N writes a note, Delete takes it away; notes and legend can be "
             "dragged")})
        menu->addAction(how)->setEnabled(false);
}

/// What dragging does, for the keyboard.
void ChartPanel::setupLegendMenu(QMenu* menu)
{
    struct Choice {
        QString text;
        std::optional<QPointF> place;
    };
    constexpr double kNear = 0.01, kFar = 1; // as far as its own size lets it go
    const QList<Choice> choices{{tr("&Above the axes"), {}},
                                {tr("At the top &left"), QPointF(kNear, kNear)},
                                {tr("At the top &right"), QPointF(kFar, kNear)},
                                {tr("At the &bottom left"), QPointF(kNear, kFar)},
                                {tr("At the botto&m right"), QPointF(kFar, kFar)}};
    for (const Choice& choice : choices)
        connect(menu->addAction(choice.text), &QAction::triggered, m_chart,
                [this, place = choice.place] { m_chart->setLegendPlace(place); });
}

void ChartPanel::setupBody()
{
    m_chart->setAccessibleName(m_title->accessibleName());
    m_stack->addWidget(m_chart);
    m_stack->addWidget(m_table);
    m_table->setModel(m_model);
    // The page says how high a panel is at least; chart and table fit into what they get.
    m_stack->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
    m_tableTimer->setSingleShot(true);
    m_tableTimer->setInterval(500);
    connect(m_tableTimer, &QTimer::timeout, this, &ChartPanel::refreshTable);
    connect(m_chart, &ChartWidget::dataChanged, this, [this] {
        if (m_stack->currentIndex() == 1 && !m_tableTimer->isActive())
            m_tableTimer->start();
    });
    connect(m_chart, &ChartWidget::followingChanged, this,
            [this](bool following) { m_follow->setVisible(!following); });
}

void ChartPanel::addHeadWidget(QWidget* widget)
{
    m_head->insertWidget(m_head->indexOf(m_follow), widget);
}

void ChartPanel::addTitleWidget(QWidget* widget, int place)
{
    m_head->insertWidget(1 + place, widget);
}

void ChartPanel::setTitle(const QString& title, bool shown)
{
    static_cast<ElidedLabel*>(m_title)->setFullText(title);
    m_title->setVisible(shown);
    m_chart->setAccessibleName(title);
    m_chartTab->setAccessibleName(tr("%1: show the chart").arg(title));
    m_dataTab->setAccessibleName(tr("%1: show the values as a table").arg(title));
    m_menu->setAccessibleName(tr("%1: export and view").arg(title));
}

void ChartPanel::setChart(const ChartData& chart, const MakeChart& make)
{
    m_make = make;
    m_chart->setChart(chart);
    QStringList said = chart.notes();
    if (!m_hint.isEmpty())
        said.prepend(m_hint);
    const QString notes = said.join(QStringLiteral(" \u00b7 "));
    m_notes->setFullText(notes);
    m_notes->setVisible(!notes.isEmpty() && !chart.isEmpty());
}

void ChartPanel::setHint(const QString& hint)
{
    m_hint = hint;
}

const ChartData& ChartPanel::chart() const
{
    return m_chart->chart();
}

ChartData ChartPanel::chartInEnglish() const
{
    if (!m_make)
        return chart();
    const EnglishText english;
    return withTextsOf(chart(), m_make());
}

bool ChartPanel::showsData() const
{
    return m_stack->currentIndex() == 1;
}

void ChartPanel::showData(bool on)
{
    if (on)
        refreshTable();
    m_stack->setCurrentIndex(on ? 1 : 0);
    (on ? m_dataTab : m_chartTab)->setChecked(true);
}

void ChartPanel::refreshTable()
{
    m_model->setChart(m_chart->chart());
    m_table->view()->resizeColumnsToContents();
}

ExportOptions ChartPanel::asShown() const
{
    ExportOptions options;
    options.hidden = m_chart->hiddenSeries();
    options.legend = m_chart->legendPlace();
    options.notes = m_chart->notes();
    return options;
}

void ChartPanel::exportPicture()
{
    ExportDialog dialog(chart(), asShown(), window());
    dialog.setValues(chartInEnglish());
    if (dialog.exec() == QDialog::Accepted)
        Q_EMIT exported(dialog.fileName());
}

void ChartPanel::copyData()
{
    if (!showsData()) // else what is chosen there
        refreshTable();
    m_table->copySelection();
}

void ChartPanel::copyPicture()
{
    ExportOptions options = asShown();
    options.scale = AppSettings::instance().exportScale();
    options.lightTheme = AppSettings::instance().exportLightTheme();
    QApplication::setOverrideCursor(Qt::WaitCursor);
    QApplication::clipboard()->setImage(chartImage(chart(), options));
    QApplication::restoreOverrideCursor();
}

} // namespace scalebench
