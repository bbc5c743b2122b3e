/**
 * Computes the proof of work of a new account in a worker, so that the page stays responsive.
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
