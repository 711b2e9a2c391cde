# shellcheck shell=bash
# Sourced by the scripts beside it: where things are, how to say things, how to act as root.
# Sourcing changes to the checkout's top directory.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."

export FIREBOX_VAR_DIR="${FIREBOX_VAR_DIR:-$PWD/var}"
export FIREBOX_PORT="${FIREBOX_PORT:-8600}"
export FIREBOX_REDIS_PORT="${FIREBOX_REDIS_PORT:-6390}"
export FIREBOX_BROKER_URL="${FIREBOX_BROKER_URL:-redis://127.0.0.1:$FIREBOX_REDIS_PORT/0}"
VENV="$PWD/.venv"

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

# die MESSAGE [WHAT TO DO]
die() {
    printf '\033[31mCannot go on:\033[0m %s\n' "$1" >&2
    [[ $# -lt 2 ]] || printf 'What to do: %s\n' "$2" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND…: directly, or with sudo.
as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif has sudo; then
        sudo -- "$@"
    else
        die "this needs root's rights: $*" "run make as root, or install and set up sudo"
    fi
}

# The first Python that is new enough and can make virtual environments; empty if none can. The
# system's comes first: Debian builds it with optimisations that pyenv leaves out.
find_python() {
    local candidate
    for candidate in /usr/bin/python3 python3.11 python3.12 python3.13 python3.14 python3; do
        if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
            2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
}

# process start|stop|running NAME …: see process.py.
process() {
    local python=$VENV/bin/python
    [[ -x $python ]] || python=$(find_python)
    [[ -n $python ]] || die "there is no Python 3.11 or newer" "run: make setup"
    "$python" deploy/dev/process.py "$@"
}

# wait_until SECONDS COMMAND…: until the command succeeds; fails when the time is over.
wait_until() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [[ $SECONDS -lt $deadline ]] || return 1
        sleep 0.1
    done
}

# forget_ended NAME PID_FILE: delete the pid file of a program that was killed. Docker and its
# containerd take any process that meanwhile got their number for themselves, and do not start.
forget_ended() {
    local pid
    pid=$(as_root cat "$2" 2>/dev/null) || return 0
    [[ -n $pid && $(cat "/proc/$pid/comm" 2>/dev/null) == "$1" ]] || as_root rm -f "$2"
}
