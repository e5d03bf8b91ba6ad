"""What a run is made of, put together."""

from hypothesis import given
from hypothesis import strategies as st

from setwise.errors import InputError
from setwise.jobs import accumulation_steps
from setwise.settings import GenerationSettings, OptimisationSettings


@given(prompts=st.integers(1, 12), group=st.integers(2, 8), processes=st.integers(1, 4), micro=st.integers(1, 16))
def test_micro_batches_fill_the_batch_and_groups_stay_whole(prompts: int, group: int, processes: int, micro: int):
    generation = GenerationSettings(prompts_per_step=prompts, group_size=group)
    try:
        steps = accumulation_steps(generation, OptimisationSettings(micro_batch=micro), processes)
    except InputError:
        assert prompts % processes or (prompts // processes * group) % micro
        return
    assert steps * micro * processes == prompts * group
    assert (steps * micro) % group == 0
