// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/shortcut_dialog.h"

#include "models/shortcut_model.h"
#include "settings/shortcuts.h"
#include "widgets/data_table.h"
#include "widgets/widgets.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace scalebench {

ShortcutDialog::ShortcutDialog(Shortcuts* shortcuts, QWidget* parent)
    : QDialog(parent),
      m_shortcuts(shortcuts),
      m_model(new ShortcutModel(shortcuts, this)),
      m_table(new DataTable(QStringLiteral("shortcuts"), tr("Keyboard shortcuts"), true)),
      m_keys(new QKeySequenceEdit),
      m_assign(new QPushButton(tr("&Assign"))),
      m_reset(new QPushButton(tr("As &delivered"))),
      m_note(makeLabel(QString(), "warning"))
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* column = new QVBoxLayout(this);
    m_table->setModel(m_model);
    m_table->view()->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->view()->horizontalHeader()->setSectionResizeMode(ShortcutModel::Action,
                                                              QHeaderView::Stretch);
    column->addWidget(m_table, 1);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Press the &keys"));
    label->setBuddy(m_keys);
    m_keys->setAccessibleName(tr("New keys"));
    m_keys->setClearButtonEnabled(true);
    row->addWidget(label);
    row->addWidget(m_keys, 1);
    row->addWidget(m_assign);
    row->addWidget(m_reset);
    column->addLayout(row);
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    column->addWidget(buttons);
    // Enter belongs to the keys that are typed.
    for (QPushButton* button : {m_assign, m_reset})
        button->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_table, &DataTable::selectionChanged, this, &ShortcutDialog::showCurrent);
    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutDialog::check);
    connect(m_assign, &QPushButton::clicked, this, &ShortcutDialog::assign);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        m_shortcuts->reset(current());
        showCurrent();
    });
    const int letter = fontMetrics().averageCharWidth();
    m_keys->setMinimumWidth(letter * 28); // "Strg+Umschalt+E", and what clears it
    resize(letter * 120, letter * 75);
    m_table->selectSourceRow(0);
    showCurrent();
}

int ShortcutDialog::current() const
{
    return m_table->selectedSourceRows().value(0, -1);
}

void ShortcutDialog::showCurrent()
{
    const int row = current();
    m_keys->setEnabled(row >= 0);
    m_reset->setEnabled(row >= 0 && m_shortcuts->isChanged(row));
    m_keys->setKeySequence(row < 0 ? QKeySequence()
                                   : m_shortcuts->entries().at(row).action->shortcut());
    check();
}

/// One key combination; what another action has is taken from it, and that is said before.
void ShortcutDialog::check()
{
    const int row = current();
    if (m_keys->keySequence().count() > 1)
        m_keys->setKeySequence(QKeySequence(m_keys->keySequence()[0]));
    const QKeySequence keys = m_keys->keySequence();
    const int owner = m_shortcuts->ownerOf(keys);
    m_assign->setEnabled(row >= 0 && owner != row &&
                         (owner >= 0 || keys != m_shortcuts->entries().at(row).action->shortcut()));
    m_note->setText(owner >= 0 && owner != row
                        ? tr("%1 belongs to “%2” and would be taken from it.")
                              .arg(keys.toString(QKeySequence::NativeText), m_model->title(owner))
                        : QString());
}

void ShortcutDialog::assign()
{
    if (const int row = current(); row >= 0)
        m_shortcuts->set(row, m_keys->keySequence());
    showCurrent();
}

} // namespace scalebench
