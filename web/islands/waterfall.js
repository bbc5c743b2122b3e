/** The arrows walk the spans of a trace; right opens one, left closes it. */

export function wake(list) {
  const hint = document.getElementById('walk');
  if (hint !== null) hint.hidden = false;
  const all = [...list.querySelectorAll('summary')];
  list.addEventListener('keydown', (event) => {
    const at = all.indexOf(event.target);
    if (at === -1 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft')
      all[at].parentElement.open = event.key === 'ArrowRight';
    else if (to === undefined) return;
    else all[to]?.focus();
    event.preventDefault();
  });
}
