/**
 * The arrow keys move through the spans of a trace; right opens a span, left closes it.
 *
 * @param {HTMLElement} list
 */
export function wake(list) {
  const hint = document.getElementById('walk');
  if (hint !== null) hint.hidden = false;
  const all = [...list.querySelectorAll('summary')];
  list.addEventListener('keydown', (event) => {
    const { target, ctrlKey, metaKey, altKey } = event;
    const span = target instanceof HTMLElement ? target.parentElement : null;
    if (!(span instanceof HTMLDetailsElement) || ctrlKey || metaKey || altKey) return;
    const at = all.findIndex((element) => element.parentElement === span);
    const to = new Map([
      ['ArrowDown', at + 1],
      ['ArrowUp', at - 1],
      ['Home', 0],
      ['End', all.length - 1],
    ]).get(event.key);
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') span.open = event.key === 'ArrowRight';
    else if (to === undefined) return;
    else all[to]?.focus();
    event.preventDefault();
  });
}
