#!/usr/bin/env bash
# Deploys things.
source ./lib/common.sh
. "lib/more.sh"

readonly LIMIT=10
export TARGET="prod"
verbose=0

# Sends it. Somewhere.
deploy() {
  local name=$1
  check "$name" | tee -a "$LOG"
  if [[ -n "$(find_host "$name")" ]]; then
    copy_files "deploy() $name" && notify
  fi
}

function check {
  echo "$LIMIT"
}

function cleanup() (
  rm -rf "$TARGET"
)

trap cleanup EXIT
LEVEL=3 deploy mail
local -r missing="a file"
deploy web

each() {
  local name="$1" other
  for part in a b; do echo "$part $name $other $LEVEL"; done
}
