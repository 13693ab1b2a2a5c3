// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A library of the NVIDIA driver, loaded for as long as the object lives, or the process, and
// called by name.

#include <dlfcn.h>

#include <string>

namespace scalebench::device {

class SharedLibrary
{
public:
    explicit SharedLibrary(const std::string& file)
        : file_(file), handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    {
        if (handle_ == nullptr)
            error_ = ::dlerror();
    }
    ~SharedLibrary()
    {
        if (handle_ != nullptr)
            ::dlclose(handle_);
    }
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    /// It stays when this object goes.
    void keepLoaded()
    {
        if (handle_ != nullptr)
            (void)::dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }

    bool loaded() const { return handle_ != nullptr; }
    const std::string& error() const { return error_; }
    /// Not found, as opposed to found and not loadable.
    bool missing() const { return error_.find("No such file") != std::string::npos; }

    /// Null where the library has no such function.
    template <class Function>
    Function* find(const char* name) const
    {
        return handle_ != nullptr ? reinterpret_cast<Function*>(::dlsym(handle_, name)) : nullptr;
    }

    /// The result of a function that returns an int or an enum; kMissing where there is none of
    /// that name.
    template <class... A>
    int call(const char* name, A... args) const
    {
        const auto function = find<int(A...)>(name);
        return function != nullptr ? function(args...) : kMissing;
    }
    static constexpr int kMissing = -1;

private:
    std::string file_;
    void* handle_ = nullptr;
    std::string error_;
};

} // namespace scalebench::device
