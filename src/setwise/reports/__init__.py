"""Records -> tables, figures, and one page with all of them.

inputs      what a report is made from
tables      which numbers go where, and which count as best; `rows` has their parts
figures     the paper's figures and a few more, drawn by `drawing`
document    both together; `page`, `markdown` and `latex` write it
payload     single problems for the page's reader
write       all of it into a folder
"""

from setwise.reports.inputs import Report
from setwise.reports.write import Written, write_report

__all__ = ["Report", "Written", "write_report"]
