#!/usr/bin/env bash
# The whole table of one dataset: the four trainings, then every method of the paper, then the report.
#
#   recipes/small/table.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#   recipes/small/table.sh ddxplus data/ddxplus runs/ddxplus Qwen/Qwen2.5-Coder-1.5B-Instruct
#
# Options of `setwise train` at the end go to every training. The same command again goes on where it stopped.
# LANES runs go side by side (1 unless set; two fit 140 GB). ENGINE asks the models (vllm unless set; hf needs no vLLM).
# LIMIT problems of the test split are asked (all unless set).
set -euo pipefail
dataset=$1 data=$2 out=$3 model=$4
shift 4
task=$dataset
[ "$dataset" = hotpotqa ] && task=hotpotqa-modified
engine=${ENGINE:-vllm}
asking=(--task "$task" --path "$data" --split test --max-tokens 640)
[ "$engine" = vllm ] && asking+=(--cache-gb 8)
[ -n "${LIMIT:-}" ] && asking+=(--limit "$LIMIT")
mkdir -p "$out/logs"

runs=()
lane() { # NAME COMMAND...
  local log=$out/logs/$1.log
  shift
  while [ "$(jobs -rp | wc -l)" -ge "${LANES:-1}" ]; do sleep 1; done
  echo "$(date +%T) $*"
  "$@" >"$log" 2>&1 &
  runs+=($!)
}
finish() {
  for run in "${runs[@]}"; do
    wait "$run" || { echo "a run failed; see $out/logs" >&2; exit 1; }
  done
  runs=()
}
ask() { # METHOD MODEL [OPTION...]
  lane "eval-$1" setwise eval "${asking[@]}" --method "$1" --k 3 --model "$engine:$2" --out "$out/eval/$1" "${@:3}"
}

for objective in rlvr-multi rlcr-multi rlvr-single rlcr-single; do
  lane "train-$objective" setwise train "$(dirname "$0")/$dataset/$objective.yaml" \
    --set task.path="$data" --set model.path="$model" --set run.folder="$out/train/$objective" "$@"
done
finish
for kind in rlvr rlcr; do
  ask $kind-zero-shot "$model"
  ask $kind-single-prompted-multi "$out/train/$kind-single/model"
  # Thirty answers of each, for what a budget finds: 30 completions of one answer, 10 of three.
  ask $kind-single "$out/train/$kind-single/model" --samples 30
  ask $kind-multi "$out/train/$kind-multi/model" --samples 10
done
for kind in single multi; do
  ask rlvr-$kind+prompt "$out/train/rlvr-$kind/model"
  ask rlvr-$kind+continue "$out/train/rlvr-$kind/model"
done
finish
setwise report "$out"/eval/* --out "$out/report"
