"""A model and its profile, asked from Python, from the shell or over HTTP.

`load(FOLDER).ask(question)` needs no server. `setwise serve` offers the same over an OpenAI-compatible API, and
`AnswerSetClient` asks it. Only the server needs the extra `serving`.
"""

from setwise.serving.answers import Answer, Answered
from setwise.serving.asking import Asking, Choices
from setwise.serving.client import AnswerSetClient
from setwise.serving.model import AnswerSetModel, load

__all__ = ["Answer", "AnswerSetClient", "AnswerSetModel", "Answered", "Asking", "Choices", "load"]
