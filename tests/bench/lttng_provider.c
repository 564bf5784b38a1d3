// SPDX-License-Identifier: GPL-3.0-or-later
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "tests/bench/lttng_provider.h"
