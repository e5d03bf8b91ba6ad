#!/usr/bin/env bash
# Recipes of one dataset with several seeds, each evaluated as soon as it is trained.
#
#   recipes/small/seeds.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#   RECIPES="rlvr-single rlcr-multi-per-answer" SEEDS="0 1" recipes/small/seeds.sh ddxplus data/ddxplus runs/ddxplus MODEL
#
# RECIPES are the four objectives and SEEDS "0 1 2" unless set. Weights and checkpoints are deleted once their run has been
# evaluated, unless KEEP is set; its log and its logged completions stay. RLVR-multi is also asked for confidences, SETS
# times. Otherwise as table.sh.
set -euo pipefail
here=$(dirname "$0")
source "$here/lanes.sh"
shift 4
recipes=${RECIPES:-rlvr-single rlvr-multi rlcr-single rlcr-multi}
need_recipes $recipes

whole() { # RECIPE SEED OPTIONS...: train, evaluate, delete the weights
  local objective run=$1-seed$2
  objective=$(asked_as "$1")
  if [ ! -e "$out/eval/$run/metrics.json" ]; then
    train "$1" "$run" --set run.seed="$2" "${@:3}"
    [ "$objective" = rlvr-multi ] && evaluate "${run/multi/multi+prompt}" 3 "$out/train/$run/model" "$(often rlvr-multi+prompt)"
    evaluate "$run" 3 "$out/train/$run/model" "$(often "$objective")"
  fi
  [ -n "${KEEP:-}" ] || rm -rf "$out/train/$run"/{model,warm-start,checkpoints/checkpoint-*}
}

for seed in ${SEEDS:-0 1 2}; do
  for recipe in $recipes; do
    lane "$recipe-seed$seed" whole "$recipe" "$seed" "$@"
  done
done
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
