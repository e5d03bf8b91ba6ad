"""Every table and figure of docs/results.md, made again from the committed records. Needs no GPU and no dataset.

    python results/rebuild.py            # unpacks into runs/published, writes the reports, and docs/results.md anew
    python results/rebuild.py --check    # exit status 1 where docs/results.md is not what the records give

In docs/results.md, what stands between `<!-- ARCHIVE: HEADING -->` and `<!-- end -->` is that part of the archive's
report; `multi against single` is made here. Figures are those that the document shows as figures/ARCHIVE/NAME.svg.
"""

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.records import unpack
from setwise.errors import InputError
from setwise.evaluation.comparison import Comparison, compare
from setwise.workflows.report import make_report

HERE = Path(__file__).parent
DOCUMENT = HERE.parent / "docs" / "results.md"
BLOCK = re.compile(r"(<!-- (\S+): (.+?) -->\n)(?:(?!<!-- ).)*(?=<!-- end -->)", re.DOTALL)
FIGURE = re.compile(r"\(figures/([^/)]+)/([^/)]+\.svg)\)")
ROWS = {
    "coverage": "right and different, of those asked for (coverage)",
    "uniqueness": "distinct answers in a set",
    "pass_at_k": "any right",
    "pass_at_1": "first answer right",
    "tokens": "tokens per set",
    "distinct_correct@30": "distinct right answers among 30",
}


def name_of(archive: Path) -> str:
    """What the document calls it."""
    return archive.name.removesuffix(".tar.xz")


def rebuild(archives: list[Path], out: Path) -> dict[str, Path]:
    """The folder of each archive's records, with its report in it."""
    folders = {}
    for archive in archives:
        name = name_of(archive)
        folders[name] = out / name
        shutil.rmtree(out / name, ignore_errors=True)
        unpack(archive, out / name)
        runs = sorted((out / name / "eval").iterdir()) + sorted((out / name / "train").iterdir())
        make_report(runs, out / name / "report", formats=("svg",), title=name)
    return folders


def written_anew(text: str, folders: Mapping[str, Path]) -> str:
    """The document with its blocks as the records give them."""
    blocks = {name: dict(_blocks(folder)) for name, folder in folders.items()}

    def block(found: re.Match[str]) -> str:
        opening, name, heading = found.groups()
        if heading not in blocks.get(name, {}):
            raise InputError("no archive has this block", place=DOCUMENT, value=f"{name}: {heading}")
        return f"{opening}\n{blocks[name][heading]}\n\n"

    return BLOCK.sub(block, text)


def figures(text: str, folders: Mapping[str, Path]) -> dict[Path, str]:
    """By its place below docs/figures, each figure that the document shows."""
    shown = {match.groups() for match in FIGURE.finditer(text)}
    return {
        Path(name) / file: (folders[name] / "report" / "figures" / file).read_text(encoding="utf-8")
        for name, file in sorted(shown)
    }


def _blocks(folder: Path) -> Iterator[tuple[str, str]]:
    report = (folder / "report" / "report.md").read_text(encoding="utf-8")
    for part in re.split(r"^### ", report, flags=re.MULTILINE)[1:]:
        heading, _, content = part.partition("\n")
        yield heading, content.partition("\n## ")[0].strip()
    yield "multi against single", "\n".join(_multi_against_single(folder / "eval"))


def _multi_against_single(runs: Path) -> Iterator[str]:
    yield "| | single | multi | ratio | difference, 95 % interval | p, Holm |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for kind in ("rlvr", "rlcr"):
        pair = [runs / f"{kind}-single", runs / f"{kind}-multi"]
        if all(run.is_dir() for run in pair):
            yield f"| *{kind.upper()}* | | | | | |"
            yield from _compared(compare(pair))


def _compared(comparison: Comparison) -> Iterator[str]:
    single, multi = (run.estimates for run in comparison.runs)
    tested = {difference.metric: difference for difference in comparison.differences}
    for metric, label in ROWS.items():
        if metric not in tested:
            continue
        one, other, difference = single[metric].value, multi[metric].value, tested[metric]
        ratio = f"{other / one:.2f}x" if one else "-"
        span = f"{difference.value.value:+.3g} [{difference.value.low:.3g} to {difference.value.high:.3g}]"
        yield f"| {label} | {one:.3g} | {other:.3g} | {ratio} | {span} | {difference.p_holm:.4f} |"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and say whether all is as it should be")
    parser.add_argument("--out", type=Path, default=Path("runs/published"), help="where records and reports go")
    options = parser.parse_args(arguments)
    folders = rebuild(sorted(HERE.glob("*.tar.xz")), options.out)
    old = DOCUMENT.read_text(encoding="utf-8")
    wanted = {DOCUMENT: written_anew(old, folders)}
    wanted |= {DOCUMENT.parent / "figures" / place: drawn for place, drawn in figures(old, folders).items()}
    stale = [path for path, text in wanted.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path.name}: {'is not what the records give' if options.check else 'written anew'}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
