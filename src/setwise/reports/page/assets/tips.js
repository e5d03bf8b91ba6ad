const tip = byId('tip');
const definitions = new Map();
for (const entry of document.querySelectorAll('.glossary [data-key]')) {
  definitions.set(entry.dataset.key, [entry.querySelector('dt').textContent, entry.querySelector('dd').textContent]);
}

function showTip(cell) {
  const [label, definition] = definitions.get(cell.dataset.metric);
  tip.replaceChildren(element('b', '', label));
  const lines = [definition];
  if (cell.dataset.value !== undefined) lines.push(`Value ${Number(cell.dataset.value).toPrecision(4)}`);
  if (cell.dataset.interval) lines.push(`95 % interval ${cell.dataset.interval}`);
  if (cell.dataset.doubt) lines.push(cell.dataset.doubt);
  if (cell.dataset.paper) lines.push(`The paper prints ${cell.dataset.paper}`);
  if (cell.dataset.blank) lines.push(cell.dataset.blank);
  for (const line of lines) tip.append(element('p', '', line));
  tip.hidden = false;
  cell.setAttribute('aria-describedby', 'tip');
  const at = cell.getBoundingClientRect();
  const below = at.bottom + 8 + tip.offsetHeight < innerHeight;
  tip.style.top = `${below ? at.bottom + 8 : Math.max(4, at.top - tip.offsetHeight - 8)}px`;
  tip.style.left = `${Math.max(8, Math.min(at.left, innerWidth - tip.offsetWidth - 8))}px`;
}

function hideTip(cell) {
  tip.hidden = true;
  cell.removeAttribute('aria-describedby');
}

for (const cell of document.querySelectorAll('[data-metric]')) {
  if (!definitions.has(cell.dataset.metric)) continue;
  cell.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') showTip(cell); });
  cell.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') hideTip(cell); });
  cell.addEventListener('focusin', () => showTip(cell));
  cell.addEventListener('focusout', () => hideTip(cell));
  // Not every touch screen gives focus to what is touched.
  cell.addEventListener('pointerup', (event) => { if (event.pointerType !== 'mouse') showTip(cell); });
}
addEventListener('pointerdown', (event) => {
  if (event.pointerType !== 'mouse' && !event.target.closest('[data-metric]')) tip.hidden = true;
});
addEventListener('keydown', (event) => { if (event.key === 'Escape') tip.hidden = true; });
addEventListener('scroll', () => { tip.hidden = true; }, { passive: true, capture: true });
