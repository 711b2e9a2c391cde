#!/usr/bin/env bash
# Ends what this checkout started, and nothing else; removes sandboxes that were left over.
source "$(dirname "$0")/common.sh"

main() {
    process stop web scheduler results games smoke
    remove_sandboxes
    process stop redis
    [[ ! -f $FIREBOX_VAR_DIR/run/docker.json ]] || as_root env FIREBOX_VAR_DIR="$FIREBOX_VAR_DIR" \
        "$(find_python)" deploy/dev/process.py stop docker
}

remove_sandboxes() {
    local containers
    containers=$(docker ps --all --quiet --filter label=firebox 2>/dev/null || true)
    # shellcheck disable=SC2086  # one word a container
    [[ -z $containers ]] || docker rm --force $containers >/dev/null
}

main "$@"
