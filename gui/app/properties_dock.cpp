// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/properties_dock.h"

#include "models/key_value_model.h"
#include "settings/app_settings.h"
#include "widgets/data_table.h"
#include "widgets/elided_label.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace scalebench {

static constexpr int kKeyLetters = 22; ///< in width, until a person pulls the column

PropertiesDock::PropertiesDock(QWidget* parent)
    : QDockWidget(parent), m_model(new KeyValueModel(this))
{
    setObjectName(QStringLiteral("propertiesDock"));
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
    column->addWidget(m_title);
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

void PropertiesDock::show(const PageProperties& properties)
{
    m_title->setFullText(properties.title.isEmpty() ? tr("Nothing is picked out on this page.")
                                                    : properties.title);
    m_model->setPairs(properties.pairs);
}

} // namespace scalebench
