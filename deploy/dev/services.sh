#!/usr/bin/env bash
# Starts Redis on a port of our own, and Docker, unless they run already.
# Usage: services.sh [docker]     with `docker` only that: the tests start Redis servers themselves
source "$(dirname "$0")/common.sh"

main() {
    [[ ${1:-} == docker ]] || start_redis
    start_docker
}

redis_answers() { redis-cli -p "$FIREBOX_REDIS_PORT" ping; }

# Every command that Redis acknowledged is in its append-only file within a second, so that a
# killed Redis comes back with its queues.
start_redis() {
    if ! process running redis && redis_answers >/dev/null 2>&1; then
        die "port $FIREBOX_REDIS_PORT is another Redis's" "choose another: make … REDIS_PORT=6391"
    fi
    (umask 077 && mkdir -p "$FIREBOX_VAR_DIR/redis")
    process start redis -- redis-server --port "$FIREBOX_REDIS_PORT" --bind 127.0.0.1 \
        --dir "$FIREBOX_VAR_DIR/redis" --appendonly yes --appendfsync everysec --save '' --daemonize no
    wait_until 20 redis_answers || die "Redis does not answer on port $FIREBOX_REDIS_PORT" \
        "read $FIREBOX_VAR_DIR/log/redis.log"
}

start_docker() {
    docker info >/dev/null 2>&1 && return
    [[ -z ${DOCKER_HOST:-} ]] || die "no Docker answers at DOCKER_HOST=$DOCKER_HOST" \
        "correct it, or unset it: then this machine's own Docker is started"
    local refusal
    refusal=$(docker version 2>&1 >/dev/null || true)
    [[ $refusal != *'permission denied'* ]] || die "you may not talk to Docker" \
        "sudo usermod --append --groups docker $USER, then sign in again"
    say "Starting Docker"
    if [[ -d /run/systemd/system ]]; then
        as_root systemctl start docker
    else
        forget_ended dockerd /var/run/docker.pid
        forget_ended containerd /var/run/docker/containerd/containerd.pid
        # The sandboxes have no network: Docker need not touch this machine's.
        as_root env FIREBOX_VAR_DIR="$FIREBOX_VAR_DIR" "$(find_python)" deploy/dev/process.py \
            start docker -- dockerd --bridge none --iptables=false --ip6tables=false
    fi
    wait_until 60 docker info && return
    [[ ! -f $FIREBOX_VAR_DIR/log/docker.log ]] || as_root tail -n 5 "$FIREBOX_VAR_DIR/log/docker.log" >&2
    die "Docker does not start" \
        "read $FIREBOX_VAR_DIR/log/docker.log (in a container Docker needs a privileged one)"
}

main "$@"
