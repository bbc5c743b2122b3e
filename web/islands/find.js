/**
 * The first element at `selector`. What an island cannot do without is told at once where a page has it no more.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function find(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`There is no ${kind.name} at ${selector}`);
}

/**
 * What was thrown, as far as it says something of itself: ours, a wallet's, a browser's.
 *
 * @param {unknown} error
 * @returns {{name?: string, code?: unknown, detail?: string, message: string}}
 */
export const told = (error) =>
  typeof error === 'object' && error !== null ? /** @type {Error} */ (error) : { message: String(error ?? '') };

/**
 * A page of ours, as a document.
 *
 * @param {Response} answer
 */
export const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
