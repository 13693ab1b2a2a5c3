// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plain_labels.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>

namespace scalebench {

namespace {

/// Each label is polished before it is shown, those of message boxes and tooltips too.
class PlainLabels : public QObject
{
public:
    explicit PlainLabels(QObject* parent) : QObject(parent) {}

    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::Polish)
            if (auto* label = qobject_cast<QLabel*>(object);
                label && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        return false;
    }
};

} // namespace

void makeLabelsPlain(QCoreApplication* app)
{
    const QString name = QStringLiteral("plain labels");
    if (!app || app->findChild<QObject*>(name, Qt::FindDirectChildrenOnly))
        return;
    auto* filter = new PlainLabels(app);
    filter->setObjectName(name);
    app->installEventFilter(filter);
}

static void atStart()
{
    makeLabelsPlain(QCoreApplication::instance());
}

Q_COREAPP_STARTUP_FUNCTION(atStart)

} // namespace scalebench
