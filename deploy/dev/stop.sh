#!/usr/bin/env bash
# Ends what this checkout started, and nothing else; removes sandboxes that were left over. Docker
# stays while others use it: every checkout on this machine talks to the one that was started first.
source "$(dirname "$0")/common.sh"

main() {
    [[ -d $FIREBOX_VAR_DIR/run ]] || return 0
    # Graders would play their batch to its end; what is lost is queued again from the database.
    process stop --grace 3 games smoke live beat results web images
    remove_sandboxes
    process stop redis
    [[ ! -f $FIREBOX_VAR_DIR/run/docker.json ]] || stop_docker
}

stop_docker() {
    local running
    # A Docker that does not answer runs nothing that one could lose.
    running=$(docker ps --quiet 2>/dev/null | wc -l) || running=0
    if [[ $running -gt 0 ]]; then
        local others="$running other containers run"
        [[ $running -gt 1 ]] || others="1 other container runs"
        say "Docker stays: $others in it. To end Docker, run make stop again once they have ended."
        return
    fi
    as_root env FIREBOX_VAR_DIR="$FIREBOX_VAR_DIR" "$(find_python)" deploy/dev/process.py stop docker
}

# Those whose worker is gone; other checkouts' sandboxes are theirs.
remove_sandboxes() {
    [[ -x $VENV/bin/python ]] && docker info >/dev/null 2>&1 || return 0
    "$VENV/bin/python" -c 'from sandbox.container import reap_containers; reap_containers()
from sandbox.scratch import reap_scratch; reap_scratch()'
}

main "$@"
