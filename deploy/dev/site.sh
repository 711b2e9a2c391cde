#!/usr/bin/env bash
# Starts the site and its graders in the background, or leaves them be if they run this code.
source "$(dirname "$0")/common.sh"

# Also read by `firebox` and `python -m webapp` when sourced: set -a; . var/env
ENVIRONMENT="$FIREBOX_VAR_DIR/env"

main() {
    write_environment
    set -a
    # shellcheck source=/dev/null
    source "$ENVIRONMENT"
    set +a
    prepare_database
    start_programs
    wait_until 30 site_answers || die "the site does not answer on port $FIREBOX_PORT" \
        "read $FIREBOX_VAR_DIR/log/web.log"
}

# The secret key is made once; the addresses follow the ports of this call.
write_environment() {
    local key
    key=$(sed -n 's/^FIREBOX_SECRET_KEY=//p' "$ENVIRONMENT" 2>/dev/null || true)
    mkdir -p "$FIREBOX_VAR_DIR"
    (
        umask 077
        cat >"$ENVIRONMENT" <<END
FIREBOX_SECRET_KEY=${key:-$("$VENV/bin/python" -c 'import secrets; print(secrets.token_urlsafe(50))')}
FIREBOX_SITE_URL=http://127.0.0.1:$FIREBOX_PORT
FIREBOX_BROKER_URL=$FIREBOX_BROKER_URL
FIREBOX_VAR_DIR=$FIREBOX_VAR_DIR
FIREBOX_STORE_URL=${FIREBOX_STORE_URL:-$FIREBOX_VAR_DIR/store}
FIREBOX_SLOTS=${FIREBOX_SLOTS:-$(nproc)}
END
    )
}

prepare_database() {
    "$VENV/bin/python" -m webapp migrate --verbosity 0
    "$VENV/bin/python" -m webapp collectstatic --verbosity 0 --no-input
    (umask 077 && "$VENV/bin/python" -m webapp demo_course >"$FIREBOX_VAR_DIR/demo-accounts")
}

# Changes with every source file, so that programs are started anew exactly when code changed.
code_version() {
    find webapp grader sandbox requirements.lock -name __pycache__ -prune -o -type f -printf '%p %T@\n' |
        sort | sha256sum | cut -c 1-16
}

start_programs() {
    local version celery
    if ! process running web && site_answers; then
        die "port $FIREBOX_PORT is another program's" "choose another: make … PORT=8700"
    fi
    version=$(code_version)
    celery="$VENV/bin/celery"
    process start web --version "$version" -- "$VENV/bin/gunicorn" webapp.wsgi \
        --bind "127.0.0.1:$FIREBOX_PORT" --workers 2 --threads 4
    process start results --version "$version" -- "$celery" --app webapp worker \
        --queues results --concurrency 1 --beat --loglevel INFO --hostname results@%h
    # Uploads are answered by a lane of their own, however long the queue of graded games is.
    process start smoke --version "$version" -- "$celery" --app grader.tasks worker \
        --queues smoke --concurrency 1 --loglevel INFO --hostname smoke@%h
    process start games --version "$version" -- "$celery" --app grader.tasks worker \
        --queues graded,practice --concurrency "$FIREBOX_SLOTS" --loglevel INFO --hostname games@%h
}

site_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$FIREBOX_PORT") 2>/dev/null; }

main "$@"
