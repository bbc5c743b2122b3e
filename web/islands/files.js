import { find } from './find.js';

/** Sends the chosen files with the form, in base64. */

/** @param {HTMLElement} element */
export function wake(element) {
  const input = find(element, 'input[type="file"]', HTMLInputElement);
  const kept = find(element, 'input[name="files"]', HTMLInputElement);
  const fault = find(element, '[role="alert"]', HTMLElement);
  const most = Number(element.dataset.most);
  find(element, 'div', HTMLElement).hidden = false;
  show(element, kept.value === '' ? [] : JSON.parse(kept.value));
  input.addEventListener('change', async () => {
    const files = [...(input.files ?? [])];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const is_fit = bytes <= most;
    fault.textContent = is_fit
      ? ''
      : `These files are ${Math.ceil(bytes / 1024)} KiB; the limit is ${most / 1024} KiB.`;
    const read = is_fit ? await Promise.all(files.map(fileOf)) : [];
    kept.value = read.length === 0 ? '' : JSON.stringify(read);
    show(element, read);
  });
}

/**
 * Names may hold letters, digits, `.`, `_` and `-`.
 *
 * @param {File} file
 */
async function fileOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return { path: file.name.replace(/[^\w.-]+/g, '-'), content_base64: btoa(text) };
}

/**
 * @param {HTMLElement} element
 * @param {readonly {path: string}[]} files
 */
function show(element, files) {
  const items = files.map(({ path }) => {
    const item = document.createElement('li');
    item.textContent = path;
    return item;
  });
  find(element, 'ul', HTMLElement).replaceChildren(...items);
}
