"""The names and the order of methods in tables and legends."""

from collections.abc import Callable, Collection, Sequence

from setwise.reports.inputs import Run

LABELS = {
    "rlvr-single": "RLVR (single loss + single prompt)",
    "rlvr-single-prompted-multi": "RLVR (single loss + multi prompt)",
    "rlvr-zero-shot": "Zero-shot (multi prompt)",
    "rlvr-multi": "Multi-answer RLVR (multi loss + multi prompt)",
    "rlcr-single": "RLCR (single loss + single prompt)",
    "rlcr-single-prompted-multi": "RLCR (single loss + multi prompt)",
    "rlcr-zero-shot": "Zero-shot (multi prompt, confidences)",
    "rlcr-multi": "Multi-answer RLCR (multi loss + multi prompt)",
    "base-rlvr-single": "Base model (single prompt)",
    "base-rlcr-single": "Base model (single prompt, confidences)",
    "verbalised-sampling": "Verbalised sampling",
    "self-consistency": "Self-consistency (votes)",
}
SHORT = {
    "rlvr-single": "RLVR single",
    "rlvr-single-prompted-multi": "RLVR single, multi prompt",
    "rlvr-zero-shot": "Zero-shot (RLVR prompt)",
    "rlvr-multi": "RLVR multi",
    "rlcr-single": "RLCR single",
    "rlcr-single-prompted-multi": "RLCR single, multi prompt",
    "rlcr-zero-shot": "Zero-shot (RLCR prompt)",
    "rlcr-multi": "RLCR multi",
    "base-rlvr-single": "Base",
    "base-rlcr-single": "Base, confidences",
    "verbalised-sampling": "Verbalised sampling",
    "self-consistency": "Self-consistency",
}
BLOCKS = ("RLVR", "RLCR", "Without training")
SOURCES = {
    "none": "",
    "written": "confidences as trained",
    "prompt": "confidences asked for by the prompt",
    "continue": "confidence tag forced behind each answer",
}
FEW = 0.05
"""Share of the answers. If more lack a confidence, the row says so."""
WAYS = {"": "", "prompt": "asked", "continue": "forced"}
"""Short for how a model trained without confidences was made to state some, by the ending of its method's name."""


def base_method(run: Run) -> str:
    """The method without how confidences were asked for (`rlvr-multi+prompt` -> `rlvr-multi`)."""
    return without_way(run.method)


def without_way(method: str) -> str:
    return method.partition("+")[0]


def way(run: Run) -> str:
    """How confidences were asked for, from the method's name (`rlvr-multi+prompt` -> `prompt`)."""
    return run.method.partition("+")[2]


def by_own_prompt(runs: Sequence[Run]) -> list[Run]:
    """The runs that show correctness. A run that was made to state confidences counts only if its method has no
    other."""
    plain = {(run.method, run.k) for run in runs if not way(run)}
    return [run for run in runs if not way(run) or (base_method(run), run.k) not in plain]


def swept(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of every method that was run with several K, by method."""
    by_method: dict[str, list[Run]] = {}
    for run in sorted(by_own_prompt(runs), key=order):
        by_method.setdefault(run.method, []).append(run)
    return {method: own for method, own in by_method.items() if len({run.k for run in own}) > 1}


def block(run: Run) -> str:
    family = base_method(run).partition("-")[0]
    return {"rlvr": "RLVR", "rlcr": "RLCR"}.get(family, BLOCKS[-1])


def order(run: Run) -> tuple[int, int, int, int, str]:
    """Blocks as in the paper, with its methods in its order, then the rest by name."""
    return BLOCKS.index(block(run)), _place(base_method(run), LABELS), run.k, _place(way(run), WAYS), run.name


def label(run: Run) -> str:
    return LABELS.get(base_method(run), run.method)


def source(run: Run) -> str:
    """Where the confidences of a run come from, in words."""
    if run.construction == "voted":
        return "vote shares as confidences"
    return SOURCES.get(run.confidence, run.confidence)


def asking(run: Run) -> str:
    """How a model trained without confidences was made to state them, in words."""
    return source(run) if way(run) else ""


def stating(run: Run) -> str:
    """For a row about confidences, in words: where they come from, unless the method shows it, and how many are
    missing."""
    origin = "" if run.confidence == "prompt" and run.method in LABELS else source(run)
    lacking = run.counts.get("top1/n_excluded", 0)
    share = lacking / (lacking + run.counts["top1/n"]) if lacking else 0
    return "; ".join(filter(None, (origin, f"{100 * share:.0f} % of first answers state none" if share > FEW else "")))


def notes(runs: Sequence[Run], told: Callable[[Run], str]) -> list[str]:
    """What follows the label of each run: what `told` gives, and the folder's name if another run has the same label.

    Runs of one method are distinguished by how they were asked, not by a share that each row happens to show.
    """
    named = [(label(run), run.k, asking(run)) for run in runs]
    return [
        told(run) if named.count(name) == 1 else ", ".join(filter(None, (told(run), run.name)))
        for run, name in zip(runs, named, strict=True)
    ]


def short_labels(runs: Sequence[Run]) -> dict[str, str]:
    """A short name per run, by what differs: how confidences were asked for, K, or the folder's name."""
    labels = {}
    ks = {run.k for run in runs}
    for run in runs:
        asked = WAYS.get(way(run), way(run))
        labels[run.name] = SHORT.get(base_method(run), base_method(run)) + (f" ({asked})" if asked else "")
        if len(ks) > 1:
            labels[run.name] += f", K = {run.k}"
    alike: dict[str, list[str]] = {}
    for name, text in labels.items():
        alike.setdefault(text, []).append(name)
    for text, names in alike.items():
        if len(names) > 1:
            labels |= {name: f"{text} ({apart})" for name, apart in zip(names, _apart(names), strict=True)}
    return labels


def in_short(runs: Sequence[Run]) -> str:
    """What "asked" and "forced" mean in the short labels of these runs, as sentences to follow a caption."""
    ways = sorted({way(run) for run in runs}, key=lambda each: _place(each, WAYS))
    return "".join(f" {WAYS[each].capitalize()}: {SOURCES[each]}." for each in ways if WAYS.get(each))


def _apart(names: Sequence[str]) -> list[str]:
    """Folder names without the first and last parts that all of them share.

    >>> _apart(["s0/eval/multi", "s1/eval/multi"]), _apart(["eval/multi", "eval/multi-2"])
    (['s0', 's1'], ['multi', 'multi-2'])
    """
    parts = [name.split("/") for name in names]
    while len({own[-1] for own in parts}) == 1 and min(map(len, parts)) > 1:
        parts = [own[:-1] for own in parts]
    while len({own[0] for own in parts}) == 1 and min(map(len, parts)) > 1:
        parts = [own[1:] for own in parts]
    return ["/".join(own) for own in parts]


def _place(name: str, known: Collection[str]) -> int:
    return list(known).index(name) if name in known else len(known)
