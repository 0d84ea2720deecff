#!/usr/bin/env bash
# ./dev bench: builds, then measures in JVMs of their own. `Command` knows the arguments.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec "${JAVA_HOME:?}/bin/java" -Xmx256m -cp "$(cat bench/build/class-path)" dev.sluice.flink.bench.Benchmark "$@"
