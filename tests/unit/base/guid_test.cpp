// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/guid.h"

#include "core/base/sha1.h"
#include "tests/support/catch.h"

#include <span>
#include <string>

using namespace tracedeck;

TEST_CASE("A GUID reads back as it was printed", "[base][guid]") {
    const Guid guid = Guid::of(0x68fdd900, 0x4a3e, 0x11d1, {0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3});
    CHECK(toString(guid) == "68fdd900-4a3e-11d1-84f4-0000f80464e3");
    CHECK(parseGuid("{68FDD900-4A3E-11d1-84F4-0000F80464E3}") == guid);
    CHECK(parseGuid(toString(guid)) == guid);
    CHECK(guid.bytes[0] == 0x00);
    CHECK(guid.bytes[3] == 0x68);
}

TEST_CASE("Text that is no GUID is refused", "[base][guid]") {
    const auto* text =
        GENERATE("", "68fdd900", "{68fdd900-4a3e-11d1-84f4-0000f80464e3", "68fdd900-4a3e-11d1-84f4-0000f80464e",
                 "68fdd900x4a3e-11d1-84f4-0000f80464e3", "g8fdd900-4a3e-11d1-84f4-0000f80464e3");
    CHECK_FALSE(parseGuid(text).has_value());
}

TEST_CASE("SHA-1 of the published test messages", "[base][sha1]") {
    const auto hash = [](std::string_view text) {
        std::string hex;
        for (const std::uint8_t byte :
             sha1(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()))) {
            constexpr const char* kDigits = "0123456789abcdef";
            hex += kDigits[byte >> 4U];
            hex += kDigits[byte & 15U];
        }
        return hex;
    };
    CHECK(hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d");
    CHECK(hash("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    CHECK(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST_CASE("Provider names hash to the ids that are published for them", "[base][guid]") {
    // Pairs from public documentation of EventSource and TraceLogging providers.
    CHECK(toString(guidFromProviderName("MyCompany.MyComponent")) == "ce5fa4ea-ab00-5402-8b76-9f76ac858fb5");
    CHECK(guidFromProviderName("mycompany.mycomponent") == guidFromProviderName("MyCompany.MyComponent"));
}
