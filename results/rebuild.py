"""Rebuilds every table and figure of the published results from the committed records, without a GPU or datasets.

    python results/rebuild.py            # unpacks into runs/published, and writes the documents and their figures
    python results/rebuild.py --check    # exit status 1 if a document differs from the records

The documents are docs/results/*.md. What stands in them between `<!-- ARCHIVE: HEADING -->` and
`<!-- end -->` is that part of the archive's report; `multi against single` and `RLCR against RLVR` are made here, and
those of `all` by the modules that OF_ALL names. Figures are those that a document shows as figures/ARCHIVE/NAME.svg.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from os.path import relpath
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.claims import claims_table, seeds_table
from results.columns import FOR_PROGRAMS
from results.credit_settings import digits_table, settings_table, validation_table
from results.credit_tables import credit_table, paired_table, summary_table
from results.differences import compared
from results.failure_tables import first_table, sums_table
from results.goal_tables import goals_table, single_goals_table
from results.k_tables import k_table
from results.learning_tables import ending_table, learning_table
from results.records import unpack
from results.rlvr_multi import otherwise_paired, otherwise_table
from results.second_family import second_family_table
from results.set_claims import claims_of_sets
from results.trainings import DDXPLUS_160, DDXPLUS_240, HOTPOTQA, HOTPOTQA_200, MBPP, MBPP_150
from setwise.errors import InputError
from setwise.records.comparison import Comparison
from setwise.workflows.report import make_report

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
DOCUMENTS = sorted((DOCS / "results").glob("*.md"))
OPENING, ENDING = r"<!-- (\S+): (.+?) -->\n", "<!-- end -->"
BLOCK = re.compile(rf"({OPENING})(?:(?!<!-- ).)*(?={ENDING})", re.DOTALL)
FIGURE = re.compile(r"\(\.\./figures/([^/)]+)/([^/)]+\.svg)\)")


@dataclass(frozen=True, slots=True)
class Table:
    """Two runs side by side, pair by pair."""

    columns: tuple[str, str]
    pairs: Mapping[str, tuple[str, str]]
    """By title: two evaluations."""
    rows: Mapping[str, str]
    """The label of each metric."""


OF_ALL = {
    "three datasets": summary_table,
    "the claims of the paper": claims_table,
    "the claims over seeds": seeds_table,
    "credit per answer": partial(credit_table, dataset=DDXPLUS_160),
    "credit per answer, paired": partial(paired_table, dataset=DDXPLUS_160),
    "credit per answer, 240 steps": partial(credit_table, dataset=DDXPLUS_240),
    "credit per answer, 240 steps, paired": partial(paired_table, dataset=DDXPLUS_240),
    "credit per answer, one right": partial(credit_table, dataset=HOTPOTQA),
    "credit per answer, one right, paired": partial(paired_table, dataset=HOTPOTQA),
    "credit per answer, one right, 200 steps": partial(credit_table, dataset=HOTPOTQA_200),
    "credit per answer, programs": partial(credit_table, dataset=MBPP, columns=FOR_PROGRAMS),
    "credit per answer, programs, paired": partial(paired_table, dataset=MBPP),
    "credit per answer, programs, 150 steps": partial(credit_table, dataset=MBPP_150, columns=FOR_PROGRAMS),
    "credit per answer, more answers": k_table,
    "what confidences learned, one right": learning_table,
    "coverage at the end of training": ending_table,
    "what credit per answer was to show": goals_table,
    "what credit per answer was to show of single answers": single_goals_table,
    "a second family": second_family_table,
    "claims of sets": claims_of_sets,
    "RLVR-multi, paid otherwise": otherwise_table,
    "RLVR-multi, paid otherwise, paired": otherwise_paired,
    "credit per answer, on validation patients": validation_table,
    "settings of credit per answer": settings_table,
    "digits of confidences": digits_table,
    "sums of confidences where one answer is right": sums_table,
    "first answers": first_table,
}
"""Tables over several archives, as `<!-- all: HEADING -->`."""
OF_TRAININGS = {"Training curves"}
"""Parts of a report that need no evaluations, whose comparisons take most of its time."""
COVERAGE = "right and different, of those asked for (coverage)"
TABLES = {
    "multi against single": Table(
        columns=("single", "multi"),
        pairs={"RLVR": ("rlvr-single", "rlvr-multi"), "RLCR": ("rlcr-single", "rlcr-multi")},
        rows={
            "coverage": COVERAGE,
            "uniqueness": "distinct answers in a set",
            "pass_at_k": "any right",
            "pass_at_1": "first answer right",
            "tokens": "tokens per set",
            "distinct_correct@30": "distinct right answers among 30",
        },
    ),
    "RLCR against RLVR": Table(
        columns=("RLVR-multi", "RLCR-multi"),
        pairs={
            "RLVR's asked for by the prompt": ("rlvr-multi+prompt", "rlcr-multi"),
            "RLVR's forced behind each answer": ("rlvr-multi+continue", "rlcr-multi"),
        },
        rows={
            "set/ece": "set ECE",
            "top1/ece": "ECE of the first confidence",
            "pooled/ece": "ECE of all confidences",
            "top1/brier": "Brier score of the first confidence",
            "pooled/brier": "Brier score of all confidences",
            "coverage": COVERAGE,
        },
    ),
}


def name_of(archive: Path) -> str:
    """Its name in the document."""
    return archive.name.removesuffix(".tar.xz")


def rebuild(archives: list[Path], out: Path) -> dict[str, Path]:
    """The folder of each archive's records, with a report of what the documents show of it."""
    folders = {name_of(archive): out / name_of(archive) for archive in archives}
    texts = [document.read_text(encoding="utf-8") for document in DOCUMENTS]
    shown = [found for text in texts for found in re.findall(OPENING, text)]
    parts = [{heading for name, heading in shown if name == archive} - TABLES.keys() for archive in folders]
    with _workers() as pool:
        list(pool.map(_rebuilt, archives, folders.values(), parts))
    return folders


def _workers() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(mp_context=get_context("spawn"))


def _rebuilt(archive: Path, folder: Path, parts: set[str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    unpack(archive, folder)
    if not parts:
        return
    asked = [] if parts <= OF_TRAININGS else sorted(folder.glob("eval/*"))
    make_report([*asked, *sorted(folder.glob("train/*"))], folder / "report", formats=("svg",), title=name_of(archive))


def written_anew(document: Path, folders: Mapping[str, Path]) -> str:
    """The document with its blocks as the records give them."""
    text = document.read_text(encoding="utf-8")
    if len(re.findall(OPENING, text)) != len(BLOCK.findall(text)):
        raise InputError(f"every block ends with {ENDING}", place=document)

    def block(found: re.Match[str]) -> str:
        opening, name, heading = found.groups()
        content = _block(name, heading, folders)
        if content is None:
            raise InputError("no archive has this block", place=document, value=f"{name}: {heading}")
        drawn = relpath(DOCS / "figures" / name, document.parent)
        return f"{opening}\n{content.replace('](figures/', f']({drawn}/')}\n\n"

    return BLOCK.sub(block, text)


def figures(text: str, folders: Mapping[str, Path]) -> dict[Path, str]:
    """Each figure that a document shows, by its place."""
    shown = {match.groups() for match in FIGURE.finditer(text)}
    if absent := {name for name, _ in shown} - folders.keys():
        raise InputError("no archive has these figures", value=sorted(absent))
    return {
        DOCS / "figures" / name / file: (folders[name] / "report" / "figures" / file).read_text(encoding="utf-8")
        for name, file in sorted(shown)
    }


def _block(name: str, heading: str, folders: Mapping[str, Path]) -> str | None:
    if name == "all" and heading in OF_ALL:
        return "\n".join(OF_ALL[heading](folders))
    if name not in folders:
        return None
    if heading in TABLES:
        return "\n".join(_table(folders[name] / "eval", TABLES[heading]))
    report = (folders[name] / "report" / "report.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in re.split(r"^### ", report, flags=re.MULTILINE)[1:])
    contents = {title: content for title, _, content in parts}
    return contents[heading].partition("\n## ")[0].strip() if heading in contents else None


def _table(runs: Path, table: Table) -> Iterator[str]:
    first_name, second_name = table.columns
    yield f"| | {first_name} | {second_name} | ratio | difference, 95 % interval | p, Holm |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for title, (first, second) in table.pairs.items():
        if (runs / first).is_dir() and (runs / second).is_dir():
            yield f"| *{title}* | | | | | |"
            yield from _rows(compared(runs / first, runs / second), table.rows)


def _rows(comparison: Comparison, rows: Mapping[str, str]) -> Iterator[str]:
    first, second = (run.estimates for run in comparison.runs)
    tested = {difference.metric: difference for difference in comparison.differences}
    for metric, label in rows.items():
        if metric not in tested:
            continue
        one, other, difference = first[metric].value, second[metric].value, tested[metric]
        ratio = f"{other / one:.2f}x" if one else "-"
        span = f"{difference.value.value:+.3g} [{difference.value.low:.3g} to {difference.value.high:.3g}]"
        yield f"| {label} | {one:.3g} | {other:.3g} | {ratio} | {span} | {difference.p_holm:.4f} |"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and say whether all is as it should be")
    parser.add_argument("--out", type=Path, default=Path("runs/published"), help="where records and reports go")
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as scratch:
        folders = rebuild(sorted(HERE.glob("*.tar.xz")), Path(scratch) if options.check else options.out)
        with _workers() as pool:
            wanted = dict(zip(DOCUMENTS, pool.map(partial(written_anew, folders=folders), DOCUMENTS), strict=True))
        for document in DOCUMENTS:
            wanted |= figures(wanted[document], folders)
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.name}: {'is not what the records give' if options.check else 'written anew'}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
