// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/annotation_dialog.h"

#include "widgets/elided_label.h"
#include "widgets/widgets.h"

#include <QCompleter>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace scalebench {

AnnotationDialog::AnnotationDialog(const QString& study, const Annotation& annotation,
                                   const QStringList& known, QWidget* parent)
    : QDialog(parent),
      m_tags(new QLineEdit(annotation.tags.join(QStringLiteral(", ")))),
      m_note(new QPlainTextEdit(annotation.note)),
      m_problem(makeLabel(QString(), "error")),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Tags and note"));
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* name = new ElidedLabel("section"); // it may be any length
    name->setFullText(study);
    name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    column->addWidget(name);
    auto* form = new QFormLayout;
    m_tags->setObjectName(QStringLiteral("tags"));
    m_tags->setPlaceholderText(tr("good, H100, before the driver update"));
    m_tags->setCompleter(new QCompleter(known, m_tags));
    m_tags->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    m_note->setObjectName(QStringLiteral("note"));
    m_note->setTabChangesFocus(true);
    m_note->setMinimumSize(420, 130);
    form->addRow(tr("&Tags, with commas"), m_tags);
    form->addRow(tr("&Note"), m_note);
    column->addLayout(form);
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    auto* kept = makeLabel(tr("Kept in your library, not in the study's folder: exports and "
                              "bundles do not hold them."),
                           "small");
    kept->setWordWrap(true);
    column->addWidget(kept);
    column->addWidget(m_buttons);
    connect(m_tags, &QLineEdit::textChanged, this, &AnnotationDialog::check);
    connect(m_note, &QPlainTextEdit::textChanged, this, &AnnotationDialog::check);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

void AnnotationDialog::check()
{
    const auto tags = parseTags(m_tags->text());
    QString problem = tags ? QString() : tags.failure().message;
    if (const auto length = m_note->toPlainText().size(); length > kLongestNote)
        problem =
            tr("A note has at most %1 characters; this one has %2.").arg(kLongestNote).arg(length);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_buttons->button(QDialogButtonBox::Save)->setEnabled(problem.isEmpty());
}

Annotation AnnotationDialog::annotation() const
{
    const auto tags = parseTags(m_tags->text());
    return {tags ? tags.value() : QStringList(), m_note->toPlainText().trimmed()};
}

} // namespace scalebench
