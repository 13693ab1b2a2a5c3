// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every table of the workbench can do: sort, filter, choose columns, copy as TSV, export CSV,
// remember its columns.

#include <QSortFilterProxyModel>
#include <QTableView>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace scalebench {

class DataTable : public QWidget
{
    Q_OBJECT
public:
    /// `key` names the remembered columns; with `tools` there is a filter line and buttons above.
    DataTable(const QString& key, const QString& accessibleName, bool tools,
              QWidget* parent = nullptr);
    ~DataTable() override;

    void setModel(QAbstractItemModel* model);
    /// Another view of the same rows, below the same filter line, in place of the table.
    void addOtherView(QWidget* view);
    void showOtherView(bool on);
    bool isOtherViewShown() const { return m_other && !m_other->isHidden(); }
    QTableView* view() const { return m_view; }
    QSortFilterProxyModel* proxy() const { return m_proxy; }
    /// Rows of the source model that are selected, top to bottom.
    QList<int> selectedSourceRows() const;
    void selectSourceRow(int row);
    void focusFilter();
    QString filterText() const;
    void setFilterText(const QString& text);
    /// The first column becomes the row heads, which stay in sight while the others scroll.
    void setRowHeads();
    /// As high as its rows, at most `maximum` of them.
    void fitHeight(int maximum);
    /// All columns in the width there is, what is left over shared out; also after a resize.
    void spreadColumns();

    /// The selection (all rows where nothing is selected), tab separated, with a header line.
    QString tsv() const;
    QByteArray csv() const;

public Q_SLOTS:
    void copySelection();
    void exportCsv();

Q_SIGNALS:
    void rowActivated(int sourceRow);
    void selectionChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void setupTools();
    void updateFound();
    void setupView(const QString& accessibleName);
    void showColumnMenu(const QPoint& at);
    void restoreColumns();
    void saveColumns();
    QStringList headTexts() const;
    QStringList rowTexts(int row) const;
    QList<int> visibleColumns() const;

    QString m_key;
    int m_fitRows = 0; ///< 0: height is free
    bool m_spread = false;
    bool m_rowHeads = false;
    QTableView* m_view;
    QSortFilterProxyModel* m_proxy;
    QLineEdit* m_filter = nullptr;
    QToolButton* m_columns = nullptr;
    QLabel* m_found = nullptr; ///< how many rows the filter lets through
    QLabel* m_nothing;         ///< said where that is none
    QWidget* m_other = nullptr;
};

} // namespace scalebench
