"""The pages of the reference that the code itself writes, and llms.txt.

python docs/scripts/generate.py            # writes them
python docs/scripts/generate.py --check    # exit status 1 where one is not what the code gives
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from docs.scripts.commands_page import commands_page
from docs.scripts.llms import llms_text
from docs.scripts.metrics_page import metrics_page
from docs.scripts.python_page import python_page
from docs.scripts.recipe_page import recipe_page

DOCS = Path(__file__).parents[1]
PAGES = {
    "reference/commands.md": commands_page,
    "reference/metrics.md": metrics_page,
    "reference/python.md": python_page,
    "reference/recipe.md": recipe_page,
    # The last, because it lists the others.
    "llms.txt": llms_text,
}


def main(arguments: list[str]) -> int:
    stale = []
    for name, page in PAGES.items():
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(page()).rstrip() + "\n")
        path = DOCS / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"docs/{name}: {'is not what the code gives' if '--check' in arguments else 'written'}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
