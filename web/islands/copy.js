import { find } from './find.js';

/**
 * A button beside a text takes it to the clipboard, and says so.
 *
 * @param {HTMLElement} element
 */
export function wake(element) {
  const button = find(element, 'button', HTMLButtonElement);
  // Browsers have a clipboard only where a page is reached safely.
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
