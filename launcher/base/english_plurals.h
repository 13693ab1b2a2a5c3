// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The source language's plurals without a translation file: "%n run(s)" becomes "1 run", "2 runs".
// Installed by every program, so that a real translation installed later comes before it.

#include <QTranslator>

namespace scalebench {

class EnglishPlurals : public QTranslator
{
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* sourceText, const char* disambiguation,
                      int n) const override;
};

} // namespace scalebench
