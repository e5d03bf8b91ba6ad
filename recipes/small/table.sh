#!/usr/bin/env bash
# The whole table of one dataset: the four trainings, then every method of the paper, then the report.
#
#   recipes/small/table.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#   recipes/small/table.sh ddxplus data/ddxplus runs/ddxplus Qwen/Qwen2.5-Coder-1.5B-Instruct
#
# Options of `setwise train` at the end go to every training. The same command again goes on where it stopped.
# LANES runs go side by side (1 unless set). ENGINE asks the models (vllm unless set; hf needs no vLLM).
# LIMIT problems of the test split are asked (all unless set).
set -euo pipefail
here=$(dirname "$0")
source "$here/lanes.sh"
shift 4

for objective in rlvr-multi rlcr-multi rlvr-single rlcr-single; do
  lane "train-$objective" setwise train "$here/$dataset/$objective.yaml" \
    --set task.path="$data" --set model.path="$model" --set run.folder="$out/train/$objective" "$@"
done
finish
for kind in rlvr rlcr; do
  single=$out/train/$kind-single/model multi=$out/train/$kind-multi/model
  ask $kind-zero-shot $kind-zero-shot 3 "$model"
  ask $kind-single-prompted-multi $kind-single-prompted-multi 3 "$single"
  # Thirty answers of each, for what a budget finds: 30 completions of one answer, 10 of three.
  ask $kind-single $kind-single 3 "$single" --samples 30
  ask $kind-multi $kind-multi 3 "$multi" --samples 10
done
for kind in single multi; do
  for how in prompt continue; do
    ask rlvr-$kind+$how rlvr-$kind+$how 3 "$out/train/rlvr-$kind/model"
  done
done
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
