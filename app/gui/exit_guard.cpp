// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/exit_guard.h"

#include <QString>

#include <cassert>
#include <cstdlib>
#include <thread>
#include <utility>

namespace tracedeck::app {
namespace {

std::function<void()> g_rescue;
std::thread::id g_thread;
QtMessageHandler g_formerHandler = nullptr;

void rescueOnce() {
    if (g_rescue && std::this_thread::get_id() == g_thread) {
        std::exchange(g_rescue, nullptr)();
    }
}

/// QWaylandDisplay ends the program by _exit(), which calls nothing; the warning before it is all there is.
void watchMessages(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    g_formerHandler(type, context, text);
    if (text.startsWith(QLatin1String("The Wayland connection "))) {
        rescueOnce();
    }
}

} // namespace

ExitGuard::ExitGuard(std::function<void()> rescue) {
    assert(!g_rescue);
    g_rescue = std::move(rescue);
    g_thread = std::this_thread::get_id();
    g_formerHandler = qInstallMessageHandler(watchMessages);
    // Handlers run last in, first out: what was built before this is there when it runs.
    [[maybe_unused]] const int registered = std::atexit(rescueOnce);
    assert(registered == 0);
}

ExitGuard::~ExitGuard() {
    g_rescue = nullptr;
    qInstallMessageHandler(g_formerHandler);
}

} // namespace tracedeck::app
