// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/activity.h"

namespace tracedeck::linux_source {

/// Interrupt handlers of devices: PerfInfo ISR when one has returned, from irq_handler_entry and irq_handler_exit.
///
///   InitialTime   when it was called
///   Vector        the interrupt's number; SystemConfig IRQ tells its devices (/sys/kernel/irq)
///   ReturnValue   1 where it was its device's (IRQ_HANDLED, IRQ_WAKE_THREAD)
///   Routine       0: the kernel does not tell which function it is
///
/// Interrupts that are no device's (the timer of each processor, calls between processors) are not among them.
ActivityKind interruptActivityKind();

/// What the kernel does right behind interrupts (softirq): PerfInfo DPC when a round of one kind has ended, TimerDPC
/// for timers, from softirq_entry and softirq_exit.
///
///   InitialTime   when the round began
///   Routine       the kernel's function for the kind (net_rx_action, …); 0 where the kernel hides its addresses
///
/// Rounds of ksoftirqd are among them: they are the same work, put off to a thread.
ActivityKind dpcActivityKind();

} // namespace tracedeck::linux_source
