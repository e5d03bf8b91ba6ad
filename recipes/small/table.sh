#!/usr/bin/env bash
# The whole table of one dataset: the four trainings, then every method of the paper, then the report.
#
#   recipes/small/table.sh DATASET DATA OUT MODEL [--set A.B=C ...]
#   recipes/small/table.sh ddxplus data/ddxplus runs/ddxplus Qwen/Qwen2.5-Coder-1.5B-Instruct
#
# Options of `setwise train` at the end go to every training. The same command again goes on where it stopped.
# LANES runs go side by side (1 unless set). ENGINE asks the models (vllm unless set; hf needs no vLLM).
# LIMIT problems of the test split are asked (all unless set). For each, a model asked as it was trained gives SETS sets
# (10 unless set) or three times as many single answers; the other methods give one set or three answers. A completion has
# at most TOKENS tokens (640 unless set).
set -euo pipefail
here=$(dirname "$0")
source "$here/lanes.sh"
shift 4

for objective in rlvr-multi rlcr-multi rlvr-single rlcr-single; do
  lane "train-$objective" train "$objective" "$objective" "$@"
done
finish
# The same number of answers from each trained model, to compare what a budget finds.
trained=$out/train
ask zero-shot 3 "$model" rlvr-zero-shot rlcr-zero-shot
ask rlvr-single 3 "$trained/rlvr-single/model" "$(often rlvr-single)" rlvr-single-prompted-multi rlvr-single+{prompt,continue}
ask rlcr-single 3 "$trained/rlcr-single/model" "$(often rlcr-single)" rlcr-single-prompted-multi
ask rlvr-multi 3 "$trained/rlvr-multi/model" "$(often rlvr-multi)" rlvr-multi+{prompt,continue}
ask rlcr-multi 3 "$trained/rlcr-multi/model" "$(often rlcr-multi)"
finish
setwise report "$out"/eval/* "$out"/train/* --out "$out/report"
