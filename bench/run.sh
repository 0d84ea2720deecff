#!/usr/bin/env bash
# ./dev bench: builds, then measures in JVMs of their own. `Command` knows the arguments.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
commit=$(git rev-parse --short HEAD)
git diff --quiet HEAD || commit="$commit and changes"
exec "${JAVA_HOME:?}/bin/java" -Xmx256m "-Dbench.commit=$commit" "-Dbench.rust=$(rustc --version)" \
    -cp "$(cat bench/build/class-path)" dev.sluice.flink.bench.Benchmark "$@"
