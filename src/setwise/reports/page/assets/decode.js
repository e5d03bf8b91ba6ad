const about = JSON.parse(byId('about').textContent);

async function unpack(packed) {
  const letters = atob(packed);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return JSON.parse(await new Response(stream).text());
}

const waiting = new Map();
window.setwiseReasoning = (number, packed) => waiting.get(number)?.(packed);

function packedBeside(number) {
  return new Promise((resolve, reject) => {
    waiting.set(number, resolve);
    const script = element('script');
    script.src = `${about.folder}/${String(number).padStart(5, '0')}.js`;
    script.addEventListener('error', () => reject(new Error(`The file ${script.getAttribute('src')} is not beside this page.`)));
    document.body.append(script);
  });
}

const opened = new Map();
function reasoningOf(number) {
  if (!opened.has(number)) {
    // A few chunks are kept, so that going back and forth is quick and memory stays small.
    if (opened.size > 7) opened.delete(opened.keys().next().value);
    const packed = number < about.inline ? Promise.resolve(byId(`reasoning-${number}`).textContent) : packedBeside(number);
    opened.set(number, packed.then(unpack));
  }
  return opened.get(number);
}
