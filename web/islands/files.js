/** Chosen files go along with the form in base64. */

export function wake(element) {
  const input = element.querySelector('input[type="file"]');
  const kept = element.querySelector('input[name="files"]');
  const fault = element.querySelector('[role="alert"]');
  input.parentElement.hidden = false;
  show(element, kept.value === '' ? [] : JSON.parse(kept.value));
  input.addEventListener('change', async () => {
    const files = [...input.files];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const is_fit = bytes <= Number(element.dataset.most);
    fault.textContent = is_fit
      ? ''
      : `These are ${Math.ceil(bytes / 1024)} KiB; ${element.dataset.most / 1024} KiB fit.`;
    const read = is_fit ? await Promise.all(files.map(fileOf)) : [];
    kept.value = read.length === 0 ? '' : JSON.stringify(read);
    show(element, read);
  });
}

/** Names may hold letters, digits, `.`, `_` and `-`. */
async function fileOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (it) => String.fromCharCode(it)).join('');
  return { path: file.name.replace(/[^\w.-]+/g, '-'), content_base64: btoa(text) };
}

function show(element, files) {
  const items = files.map(({ path }) => {
    const it = document.createElement('li');
    it.textContent = path;
    return it;
  });
  element.querySelector('ul').replaceChildren(...items);
}
