#!/usr/bin/env bash
# Installs what a checkout needs: Debian packages that are missing, and the virtual environment.
# Usage: setup.sh [tools|test]     the site and its graders; with `tools` also the Python packages of
# development and what checks style, with `test` those and the programs that only the tests use.
source "$(dirname "$0")/common.sh"

DISK_MIB=3000
readonly STAMP="$VENV/firebox-inputs"

# Python comes first, so that its packages are installed while Debian's are.
main() {
    local missing
    missing=$(missing_packages "$@")
    if [[ $missing == *python3-venv* ]]; then
        install_packages "$(grep python3 <<<"$missing")"
        missing=$(grep -v python3 <<<"$missing" || true)
    fi
    install_packages "$missing" &
    install_python_packages "$@"
    wait $!
}

# install_packages NAMES
install_packages() {
    local missing=$1
    [[ -n $missing ]] || return 0
    has apt-get || die "these are not installed: $(echo "$missing" | xargs)" \
        "install them with this system's package manager (the names are Debian's)"
    check_disk
    say "Installing Debian packages: $(echo "$missing" | xargs)"
    [[ $missing != *prometheus* ]] || keep_off prometheus
    [[ -n ${UPDATED:-} ]] || as_root apt-get update -qq
    UPDATED=1
    # shellcheck disable=SC2086  # one word a package
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --yes --no-install-recommends $missing >/dev/null
}

# keep_off SERVICE: Debian would start it now and at each boot; only a program of its package is wanted.
keep_off() {
    local unit=/etc/systemd/system/$1.service
    [[ ! -d ${unit%/*} || -e $unit || -L $unit ]] || as_root ln -s /dev/null "$unit"
}

# Prints the Debian package of every program that is not there.
missing_packages() {
    [[ -n $(find_python) ]] || printf '%s\n' python3 python3-venv
    has redis-server || echo redis-server
    has mmdebstrap || echo mmdebstrap
    has dockerd || docker info >/dev/null 2>&1 || echo docker.io
    [[ -n ${1:-} ]] || return 0
    has shellcheck || echo shellcheck
    [[ $1 == test ]] || return 0
    has git || echo git
    # Both, since they must be of one version.
    { has chromium-headless-shell && has chromedriver; } ||
        printf '%s\n' chromium-headless-shell chromium-driver
    has crun || echo crun
    has systemd-analyze || echo systemd
    has sqlite3 || echo sqlite3
    has nginx || [[ -x /usr/sbin/nginx ]] || echo nginx
    has promtool || echo prometheus
    has gcc || echo gcc
    [[ -f /usr/include/stdlib.h ]] || echo libc6-dev
    has_python_headers || echo python3-dev
    has initdb || compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || echo postgresql
}

# mypyc compiles the rules against them.
has_python_headers() {
    local python
    python=$(find_python)
    [[ -n $python ]] && "$python" -c 'import sys, sysconfig, pathlib
sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file())'
}

check_disk() {
    local free
    free=$(df --output=avail --block-size=1M . | tail -n 1 | xargs)
    [[ $free -ge $DISK_MIB ]] || die "only $free MiB are free on the disk of $PWD" \
        "make room: packages, virtual environment and sandbox image take about $DISK_MIB MiB"
}

# The locks of the site and of graders pin what `make demo` needs, at the versions of
# requirements.lock: half of the packages, and a third of their files. A checkout that has the tools
# keeps them.
install_python_packages() {
    local python inputs kept locks=(deploy/web.lock deploy/grader.lock) part=" of the site"
    python=$(find_python)
    [[ -n $python ]] || die "there is no Python 3.11 or newer that can make virtual environments" \
        "use Debian 12 or newer, or install python3.11 and python3.11-venv"
    inputs=$(pwd; "$python" --version; cat requirements.lock pyproject.toml deploy/site/pyproject.toml | sha256sum)
    kept=$(cat "$STAMP" 2>/dev/null || true)
    [[ -z ${1:-} && (-z $kept || $kept == *"$part") ]] || { locks=(requirements.lock) && part=""; }
    [[ $kept != "$inputs" && $kept != "$inputs$part" ]] || return 0
    check_disk
    say "Installing $(sed -n 's/==.*//p' "${locks[@]}" | sort -u | wc -l) Python packages into .venv (some minutes at worst)"
    [[ $kept == "$inputs"* ]] || "$python" -m venv --clear "$VENV"
    install_locked "${locks[@]/#/--requirement=}"
    "$VENV/bin/pip" install --quiet --no-deps --no-build-isolation \
        --editable . --editable deploy/site
    echo "$inputs$part" >"$STAMP"
}

# install_locked --requirement=FILE…: with uv, which takes a third of pip's time, or else with pip.
# uv does not read pip's configuration, so it is told which indexes are named there. It may take a
# package from any of them: the hash decides.
install_locked() {
    local from=() option value
    for option in index-url extra-index-url find-links; do
        for value in $(of_pip "$option"); do from+=("--$option=$value"); done
    done
    "$VENV/bin/pip" install --quiet --no-deps --require-hashes --only-binary=:all: \
        --requirement=<(sed -n '/^uv==/,/[^\\]$/p' requirements.lock) &&
        "$VENV/bin/uv" pip install --quiet --python "$VENV/bin/python" --no-deps --require-hashes \
            --compile-bytecode --system-certs --index-strategy unsafe-best-match "${from[@]}" "$@" &&
        return
    say "uv could not install them. Trying pip"
    "$VENV/bin/pip" install --quiet --no-deps --require-hashes "$@"
}

# of_pip OPTION: prints the value that pip takes from the environment or its configuration.
of_pip() {
    local variable="PIP_${1^^}"
    variable=${variable//-/_}
    echo "${!variable:-$("$VENV/bin/pip" config get "global.$1" 2>/dev/null || true)}"
}

main "$@"
