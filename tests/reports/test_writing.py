"""What lands on disk: the same bytes each time, whole, and text as text."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from setwise.errors import InputError
from setwise.reports import Report, write_report
from setwise.reports.document import build_document
from setwise.reports.inputs import ShownAnswer, ShownProblem, ShownRun, ShownSet
from setwise.reports.markdown import escape as markdown_escape
from setwise.reports.payload import build_payload, unpack
from setwise.reports.write import _write_figures
from setwise.workflows.report import read_report


def problems(count: int, reasoning: str = "because " * 50) -> list[ShownProblem]:
    said = ShownSet(
        [ShownAnswer("Flu", 0.7, True), ShownAnswer("Cold \ud800", None, False)], ["truncated"], 12, [reasoning]
    )
    return [ShownProblem("t", f"p{i}", "Why?", ["Flu"], [ShownRun(0, True, [said])]) for i in range(count)]


def test_a_report_holds_the_page_the_tables_and_every_figure(report_folder: Path):
    names = {path.name for path in report_folder.iterdir()}
    assert names == {"report.html", "report.md", "tables.tex", "figures"}
    figures = {path.stem.removeprefix("ddxplus-") for path in (report_folder / "figures").iterdir()}
    assert figures >= {
        "calibration-top1", "calibration-pooled", "sums", "risk", "pareto", "tokens", "distinct", "budget", "golds",
        "clouds", "overlap", "k", "training-curves", "training-correct",
    }  # fmt: skip


def test_every_figure_of_the_markdown_is_there(report_folder: Path):
    linked = re.findall(r"\]\((figures/[^)]+)\)", (report_folder / "report.md").read_text(encoding="utf-8"))
    assert linked
    assert all((report_folder / path).is_file() for path in linked)


def test_every_row_of_a_latex_table_has_as_many_cells_as_the_table_has_columns(report_folder: Path):
    text = (report_folder / "tables.tex").read_text(encoding="utf-8")
    tables = re.findall(r"\\begin\{tabular\}\{(l[r]+)\}(.*?)\\end\{tabular\}", text, re.DOTALL)
    assert len(tables) >= 2
    for columns, body in tables:
        rows = [line for line in body.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
        assert {line.count(" & ") + 1 for line in rows} == {len(columns)}


def test_the_page_asks_the_network_for_nothing(report_folder: Path):
    page = (report_folder / "report.html").read_text(encoding="utf-8")
    outside = re.findall(r"(?:src|href)=[\"']?(?!#)[^\"'>\s]+", page)
    assert outside == []
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "default-src 'none'" in page


MAKE = """
import sys
from setwise.workflows.report import make_report
make_report(sys.argv[2:], sys.argv[1], formats=("svg",), resamples=200)
"""


def test_the_same_records_give_the_same_bytes_in_another_process(
    paper_runs: list[Path], more_runs: list[Path], tmp_path: Path
):
    folders = [str(path) for path in (paper_runs[0], paper_runs[3], *more_runs)]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", MAKE, str(tmp_path / seed), *folders], check=True, env=environment)
    first, second = (
        {
            path.relative_to(tmp_path / seed): path.read_bytes()
            for path in (tmp_path / seed).rglob("*")
            if path.is_file()
        }
        for seed in ("1", "2")
    )
    assert len(first) > 5
    assert first == second


def test_the_reader_gets_back_what_was_said():
    payload = build_payload(problems(3, "so \ud800 </script> \u2028"), 0)
    [first, *_] = unpack(payload.index)
    assert first == [
        "t",
        "p0",
        "Why?",
        ["Flu"],
        [[0, 1, [[[["Flu", 0.7, 1], ["Cold \ud800", None, 0]], ["truncated"], 12, 1]]]],
        0,
        0,
    ]
    assert unpack(payload.inline[0])[2] == [[["so \ud800 </script> \u2028"]]]
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]+", packed) for packed in (payload.index, *payload.inline))


def test_reasoning_beyond_the_budget_lies_beside_the_page(tmp_path: Path):
    noise = [os.urandom(30_000).hex() for _ in range(30)]
    shown = [one for text in noise for one in problems(1, text)]
    written = write_report(Report([], problems=shown), tmp_path, formats=(), page_bytes=900_000)
    assert written.page_bytes <= 900_000
    beside = sorted(path.name for path in (tmp_path / "report.reasoning").iterdir())
    assert len(beside) == written.beside > 0
    page = written.page.read_text(encoding="utf-8")
    assert "does not fit into this page" in page
    assert f'id="reasoning-{int(beside[0][:5]) - 1}"' in page
    assert f'id="reasoning-{int(beside[0][:5])}"' not in page


def test_a_smaller_report_leaves_no_old_reasoning_behind(tmp_path: Path):
    write_report(Report([], problems=problems(2)), tmp_path, formats=(), page_bytes=1)
    assert (tmp_path / "report.reasoning").is_dir()
    write_report(Report([], problems=problems(2)), tmp_path, formats=())
    assert not (tmp_path / "report.reasoning").exists()


def test_an_unknown_figure_format_is_refused_before_anything_is_written(tmp_path: Path):
    with pytest.raises(InputError, match="figures come as svg, pdf, png"):
        write_report(Report([]), tmp_path / "out", formats=("gif",))
    assert not (tmp_path / "out").exists()


def test_a_disk_that_fills_up_leaves_the_old_figures(
    more_runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(draft: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(draft), None, str(target))

    report = read_report(more_runs[-1:])
    write_report(report, tmp_path, formats=("svg",))
    figures = sorted((tmp_path / "figures").iterdir())
    figures[0].write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match=figures[0].name):
        _write_figures(build_document(report), tmp_path / "figures", ("svg",))
    assert figures[0].read_text() == "old"
    assert sorted((tmp_path / "figures").iterdir()) == figures


def test_markup_in_names_is_shown_and_not_obeyed():
    assert markdown_escape("a|b\n<c> *d*") == r"a\|b \<c\> \*d\*"


def test_drawing_needs_no_plotting_package_until_a_pdf_is_asked_for():
    code = "import sys, setwise.workflows.report, setwise.cli.report; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"
