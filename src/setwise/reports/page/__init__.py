"""One HTML file that needs nothing else: tables, figures, a reader for single problems, and the meaning of every
number.

Model text reaches the page in only two ways: escaped into HTML here, or compressed and inserted as text by the script.
In addition, a content security policy allows only the page's one script, by its hash.
"""

from setwise.reports.page.html import to_html

__all__ = ["to_html"]
