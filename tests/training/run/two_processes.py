"""What every process of a two-process run does; the test beside it launches this with accelerate and reads the output.

Rollouts are replayed from a file, so that one process and two see the same completions, and the shuffle of
micro-batches inside a process is switched off, so that they see the same micro-batches.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.training.tiny_clinic import make_job


def main(start: str, out: str, accumulate: str, credit: str) -> None:
    import torch
    import trl.trainer.grpo_trainer as engine

    from setwise.jobs import accumulation_steps
    from setwise.training.run.engine import build_trainer
    from setwise.training.run.reward import SetReward

    torch.set_num_threads(1)
    engine.__dict__["shuffle_sequence_dict"] = lambda batch: batch
    processes = 2 if accumulate == "2" else 1
    job = make_job(Path(start), Path(out) / f"run-{processes}", "rlcr-multi")
    job = replace(job, optimisation=replace(job.optimisation, steps=1, micro_batch=8, credit=credit))
    trainer = build_trainer(job, job.objective, processes)
    seen: dict[str, Any] = {"accumulation": accumulation_steps(job.generation, job.optimisation, processes)}

    class Remembering(SetReward):
        def __call__(self, **given: Any) -> list[float | None]:
            seen["problems"] = [json.loads(problem)["id"] for problem in given["problem"]]
            seen["rewards"] = super().__call__(**given)
            return seen["rewards"]

    trainer.reward_funcs[0].__class__ = Remembering
    replay = replayed(trainer)
    trainer._generate_single_turn = replay
    gradients = remembered_gradients(trainer)
    trainer.train()
    rank = trainer.accelerator.process_index
    logged = next(entry for entry in trainer.state.log_history if "reward" in entry)
    seen |= {"rank": rank, "reward": logged["reward"], "zero_std": logged["frac_reward_zero_std"]}
    (Path(out) / f"seen-{processes}-{rank}.json").write_text(json.dumps(seen), encoding="utf-8")
    torch.save(gradients, Path(out) / f"gradients-{processes}-{rank}.pt")


def replayed(trainer: Any) -> Any:
    """Completions that depend on the prompt and on the place in its group alone."""
    tokenizer, group = trainer.processing_class, trainer.num_generations

    def generate(prompt_ids: list[list[int]], *_: Any, **__: Any) -> tuple[list[list[int]], None]:
        completions = []
        for row, ids in enumerate(prompt_ids):
            place = row % group
            number = (sum(ids) + place) % 11
            names = ["arvine", "belor", "cressa", "dulmin"]
            first, second = names[number % 4], names[(number + 1 + place % 2) % 4]
            text = (
                f"<think> hm </think> <answer1> {first} </answer1> <confidence1> 0.{number % 10} </confidence1> "
                f"<answer2> {second} </answer2> <confidence2> 0.1 </confidence2>" + (" hm" if place % 3 else "")
            )
            completions.append([*tokenizer(text)["input_ids"], tokenizer.eos_token_id])
        return completions, None

    return generate


def remembered_gradients(trainer: Any) -> dict[str, Any]:
    """Filled just before the optimizer uses them."""
    gradients: dict[str, Any] = {}
    clip = trainer.accelerator.clip_grad_norm_

    def clipping(*arguments: Any, **options: Any) -> Any:
        model = trainer.accelerator.unwrap_model(trainer.model)
        for name, parameter in model.named_parameters():
            gradients[name] = parameter.grad.detach().clone()
        return clip(*arguments, **options)

    trainer.accelerator.clip_grad_norm_ = clipping
    return gradients


if __name__ == "__main__":
    main(*sys.argv[1:])
