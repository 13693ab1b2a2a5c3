// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/compare/group_chips.h"

#include "base/plain_text.h"
#include "charts/series_colors.h"
#include "library/library.h"
#include "settings/theme_manager.h"
#include "widgets/choice_box.h"
#include "widgets/flow_layout.h"
#include "widgets/widgets.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPainter>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace scalebench {

namespace {

/// A dot in the group's colour in the charts.
QIcon dot(const ChartData& legend, int group)
{
    constexpr int kSize = 24; // drawn smaller: sharp on dense screens too
    QPixmap pixmap(kSize, kSize);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(
        SeriesColors::instance().colorOf(legend, group, ThemeManager::instance().theme()));
    painter.drawEllipse(3, 3, kSize - 6, kSize - 6);
    return pixmap;
}

} // namespace

GroupChips::GroupChips(QWidget* parent)
    : QWidget(parent), m_flow(new FlowLayout(this)), m_add(new ChoiceBox)
{
    m_add->setObjectName(QStringLiteral("addGroup"));
    m_add->setAccessibleName(tr("Add a study to the comparison"));
    m_add->setPlaceholderText(tr("Add a study…"));
    m_add->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_add->setMinimumContentsLength(18);
    m_flow->addWidget(m_add);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusProxy(m_add);
    connect(m_add, &QComboBox::activated, this, [this](int row) {
        const QString dir = m_add->itemData(row).toString();
        m_add->setCurrentIndex(-1);
        Q_EMIT studyChosen(dir);
    });
}

void GroupChips::setStudies(const QList<StudySummary>& studies)
{
    const QSignalBlocker blocker(m_add);
    m_add->clear();
    QList<StudySummary> sorted = studies;
    std::sort(sorted.begin(), sorted.end(), [](const StudySummary& a, const StudySummary& b) {
        return a.createdMs > b.createdMs;
    });
    for (const StudySummary& study : std::as_const(sorted))
        m_add->addItem(visibleLine(study.name.isEmpty()
                                       ? study.id
                                       : QStringLiteral("%1 (%2)").arg(study.name, study.id)),
                       study.dir);
    m_add->setCurrentIndex(-1);
    m_add->setEnabled(m_add->count() > 0);
}

void GroupChips::show(const QList<ComparedGroup>& groups)
{
    for (QWidget* widget : std::as_const(m_widgets)) {
        m_flow->removeWidget(widget);
        widget->hide();
        widget->deleteLater(); // it may be the one that was just clicked
    }
    m_widgets.clear();
    m_flow->removeWidget(m_add);
    const ChartData legend = groupLegend(groups);
    for (int g = 0; g < groups.size(); ++g) {
        m_widgets << makeChip(groups[g], g, legend);
        m_flow->addWidget(m_widgets.last());
        setTabOrder(m_widgets.last(), m_add);
    }
    m_flow->addWidget(m_add);
    m_flow->invalidate();
    updateGeometry();
}

QWidget* GroupChips::makeChip(const ComparedGroup& shown, int group, const ChartData& legend)
{
    auto* frame = new QFrame;
    frame->setProperty("valueChip", true);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(3, 1, 1, 1);
    row->setSpacing(0);
    auto* name = new QToolButton;
    name->setObjectName(QStringLiteral("group:%1").arg(group));
    name->setIcon(dot(legend, group));
    name->setIconSize({12, 12});
    name->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const QString whole = visibleLine(shown.group.name);
    QString text = shortName(whole);
    if (shown.group.runs.size() > 1)
        text = tr("%1, %n run(s)", nullptr, static_cast<int>(shown.group.runs.size())).arg(text);
    if (group == 0)
        text = tr("%1 (baseline)").arg(text);
    name->setAccessibleName(text);
    name->setText(text.replace(QLatin1Char('&'), QLatin1String("&&")));
    name->setToolTip(whole + u'\n' +
                     (group == 0 ? tr("The others are compared with this one")
                                 : tr("Compare the others with this one")));
    auto* close = new QToolButton;
    close->setObjectName(QStringLiteral("closeGroup:%1").arg(group));
    close->setIconSize({12, 12});
    close->setAccessibleName(tr("Take away %1").arg(visibleLine(shown.group.name)));
    close->setToolTip(close->accessibleName());
    setThemeIcon(close, QStringLiteral("close"));
    row->addWidget(name);
    row->addWidget(close);
    const auto paint = [name, legend, group] { name->setIcon(dot(legend, group)); };
    connect(&ThemeManager::instance(), &ThemeManager::changed, name, paint);
    connect(&SeriesColors::instance(), &SeriesColors::changed, name, paint);
    connect(name, &QToolButton::clicked, this, [this, group] {
        if (group > 0)
            Q_EMIT baselineChosen(group);
    });
    connect(close, &QToolButton::clicked, this, [this, group] {
        m_add->setFocus(Qt::OtherFocusReason); // the button with the focus goes away
        Q_EMIT closed(group);
    });
    return frame;
}

} // namespace scalebench
