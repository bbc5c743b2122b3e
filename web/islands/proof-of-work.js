/**
 * The proof of work of a new account, in a thread of its own, so that the page stays quick.
 *
 * @param {HTMLElement} element
 */
export function wake(element) {
  const worker = new Worker(new URL('./proof-worker.js', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }) => {
    element.dataset.state = data;
    worker.terminate();
  });
  worker.addEventListener('error', () => {
    element.dataset.state = 'failed';
  });
}
