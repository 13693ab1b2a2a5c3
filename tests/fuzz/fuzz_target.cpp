// SPDX-License-Identifier: GPL-3.0-or-later
// One libFuzzer program for all parsers; SCALEBENCH_FUZZ_PARSER says which. Without it, it prints
// their names and ends.
#include "parsers.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using scalebench::fuzz::NamedParser;

static const NamedParser* chosen()
{
    const char* name = std::getenv("SCALEBENCH_FUZZ_PARSER");
    for (const NamedParser& known : scalebench::fuzz::parsers())
        if (name != nullptr && std::strcmp(known.name, name) == 0)
            return &known;
    return nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    if (chosen() != nullptr)
        return 0;
    for (const NamedParser& known : scalebench::fuzz::parsers())
        std::puts(known.name);
    std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const NamedParser* const parser = chosen();
    parser->parse(QByteArray(reinterpret_cast<const char*>(data), qsizetype(size)));
    return 0;
}
