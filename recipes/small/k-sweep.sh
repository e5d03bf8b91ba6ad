#!/usr/bin/env bash
# One recipe trained for 2, 3, 4 and 5 answers, each asked for as many, then the report.
#
#   recipes/small/k-sweep.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#
# RECIPE is rlvr-multi and KS "2 3 4 5" unless set; otherwise as table.sh.
set -euo pipefail
here=$(dirname "$0")
source "$here/lanes.sh"
shift 4
recipe=${RECIPE:-rlvr-multi}
need_recipes "$recipe"

for k in ${KS:-2 3 4 5}; do
  lane "train-k$k" train "$recipe" "k$k" --set objective.k="$k" "$@"
done
finish
for k in ${KS:-2 3 4 5}; do
  ask "k$k" "$k" "$out/train/k$k/model" "$(often "$(asked_as "$recipe")")"
done
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
