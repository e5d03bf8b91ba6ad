const SETS_AT_FIRST = 3;
const VERDICTS = { 1: ['right', '✓', 'right'], 2: ['right', '✓', 'right, but said before'], 0: ['wrong', '✗', 'wrong'] };

function answerItem([text, confidence, verdict]) {
  const [kind, sign, words] = VERDICTS[verdict] ?? ['', '·', 'no verdict'];
  const item = element('li', kind);
  const mark = element('span', 'mark', sign);
  mark.title = words;
  mark.setAttribute('aria-label', words);
  mark.setAttribute('role', 'img');
  item.append(mark, element('span', text.includes('\n') ? 'text code' : 'text', text + (verdict === 2 ? ' (repeated)' : '')));
  if (confidence !== null) {
    const claim = element('span', 'claim');
    claim.title = `stated confidence ${confidence}`;
    const bar = element('span', 'bar');
    const filled = element('i');
    filled.style.width = `${Math.min(1, confidence) * 100}%`;
    bar.append(filled);
    claim.append(bar, element('span', '', confidence.toFixed(2)));
    item.append(claim);
  }
  return item;
}

function reasoningFold(problem, runPlace, setPlace, completions) {
  const fold = element('details');
  fold.append(element('summary', '', completions === 1 ? 'Reasoning' : `Reasoning of ${completions} completions`));
  fold.addEventListener('toggle', async () => {
    if (!fold.open || fold.dataset.filled) return;
    fold.dataset.filled = 'yes';
    try {
      const texts = (await reasoningOf(problem.chunk))[problem.place][runPlace][setPlace];
      for (const text of texts) fold.append(element('p', 'reasoning', text));
    } catch (error) {
      fold.append(element('p', 'remark', error.message));
    }
  });
  return fold;
}

function setBlock(problem, runPlace, setPlace, [answers, reasons, , completions]) {
  const block = element('div');
  for (const reason of reasons) block.append(element('span', 'tag', reason), ' ');
  const list = element('ul', 'answers');
  list.append(...answers.map(answerItem));
  block.append(list);
  if (!answers.length) block.append(element('p', 'empty', 'No answer could be read.'));
  if (completions) block.append(reasoningFold(problem, runPlace, setPlace, completions));
  return block;
}

function runBlock(problem, [run, solved, sets], runPlace) {
  const [label, colour] = about.runs[run];
  const block = element('div', 'said');
  const title = element('h4');
  const dot = element('i');
  dot.style.background = `var(--${colour})`;
  const tokens = sets.reduce((sum, each) => sum + (each[2] ?? 0), 0);
  const facts = [solved ? 'solved' : 'not solved'];
  if (tokens) facts.push(`${tokens.toLocaleString('en')} tokens`);
  if (sets.length > 1) facts.push(`${sets.length} sets`);
  const told = element('span', '', facts.join(', '));
  told.title = 'Solved: at least half of its sets hold a right answer. Tokens: of all completions shown here, thinking included.';
  title.append(dot, label, told);
  block.append(title);
  const blocks = (from, to) => sets.slice(from, to).map((each, place) => setBlock(problem, runPlace, from + place, each));
  block.append(...blocks(0, SETS_AT_FIRST));
  if (sets.length > SETS_AT_FIRST) {
    const more = element('button', '', `Show the other ${sets.length - SETS_AT_FIRST} sets`);
    more.type = 'button';
    more.addEventListener('click', () => more.replaceWith(...blocks(SETS_AT_FIRST)));
    block.append(more);
  }
  return block;
}

function showProblem(problem) {
  const article = byId('problem');
  const golds = element('ul', 'golds');
  golds.append(...problem.golds.map((gold) => element('li', '', gold)));
  golds.setAttribute('aria-label', 'Right answers');
  article.replaceChildren(
    element('h3', '', `${problem.id}`),
    element('p', 'question', problem.question),
    element('p', 'label', 'Right answers'),
    golds,
    ...problem.runs.map((run, place) => runBlock(problem, run, place)),
  );
}
