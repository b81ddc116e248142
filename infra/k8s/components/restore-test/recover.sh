#!/bin/sh
# Has the last backup of the cluster `postgres` recovered into `postgres-restore-test`, and leaves the address of that one for the test.
# Reads NAMESPACE, JOB_NAME, JOB_UID and LIVE_URL. With the job Kubernetes deletes the cluster.
set -eu
here=${0%/*}
work=${WORK:-/tmp}
kube() { kubectl -n "$NAMESPACE" "$@"; }
live=clusters.postgresql.cnpg.io/postgres
restored=$live-restore-test

kube delete "$restored" --ignore-not-found --wait=false # what an earlier run has left
while [ -n "$(kube get "$restored" --ignore-not-found -o name)" ]; do sleep 5; done
kube get "$live" -o json >"$work/live.json"
kubectl patch --local -f "$work/live.json" --type merge --patch-file "$here/restored.json" -o json >"$work/restored.json"
owner=$(printf '[{"apiVersion":"batch/v1","kind":"Job","name":"%s","uid":"%s"}]' "$JOB_NAME" "$JOB_UID")
kubectl patch --local -f "$work/restored.json" --type merge -p "{\"metadata\":{\"ownerReferences\":$owner}}" -o json >"$work/owned.json"
kube create -f "$work/owned.json"
# A role keeps its password in a backup.
printf %s "$LIVE_URL" | sed 's/@postgres-rw/@postgres-restore-test-rw/' >"$work/restored-url"
