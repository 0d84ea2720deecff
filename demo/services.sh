# shellcheck shell=bash
# Starts the servers, all on loopback and on ports that were free: broker, registry, Flink.
# Their state is in $work, a folder of this run alone.

# Two runs at once get different ports: all are taken at the same time, then given back.
pick_ports() {
    read -r broker_port controller_port registry_port registry_admin_port rest_port rpc_port < <(
        "$python" -c '
import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(6)]
print(*(server.getsockname()[1] for server in taken))')
    broker=127.0.0.1:$broker_port
    registry=http://127.0.0.1:$registry_port/apis/ccompat/v7
}

# Short-lived servers on a busy machine: a small heap and the quick compiler.
java_small() { # HEAP OPTIONS...
    exec "$JAVA_HOME/bin/java" "-Xmx$1" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "${@:2}"
}

start_broker() {
    cat >"$work/broker.properties" <<PROPERTIES
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller_port
listeners=PLAINTEXT://$broker,CONTROLLER://127.0.0.1:$controller_port
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=$work/broker
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
log.cleaner.dedupe.buffer.size=8388608
PROPERTIES
    start broker run_broker
}

run_broker() {
    local libs="$stack/broker/*" log4j="-Dlog4j2.configurationFile=$PWD/log4j2.properties"
    "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 "$log4j" -cp "$libs" kafka.tools.StorageTool \
        format --cluster-id c2x1aWNlLWRlbW8tMDAwMQ --config "$work/broker.properties"
    java_small 256m "$log4j" -cp "$libs" kafka.Kafka "$work/broker.properties"
}

start_registry() {
    start registry java_small 384m \
        -Dquarkus.http.host=127.0.0.1 "-Dquarkus.http.port=$registry_port" \
        -Dquarkus.management.host=127.0.0.1 "-Dquarkus.management.port=$registry_admin_port" \
        -Dapicurio.storage.kind=sql -Dapicurio.storage.sql.kind=h2 \
        '-Dapicurio.datasource.url=jdbc:h2:mem:registry;DB_CLOSE_DELAY=-1' \
        -jar "$stack"/registry/apicurio-registry-app-*-runner.jar
}

# One JobManager and one TaskManager, as Flink's own scripts start them. The home is shared between
# runs; configuration and lib/ (Flink's jars, the Kafka connector and the jar under test) are not.
start_flink() {
    export FLINK_CONF_DIR=$work/flink/conf FLINK_LIB_DIR=$work/flink/lib FLINK_OPT_DIR=$work/flink/opt
    export FLINK_LOG_DIR=$logs FLINK_PID_DIR=$work/flink FLINK_IDENT_STRING=demo
    mkdir -p "$FLINK_CONF_DIR" "$FLINK_LIB_DIR" "$FLINK_OPT_DIR"
    ln -s "$flink_home"/lib/*.jar "$stack"/flink-lib/*.jar "$FLINK_LIB_DIR"
    mv "$work/${jar##*/}" "$FLINK_LIB_DIR"
    ln -s "$flink_home"/opt/*.jar "$stack"/flink-opt/*.jar "$FLINK_OPT_DIR"
    cp log4j2.properties "$FLINK_CONF_DIR/log4j-console.properties"
    cp "$flink_home/conf/log4j-cli.properties" "$FLINK_CONF_DIR" # the SQL client's, into a file
    {
        # Flink's own list of what Java 17 must open, and the quick compiler
        sed -n '/^env:/,/^ *all:/p' "$flink_home/conf/config.yaml" | sed '/all:/s/$/ -XX:TieredStopAtLevel=1/'
        cat <<CONFIG
jobmanager.rpc.address: 127.0.0.1
jobmanager.rpc.port: $rpc_port
jobmanager.bind-host: 127.0.0.1
jobmanager.memory.process.size: 900m
rest.address: 127.0.0.1
rest.bind-address: 127.0.0.1
rest.port: $rest_port
taskmanager.host: 127.0.0.1
taskmanager.bind-host: 127.0.0.1
taskmanager.numberOfTaskSlots: 2
taskmanager.memory.process.size: 1100m
taskmanager.memory.managed.size: 128m
taskmanager.memory.network.max: 64m
io.tmp.dirs: $work
CONFIG
    } >"$FLINK_CONF_DIR/config.yaml"
    start jobmanager bash "$flink_home/bin/jobmanager.sh" start-foreground
    start taskmanager bash "$flink_home/bin/taskmanager.sh" start-foreground
}

await_services() {
    until_ready broker bash -c "exec 3<>/dev/tcp/127.0.0.1/$broker_port"
    until_ready registry fetch "$registry/subjects"
    until_ready jobmanager fetch "http://127.0.0.1:$rest_port/overview"
    until_ready taskmanager has_slots
}

fetch() {
    "$python" -c 'import sys, urllib.request as web; print(web.urlopen(sys.argv[1], timeout=5).read())' "$1"
}

has_slots() {
    fetch "http://127.0.0.1:$rest_port/overview" | grep -q '"slots-total":[1-9]'
}
