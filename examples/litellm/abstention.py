"""A litellm guardrail for models behind `setwise serve`: it hands on the kept answers, and passes abstentions on.

An abstention is raised as a bad request. litellm does not retry one and does not count it against the server, but goes
on to the next model of `fallbacks`.
"""

from typing import Any

import litellm
from litellm.integrations.custom_guardrail import CustomGuardrail


class Abstained(litellm.BadRequestError):
    """No set of answers was likely enough for the alpha that was asked for."""


def decided(response: Any) -> Any:
    """The response with its kept answers as text, one a line. Responses of other models stay as they are."""
    said = getattr(response, "setwise", None)
    if not said or not said["decision"]:
        return response
    if said["decision"]["abstained"]:
        raise Abstained(said["decision"]["reason"], model=response.model, llm_provider="setwise")
    kept = [answer["answer"] for answer in said["answers"] if answer["kept"]]
    response.choices[0].message.content = "\n".join(kept)
    return response


class AnswerSets(CustomGuardrail):
    """Runs on every whole response, in `Router`, in `acompletion` and in the proxy."""

    async def async_post_call_success_deployment_hook(self, request_data: Any, response: Any, call_type: Any) -> Any:
        return decided(response)


guardrail = AnswerSets(guardrail_name="setwise")
