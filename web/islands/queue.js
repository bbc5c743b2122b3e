/** Moves through the queue with J and K. */

/** @param {HTMLElement} queue */
export function wake(queue) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const step = { j: 1, k: -1 }[event.key];
    if (step === undefined || !queue.isConnected) return;
    const links = [...queue.querySelectorAll('a')];
    const next = links[links.findIndex((link) => link.hasAttribute('aria-current')) + step];
    if (next !== undefined) location.assign(next.href);
  });
}

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
