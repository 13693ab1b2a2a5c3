// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/drop_hint.h"

namespace scalebench {

DropHint::DropHint(QWidget* window) : QLabel(window)
{
    setObjectName(QStringLiteral("dropHint"));
    setTextFormat(Qt::PlainText);
    setText(tr("Drop it here: a plan, a study's folder, a bundle, logs or tables"));
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setAttribute(Qt::WA_TransparentForMouseEvents); // the window takes what is dropped
    hide();
}

void DropHint::cover()
{
    constexpr int kMargin = 12;
    setGeometry(parentWidget()->rect().adjusted(kMargin, kMargin, -kMargin, -kMargin));
    raise();
    show();
}

} // namespace scalebench
