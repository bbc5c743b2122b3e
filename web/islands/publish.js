import { pageOf } from './find.js';
import { morph } from './morph.js';

/** Checks while the publisher types: sends the form as its button would, and replaces what the checks say. */

const WAIT_MS = 900;
const PARTS = ['found', 'lines', 'preview', 'wizard-end'];
const TYPED = ['text', 'publisher', 'version', 'license', 'tags'];

/** @param {HTMLFormElement} form */
export function wake(form) {
  let timer = 0;
  let running = new AbortController();
  const check = async () => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const body = new FormData(form);
      body.set('do', form.querySelector('#lines') === null ? 'describe' : 'check');
      const answer = await fetch(form.action, { method: 'POST', body, headers: { accept: 'text/html' }, signal });
      if (answer.ok && !signal.aborted) show(await pageOf(answer));
    } catch {
      // The button checks again, and says what fails.
    }
  };
  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || !TYPED.includes(target.name))
      return;
    clearTimeout(timer);
    timer = setTimeout(check, WAIT_MS);
  });
  form.addEventListener('submit', () => clearTimeout(timer));
}

/** @param {Document} page */
function show(page) {
  for (const id of PARTS) {
    const [here, there] = [document.getElementById(id), page.getElementById(id)];
    if (here !== null && there !== null) morph(here, there);
  }
}
