import { find } from './find.js';

/**
 * Copies the text beside the button to the clipboard and confirms it.
 *
 * @param {HTMLElement} element
 */
export function wake(element) {
  const button = find(element, 'button', HTMLButtonElement);
  // Browsers offer the clipboard only in secure contexts.
  if (navigator.clipboard === undefined) return;
  const status = find(element, '[role="status"]', HTMLElement);
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(find(element, 'code', HTMLElement).textContent);
    button.dataset.copied = '';
    status.textContent = 'Copied';
    setTimeout(() => {
      delete button.dataset.copied;
      status.textContent = '';
    }, 2_000);
  });
}
