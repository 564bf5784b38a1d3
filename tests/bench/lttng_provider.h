// SPDX-License-Identifier: GPL-3.0-or-later
// An LTTng-UST tracepoint with the same payload as the engine's event. The library includes this file several times.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER tracedeck_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tests/bench/lttng_provider.h"

#if !defined(TRACEDECK_LTTNG_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TRACEDECK_LTTNG_PROVIDER_H

#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(tracedeck_bench, event, LTTNG_UST_TP_ARGS(uint64_t, number, uint64_t, inverse),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint64_t, number, number)
                                                   lttng_ust_field_integer(uint64_t, inverse, inverse)))

#endif

#include <lttng/tracepoint-event.h>
