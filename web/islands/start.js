/** Starts the islands of a page and the light and dark switch. Every page is readable without scripts. */

/** @param {ParentNode} root */
export function wakeAll(root) {
  /** @type {NodeListOf<HTMLElement>} */
  const islands = root.querySelectorAll('[data-island]');
  // The browser reports an island that fails to load, and the page works without it.
  for (const element of islands) void import(`./${element.dataset.island}.js`).then(({ wake }) => wake(element));
}

wakeAll(document);

document.querySelector('[data-theme-switch]')?.addEventListener('click', (event) => {
  event.preventDefault();
  const root = document.documentElement;
  const shown = root.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.dataset.theme = shown === 'dark' ? 'light' : 'dark';
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in all browsers yet.
  document.cookie = `capstan-theme=${root.dataset.theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
});
