// SPDX-License-Identifier: GPL-3.0-or-later
// A program whose call chain is known: main → chainA → chainB → chainLeaf, where it spins until it has used as many
// milliseconds of a processor as its argument says. Prints where chainLeaf, chainB and chainA begin and where chainA
// returns to in main.
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {
volatile unsigned long sink = 0;
}

extern "C" {

[[gnu::noinline]] void chainLeaf(long milliseconds) {
    do {
        for (int i = 0; i < 2'000'000; ++i) {
            sink = sink + 1;
        }
    } while (std::clock() / (CLOCKS_PER_SEC / 1000) < milliseconds);
}

[[gnu::noinline]] void chainB(long milliseconds) {
    chainLeaf(milliseconds);
    sink = sink + 1; // so that the call is no jump
}

[[gnu::noinline]] void chainA(long milliseconds) {
    // The linker keeps the order of the source: each function ends where the next begins.
    std::printf("%p %p %p %p\n", reinterpret_cast<void*>(&chainLeaf), reinterpret_cast<void*>(&chainB),
                reinterpret_cast<void*>(&chainA), __builtin_return_address(0));
    std::fflush(stdout);
    chainB(milliseconds);
    sink = sink + 1;
}

} // extern "C"

int main(int argc, char** argv) {
    chainA(argc > 1 ? std::atol(argv[1]) : 1000);
    return 0;
}
