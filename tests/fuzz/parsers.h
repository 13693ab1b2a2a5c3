// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Every parser of what comes from other people and other hosts, under one signature, with what must
// hold for whatever it accepts. Used by the fuzzers (clang) and by hostile_parsers_test (any
// compiler), which runs them over the corpus in tests/hostile/corpus/<name>/.

#include <QByteArray>
#include <QList>

namespace scalebench::fuzz {

struct NamedParser {
    const char* name;
    void (*parse)(const QByteArray& input); ///< aborts where a promise does not hold
};

const QList<NamedParser>& parsers();
const QList<NamedParser>& dataParsers();     ///< the engine's among them
const QList<NamedParser>& detectorParsers(); ///< and those of detectors
const QList<NamedParser>& engineParsers();   ///< of what the engine prints

} // namespace scalebench::fuzz
