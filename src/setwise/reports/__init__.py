"""Records -> tables, figures, and one page that holds them all.

inputs      what a report is made of
tables      which numbers stand where, and which of them may be called the best; `rows` is what they are made of
figures     the paper's figures and a few more, drawn by `drawing`
document    both together; `page`, `markdown` and `latex` write it down
payload     single problems for the page's reader
write       all of it into a folder
"""

from setwise.reports.inputs import Report
from setwise.reports.write import Written, write_report

__all__ = ["Report", "Written", "write_report"]
