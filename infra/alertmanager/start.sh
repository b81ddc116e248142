#!/bin/sh
# Starts Alertmanager with the routes beside this file, whose receivers all send to ALERT_WEBHOOK; while that is empty nobody is sent anything,
# and its page shows the alerts. $@: the program and its other arguments
set -eu
config=${TMPDIR:-/tmp}/alertmanager.yml
case ${ALERT_WEBHOOK:=} in
  '') replace= ;;
  http://* | https://*)
    address=$(printf %s "$ALERT_WEBHOOK" | sed -e 's/[\&|]/\\&/g' -e "s/'/%27/g")
    replace="s|webhook_configs: \\[\\]|webhook_configs: [{ url: '$address' }]|"
    ;;
  *)
    echo "ALERT_WEBHOOK must begin with http:// or https://; it is $ALERT_WEBHOOK" >&2
    exit 1
    ;;
esac
sed "$replace" "$(dirname "$0")/alertmanager.yml" > "$config"
exec "$@" --config.file="$config"
