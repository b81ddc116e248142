#!/bin/sh
# Restores a dump of docker-compose.yml into a database beside the live one, verifies it, and removes it again (docs/operations.md, Test a backup).
# usage: infra/docker/restore-test.sh DUMP [HEADS], such as maw.dump heads.txt
# Exit code 0: the backup is good. The live database is told the outcome, and otherwise left as it is.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd -P)
whole() { echo "$(CDPATH= cd -- "$(dirname -- "$1")" && pwd -P)/$(basename -- "$1")"; }
for file in "${1:-}" "${2:-${1:-}}"; do
  if [ ! -f "$file" ] || [ ! -r "$file" ]; then
    echo "restore-test: \"$file\" cannot be read; usage: infra/docker/restore-test.sh maw.dump heads.txt, or without heads" >&2
    exit 1
  fi
done
dump=$(whole "$1")
heads=${2:+$(whole "$2")}
cd "$here"
database=maw_restore_test
# Docker Compose 2, or docker-compose 1.29.
if docker compose version >/dev/null 2>&1; then compose() { docker compose "$@"; }; else compose() { docker-compose "$@"; }; fi
postgres() { compose exec -T postgres "$@"; }
# Quiet where there is none.
remove() { compose exec -T -e PGOPTIONS='-c client_min_messages=warning' postgres dropdb -U postgres --force --if-exists "$database" </dev/null; }

work=$(mktemp -d)
leave() {
  rm -r "$work"
  remove || { echo "restore-test: the database $database is still there; the next run removes it" >&2; exit 1; }
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# First goes what a run that was killed has left.
restore() {
  remove && postgres createdb -U postgres "$database" </dev/null &&
    postgres pg_restore -U postgres -d "$database" --single-transaction --exit-on-error <"$dump"
}
if restore 2>"$work/said"; then
  set -- ${heads:+--heads /tmp/heads.txt}
else # nothing is verified, but the live database is told
  cat "$work/said" >&2
  set -- --failed "$(cat "$work/said")"
fi
compose run --rm -T ${heads:+-v "$heads:/tmp/heads.txt:ro"} restore-test "$@" </dev/null
