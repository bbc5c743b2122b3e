/**
 * Turns `from` into `to` with as few changes as possible, so that focus, selection and open details stay.
 *
 * @param {Element} from
 * @param {Element} to
 */
export function morph(from, to) {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && name !== 'open') from.removeAttribute(name);
  for (const { name, value } of to.attributes) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  const [old, fresh] = [[...from.childNodes], [...to.childNodes]];
  for (const [at, child] of fresh.entries()) {
    const current = old[at];
    if (current === undefined) from.append(child);
    else if (!isAlike(current, child)) current.replaceWith(child);
    else if (current instanceof Element && child instanceof Element) morph(current, child);
    else if (current.nodeValue !== child.nodeValue) current.nodeValue = child.nodeValue;
  }
  for (const left of old.slice(fresh.length)) left.remove();
}

/** @param {Node} node */
const idOf = (node) => (node instanceof Element ? node.id : '');

/**
 * @param {Node} a
 * @param {Node} b
 */
const isAlike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && idOf(a) === idOf(b);
