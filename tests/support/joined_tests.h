// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Several test programs in one (packaging/cmake/join-tests): it is the one whose name it is called
// by, or whose name is the first argument.

#include <cstdio>
#include <initializer_list>
#include <string_view>

namespace scalebench {

struct JoinedTest {
    std::string_view name;
    int (*main)(int argc, char** argv);
};

inline int runJoinedTest(int argc, char** argv, std::initializer_list<JoinedTest> tests)
{
    std::string_view called = argc > 0 ? argv[0] : "";
    called.remove_prefix(called.rfind('/') + 1);
    for (const JoinedTest& test : tests)
        if (test.name == called)
            return test.main(argc, argv);
    for (const JoinedTest& test : tests)
        if (argc > 1 && test.name == argv[1]) {
            argv[1] = argv[0];
            return test.main(argc - 1, argv + 1);
        }
    std::fputs("The first argument is one of:\n", stderr);
    for (const JoinedTest& test : tests)
        std::fprintf(stderr, "  %.*s\n", int(test.name.size()), test.name.data());
    return 2;
}

} // namespace scalebench
