#!/usr/bin/env bash
# main.py from anywhere; without arguments it evaluates. bash main.sh --eval
exec python3 "$(dirname "${BASH_SOURCE[0]}")/main.py" "${@:-eval}"
