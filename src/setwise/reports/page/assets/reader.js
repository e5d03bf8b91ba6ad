const PER_PAGE = 20;

function options(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => {
    const option = element('option', '', text);
    option.value = value;
    return option;
  }));
}

function readProblem([task, id, question, golds, runs, chunk, place]) {
  const solved = new Map(runs.map(([run, isSolved]) => [run, isSolved === 1]));
  const reasons = new Map(runs.map(([run, , sets]) => [run, sets.flatMap((each) => each[1])]));
  return { task, id, question, golds, runs, chunk, place, solved, reasons, text: null };
}

function searchText(problem) {
  if (problem.text === null) {
    const said = problem.runs.flatMap(([, , sets]) => sets.flatMap(([answers]) => answers.map(([text]) => text)));
    problem.text = [problem.id, problem.question, ...problem.golds, ...said].join('\n').toLowerCase();
  }
  return problem.text;
}

const OUTCOMES = {
  '': () => true,
  right: (p, runs) => runs.every((run) => p.solved.get(run)),
  wrong: (p, runs) => runs.every((run) => !p.solved.get(run)),
  gained: (p, runs, other) => runs.some((run) => p.solved.get(run)) && p.solved.get(other) === false,
  lost: (p, runs, other) => runs.some((run) => !p.solved.get(run)) && p.solved.get(other) === true,
  flipped: (p, runs, other) => runs.some((run) => p.solved.has(other) && p.solved.get(run) !== p.solved.get(other)),
};
// The address of the page with this at its end opens the problem.
const anchor = (problem) => `#problem=${encodeURIComponent(`${problem.task}/${problem.id}`.toWellFormed())}`;
const NEEDS_OTHER = ['gained', 'lost', 'flipped'];

// Without an example at the top of the page, a problem on which the methods disagree.
function tellingOf(problems) {
  const [chosen] = about.telling;
  const told = chosen && problems.find((problem) => problem.task === chosen[0] && problem.id === chosen[1]);
  return told ?? problems.find((problem) => new Set(problem.solved.values()).size > 1) ?? problems[0];
}

function startReader(problems) {
  const state = { found: problems, page: 0, current: null };
  const runs = [...new Set(problems.flatMap((problem) => [...problem.solved.keys()]))].sort((a, b) => a - b);
  const reasons = [...new Set(problems.flatMap((problem) => [...problem.reasons.values()].flat()))].sort();
  const tasks = [...new Set(problems.map((problem) => problem.task))];
  const named = runs.map((run) => [String(run), about.runs[run][0]]);
  options(byId('by-task'), [['', 'All datasets'], ...tasks.map((task) => [task, task])]);
  byId('task-label').hidden = tasks.length < 2;
  options(byId('by-run'), [['', 'All methods'], ...named]);
  options(byId('against'), named);
  options(byId('by-outcome'), [
    ['', 'Any outcome'], ['right', 'Solved'], ['wrong', 'Not solved'],
    ['flipped', 'Flipped, either way'], ['gained', 'Solved here, not there'], ['lost', 'Solved there, not here'],
  ]);
  options(byId('by-reason'), [['', 'All'], ['any', 'Any reason'], ['none', 'No reason: all read'], ...reasons.map((r) => [r, r])]);

  function matches(problem, wanted) {
    const own = wanted.run === null ? [...problem.solved.keys()] : [wanted.run].filter((run) => problem.solved.has(run));
    if (!own.length || (wanted.task && problem.task !== wanted.task)) return false;
    if (!OUTCOMES[wanted.outcome](problem, own, wanted.other)) return false;
    const lost = own.flatMap((run) => problem.reasons.get(run));
    if (wanted.reason === 'none' ? lost.length : wanted.reason === 'any' ? !lost.length : wanted.reason && !lost.includes(wanted.reason)) return false;
    return !wanted.words.length || wanted.words.every((word) => searchText(problem).includes(word));
  }

  function find() {
    const outcome = byId('by-outcome').value;
    byId('against-label').hidden = !NEEDS_OTHER.includes(outcome);
    const wanted = {
      task: byId('by-task').value,
      run: byId('by-run').value === '' ? null : Number(byId('by-run').value),
      outcome,
      other: Number(byId('against').value),
      reason: byId('by-reason').value,
      words: byId('find').value.toLowerCase().split(/\s+/).filter(Boolean),
    };
    state.found = problems.filter((problem) => matches(problem, wanted));
    state.page = 0;
    list();
  }

  function show(problem) {
    state.current = problem;
    showProblem(problem);
  }

  function open(problem) {
    history.replaceState(null, '', anchor(problem));
    show(problem);
  }

  function dots(problem) {
    const row = element('span', 'dots');
    for (const [run, isSolved] of problem.solved) {
      const dot = element('i');
      const colour = `var(--${about.runs[run][1]})`;
      dot.style.borderColor = colour;
      if (isSolved) dot.style.background = colour;
      dot.title = `${about.runs[run][0]}: ${isSolved ? 'solved' : 'not solved'}`;
      row.append(dot);
    }
    return row;
  }

  function entry(problem) {
    const button = element('button');
    button.type = 'button';
    button.append(dots(problem), element('b', '', problem.id), element('span', 'start', problem.question.slice(0, 160)));
    if (problem === state.current) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => {
      open(problem);
      for (const other of byId('list').querySelectorAll('[aria-current]')) other.removeAttribute('aria-current');
      button.setAttribute('aria-current', 'true');
      byId('problem').focus({ preventScroll: true });
      if (byId('problem').getBoundingClientRect().top > innerHeight / 2) byId('problem').scrollIntoView();
    });
    const item = element('li');
    item.append(button);
    return item;
  }

  function list() {
    const first = state.page * PER_PAGE;
    const shown = state.found.slice(first, first + PER_PAGE);
    const count = (n) => n.toLocaleString('en');
    byId('found').textContent = shown.length
      ? `${count(first + 1)} to ${count(first + shown.length)} of ${count(state.found.length)} problems`
      : 'No problem is like that.';
    byId('list').replaceChildren(...shown.map(entry));
    byId('earlier').disabled = state.page === 0;
    byId('later').disabled = first + PER_PAGE >= state.found.length;
  }

  byId('earlier').addEventListener('click', () => { state.page -= 1; list(); });
  byId('later').addEventListener('click', () => { state.page += 1; list(); });
  byId('filters').addEventListener('input', find);
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('list').addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    const buttons = [...byId('list').querySelectorAll('button')];
    const goal = buttons[buttons.indexOf(document.activeElement) + step];
    if (goal) { event.preventDefault(); goal.focus(); }
  });
  const linked = problems.find((problem) => anchor(problem) === location.hash);
  show(linked ?? tellingOf(problems));
  find();
  if (linked) byId('problem').scrollIntoView();
  addEventListener('hashchange', () => {
    const chosen = problems.find((problem) => anchor(problem) === location.hash);
    if (!chosen) return;
    show(chosen);
    byId('problem').scrollIntoView();
  });
}

if (byId('index').textContent) {
  unpack(byId('index').textContent).then((rows) => startReader(rows.map(readProblem)));
}
