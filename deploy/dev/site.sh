#!/usr/bin/env bash
# Starts the site and its graders in the background, or leaves them be if they run this code.
source "$(dirname "$0")/common.sh"

# Also read by `firebox` and `python -m webapp` when sourced: set -a; . var/env
ENVIRONMENT="$FIREBOX_VAR_DIR/env"

main() {
    umask 077
    write_environment
    set -a
    # shellcheck source=/dev/null
    source "$ENVIRONMENT"
    set +a
    VERSION=$(code_version)
    local image
    "$VENV/bin/python" -m sandbox.images.build python >&2 &
    image=$!
    prepare_database
    wait "$image" || die "the image of sandboxes for Python could not be built" "read the messages above"
    admit_this_machine
    start_programs
    wait_until 120 site_answers || die "the site does not answer on port $FIREBOX_PORT" \
        "read $FIREBOX_VAR_DIR/log/web.log"
}

# Graders begin with the image for Python; what needs another one waits until it is built.
# The secret key is made once; the addresses follow the ports of this call.
write_environment() {
    local key
    key=$(sed -n 's/^FIREBOX_SECRET_KEY=//p' "$ENVIRONMENT" 2>/dev/null || true)
    mkdir -p "$FIREBOX_VAR_DIR"
    cat >"$ENVIRONMENT" <<END
FIREBOX_SECRET_KEY=${key:-$("$VENV/bin/python" -c 'import secrets; print(secrets.token_urlsafe(50))')}
FIREBOX_SITE_URL=http://127.0.0.1:$FIREBOX_PORT
FIREBOX_BROKER_URL=$FIREBOX_BROKER_URL
FIREBOX_VAR_DIR=$FIREBOX_VAR_DIR
FIREBOX_STORE_URL=${FIREBOX_STORE_URL:-$FIREBOX_VAR_DIR/store}
FIREBOX_SLOTS=${FIREBOX_SLOTS:-$(nproc)}
FIREBOX_GRADER_KEY=$FIREBOX_VAR_DIR/grader.key
FIREBOX_IMAGES=python
END
}

# Once for each version of the code and each database.
prepare_database() {
    local prepared="$FIREBOX_VAR_DIR/prepared" inputs="$VERSION ${DATABASE_URL:-}"
    [[ ! -f $prepared || $(<"$prepared") != "$inputs" ]] || return 0
    (
        "$VENV/bin/python" -m webapp collectstatic --verbosity 0 --no-input
        "$VENV/bin/python" -m webapp build_wheel --verbosity 0
    ) &
    "$VENV/bin/python" -m webapp migrate --verbosity 0
    [[ -n ${FIREBOX_EMPTY:-} ]] ||
        "$VENV/bin/python" -m webapp demo_course deploy/dev/demo-course.zip >"$FIREBOX_VAR_DIR/demo-accounts"
    wait $!
    echo "$inputs" >"$prepared"
}

# The graders here are ours: nobody has to admit them on the site's page.
admit_this_machine() {
    local key
    key=$("$VENV/bin/python" -m grader.broker.signing)
    "$VENV/bin/python" -m webapp admit_grader "$key" --name "this machine" >/dev/null
}

# Changes with every source file, so that programs are restarted exactly when code changed.
code_version() {
    find webapp grader sandbox requirements.lock -name __pycache__ -prune -o -type f -printf '%p %T@\n' |
        sort | sha256sum | cut -c 1-16
}

start_programs() {
    if ! process running web && site_answers; then
        die "port $FIREBOX_PORT is another program's" "choose another: make … PORT=8700"
    fi
    run web "$VENV/bin/python" -m webapp.serve --bind "127.0.0.1:$FIREBOX_PORT" --processes 2
    # Here one worker also sends mail and does what else may take long, after all reports.
    worker results webapp --queues verdicts,results,background --concurrency 1
    # Graders run hostile code: they know the broker and the store, and no secret of the site's.
    unset FIREBOX_SECRET_KEY DATABASE_URL
    # Uploads are answered by a lane of their own, however long the queue of graded games is.
    worker smoke grader.worker.tasks --queues smoke --concurrency 1
    # So are people who play with agents; it has one process, which keeps the agents'.
    worker live grader.worker.tasks --queues live --concurrency 1
    worker games grader.worker.tasks --queues smoke,graded,practice,audits,ladder --concurrency "$FIREBOX_SLOTS"
}

# run NAME COMMAND…: in the background, unless just this runs already.
run() { process start "$1" --version "$VERSION" -- "${@:2}"; }

# worker NAME APP OPTION…
worker() {
    run "$1" "$VENV/bin/celery" --app "$2" worker --hostname "$1@%h" --loglevel INFO "${@:3}"
}

site_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$FIREBOX_PORT") 2>/dev/null; }

main "$@"
