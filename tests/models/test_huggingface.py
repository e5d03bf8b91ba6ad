"""A real transformers model, tiny and random, in this process."""

import weakref
from dataclasses import replace

import pytest

from setwise.errors import InputError, MissingDependency, ModelError
from setwise.models import Completion, Request, Sampling, open_model
from setwise.models.huggingface import HuggingFaceModel
from setwise.models.weight_bars import no_weight_bars
from tests.models.tiny_model import save_tiny_adapter, save_tiny_model

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.filterwarnings("ignore")

SHORT = Sampling(temperature=1.0, max_tokens=12)
GREEDY = Sampling(temperature=0.0, max_tokens=12)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


def test_no_bar_of_the_library_is_drawn_over_ours(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(transformers.utils.logging, "_tqdm_active", True)
    model = HuggingFaceModel(str(folder)).model
    with no_weight_bars():
        model.save_pretrained(tmp_path)
    assert not capsys.readouterr().err
    with no_weight_bars():
        list(transformers.utils.logging.tqdm([1], desc="Fetching files"))
    assert "Fetching files" in capsys.readouterr().err
    model.save_pretrained(tmp_path)
    assert "Writing model shards" in capsys.readouterr().err


def ask(text: str, sample: int = 0, sampling: Sampling = SHORT, **more) -> Request:
    return Request([{"role": "user", "content": text}], sampling, seed=sample, sample=sample, **more)


def answers(model, requests) -> list[Completion]:
    replies = [answer for _, answer in model.complete(requests)]
    assert all(isinstance(answer, Completion) for answer in replies)
    return replies


@pytest.fixture
def fits(monkeypatch):
    """Sets how many completions fit into memory. Returns the sizes of the batches that were tried."""
    from setwise.models.shared_prompt.decoder import GroupDecoder

    decode, tried, held = GroupDecoder.one_each, [], []

    def set_limit(most):
        def one_each(decoder, prompts, *more):
            tried.append(len(prompts))
            assert all(room() is None for room in held), "a failed try still holds memory"
            if len(prompts) <= most:
                return decode(decoder, prompts, *more)
            decoder.room, in_a_frame = torch.zeros(1), torch.zeros(1)
            held.extend(map(weakref.ref, (decoder.room, in_a_frame)))
            raise torch.OutOfMemoryError("CUDA out of memory")

        monkeypatch.setattr(GroupDecoder, "one_each", one_each)
        return tried

    return set_limit


def test_a_batch_that_runs_out_of_memory_is_halved_until_it_fits_and_stays_so(folder, fits, caplog):
    requests = [ask("hi", i) for i in range(20)]
    expected = answers(open_model(f"hf:{folder}", at_once=3), requests[:12])
    tried = fits(3)
    model = open_model(f"hf:{folder}", at_once=12)
    replies = list(model.complete(requests))
    assert [request for request, _ in replies] == requests
    assert [answer for _, answer in replies[:12]] == expected, "as if 3 at once had been asked for"
    assert tried == [12, 6, 3, 3, 3, 3, 3, 3, 2]
    assert caplog.messages == [
        f"hf:{folder}: out of memory with 12 at once; going on with 6",
        f"hf:{folder}: out of memory with 6 at once; going on with 3",
    ]
    answers(model, requests[:7])
    assert tried[9:] == [3, 3, 1], "the next call does not try more again"


def test_a_short_batch_is_halved_by_its_own_size(folder, fits):
    tried = fits(4)
    assert len(answers(open_model(f"hf:{folder}", at_once=1000), [ask("hi", i) for i in range(5)])) == 5
    assert tried == [5, 2, 2, 1]


def test_one_completion_that_does_not_fit_is_one_clear_line_and_later_batches_are_whole(folder, fits):
    tried = fits(0)
    model = open_model(f"hf:{folder}", at_once=4)
    requests = [ask("hi", i) for i in range(4)]
    with pytest.raises(ModelError, match=f"^hf:{folder}: out of memory with 1 at once; free some, or lower --max-tok"):
        list(model.complete(requests))
    assert tried == [4, 2, 1]
    fits(4)
    assert len(answers(model, requests)) == 4
    assert tried[3:] == [4]


def test_weights_that_do_not_fit_are_not_asked_for_fewer_completions(folder, monkeypatch, caplog):
    def full(*_):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(transformers.LlamaForCausalLM, "to", full)
    with pytest.raises(ModelError, match="out of memory while its weights were loaded"):
        list(open_model(f"hf:{folder}", at_once=4).complete([ask("hi", i) for i in range(4)]))
    assert caplog.messages == []


def test_tokens_are_counted_by_the_tokenizer_and_cut_off_texts_say_so(folder):
    model = open_model(f"hf:{folder}", at_once=2)
    for answer in answers(model, [ask("hi", i) for i in range(5)]):
        assert answer.prompt_tokens == len("<|user|>hi<|assistant|>")
        assert answer.finish_reason == ("length" if answer.tokens == 12 else "stop")


def test_padding_changes_nothing(folder):
    model = open_model(f"hf:{folder}", at_once=2)
    short, long = ask("hi", sampling=GREEDY), ask("something much longer than that", sampling=GREEDY)
    together = answers(model, [short, long])
    alone = answers(model, [short]) + answers(model, [long])
    assert [each.text for each in together] == [each.text for each in alone]


def test_the_same_seed_says_the_same(folder):
    model = open_model(f"hf:{folder}", at_once=4)
    requests = [ask("hi", i) for i in range(4)]
    assert answers(model, requests) == answers(model, requests)
    assert len({answer.text for answer in answers(model, requests)}) > 1


def test_a_reply_goes_on_from_its_forced_beginning_and_ends_at_a_stop_word(folder):
    model = open_model(f"hf:{folder}")
    [plain] = answers(model, [ask("hi", sampling=GREEDY)])
    [forced] = answers(model, [ask("hi", sampling=GREEDY, prefix=plain.text[:4])])
    assert (forced.prompt_tokens or 0) - (plain.prompt_tokens or 0) == len(plain.text[:4].encode())
    word = plain.text[5]
    [stopped] = answers(model, [ask("hi", sampling=Sampling(0.0, max_tokens=12, stop=(word,)))])
    assert stopped.text == plain.text.partition(word)[0]
    assert stopped.finish_reason == "stop"


def test_where_a_number_is_wanted_the_reply_begins_with_one(folder):
    model = open_model(f"hf:{folder}", at_once=4)
    wanted = [replace(ask("hi", i), number=True) for i in range(8)]
    assert all(reply.text.strip()[0] in "01." for reply in answers(model, wanted))
    assert any(reply.text.strip()[:1] not in "01." for reply in answers(model, [ask("hi", i) for i in range(8)]))


def test_a_lora_folder_is_loaded_with_its_base_and_its_weights_count(folder, tmp_path):
    pytest.importorskip("peft")
    adapter = save_tiny_adapter(folder, tmp_path / "adapter")
    request = ask("hi", sampling=GREEDY)
    base, tuned = open_model(f"hf:{folder}"), open_model(f"hf:{adapter}")
    assert answers(tuned, [request])[0].text != answers(base, [request])[0].text


def test_a_folder_without_a_model_is_one_clear_line(tmp_path):
    with pytest.raises(InputError, match=f"hf:{tmp_path}: a model folder holds a config.json, and this one does not"):
        open_model(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match=f"hf:{tmp_path}: no tokenizer can be loaded"):
        list(open_model(f"hf:{tmp_path}").complete([ask("hi")]))


def test_a_tokenizer_without_a_chat_template_is_said(folder):
    model = HuggingFaceModel(str(folder))
    model.tokenizer.chat_template = None
    with pytest.raises(InputError, match="no chat template"):
        list(model.complete([ask("hi")]))


def test_vllm_where_it_is_not_installed_says_how_to_get_it():
    with pytest.raises(MissingDependency, match=r"pip install 'setwise\[vllm\]'"):
        list(open_model("vllm:anything").complete([ask("hi")]))
