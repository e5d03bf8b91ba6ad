from typing import Any

import pytest

from setwise.errors import InputError
from setwise.models.local_text import opens_thinking


class Templated:
    def __init__(self, ending: str) -> None:
        self.ending = ending

    def apply_chat_template(self, chat: Any, **options: Any) -> str:
        return f"user: ?\nassistant: {self.ending}"


def test_a_template_that_opens_the_thinking_is_recognised():
    assert opens_thinking(Templated("<think>\n"), {})
    assert not opens_thinking(Templated(""), {})


def test_a_template_that_closes_the_thinking_is_refused():
    with pytest.raises(InputError, match="closes the thinking"):
        opens_thinking(Templated("<think>\n\n</think>\n\n"), {"enable_thinking": False})
