#!/usr/bin/env bash
# Recipes of one dataset with several seeds, each evaluated as soon as it is trained.
#
#   recipes/small/seeds.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#   RECIPES="rlvr-single rlcr-multi-per-answer" SEEDS="0 1" recipes/small/seeds.sh ddxplus data/ddxplus runs/ddxplus MODEL
#
# Weights are deleted once their run has been evaluated, unless KEEP is set: several of them fill a disk. RECIPES are the
# four that carry the claims and SEEDS "0 1 2" unless set; otherwise as table.sh.
set -euo pipefail
here=$(dirname "$0")
source "$here/lanes.sh"
shift 4

whole() { # RECIPE SEED OPTIONS...: train, evaluate, delete the weights
  local recipe=$1 seed=$2 run=$1-seed$2 method
  shift 2
  [ -e "$out/eval/$run/metrics.json" ] && return
  setwise train "$here/$dataset/$recipe.yaml" --set task.path="$data" --set model.path="$model" \
    --set run.seed="$seed" --set run.folder="$out/train/$run" "$@"
  case $recipe in
    *-single*) method=${recipe:0:11}:30 ;;
    *) method=${recipe:0:10}:10 ;;
  esac
  [[ $recipe = rlvr-multi* ]] && evaluate "${recipe/rlvr-multi/rlvr-multi+prompt}-seed$seed" 3 "$out/train/$run/model" rlvr-multi+prompt
  evaluate "$run" 3 "$out/train/$run/model" "$method"
  [ -n "${KEEP:-}" ] || rm -r "$out/train/$run/model"
}

for seed in ${SEEDS:-0 1 2}; do
  for recipe in ${RECIPES:-rlvr-single rlvr-multi rlcr-multi rlcr-multi-per-answer}; do
    lane "$recipe-seed$seed" whole "$recipe" "$seed" "$@"
  done
done
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
