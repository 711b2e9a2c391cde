#!/usr/bin/env bash
# Runs tests in an order in which they do not disturb each other, and names the slowest.
# Usage: test.sh fast|usual|deep|coverage
#   fast      no service, nothing slow, no course with uploads or games
#   usual     everything but what only repeats, and suites that were green for exactly this code;
#             with ALL=1 or CI set, these too
#   deep      everything, with more games, more cases, more repeats
#   coverage  as usual, and which branches of each package were taken
source "$(dirname "$0")/common.sh"

readonly SERVICES="docker or redis or postgresql or browser"
readonly MAX_UNSTEADY=5
WORKERS=${WORKERS:-$(nproc)}
# Seconds after which pytest-timeout ends a test that hangs. The longest takes a minute; deep ones
# play for longer.
export PYTEST_TIMEOUT=600
status=0
broken=""
unsteady=""
pytest=("$VENV/bin/pytest")
# A directory of this run's own: two runs at once would sweep each other's away.
SCRATCH=$(mktemp --directory --tmpdir firebox-tests.XXXXXX)
trap 'rm -rf --one-file-system "$SCRATCH"' EXIT

main() {
    case ${1:-} in
        fast) run_fast ;;
        usual) run_changed ;;
        deep) PYTEST_TIMEOUT=3600 FIREBOX_TEST_DEPTH=deep run_all ;;
        coverage) run_with_coverage ;;
        *) die "test.sh knows no tests called '${1:-}'" "run: make help" ;;
    esac
    [[ -z $unsteady ]] || printf '\nFailed among other tests, and passed alone. Each is a fault of %s:\n%s' \
        "the test or of the code" "$unsteady"
    exit "$status"
}

# Suites of graders' code are left out where they passed as it is: see tests/support/green.py.
run_changed() {
    if [[ -n ${ALL:-} || -n ${CI:-} ]]; then
        run_all
        return
    fi
    export FIREBOX_TESTS_GREEN="$SCRATCH/green" FIREBOX_TESTS_RED="$SCRATCH/red"
    "$VENV/bin/python" -m tests.support.green plan "$SCRATCH" "$SCRATCH/green"
    run_all
    [[ -n $broken ]] || "$VENV/bin/python" -m tests.support.green stamp "$SCRATCH" "$SCRATCH/red"
}

run_fast() {
    run --numprocesses "$WORKERS" --dist worksteal --hypothesis-profile fast \
        -m "not ($SERVICES or alone or slow or course)"
}

# First what needs no service, in random order. Then what does, in the order of the files, so that a
# module opens its containers once. Both have one worker more than there are cores, for some tests
# wait. Last, what needs the machine to itself. The first call finds the files that the others have
# to read.
run_all() {
    local left="$SCRATCH/left" workers=$((WORKERS + 1))
    mkdir "$left"
    FIREBOX_TESTS_LEFT="$left" \
        run --numprocesses "$workers" --dist worksteal -m "not ($SERVICES or alone)"
    mapfile -t services < <(files "$left/services")
    run --numprocesses "$workers" --dist worksteal -p no:randomly \
        -m "($SERVICES) and not alone" "${services[@]}"
    mapfile -t alone < <(files "$left/alone")
    run -p no:randomly -m alone "${alone[@]}"
}

# All tests, if no worker came so far as to write its list.
files() {
    if [ -s "$1" ]; then
        sort --unique "$1"
    else
        echo tests
    fi
}

# A failure does not keep the other tests from running. Any status but 0 and 1 is more than failed
# tests: a run that broke off proves nothing.
run() {
    local result=0 cache
    cache=$(mktemp --directory --tmpdir="$SCRATCH" cache.XXXXXX)
    "${pytest[@]}" --basetemp "$SCRATCH/run" --durations 10 -o cache_dir="$cache" "$@" || result=$?
    [[ $result -ne 1 ]] || run_failed_alone "$cache" "$@" || status=1
    [[ $result -eq 0 || $result -eq 1 ]] || status=1
    [[ $result -le 1 ]] || broken=yes
}

# A host that is shared may stop for seconds. So a few tests that failed are run once more, with the
# machine to themselves; where more fail, it is not the host.
run_failed_alone() {
    local cache=$1 failed
    failed=$(grep -o '"[^"]*::.*"' "$cache/v/cache/lastfailed") || return 1
    [[ $(wc -l <<<"$failed") -le $MAX_UNSTEADY ]] || return 1
    "${pytest[@]}" --basetemp "$SCRATCH/run" -o cache_dir="$cache" "${@:2}" \
        --numprocesses 0 -p no:randomly --last-failed --last-failed-no-failures none || return 1
    unsteady+="$failed"$'\n'
}

run_with_coverage() {
    local data="$FIREBOX_VAR_DIR/tests/coverage"
    rm -rf "$data"
    mkdir -p "$data"
    export COVERAGE_FILE="$data/data"
    pytest=("$VENV/bin/coverage" run -m pytest)
    run_all
    "$VENV/bin/coverage" combine --quiet
    "$VENV/bin/coverage" json --quiet -o "$data/report.json"
    "$VENV/bin/python" -m tests.support.coverage "$data/report.json"
}

main "$@"
