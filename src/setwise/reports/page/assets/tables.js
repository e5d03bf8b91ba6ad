for (const table of document.querySelectorAll('.numbers')) {
  const body = table.tBodies[0];
  const written = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const stays = (row) => row.classList.contains('best-possible');
  const key = (row, column) => {
    const cell = row.cells[column];
    if (column === 0) return cell.textContent;
    return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
  };
  const compare = (a, b) => (typeof a === 'string' ? a.localeCompare(b) : a - b);

  function sortBy(column, direction) {
    heads.forEach((head, place) => {
      if (place === column && direction) head.setAttribute('aria-sort', direction);
      else head.removeAttribute('aria-sort');
    });
    if (!direction) {
      body.replaceChildren(...written);
      return;
    }
    const sign = direction === 'ascending' ? 1 : -1;
    const known = written.filter((row) => !row.classList.contains('block') && !stays(row));
    const blank = known.filter((row) => key(row, column) === null);
    const sorted = known.filter((row) => key(row, column) !== null);
    sorted.sort((a, b) => sign * compare(key(a, column), key(b, column)));
    body.replaceChildren(...sorted, ...blank, ...written.filter(stays));
  }

  heads.forEach((head, column) => {
    const button = head.querySelector('.sort');
    const next = { null: 'descending', descending: 'ascending', ascending: null };
    button.addEventListener('click', () => sortBy(column, next[head.getAttribute('aria-sort')]));
  });

  // One stop for the tab key per table; the arrow keys go from cell to cell.
  const cells = () => [...body.rows].map((row) => [...row.querySelectorAll('td')]).filter((row) => row.length);
  const flat = cells().flat();
  flat.forEach((cell, place) => { cell.tabIndex = place === 0 ? 0 : -1; });
  table.addEventListener('keydown', (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step || event.target.tagName !== 'TD') return;
    const grid = cells();
    const row = grid.findIndex((line) => line.includes(event.target));
    const goal = grid[row + step[0]]?.[grid[row].indexOf(event.target) + step[1]];
    if (!goal) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    goal.tabIndex = 0;
    goal.focus();
  });
}
