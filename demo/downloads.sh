# shellcheck shell=bash
# What the demo needs besides the build, kept in $cache: a Flink home and the Python of the writer.

# one_at_a_time COMMAND...: of two runs at once, the second waits.
one_at_a_time() {
    mkdir -p "$cache"
    exec 9>"$cache/lock"
    flock --nonblock 9 || { say 'waiting for another run to finish this step'; flock 9; }
    "$@"
    exec 9>&-
}

# fill FOLDER COMMAND...: has the command fill the folder, unless an earlier run finished it.
fill() {
    local folder=$1
    shift
    [ ! -e "$folder/.complete" ] || return 0
    rm -rf "$folder"
    attend_aloud "$@" "$folder" || { say "could not fill $folder"; exit 1; }
    touch "$folder/.complete"
}

install_python() {
    say "installing Confluent's Python client"
    python3 -m venv "$1"
    "$1/bin/python" -m pip install -q --disable-pip-version-check -r requirements.txt
}

# Flink's own distribution is on no package registry; its Python packages hold the same folders.
# They are unpacked for the folders only: which Python they are for does not matter.
install_flink() {
    say "fetching Flink $flink_version (330 MB)"
    "$python" -m pip install --disable-pip-version-check --no-cache-dir --no-compile --no-deps \
        --only-binary=:all: --platform manylinux2014_x86_64 --python-version 3.11 --abi cp311 \
        --target "$1" "apache-flink==$flink_version" "apache-flink-libraries==$flink_version"
}

download_all() {
    local version
    version=$(sha256sum requirements.txt | cut -c 1-8)
    python=$cache/python-$version/bin/python
    fill "$cache/python-$version" install_python
    flink_home=$cache/flink-$flink_version/pyflink
    fill "$cache/flink-$flink_version" install_flink
}
