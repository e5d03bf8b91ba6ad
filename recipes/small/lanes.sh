# For table.sh, k-sweep.sh and seeds.sh: their arguments, and runs side by side, LANES at a time, each with a log of its own.
dataset=$1 data=$2 out=$3 model=$4
task=$dataset
[ "$dataset" = hotpotqa ] && task=hotpotqa-modified
engine=${ENGINE:-vllm}
sets=${SETS:-10}
tokens=${TOKENS:-640}
runs=()
set -m # each run is a process group, which can be ended whole

setwise() { # shows each command in the log of its run
  echo "+ setwise$(printf ' %q' "$@")"
  command setwise "$@"
}

lane() { # NAME COMMAND...
  local name=$1 log=$out/logs/$1.log
  shift
  mkdir -p "$out/logs"
  while [ "$(jobs -rp | wc -l)" -ge "${LANES:-1}" ]; do sleep 0.2; done
  echo "$(date +%T) $name, $log"
  "$@" >"$log" 2>&1 &
  runs+=($!)
}

finish() {
  local failed=0
  for run in "${runs[@]}"; do
    wait "$run" || failed=1
  done
  runs=()
  [ $failed = 0 ] || { echo "a run failed; see $out/logs" >&2; exit 1; }
}

# No run outlives the script: it would write into folders that the next one uses.
end_runs() {
  for run in "${runs[@]}"; do kill -- "-$run" 2>/dev/null || true; done
  for run in "${runs[@]}"; do
    while kill -0 -- "-$run" 2>/dev/null; do sleep 0.2; done
  done
}
trap end_runs EXIT
trap 'exit 130' INT TERM

need_recipes() { # RECIPE...: ends the script before anything runs if one is missing
  local recipe
  for recipe in "$@"; do
    [ -e "$here/$dataset/$recipe.yaml" ] || { echo "no recipe $here/$dataset/$recipe.yaml" >&2; exit 2; }
  done
}

train() { # RECIPE NAME OPTIONS...
  setwise train "$here/$dataset/$1.yaml" --set task.path="$data" --set model.path="$model" \
    --set run.folder="$out/train/$2" "${@:3}"
}

asked_as() { # RECIPE: the method its model is asked by
  case $1 in
    *-per-answer) echo "${1%-per-answer}" ;;
    *-vpo) echo "${1%-vpo}" ;;
    *) echo "$1" ;;
  esac
}

often() { # METHOD: METHOD:SAMPLES, with three single answers instead of a set
  [[ $1 = *-single ]] && echo "$1:$((3 * sets))" || echo "$1:$sets"
}

# The evaluation of one method is named NAME, those of several after their methods.
ask() { # NAME K MODEL METHOD[:SAMPLES]...: in one load of the model, in a lane
  lane "eval-$1" evaluate "$@"
}

evaluate() { # the same, and wait
  local room=() limit=() folder=$out/eval
  [ "$engine" = vllm ] && room=(--cache-gb 8)
  [ -n "${LIMIT:-}" ] && limit=(--limit "$LIMIT")
  [ $# = 4 ] && folder=$out/eval/$1
  setwise eval --task "$task" --path "$data" --split test --max-tokens "$tokens" "${room[@]}" "${limit[@]}" \
    --k "$2" --model "$engine:$3" --method "${@:4}" --out "$folder"
}
