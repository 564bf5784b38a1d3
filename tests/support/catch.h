// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that knows which Catch2 this is: Debian 12 has 2.13, newer systems 3.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define TRACEDECK_CATCH2_V3 1
namespace tracedeck::test {
using Catch::Approx;
}
#else
#include <catch2/catch.hpp>
#define TRACEDECK_CATCH2_V3 0
namespace tracedeck::test {
using Catch::Approx;
}
#endif
