const byId = (id) => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (document.documentElement.dataset.theme || (prefersDark.matches ? 'dark' : 'light')) === 'dark';
const nameTheme = () => { byId('theme').textContent = isDark() ? 'Light' : 'Dark'; };
byId('theme').addEventListener('click', () => {
  document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
  nameTheme();
});
prefersDark.addEventListener('change', nameTheme);
nameTheme();

const showPaper = byId('show-paper');
if (showPaper) {
  showPaper.addEventListener('change', () => document.body.classList.toggle('with-paper', showPaper.checked));
}
