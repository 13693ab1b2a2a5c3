// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/claim_dialog.h"

#include "analysis/claim.h"
#include "widgets/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace scalebench {

ClaimDialog::ClaimDialog(QWidget* parent)
    : QDialog(parent),
      m_sentence(new QLineEdit),
      m_figures(makeLabel(QString())),
      m_missing(makeLabel(QString())),
      m_fair(makeLabel(QString())),
      m_copy(new QPushButton(tr("&Copy the fair wording")))
{
    setWindowTitle(tr("Check a claim"));
    setMinimumWidth(560);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addWidget(makeLabel(
        tr("Two counts and two times, as they were claimed; nothing is looked up."), "muted"));
    m_sentence->setObjectName(QStringLiteral("claim"));
    m_sentence->setAccessibleName(tr("The claim"));
    m_sentence->setPlaceholderText(tr("8→32 GPUs, 31.5→10.67 min"));
    column->addWidget(m_sentence);
    for (QLabel* label : {m_figures, m_missing, m_fair}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    m_figures->setObjectName(QStringLiteral("claimFigures"));
    m_missing->setObjectName(QStringLiteral("claimMissing"));
    m_fair->setObjectName(QStringLiteral("claimFair"));
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(m_sentence, &QLineEdit::textChanged, this, &ClaimDialog::check);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_fair->text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

void ClaimDialog::check()
{
    tell();
    m_copy->setEnabled(!m_fair->text().isEmpty());
    // A layout alone keeps the height that it had before a text got a second line.
    if (const int needed = layout()->totalHeightForWidth(width()); needed > height())
        resize(width(), needed);
}

void ClaimDialog::tell()
{
    m_missing->clear();
    m_fair->clear();
    m_figures->clear();
    if (m_sentence->text().trimmed().isEmpty())
        return;
    const Result<Claim> claim = checkClaim(m_sentence->text());
    if (!claim) {
        m_figures->setText(claim.failure().message);
        return;
    }
    const Claim& told = claim.value();
    const auto number = [](double value) { return QLocale().toString(value, 'f', 2); };
    m_figures->setText(tr("%1 times as fast on %2 times as many: %3 % efficiency.")
                           .arg(number(told.speedup()), number(told.ideal()),
                                QLocale().toString(told.efficiency() * 100, 'f', 0)));
    if (!told.missing.isEmpty())
        m_missing->setText(tr("What it leaves out:") + QStringLiteral("\n\u2022 ") +
                           told.missing.join(QStringLiteral("\n\u2022 ")));
    m_fair->setText(told.fair);
}

} // namespace scalebench
