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
  lane "train-$objective" train "$objective" "$objective" "$@"
done
finish
# Thirty answers of each, for what a budget finds: 30 completions of one answer, 10 of three.
trained=$out/train
ask zero-shot 3 "$model" rlvr-zero-shot rlcr-zero-shot
ask rlvr-single 3 "$trained/rlvr-single/model" rlvr-single:30 rlvr-single-prompted-multi rlvr-single+{prompt,continue}
ask rlcr-single 3 "$trained/rlcr-single/model" rlcr-single:30 rlcr-single-prompted-multi
ask rlvr-multi 3 "$trained/rlvr-multi/model" rlvr-multi:10 rlvr-multi+{prompt,continue}
ask rlcr-multi 3 "$trained/rlcr-multi/model" rlcr-multi:10
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
