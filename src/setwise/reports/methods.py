"""How methods are called and ordered in tables and legends."""

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


def base_method(run: Run) -> str:
    """The method without how confidences were asked for (`rlvr-multi+prompt` -> `rlvr-multi`)."""
    return run.method.partition("+")[0]


def block(run: Run) -> str:
    family = base_method(run).partition("-")[0]
    return {"rlvr": "RLVR", "rlcr": "RLCR"}.get(family, BLOCKS[-1])


def order(run: Run) -> tuple[int, int, int, str]:
    """Blocks as in the paper, its methods in its order, then the rest by name."""
    known = list(LABELS)
    method = base_method(run)
    place = known.index(method) if method in known else len(known)
    return BLOCKS.index(block(run)), place, run.k, run.name


def label(run: Run) -> str:
    return LABELS.get(base_method(run), run.method)


def source(run: Run) -> str:
    """Where the confidences of a run come from, in words."""
    if run.construction == "voted":
        return "vote shares as confidences"
    return SOURCES.get(run.confidence, run.confidence)


def short_labels(runs: list[Run]) -> dict[str, str]:
    """A short name per run, told apart by what differs: how confidences were asked for, K, or the folder's name."""
    labels = {}
    ks = {run.k for run in runs}
    for run in runs:
        asked = run.method.partition("+")[2]
        labels[run.name] = SHORT.get(base_method(run), run.method.partition("+")[0]) + (f" +{asked}" if asked else "")
        if len(ks) > 1:
            labels[run.name] += f", K = {run.k}"
    shown = list(labels.values())
    return {name: f"{text} ({name})" if shown.count(text) > 1 else text for name, text in labels.items()}
