// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/workload_card.h"

#include "base/translated.h"
#include "settings/theme_manager.h"
#include "widgets/widgets.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QStyleOptionButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace scalebench {

/// Named as the domain is in English, whatever language says it here.
static QString iconOf(const QString& domain)
{
    for (const QString& english :
         {QStringLiteral("Vision"), QStringLiteral("Language"), QStringLiteral("Commerce")})
        if (recipeText(english) == domain)
            return english.toLower();
    return QStringLiteral("chart");
}

namespace {

/// Ends in "…" where the column is too narrow for it.
class CardTitle : public QPushButton
{
public:
    CardTitle()
    {
        constexpr int kLeast = 80; // a long title is cut before it widens the column
        setMinimumWidth(kLeast);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        setProperty("sectionTitle", true);
        setProperty("elides", true);
    }

protected:
    void initStyleOption(QStyleOptionButton* option) const override
    {
        QPushButton::initStyleOption(option);
        const QRect room = style()->subElementRect(QStyle::SE_PushButtonContents, option, this);
        option->text = option->fontMetrics.elidedText(text(), Qt::ElideRight, room.width(),
                                                      Qt::TextShowMnemonic);
    }
};

} // namespace

WorkloadCard::WorkloadCard(const Workload& workload, QWidget* parent)
    : QFrame(parent),
      m_workload(workload),
      m_tick(new QCheckBox),
      m_scales(new QButtonGroup(this)),
      m_facts(makeLabel(QString(), "small"))
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 12);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    m_tick->setAccessibleName(tr("%1 in the plan").arg(workload.title));
    m_tick->setToolTip(tr("Train it in this plan; several can be ticked"));
    connect(m_tick, &QCheckBox::clicked, this,
            [this](bool on) { Q_EMIT ticked(m_workload.id, scaleId(), on); });
    head->addWidget(m_tick);
    auto* icon = new QToolButton;
    icon->setIconSize({20, 20});
    icon->setFocusPolicy(Qt::NoFocus);
    icon->setAttribute(Qt::WA_TransparentForMouseEvents);
    setThemeIcon(icon, iconOf(workload.domain));
    head->addWidget(icon);
    // With the keyboard, too, a card becomes the one whose settings are shown.
    auto* title = new CardTitle;
    title->setText(QString(workload.title).replace(QLatin1Char('&'), QLatin1String("&&")));
    title->setAccessibleName(tr("Settings of %1").arg(workload.title));
    title->setToolTip(title->accessibleName());
    connect(title, &QPushButton::clicked, this,
            [this] { Q_EMIT chosen(m_workload.id, scaleId()); });
    head->addWidget(title);
    head->addStretch(1);
    column->addLayout(head);
    setupScales();
    m_facts->setWordWrap(true);
    column->addWidget(m_facts);
    updateFacts();
}

void WorkloadCard::setupScales()
{
    for (int i = 0; i < m_workload.scales.size(); ++i) {
        const WorkloadScale& scale = m_workload.scales[i];
        auto* button = new QRadioButton(scale.id);
        button->setAccessibleName(
            QStringLiteral("%1, %2, %3").arg(m_workload.title, scale.id, scale.title));
        button->setToolTip(scale.description);
        button->setChecked(i == 0);
        m_scales->addButton(button, i);
        m_details << button;
        layout()->addWidget(button);
        auto* about = makeLabel(scale.title, "small");
        about->setWordWrap(true);
        about->setContentsMargins(23, 0, 0, 2);
        m_details << about;
        layout()->addWidget(about);
    }
    connect(m_scales, &QButtonGroup::idClicked, this, [this] {
        updateFacts();
        Q_EMIT chosen(m_workload.id, scaleId());
    });
}

QString WorkloadCard::scaleId() const
{
    const int id = m_scales->checkedId();
    return id >= 0 ? m_workload.scales[id].id : QString();
}

void WorkloadCard::setPlanned(bool planned, bool current, const QString& scaleId)
{
    const QSignalBlocker blocker(m_tick);
    m_tick->setChecked(planned);
    setStyleProperty(this, "selected", current);
    for (QWidget* detail : std::as_const(m_details))
        detail->setVisible(current);
    for (int i = 0; i < m_workload.scales.size(); ++i) {
        if (planned && m_workload.scales[i].id == scaleId)
            m_scales->button(i)->setChecked(true);
    }
    updateFacts();
}

/// "target 88 % top-1 accuracy". Only a title that begins with a word loses its capital: not
/// "NDCG".
QString WorkloadCard::targetText(const WorkloadScale& scale) const
{
    QString title = m_workload.metricTitle;
    if (title.size() > 1 && title[1].isLower())
        title[0] = title[0].toLower();
    return tr("target %1 %2").arg(metricText(m_workload.unit(), *scale.target, -1), title);
}

void WorkloadCard::updateFacts()
{
    const WorkloadScale* scale = m_workload.scale(scaleId());
    if (!scale)
        return;
    const QLocale locale;
    QStringList facts{m_workload.domain, scale->id, scale->model,
                      tr("at most %n epoch(s)", nullptr, scale->epochs)};
    if (scale->target)
        facts.insert(3, targetText(*scale));
    if (scale->parameters > 0)
        facts.insert(
            3, tr("%1 million parameters")
                   .arg(locale.toString(static_cast<double>(scale->parameters) / 1e6, 'f', 2)));
    facts << (scale->dataSource == QLatin1String("generated")
                  ? tr("generated data, works offline")
                  : tr("your data: %1").arg(scale->dataHint));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void WorkloadCard::mousePressEvent(QMouseEvent*)
{
    Q_EMIT chosen(m_workload.id, scaleId());
}

} // namespace scalebench
