/** A state as the pages show it: an icon, a word and a colour. */

/** @type {Record<string, string>} */
const SHAPES = { good: 'circle-check', warn: 'triangle-alert', bad: 'circle-x', busy: 'loader-circle' };
const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {Element} element
 * @param {string} look
 * @param {string} text
 */
export function setState(element, look, text) {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('class', 'i');
  icon.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  // The icons are beside the scripts.
  use.setAttribute('href', `${new URL('icons.svg', import.meta.url).pathname}#${SHAPES[look] ?? 'circle-dashed'}`);
  icon.append(use);
  const words = document.createElement('span');
  words.textContent = text;
  element.className = `state ${look}`;
  element.replaceChildren(icon, words);
}
