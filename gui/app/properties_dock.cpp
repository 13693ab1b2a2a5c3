// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/properties_dock.h"

#include "charts/series_colors.h"
#include "models/key_value_model.h"
#include "settings/app_settings.h"
#include "settings/theme_manager.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"

#include <QHeaderView>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

static constexpr int kKeyLetters = 22; ///< in width, until a person pulls the column

PropertiesDock::PropertiesDock(QWidget* parent)
    : QDockWidget(parent), m_model(new KeyValueModel(this))
{
    setObjectName(QStringLiteral("propertiesDock"));
    connect(&SeriesColors::instance(), &SeriesColors::changed, this, &PropertiesDock::showColor);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &PropertiesDock::showColor);
    build();
}

void PropertiesDock::build()
{
    delete widget();
    setWindowTitle(tr("Properties"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    m_title = new ElidedLabel("section");
    m_table = new DataTable(QStringLiteral("properties_dock"), tr("Properties"), true);
    m_table->setModel(m_model);
    if (AppSettings::instance().viewState(QStringLiteral("properties_dock")).isEmpty())
        m_table->view()->horizontalHeader()->resizeSection(0, kKeyLetters *
                                                                  fontMetrics().averageCharWidth());
    m_color = new QToolButton;
    m_color->setText(tr("&Colour"));
    m_color->setToolTip(tr("The colour of this in every chart"));
    m_color->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_color->setPopupMode(QToolButton::InstantPopup);
    m_color->setProperty("outlined", true);
    auto* menu = new QMenu(m_color);
    m_color->setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
        menu->clear();
        fillColorMenu(menu, m_shown.colorSubject, m_shown.title, m_undo);
    });
    auto* head = new QHBoxLayout;
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_color);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    setWidget(content);
    show(PageProperties());
}

void PropertiesDock::retranslate()
{
    const QString filter = m_table->filterText();
    build();
    m_table->setFilterText(filter);
}

void PropertiesDock::show(const PageProperties& properties, QUndoStack* undo)
{
    m_title->setFullText(properties.title.isEmpty() ? tr("Nothing is picked out on this page.")
                                                    : properties.title);
    m_model->setPairs(properties.pairs);
    m_shown = properties;
    m_undo = undo;
    showColor();
}

/// What was chosen; nothing where charts use the colours of the theme.
void PropertiesDock::showColor()
{
    m_color->setVisible(!m_shown.colorSubject.isEmpty());
    const QColor own =
        SeriesColors::instance().of(m_shown.colorSubject, ThemeManager::instance().theme());
    m_color->setIcon(own.isValid() ? colorSwatch(own) : QIcon());
}

} // namespace scalebench
