"""The pages that the code writes are those that are committed."""

from docs.scripts.generate import main


def test_the_generated_pages_are_what_the_code_gives(capsys) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out
