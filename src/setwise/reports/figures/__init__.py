"""The paper's figures and a few more. Each module makes one kind: it takes runs and returns a `Figure` or None."""

from setwise.reports.figures.figure import Figure, styles_of
from setwise.reports.figures.section import section_figures
from setwise.reports.figures.training import training_figures

__all__ = ["Figure", "section_figures", "styles_of", "training_figures"]
