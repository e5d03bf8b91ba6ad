"""The opening sentences of a report. Names and digits come from the table of metrics, claims from the tests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from setwise.metrics import find_metric
from setwise.records.measured import Estimate
from setwise.reports.doubts import cannot_show
from setwise.reports.inputs import DatasetSection, Run
from setwise.reports.leads import Lead
from setwise.reports.methods import BLOCKS, block, by_own_prompt

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


@dataclass(frozen=True, slots=True)
class MetricTerm:
    """A metric in a sentence. The page explains it on hover and on touch."""

    metric: str

    @property
    def words(self) -> str:
        label = find_metric(self.metric).label
        return label if label[:2].isupper() else label[:1].lower() + label[1:]


@dataclass(frozen=True, slots=True)
class Name:
    """A run in a sentence."""

    words: str


Sentence = Sequence[str | MetricTerm | Name]
Labels = Mapping[str, str]


def plain(sentence: Sentence) -> str:
    """The sentence as one text."""
    return "".join(part if isinstance(part, str) else part.words for part in sentence)


def compared(runs: Sequence[Run], sizes: Sequence[int], title: str, problems: str) -> str:
    """What was compared, in sets of these sizes."""
    counted = by_own_prompt(runs)
    methods = len({run.method for run in counted})
    what = f"{_number(methods)} method{'' if methods == 1 else 's'}"
    if len(counted) > methods:
        what = f"{_number(len(counted))} runs of {what}"
    size = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    answers = "one answer each" if size == "1" else f"sets of {size} answers"
    return f"{what[:1].upper()}{what[1:]} answered {problems} problems of {title} with {answers}."


def found_in(lead: Lead, labels: Labels, *, within: bool) -> Sentence:
    """Which run leads and by how much, or that none does; `within` a block of the table or over all of it."""
    term, best = MetricTerm(lead.metric), Name(labels[lead.best.name])
    superlative = "lowest" if find_metric(lead.metric).better == "lower" else "highest"
    value = lead.best.numbers[lead.metric].text(find_metric(lead.metric).digits)
    scope = _scope(lead.best) if within else "runs"
    if not lead.beaten:
        ending = f", the {superlative} at {value}, {_level(lead, labels)}."
        return [f"None of the {scope} wins in ", term, ": ", best, ending]
    start: Sentence = [best, f" has the {superlative} ", term, f" of the {scope}, {value}"]
    if lead.level:
        return [*start, f", but {_level(lead, labels)}. It is {_margin(lead, labels)}.{_tokens(lead)}"]
    return [*start, f": {_margin(lead, labels)}.{_tokens(lead)}"]


def confidences(runs: Sequence[Run], metric: str, labels: Labels) -> Sentence:
    """Which runs' confidences are better than always stating the base rate, each by its own interval."""
    better = [run for run in runs if (span := run.numbers[metric].span) and span[0] > 0]
    named = max(better or runs, key=lambda run: run.numbers[metric].value)
    value = f" {named.numbers[metric].text(find_metric(metric).digits, sign=True)}"
    constant = f"one constant for all {'answers' if metric.startswith('pooled/') else 'first answers'}"
    if not better:
        start = f"No run states confidences that beat {constant}: the highest "
        return [start, MetricTerm(metric), f" is{value}, of ", Name(labels[named.name]), "."]
    others, rest = len(better) - 1, len(runs) - len(better)
    also = f", and those of {_counted(others)}, each by its own interval," if others else ""
    left = {0: "", 1: " Those of the other run do not."}.get(rest, f" Those of the other {rest} do not.")
    ending = [f"{also} beat {constant} (", MetricTerm(metric), f"{value}).{left}"]
    return ["The confidences of ", Name(labels[named.name]), *ending]


def alone(run: Run, metric: str, labels: Labels) -> Sentence:
    """A number without a claim, for a run that was not tested against another."""
    if metric not in run.numbers:
        return [Name(labels[run.name]), " has no ", MetricTerm(metric), "."]
    value = run.numbers[metric].text(find_metric(metric).digits)
    return [Name(labels[run.name]), " has a ", MetricTerm(metric), f" of {value}."]


def how_sure(section: DatasetSection, found: Sequence[Lead]) -> str:
    """What the claims rest on; if nothing won, why not."""
    if not found:
        return "No two runs were tested against each other here, so nothing won."
    comparisons = found[0].comparisons
    over = "the one comparison" if comparisons == 1 else f"the {comparisons} comparisons"
    corrected = f"Holm's correction over {over} of the table below"
    beaten = [gap.p for lead in found for gap in lead.beaten]
    if not beaten:
        few = cannot_show(section.differences, comparisons)
        return few or f"Differences are paired by problem; those named do not survive {corrected}."
    largest = "p < 0.001" if max(beaten) < 0.001 else f"p at most {max(beaten):.3f}"
    return (
        f"Every lead named here is a paired difference that survives {corrected} ({largest}). Brackets are 95 % "
        "intervals over problems; another training run may differ by more."
    )


def _scope(run: Run) -> str:
    name = block(run)
    return "runs without training" if name == BLOCKS[-1] else f"{name} runs"


def _margin(lead: Lead, labels: Labels) -> str:
    closest, *others = lead.beaten
    gap = closest.difference
    direction = "below" if gap.value < 0 else "above"
    rest = f", and further {direction} {_counted(len(others))}" if others else ""
    return f"{_gap(-gap if gap.value < 0 else gap, lead.metric)} {direction} {labels[closest.other.name]}{rest}"


def _level(lead: Lead, labels: Labels) -> str:
    closest, *others = lead.level
    rest = f", nor from {_counted(len(others))}" if others else ""
    difference = _gap(closest.difference, lead.metric, sign=True)
    return f"cannot be told from {labels[closest.other.name]} (difference {difference}){rest}"


def _gap(difference: Estimate, metric: str, *, sign: bool = False) -> str:
    """One digit more than a value has, since a difference is smaller."""
    return difference.text(find_metric(metric).digits + 1, sign=sign)


def _tokens(lead: Lead) -> str:
    """The cost of the leader and of the closest run it beats, if both are on record."""
    costs = [run.numbers.get("tokens") for run in (lead.best, lead.beaten[0].other)]
    known = [find_metric("tokens").shown(each.value) for each in costs if each is not None]
    return f" It takes {known[0]} tokens per set against {known[1]}." if len(known) == 2 else ""


def _counted(others: int) -> str:
    return "one other" if others == 1 else f"{_number(others)} others"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"
