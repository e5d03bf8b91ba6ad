"""The example that opens a report: the problem on which the leader of its table is furthest ahead."""

from collections.abc import Sequence
from dataclasses import replace

from setwise.reports.inputs import DatasetSection, TellingProblem
from setwise.reports.leads import Lead
from setwise.reports.opening import coverage_leads
from setwise.workflows.report_problems import LoadedRun, read_one

LOOKED_AT = 50
"""Problems equally far apart, of which the shortest is shown."""


def find_telling(section: DatasetSection, loaded: Sequence[LoadedRun]) -> TellingProblem | None:
    """None if no run is clearly ahead of another.

    The leader is preferably compared with a run of repeated samples that it beats: this shows what a set contains and
    repeated sampling does not.
    """
    lead = next((each for each in coverage_leads(section) if each.beaten), None)
    if lead is None:
        return None
    by_name = {each.run.name: each for each in loaded}
    best, other = by_name[lead.best.name], by_name[_rival(lead)]
    gaps = {problem: right - other.right[problem] for problem, right in best.right.items() if problem in other.right}
    widest = max(gaps.values(), default=0.0)
    if widest <= 0:
        return None
    furthest = [problem for problem, gap in gaps.items() if gap == widest][:LOOKED_AT]
    problem = min(furthest, key=lambda each: _length(best, each))
    text, won = read_one(best, problem)
    said = {other.run.name: read_one(other, problem)[1], best.run.name: won}
    ahead, behind = (sum(sign * gap > 1e-9 for gap in gaps.values()) for sign in (1, -1))
    return TellingProblem(text, said, ahead, behind, len(gaps))


def _rival(lead: Lead) -> str:
    sampled = [gap.other.name for gap in lead.beaten if gap.other.is_sampled]
    return sampled[0] if sampled else lead.beaten[0].other.name


def _length(loaded: LoadedRun, problem: str) -> int:
    """How much there is to read of a problem."""
    only = replace(loaded.file, offsets={problem: loaded.file.offsets[problem][:1]})
    return sum(len(sample.question.text) for samples in only.by_question() for sample in samples)
