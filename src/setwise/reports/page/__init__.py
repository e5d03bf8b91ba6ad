"""One HTML file that needs nothing else: tables, figures, the reader for single problems, and what every number means.

Model text reaches the page in two ways only: escaped into HTML here, or compressed and put in as text by the script. A
content security policy that names the page's one script by its hash stands behind both.
"""

from setwise.reports.page.html import to_html

__all__ = ["to_html"]
