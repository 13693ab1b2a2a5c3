// SPDX-License-Identifier: GPL-3.0-or-later
// Run by CMake: the compute capabilities of this machine's GPUs as the driver gives them, one a line
// ("90"), or on stderr why there are none. Asks the driver itself: nvidia-smi is missing in containers.

#include <cstdio>
#include <dlfcn.h>

int main()
{
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr) {
        std::fprintf(stderr, "no NVIDIA driver: libcuda.so.1 not found");
        return 1;
    }
    const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
    const auto get = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
    const auto attribute =
        reinterpret_cast<int (*)(int*, int, int)>(dlsym(driver, "cuDeviceGetAttribute"));
    int devices = 0;
    if (init == nullptr || count == nullptr || get == nullptr || attribute == nullptr ||
        init(0) != 0 || count(&devices) != 0 || devices == 0) {
        std::fprintf(stderr, "the NVIDIA driver shows no GPU");
        return 1;
    }
    constexpr int kMajor = 75, kMinor = 76; // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*
    for (int i = 0; i < devices; ++i) {
        int device = 0, major = 0, minor = 0;
        if (get(&device, i) == 0 && attribute(&major, kMajor, device) == 0 &&
            attribute(&minor, kMinor, device) == 0)
            std::printf("%d\n", 10 * major + minor);
    }
    return 0;
}
