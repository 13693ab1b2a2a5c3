// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data_table.h"

#include "models/roles.h"
#include "settings/app_settings.h"
#include "widgets/widgets.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QRegularExpression>
#include <QScrollBar>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace scalebench {

namespace {

/// "2", "0.85", "2026-12": what is looked for as a whole, not within other figures.
bool isFigure(const QString& word)
{
    static const QRegularExpression figure(QStringLiteral("^\\d[\\d.,:-]*$"));
    return figure.match(word).hasMatch();
}

/// As a word of its own, with or without thousands' marks; of dates and times the beginning will
/// do.
bool hasFigure(const QString& text, QString figure)
{
    const QString thousands = QLocale().groupSeparator();
    figure.remove(thousands);
    static const QRegularExpression gap(QStringLiteral("[^\\w.,:-]+"),
                                        QRegularExpression::UseUnicodePropertiesOption);
    const auto is = [&](QString one) {
        one.remove(thousands);
        return one == figure ||
               (one.startsWith(figure) && QStringLiteral("-:").contains(one[figure.size()]));
    };
    const QStringList words = text.split(gap, Qt::SkipEmptyParts);
    return std::any_of(words.begin(), words.end(), is);
}

/// Rows in which every word occurs, whatever the column and the case.
class WordFilter : public QSortFilterProxyModel
{
public:
    WordFilter(const QTableView* view, QObject* parent)
        : QSortFilterProxyModel(parent), m_view(view)
    {
    }

    void setWords(const QString& text)
    {
        m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        if (m_words.isEmpty())
            return true;
        QStringList missing = m_words;
        const auto areFound = [&](int column, int role) {
            const QString text = sourceModel()->index(row, column, parent).data(role).toString();
            // Figures of columns that are not shown would be found and not seen.
            const bool figures = role == Qt::DisplayRole && !m_view->isColumnHidden(column);
            missing.removeIf([&](const QString& word) {
                return isFigure(word) ? figures && hasFigure(text, word)
                                      : text.contains(word, Qt::CaseInsensitive);
            });
            return missing.isEmpty();
        };
        for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
            if (areFound(column, Qt::DisplayRole))
                return true;
        return areFound(0, kSearchRole);
    }

private:
    const QTableView* m_view;
    QStringList m_words;
};

} // namespace

DataTable::DataTable(const QString& key, const QString& accessibleName, bool tools, QWidget* parent)
    : QWidget(parent),
      m_key(key),
      m_view(new QTableView(this)),
      m_proxy(new WordFilter(m_view, this)),
      m_nothing(makeLabel(QString(), "muted", this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    if (tools)
        setupTools();
    m_nothing->setObjectName(QStringLiteral("nothingMatches"));
    m_nothing->setWordWrap(true);
    m_nothing->hide();
    layout->addWidget(m_nothing);
    layout->addWidget(m_view, 1);
    setupView(accessibleName);
    m_proxy->setSortRole(kSortRole);
    m_view->setModel(m_proxy);
}

DataTable::~DataTable()
{
    saveColumns();
}

void DataTable::setupTools()
{
    auto* row = new QHBoxLayout;
    m_filter = new QLineEdit;
    m_filter->setPlaceholderText(tr("Filter rows (Ctrl+F)"));
    m_filter->setAccessibleName(tr("Filter rows"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(
        tr("Rows that have every word, in any column; figures as a whole: 4 is not 40"));
    connect(m_filter, &QLineEdit::textChanged, m_proxy, [this](const QString& text) {
        static_cast<WordFilter*>(m_proxy)->setWords(text);
        updateFound();
    });
    for (const auto changed : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_proxy, changed, this, &DataTable::updateFound);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &DataTable::updateFound);
    // What was found is chosen by the arrow keys then.
    const auto toRows = [this] { (isOtherViewShown() ? m_other : m_view)->setFocus(); };
    connect(m_filter, &QLineEdit::returnPressed, m_view, toRows);
    auto* down = new QShortcut(Qt::Key_Down, m_filter);
    down->setContext(Qt::WidgetShortcut);
    connect(down, &QShortcut::activated, m_view, toRows);
    row->addWidget(m_filter, 1);
    m_found = makeLabel(QString(), "small");
    m_found->setObjectName(QStringLiteral("filterFound"));
    m_found->hide();
    row->addWidget(m_found);
    const auto button = [&](const QString& icon, const QString& text) {
        auto* b = new QToolButton;
        b->setToolTip(text);
        b->setAccessibleName(text);
        b->setProperty("outlined", true);
        b->setIconSize({16, 16});
        setThemeIcon(b, icon);
        row->addWidget(b);
        return b;
    };
    connect(button(QStringLiteral("copy"), tr("Copy as TSV")), &QToolButton::clicked, this,
            &DataTable::copySelection);
    connect(button(QStringLiteral("export"), tr("Export as CSV…")), &QToolButton::clicked, this,
            &DataTable::exportCsv);
    m_columns = button(QStringLiteral("columns"), tr("Choose columns"));
    connect(m_columns, &QToolButton::clicked, this,
            [this] { showColumnMenu(m_columns->mapToGlobal(m_columns->rect().bottomLeft())); });
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    setTabOrder(m_columns, m_view);
}

void DataTable::setupView(const QString& accessibleName)
{
    m_view->setAccessibleName(accessibleName);
    m_view->setSortingEnabled(true);
    m_view->setAlternatingRowColors(true);
    m_view->setShowGrid(false);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->setTabKeyNavigation(false);
    m_view->setWordWrap(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(m_view->fontMetrics().height() + 11);
    QHeaderView* header = m_view->horizontalHeader();
    header->setHighlightSections(false);
    header->setTextElideMode(Qt::ElideRight);
    header->setStretchLastSection(true);
    header->setSectionsMovable(true);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QWidget::customContextMenuRequested, this,
            [this, header](const QPoint& at) { showColumnMenu(header->mapToGlobal(at)); });
    auto* copy = new QAction(tr("Copy"), m_view);
    copy->setShortcut(QKeySequence::Copy);
    copy->setShortcutContext(Qt::WidgetShortcut);
    connect(copy, &QAction::triggered, this, &DataTable::copySelection);
    auto* save = new QAction(tr("Export as CSV…"), m_view);
    connect(save, &QAction::triggered, this, &DataTable::exportCsv);
    m_view->addAction(copy);
    m_view->addAction(save);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        Q_EMIT rowActivated(m_proxy->mapToSource(index).row());
    });
}

void DataTable::setModel(QAbstractItemModel* model)
{
    m_proxy->setSourceModel(model);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DataTable::selectionChanged);
    restoreColumns();
}

void DataTable::addOtherView(QWidget* view)
{
    m_other = view;
    m_other->hide();
    static_cast<QVBoxLayout*>(layout())->addWidget(m_other, 1);
}

void DataTable::showOtherView(bool on)
{
    m_view->setVisible(!on);
    m_other->setVisible(on);
    if (m_columns)
        m_columns->setEnabled(!on); // they are the table's
}

void DataTable::updateFound()
{
    const QString words = filterText().trimmed();
    const int found = m_proxy->rowCount();
    const int all = m_proxy->sourceModel() ? m_proxy->sourceModel()->rowCount() : 0;
    m_found->setText(tr("%1 of %2").arg(locale().toString(found), locale().toString(all)));
    m_found->setVisible(!words.isEmpty());
    m_nothing->setText(tr("No row has “%1”.").arg(words));
    m_nothing->setVisible(found == 0 && all > 0 && !words.isEmpty());
}

void DataTable::restoreColumns()
{
    m_view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    const QByteArray state = AppSettings::instance().viewState(m_key);
    if (m_key.isEmpty() || state.isEmpty() || !m_view->horizontalHeader()->restoreState(state))
        m_view->resizeColumnsToContents();
}

void DataTable::saveColumns()
{
    if (!m_key.isEmpty() && m_proxy->sourceModel())
        AppSettings::instance().setViewState(m_key, m_view->horizontalHeader()->saveState());
}

QList<int> DataTable::selectedSourceRows() const
{
    QList<int> rows;
    if (!m_view->selectionModel())
        return rows;
    const auto selected = m_view->selectionModel()->selectedRows();
    for (const QModelIndex& index : selected)
        rows << m_proxy->mapToSource(index).row();
    std::sort(rows.begin(), rows.end());
    return rows;
}

void DataTable::selectSourceRow(int row)
{
    const QModelIndex index = m_proxy->mapFromSource(m_proxy->sourceModel()->index(row, 0));
    if (!index.isValid())
        return;
    // Not QTableView::selectRow(): mirrored, it finds no column before the table was laid out.
    const QHeaderView* head = m_view->horizontalHeader();
    int place = 0;
    while (place + 1 < head->count() && head->isSectionHidden(head->logicalIndex(place)))
        ++place;
    m_view->selectionModel()->setCurrentIndex(index.siblingAtColumn(head->logicalIndex(place)),
                                              QItemSelectionModel::ClearAndSelect |
                                                  QItemSelectionModel::Rows);
}

QString DataTable::filterText() const
{
    return m_filter ? m_filter->text() : QString();
}

void DataTable::setFilterText(const QString& text)
{
    if (m_filter)
        m_filter->setText(text);
}

void DataTable::focusFilter()
{
    if (m_filter)
        m_filter->setFocus(Qt::ShortcutFocusReason);
}

void DataTable::setRowHeads()
{
    m_rowHeads = true;
    m_view->hideColumn(0);
    // After a reset the header knows that the section is hidden, but gives it room again.
    connect(m_proxy, &QAbstractItemModel::modelReset, this, [this] {
        m_view->showColumn(0);
        m_view->hideColumn(0);
    });
    m_view->verticalHeader()->show();
    m_view->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->verticalHeader()->setHighlightSections(false);
}

void DataTable::fitHeight(int maximum)
{
    m_fitRows = maximum;
    const QHeaderView* header = m_view->horizontalHeader();
    const int rows = std::clamp(m_proxy->rowCount(), 1, maximum);
    const bool scrolls = m_view->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff &&
                         header->length() > width() - 4;
    setFixedHeight(header->sizeHint().height() +
                   rows * m_view->verticalHeader()->defaultSectionSize() + 4 +
                   (scrolls ? m_view->horizontalScrollBar()->sizeHint().height() : 0));
}

void DataTable::spreadColumns()
{
    m_spread = true;
    m_view->resizeColumnsToContents();
    const QList<int> columns = visibleColumns();
    QHeaderView* header = m_view->horizontalHeader();
    header->setStretchLastSection(false);
    // The viewport learns its new width only after this widget.
    int left = width() - 2 * m_view->frameWidth() - header->length();
    if (m_fitRows > 0 && m_proxy->rowCount() > m_fitRows)
        left -= m_view->verticalScrollBar()->sizeHint().width();
    for (qsizetype i = 0; i < columns.size() && left > 0; ++i) {
        const int share = left / static_cast<int>(columns.size() - i);
        header->resizeSection(columns[i], header->sectionSize(columns[i]) + share);
        left -= share;
    }
}

void DataTable::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_spread)
        spreadColumns();
    if (m_fitRows > 0)
        fitHeight(m_fitRows);
}

QList<int> DataTable::visibleColumns() const
{
    QList<int> columns;
    const QHeaderView* header = m_view->horizontalHeader();
    for (int visual = 0; visual < header->count(); ++visual) {
        const int logical = header->logicalIndex(visual);
        if (!header->isSectionHidden(logical) || (m_rowHeads && logical == 0))
            columns << logical;
    }
    return columns;
}

void DataTable::showColumnMenu(const QPoint& at)
{
    QMenu menu(this);
    QHeaderView* header = m_view->horizontalHeader();
    for (int column = 0; column < header->count(); ++column) {
        QAction* action = menu.addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!header->isSectionHidden(column));
        action->setEnabled(column > 0 || header->isSectionHidden(column));
        connect(action, &QAction::toggled, this, [this, header, column](bool on) {
            header->setSectionHidden(column, !on);
            static_cast<WordFilter*>(m_proxy)->setWords(filterText());
        });
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Fit widths to contents")), &QAction::triggered, m_view,
            &QTableView::resizeColumnsToContents);
    menu.exec(at);
}

} // namespace scalebench
