// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What of a window does not fit, found by geometry: texts that are cut off without a sign of it
// (what is elided has a tooltip with the whole), widgets that lie over one another or out of their
// parent, pages that scroll sideways, charts whose labels have no room.

#include "charts/chart_widget.h"
#include "widgets/choice_box.h"
#include "widgets/elided_label.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>

namespace scalebench::test {

class Geometry
{
public:
    explicit Geometry(const QWidget& root) : m_root(root) {}

    QStringList faults()
    {
        const auto widgets = m_root.findChildren<QWidget*>();
        for (const QWidget* widget : widgets) {
            if (!widget->isVisible() || widget->window() != m_root.window())
                continue;
            checkName(widget);
            checkText(widget);
            checkPlace(widget);
            if (const auto* chart = qobject_cast<const ChartWidget*>(widget))
                for (const QString& text : chart->cutTexts())
                    add(widget, QStringLiteral("chart has no room for"), text);
            if (const auto* area = qobject_cast<const QScrollArea*>(widget))
                checkSideways(area);
            if (const auto* table = qobject_cast<const QTableView*>(widget))
                checkTable(table);
            if (widget->layout())
                checkOverlaps(widget);
        }
        return m_faults;
    }

private:
    void add(const QWidget* widget, const QString& what, const QString& text)
    {
        QString who = QString::fromLatin1(widget->metaObject()->className());
        for (const QWidget* up = widget; up && up != &m_root; up = up->parentWidget())
            if (!up->objectName().isEmpty() && !up->objectName().startsWith(QLatin1String("qt_"))) {
                who += QStringLiteral(" in “%1”").arg(up->objectName());
                break;
            }
        m_faults << QStringLiteral("%1: %2 “%3”").arg(who, what, text.left(90));
    }

    /// What the keyboard reaches has a name for who does not see it.
    void checkName(const QWidget* widget)
    {
        const bool reached = widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
                             !widget->focusProxy() &&
                             !widget->objectName().startsWith(QLatin1String("qt_"));
        if (!reached || qobject_cast<const QTabBar*>(widget)) // whose tabs have names
            return;
        QAccessibleInterface* told =
            QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        if (!told || told->text(QAccessible::Name).isEmpty())
            add(widget, QStringLiteral("is reached by Tab and has no name"), {});
    }

    void checkText(const QWidget* widget)
    {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            checkLabel(label);
        } else if (const auto* combo = qobject_cast<const QComboBox*>(widget)) {
            QStyleOptionComboBox option;
            option.initFrom(combo);
            const int room = combo->style()
                                 ->subControlRect(QStyle::CC_ComboBox, &option,
                                                  QStyle::SC_ComboBoxEditField, combo)
                                 .width();
            if (!combo->isEditable() && !qobject_cast<const ChoiceBox*>(combo) &&
                combo->fontMetrics().horizontalAdvance(combo->currentText()) > room)
                add(combo, QStringLiteral("cut off"), combo->currentText());
        } else if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) {
            const QString text = edit->text().isEmpty() ? edit->placeholderText() : QString();
            if (edit->toolTip().isEmpty() &&
                edit->fontMetrics().horizontalAdvance(text) > edit->contentsRect().width() - 4)
                add(edit, QStringLiteral("placeholder cut off"), text);
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            const auto* tool = qobject_cast<const QToolButton*>(button);
            const bool shown =
                !tool || tool->icon().isNull() || tool->toolButtonStyle() != Qt::ToolButtonIconOnly;
            if (shown && !button->text().isEmpty() && !button->property("elides").toBool() &&
                button->sizeHint().width() > button->width() + 1)
                add(button, QStringLiteral("cut off"), button->text());
            if (shown && !button->text().isEmpty() &&
                button->sizeHint().height() > button->height() + 2)
                add(button, QStringLiteral("too low for"), button->text());
        } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->isTabVisible(i) && tabs->tabToolTip(i).isEmpty() &&
                    tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) >
                        tabs->tabRect(i).width())
                    add(tabs, QStringLiteral("tab cut off"), tabs->tabText(i));
        }
    }

    void checkLabel(const QLabel* label)
    {
        if (label->text().isEmpty() || qobject_cast<const ElidedLabel*>(label))
            return; // that one has its whole text as tooltip
        const QSize room = label->size();
        if (label->wordWrap()) {
            if (label->heightForWidth(room.width()) > room.height() + 1)
                add(label, QStringLiteral("cut off below"), label->text());
            return;
        }
        const QSize needed = label->sizeHint();
        if (needed.width() > room.width() + 1 || needed.height() > room.height() + 2)
            add(label, QStringLiteral("cut off"), label->text());
    }

    /// Nothing reaches out of what holds it, but where that scrolls.
    void checkPlace(const QWidget* widget)
    {
        const QWidget* parent = widget->parentWidget();
        if (!parent || !parent->layout() || parent->layout()->indexOf(widget) < 0)
            return;
        if (!parent->rect().adjusted(-1, -1, 1, 1).contains(widget->geometry()))
            add(widget, QStringLiteral("reaches out of its parent by"),
                QStringLiteral("%1 px").arg(
                    std::max(widget->geometry().right() - parent->rect().right(),
                             widget->geometry().bottom() - parent->rect().bottom())));
    }

    void checkSideways(const QScrollArea* area)
    {
        if (!area->widget())
            return;
        const int over = area->widget()->width() - area->viewport()->width();
        const int needed = area->widget()->minimumSizeHint().width() - area->viewport()->width();
        if (over > 0 || needed > 0)
            add(area, QStringLiteral("scrolls sideways by"),
                QStringLiteral("%1 px").arg(std::max(over, needed)));
    }

    void checkTable(const QTableView* table)
    {
        const QAbstractItemModel* model = table->model();
        const QHeaderView* header = table->horizontalHeader();
        for (int column = 0; model && column < model->columnCount(); ++column) {
            if (table->isColumnHidden(column))
                continue;
            const QString head = model->headerData(column, Qt::Horizontal).toString();
            QFont bold = header->font();
            bold.setBold(true);
            if (header->isVisible() &&
                QFontMetrics(bold).horizontalAdvance(head) > header->sectionSize(column) &&
                (header->textElideMode() == Qt::ElideNone ||
                 model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty()))
                add(table, QStringLiteral("heading cut off"), head);
            for (int row = 0; row < std::min(model->rowCount(), 20); ++row) {
                const QModelIndex index = model->index(row, column);
                const QString text = index.data().toString();
                if (table->fontMetrics().horizontalAdvance(text) > table->columnWidth(column) &&
                    index.data(Qt::ToolTipRole).toString().isEmpty())
                    add(table, QStringLiteral("cell elided without tooltip"), text);
            }
        }
    }

    static void collect(const QLayout* layout, QList<const QWidget*>& widgets)
    {
        for (int i = 0; i < layout->count(); ++i) {
            QLayoutItem* item = layout->itemAt(i);
            if (item->layout())
                collect(item->layout(), widgets);
            else if (item->widget() && item->widget()->isVisible())
                widgets << item->widget();
        }
    }

    void checkOverlaps(const QWidget* parent)
    {
        if (parent->inherits("QStackedWidget") || parent->inherits("QMainWindow"))
            return;
        QList<const QWidget*> widgets;
        collect(parent->layout(), widgets);
        for (qsizetype i = 0; i < widgets.size(); ++i)
            for (qsizetype k = i + 1; k < widgets.size(); ++k)
                if (widgets[i]
                        ->geometry()
                        .adjusted(1, 1, -1, -1)
                        .intersects(widgets[k]->geometry().adjusted(1, 1, -1, -1)))
                    add(widgets[i], QStringLiteral("lies over"),
                        QString::fromLatin1(widgets[k]->metaObject()->className()));
    }

    const QWidget& m_root;
    QStringList m_faults;
};

} // namespace scalebench::test
