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
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(find(element, 'code', HTMLElement).textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
}
