// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/controller.h"

#include <future>
#include <memory>
#include <utility>

namespace tracedeck::etw {

/// Calls an asynchronous function and waits for its outcome: `await<SessionStats>([&](auto done) {
/// controller.query(id, std::move(done)); })`. For tests and command-line programs; never on a controller's own thread
/// and never on a thread that a person waits for.
template <class T, class Call>
[[nodiscard]] Result<T> await(Call&& call) {
    auto promise = std::make_shared<std::promise<Result<T>>>();
    std::future<Result<T>> future = promise->get_future();
    std::forward<Call>(call)(Completion<T>([promise](Result<T> result) { promise->set_value(std::move(result)); }));
    return future.get();
}

} // namespace tracedeck::etw
