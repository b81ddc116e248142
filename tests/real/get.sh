#!/bin/sh
# Gets what `./maw test --real` watches a system with: the OpenTelemetry Collector with the components that infra/otel-collector names, and Jaeger,
# both built from one release of their Go modules, and Prometheus and Alertmanager, unpacked from Debian's packages and not installed. Everything
# lands in one folder outside of the repository. What is there already is kept, so an interrupted run goes on where it stopped.
set -eu

TRACES=v0.161.0
LOGS=v0.160.0 # the module pkg/stanza, which file_log needs, is not to be had at v0.161.0
JAEGER=v1.76.0

usage='tests/real/get.sh [--folder FOLDER]

  FOLDER  what is fetched, built and unpacked lands here (default: $MAW_REAL, else ${XDG_CACHE_HOME:-~/.cache}/maw-real)

Needs Linux and Go; for Prometheus and Alertmanager Debian or Ubuntu, or `prometheus`, `promtool`, `alertmanager` and `amtool` on the path.
No root. It takes about five minutes on two cores the first time, and 1.5 GB of Go module and build cache.
'

say() { printf 'real: %s\n' "$*" >&2; }
# Nothing is wrong with the repository where this ends with 3: something that is needed is missing here.
missing() { say "$*"; exit 3; }

folder=${MAW_REAL:-${XDG_CACHE_HOME:-$HOME/.cache}/maw-real}
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) printf '%s' "$usage"; exit 0 ;;
    --folder) [ $# -gt 1 ] || { say '--folder needs a value'; exit 2; }; folder=$2; shift ;;
    *) say "unknown argument $1; see tests/real/get.sh --help"; exit 2 ;;
  esac
  shift
done

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)
mkdir -p "$folder/bin" "$folder/packages" "$folder/collector" "$folder/jaeger"
folder=$(CDPATH= cd -- "$folder" && pwd -P)

# Go compares every module with its public database of sums; those of the programs themselves stand here too.
check_sum() { # MODULE VERSION SUM
  sum=$(cd "$folder/packages" && go mod download -json "$1@$2" 2>>"$folder/build.log" | sed -n 's/.*"Sum": "\(.*\)".*/\1/p') || sum=
  [ -n "$sum" ] || missing "$1 $2 cannot be fetched; see $folder/build.log"
  [ "$sum" = "$3" ] || { say "$1 $2 has the sum $sum, not $3"; exit 1; }
}

build_failed() { # WHAT
  if grep -Eqi 'dial tcp|i/o timeout|no such host|connection re|proxyconnect|TLS handshake|403 Forbidden' "$folder/build.log"; then
    missing "a module that $1 needs cannot be fetched; see $folder/build.log"
  fi
  if grep -Eq 'requires go >= ' "$folder/build.log"; then
    missing "$1 needs a newer Go: $(grep -Eo 'requires go >= [0-9.]+' "$folder/build.log" | tail -n 1), not $(go env GOVERSION)"
  fi
  say "the build of $1 failed; see $folder/build.log"
  exit 1
}

# What a program was built from: nothing is built anew while it is the same.
is_built() { [ -x "$folder/bin/$1" ] && [ "$(cat "$folder/bin/$1.built" 2>/dev/null)" = "$2" ]; }

get_collector() { # NAME VERSION SUM-OF-THE-BUILDER
  manifest=$here/otelcol-$1.yaml
  built="$2 $(cksum <"$manifest")"
  if is_built "otelcol-$1" "$built"; then
    say "the collector for $1.yaml, $2, is there"
    return
  fi
  say "fetching the collector for $1.yaml, $2"
  : >"$folder/build.log"
  check_sum go.opentelemetry.io/collector/cmd/builder "$2" "$3"
  GOBIN="$folder/collector" nice go install "go.opentelemetry.io/collector/cmd/builder@$2" >>"$folder/build.log" 2>&1 || build_failed 'the collector'
  cp "$manifest" "$folder/collector/"
  (cd "$folder/collector" && nice ./builder --config "otelcol-$1.yaml" --skip-compilation) >>"$folder/build.log" 2>&1 || build_failed 'the collector'
  say "building the collector for $1.yaml (a minute and a half on two quiet cores)"
  (cd "$folder/collector/$1" && nice go build -trimpath -o "$folder/bin/otelcol-$1" .) >>"$folder/build.log" 2>&1 || build_failed 'the collector'
  printf '%s\n' "$built" >"$folder/bin/otelcol-$1.built"
}

get_jaeger() {
  if is_built jaeger "$JAEGER"; then
    say "Jaeger $JAEGER is there"
    return
  fi
  say "fetching Jaeger $JAEGER"
  : >"$folder/build.log"
  check_sum github.com/jaegertracing/jaeger "$JAEGER" h1:sWCOOF1dr+NL0PLil7mFo3BqqQL8k4WiM7aguFbc14g=
  cd "$folder/jaeger"
  [ -f go.mod ] || go mod init jaeger >>"$folder/build.log" 2>&1
  # As a tool of an empty module: Go installs no module that replaces others.
  nice go get -tool "github.com/jaegertracing/jaeger/cmd/jaeger@$JAEGER" >>"$folder/build.log" 2>&1 || build_failed Jaeger
  say 'building Jaeger (three minutes on two quiet cores)'
  nice go build -trimpath -o "$folder/bin/jaeger" github.com/jaegertracing/jaeger/cmd/jaeger >>"$folder/build.log" 2>&1 || build_failed Jaeger
  printf '%s\n' "$JAEGER" >"$folder/bin/jaeger.built"
}

has() { command -v "$1" >/dev/null 2>&1; }

are_there() { # PROGRAM...
  for program in "$@"; do has "$program" || [ -x "$folder/bin/$program" ] || return 1; done
}

# Debian's Alertmanager reads its templates from /usr/share, where nothing is put from here: it sees our folder there, and nobody else does.
at_home() { # UNPACKED
  mkdir -p "$folder/share/prometheus"
  cp -r "$1/usr/share/prometheus/alertmanager" "$folder/share/prometheus/"
  program=$folder/bin/prometheus-alertmanager
  mv "$program" "$program.real"
  printf '#!/bin/sh\nexec unshare -rm sh -c '\''mount --bind "$0" /usr/share && exec "$@"'\'' "%s" "%s" "$@"\n' "$folder/share" "$program.real" >"$program"
  chmod +x "$program"
  "$program" --version >"$folder/apt.log" 2>&1 && return
  rm "$program"
  missing "Alertmanager does not run without being installed, as this system forbids namespaces of users: install prometheus-alertmanager"
}

# apt compares a package with the sums that the distribution has signed.
get_package() { # PACKAGE PROGRAM...
  package=$1
  shift
  if are_there "$@"; then
    say "$package is there"
    return
  fi
  has apt-get && has dpkg || missing "$package cannot be had without apt-get: put $* on the path"
  say "fetching $package"
  cd "$folder/packages"
  rm -rf "$package" "${package}"_*.deb
  download="apt-get -q -o APT::Sandbox::User=root download $package"
  $download >"$folder/apt.log" 2>&1 || { [ "$(id -u)" = 0 ] && apt-get update -q >>"$folder/apt.log" 2>&1 && $download >>"$folder/apt.log" 2>&1; } ||
    missing "the package $package cannot be fetched; see $folder/apt.log"
  dpkg -x "${package}"_*.deb "$package"
  for program in "$@"; do cp "$package/usr/bin/$program" "$folder/bin/"; done
  if [ "$package" = prometheus-alertmanager ]; then at_home "$package"; fi
  rm -rf "$package" "${package}"_*.deb
}

[ "$(uname -s)" = Linux ] || missing 'only Linux gets them from here'
get_package prometheus prometheus promtool
are_there alertmanager amtool || get_package prometheus-alertmanager prometheus-alertmanager amtool
has go || missing 'Go is missing: the collector and Jaeger cannot be built'
get_collector traces "$TRACES" h1:m7pQOgHtJfr64iOxPpoPdw+GOkePPXnCcAH+Ni7011U=
get_jaeger
get_collector logs "$LOGS" h1:oAWgSxRGp7OoiqN4dqSXjSUhiE2utL8NsfJ8tVGGn64=
say "ready in $folder"
