/** A button beside a text takes it to the clipboard, and says so. */
export function wake(element) {
  const button = element.querySelector('button');
  // Browsers have a clipboard only where a page is reached safely.
  if (navigator.clipboard === undefined) return;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(element.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
}
