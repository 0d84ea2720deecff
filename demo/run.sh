#!/usr/bin/env bash
# The demo from start to end; `./dev demo` installs what is missing, then runs this.
#   build, download -> broker, registry, Flink -> orders in two schema versions -> Flink SQL
#   -> its own topic, read by Confluent's client -> stop
# Everything is on loopback, in build/demo of the clone, and gone when the script ends.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(cd .. && pwd)
. ./jobs.sh
. ./downloads.sh
. ./services.sh

flink_version=$(sed -n 's/^flink2Version=//p' "$root/gradle.properties")
version=$(sed -n 's/^version=//p' "$root/gradle.properties")
jar=$root/java/build/libs/sluice-flink-$version.jar
stack=$root/demo/build/stack
cache=${SLUICE_CACHE:-$root/build/cache}
work='' logs=''

main() {
    trap leave EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    open_work_folder

    one_at_a_time build
    one_at_a_time download_all

    pick_ports
    say 'starting a Kafka broker, a schema registry, a Flink JobManager and a TaskManager'
    start_broker
    start_registry
    start_flink
    await_services

    write_orders
    run_sql
    read_countries
    say "done after $SECONDS s"
}

# One folder per run, so that runs do not meet; build/demo/logs leads to those of the newest.
open_work_folder() {
    mkdir -p "$root/build/demo"
    find "$root/build/demo" -maxdepth 1 -name 'run.*' -mtime +1 -exec rm -rf {} +
    work=$(mktemp -d "$root/build/demo/run.XXXXXX")
    logs=$work/logs
    mkdir "$logs"
    ln -sfn "${work##*/}/logs" "$root/build/demo/logs"
}

# The jar is taken at once: another run may build it anew.
build() {
    say 'building the jar and fetching the servers'
    attend_aloud "$root/dev" demo_build || { say 'the build failed'; exit 1; }
    cp "$jar" "$work"
}

# An old and a new release of one service write to one topic, then the old one again.
write_orders() {
    local release
    for release in first second; do
        mkdir -p "$work/classes/$release"
        attend protoc "${python%/*}/protoc" -I proto/shared -I "proto/$release" \
            --python_out="$work/classes/$release" shop/v1/money.proto shop/v1/order.proto
    done
    produce first 1 2000
    produce second 2001 2000
    produce first 4001 500
}

produce() { # RELEASE FIRST_ID COUNT
    attend producer "$python" produce.py --broker "$broker" --registry "$registry" \
        --classes "$work/classes/$1" --from "$2" --count "$3"
    say "$(tail -n 1 "$logs/producer.log") ($1 release)"
}

run_sql() {
    sed -e "s|localhost:9092|$broker|" -e "s|http://localhost:8081|$registry|" orders.sql >"$work/orders.sql"
    say 'running demo/orders.sql in the SQL client:'
    sed 's/^/    /' "$work/orders.sql"
    attend_aloud query || blame sql-client 'failed'
}

# Rows and errors go to the terminal as they come, the client's conversation only into its log.
query() {
    LC_ALL=C.UTF-8 bash "$flink_home/bin/sql-client.sh" -hist "$work/history" -f "$work/orders.sql" 2>&1 |
        tee "$logs/sql-client.log" |
        sed -unE 's/^[^|+].*[^-+](\+-[-+]*\+)$/\1/; /^[+|]|rows? in set|Empty set|ERROR/p'
}

# By the schema that Flink SQL registered; nothing of it is known beforehand.
read_countries() {
    attend consumer "$python" consume.py --broker "$broker" --registry "$registry" --topic countries
    say "what Confluent's Python client reads from the topic that Flink SQL wrote:"
    sed 's/^/    /' "$logs/consumer.log"
}

leave() {
    local code=$?
    say 'stopping everything'
    stop_all
    find "$work" -mindepth 1 -maxdepth 1 ! -name logs -exec rm -rf {} +
    exit "$code"
}

main "$@"
