# shellcheck shell=bash
# Processes that never outlive the script that sources this file, whatever ends it.
# Each has a process group of its own: Ctrl-C reaches only the script, which then stops the groups in
# reverse order, children of children included. Output goes to $logs/NAME.log.

declare -a job_names=()
declare -A job_groups=() job_starts=()

say() { printf 'demo: %s\n' "$*"; }

# start NAME COMMAND...: runs the command in the background.
start() {
    local name=$1
    shift
    set -m # a group for the job; only here, since it would also take the terminal from foreground jobs
    "$@" >>"$logs/$name.log" 2>&1 </dev/null &
    set +m
    job_groups[$name]=$!
    job_starts[$name]=$SECONDS
    job_names+=("$name")
}

# attend NAME COMMAND...: runs the command to its end; unlike a foreground one, it ends with us.
attend() {
    start "$@"
    wait_or_blame "$1"
}

# attend_aloud COMMAND...: the same with the command's output on the terminal.
attend_aloud() {
    set -m
    "$@" </dev/null &
    set +m
    job_groups[step]=$!
    job_names+=(step)
    local code=0
    wait "${job_groups[step]}" || code=$?
    forget step
    return "$code"
}

wait_or_blame() {
    local code=0
    wait "${job_groups[$1]}" || code=$?
    forget "$1"
    [ "$code" = 0 ] || blame "$1" "ended with status $code"
}

forget() {
    unset "job_groups[$1]"
    local name kept=()
    for name in "${job_names[@]}"; do
        [ "$name" = "$1" ] || kept+=("$name")
    done
    job_names=("${kept[@]}")
}

# until_ready NAME PROBE...: waits until the probe of a running job succeeds.
until_ready() {
    local name=$1 seconds
    shift
    until ("$@") >/dev/null 2>&1; do # a subshell: a trap must not write into /dev/null
        seconds=$((SECONDS - job_starts[$name]))
        kill -0 "${job_groups[$name]}" 2>/dev/null || blame "$name" 'stopped while starting'
        [ "$seconds" -lt 180 ] || blame "$name" 'is not ready after 180 s'
        [ ! -t 1 ] || printf '\rdemo: waiting for the %s, %d s ' "$name" "$seconds"
        sleep 0.3
    done
    [ ! -t 1 ] || printf '\r\033[K'
    say "the $name is up after $((SECONDS - job_starts[$name])) s"
}

# Ends the script with the last lines of a job's log.
blame() {
    tail -n 25 "$logs/$1.log" >&2
    printf 'demo: %s %s; its log: %s\n' "$1" "$2" "${logs#"$root/"}/$1.log" >&2
    exit 1
}

stop_all() {
    trap '' INT TERM HUP # a second Ctrl-C must not cut this short: it ends within 15 s
    local at name
    for ((at = ${#job_names[@]} - 1; at >= 0; at--)); do
        kill -TERM -- "-${job_groups[${job_names[at]}]}" 2>/dev/null || :
    done
    for ((at = 0; at < 150; at++)); do
        any_alive || return 0
        sleep 0.1
    done
    for name in "${job_names[@]}"; do
        kill -KILL -- "-${job_groups[$name]}" 2>/dev/null || :
    done
}

any_alive() {
    local name
    for name in "${job_names[@]}"; do
        ! kill -0 -- "-${job_groups[$name]}" 2>/dev/null || return 0
    done
    return 1
}
