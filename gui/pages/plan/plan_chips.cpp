// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_chips.h"

#include "base/plain_text.h"
#include "study/dimensions.h"
#include "widgets/flow_layout.h"
#include "widgets/widgets.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace scalebench {

static constexpr qsizetype kLongestText = 60;

QString settingText(const QString& path, const QList<QJsonValue>& values)
{
    QStringList texts;
    for (const QJsonValue& value : values)
        texts << valueText(path, value);
    return visibleLine(
        QStringLiteral("%1: %2").arg(dimensionTitle(path), texts.join(QStringLiteral(", "))));
}

PlanChips::PlanChips(QWidget* parent)
    : QWidget(parent), m_flow(new FlowLayout(this)), m_add(new QToolButton)
{
    m_add->setObjectName(QStringLiteral("addDimension"));
    m_add->setProperty("outlined", true);
    m_add->setText(tr("Add…"));
    m_add->setAccessibleName(tr("Add a setting with several values"));
    m_add->setToolTip(tr("A switch or a value of the recipe; each of its values gets runs"));
    connect(m_add, &QToolButton::clicked, this, &PlanChips::addRequested);
    m_flow->addWidget(m_add);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusProxy(m_add);
}

void PlanChips::show(const StudySpec& spec, int entry)
{
    QList<Chip> chips;
    const bool several = !spec.workloads.isEmpty();
    const Settings own = several ? spec.workloads.value(entry).settings : Settings();
    for (auto it = spec.settings.begin(); it != spec.settings.end(); ++it)
        if (!own.contains(it.key())) // which replaces it here
            chips << Chip{it.key(), settingText(it.key(), it.value()), true};
    for (auto it = own.begin(); it != own.end(); ++it)
        chips << Chip{it.key(), settingText(it.key(), it.value()), false};
    if (chips == m_chips)
        return;
    m_chips = chips;
    for (QWidget* widget : std::as_const(m_widgets)) {
        m_flow->removeWidget(widget);
        widget->deleteLater(); // it may be the one that was just clicked
        widget->hide();
    }
    m_widgets.clear();
    m_flow->removeWidget(m_add);
    for (const Chip& chip : std::as_const(m_chips)) {
        m_widgets << makeChip(chip);
        m_flow->addWidget(m_widgets.last());
        setTabOrder(m_widgets.last(), m_add);
    }
    m_flow->addWidget(m_add);
    m_flow->invalidate();
    updateGeometry();
}

QWidget* PlanChips::makeChip(const Chip& chip)
{
    auto* frame = new QFrame;
    frame->setProperty("valueChip", true);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(3, 1, 1, 1);
    row->setSpacing(0);
    auto* edit = new QToolButton;
    edit->setObjectName(QStringLiteral("chip:") + chip.path);
    QString text = chip.text;
    if (text.size() > kLongestText)
        text = text.first(kLongestText) + QChar(0x2026);
    edit->setText(text.replace(QLatin1Char('&'), QLatin1String("&&")));
    edit->setAccessibleName(tr("%1, edit").arg(chip.text));
    const QString of = chip.wholeStudy ? chip.path : tr("%1, of this workload only").arg(chip.path);
    edit->setToolTip(chip.text.size() > kLongestText ? chip.text + u'\n' + of : of);
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("close:") + chip.path);
    close->setIconSize({12, 12});
    close->setAccessibleName(tr("Take away %1").arg(dimensionTitle(chip.path)));
    close->setToolTip(close->accessibleName());
    setThemeIcon(close, QStringLiteral("close"));
    row->addWidget(edit);
    row->addWidget(close);
    connect(edit, &QToolButton::clicked, this,
            [this, chip] { Q_EMIT editRequested(chip.path, chip.wholeStudy); });
    connect(close, &QToolButton::clicked, this, [this, chip] {
        m_add->setFocus(Qt::OtherFocusReason); // the button with the focus goes away
        Q_EMIT closed(chip.path, chip.wholeStudy);
    });
    return frame;
}

} // namespace scalebench
