// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/study_choice.h"

#include "import/published_studies.h"

#include <QSignalBlocker>

#include <algorithm>

namespace scalebench {

namespace {

constexpr int kFigureRole = Qt::UserRole + 1;

QString titleOf(const QString& name, const QString& id)
{
    return name.isEmpty() ? id : QStringLiteral("%1 (%2)").arg(name, id);
}

/// What stands for the folder.
QString publishedKey(const QString& figure)
{
    return QStringLiteral("published:") + figure;
}

} // namespace

QString StudyChoice::keyOf(const Study& study)
{
    const QString figure = imports::publishedFigureOf(study);
    if (!figure.isEmpty())
        return publishedKey(figure);
    return study.dir.isEmpty() ? study.id : study.dir;
}

StudyChoice::StudyChoice(Published published, QWidget* parent)
    : ChoiceBox(parent), m_published(published)
{
    setAccessibleName(tr("Study"));
    setMinimumWidth(30 * fontMetrics().averageCharWidth());
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(this, &QComboBox::currentTextChanged, this, &QWidget::setToolTip); // long names are cut
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (const QString figure = itemData(index, kFigureRole).toString(); !figure.isEmpty())
            Q_EMIT publishedChosen(figure);
        else
            Q_EMIT studyChosen(itemData(index).toString());
    });
}

void StudyChoice::setStudies(const QList<StudySummary>& studies)
{
    m_studies = studies;
    std::sort(m_studies.begin(), m_studies.end(), [](const StudySummary& a, const StudySummary& b) {
        return a.createdMs > b.createdMs;
    });
    const QSignalBlocker blocker(this);
    clear();
    for (const StudySummary& study : std::as_const(m_studies))
        addItem(titleOf(study.name, study.id), study.dir);
    const bool all = m_published == Published::All;
    for (const imports::PublishedFigure& figure :
         all ? imports::publishedFigures() : imports::publishedStudies())
        if (!all || !imports::publishedStudy(figure.id).runs.isEmpty())
            addPublished(count(), figure);
    if (m_shown.isEmpty())
        return;
    if (findData(m_shown) < 0) // opened from outside the library
        insertItem(0, m_title, m_shown);
    setCurrentIndex(std::max(0, findData(m_shown)));
}

void StudyChoice::addPublished(int row, const imports::PublishedFigure& figure)
{
    insertItem(row, tr("Published: %1").arg(figure.title), publishedKey(figure.id));
    setItemData(row, figure.id, kFigureRole);
}

void StudyChoice::showStudy(const Study& study)
{
    m_shown = keyOf(study);
    m_title = titleOf(study.spec.name, study.id);
    const QString figure = imports::publishedFigureOf(study);
    if (findData(m_shown) < 0 && !figure.isEmpty())
        addPublished(0, {figure, study.spec.name});
    else if (findData(m_shown) < 0)
        insertItem(0, m_title, m_shown);
    setCurrentIndex(findData(m_shown));
}

} // namespace scalebench
