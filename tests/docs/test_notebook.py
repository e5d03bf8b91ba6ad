"""The notebook runs from an empty folder to its last plot, and is stored without outputs."""

import os
import sys
import warnings
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

for package in ("ipykernel", "matplotlib", "nbclient", "pandas", "trl"):
    pytest.importorskip(package)

NOTEBOOK = ROOT / "examples" / "notebooks" / "birds.ipynb"


def test_the_stored_notebook_has_no_outputs():
    import nbformat

    cells = nbformat.read(NOTEBOOK, as_version=4).cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells if cell.cell_type == "code")


@pytest.mark.slow
def test_the_notebook_draws_its_plots_from_runs_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import nbformat
    from nbclient import NotebookClient

    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own machinery; the kernel is another process
        NotebookClient(notebook, timeout=900, resources={"metadata": {"path": str(tmp_path)}}).execute()
    drawn = [
        output for cell in notebook.cells for output in cell.get("outputs", []) if "image/png" in output.get("data", {})
    ]
    assert len(drawn) == 4
    assert (tmp_path / "runs" / "birds" / "more" / "rlcr-multi" / "metrics.json").is_file()
