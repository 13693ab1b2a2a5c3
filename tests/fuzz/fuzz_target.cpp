// SPDX-License-Identifier: GPL-3.0-or-later
// One libFuzzer program for each parser; SB_FUZZ_PARSER is its name.
#include "parsers.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static const scalebench::fuzz::NamedParser parser = [] {
        for (const auto& known : scalebench::fuzz::parsers())
            if (std::strcmp(known.name, SB_FUZZ_PARSER) == 0)
                return known;
        std::abort();
    }();
    parser.parse(QByteArray(reinterpret_cast<const char*>(data), qsizetype(size)));
    return 0;
}
