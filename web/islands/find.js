/**
 * The first element at `selector`. Throws if the page lacks it, so that a missing element is noticed early.
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
  throw new Error(`No ${kind.name} found at ${selector}`);
}

/**
 * The readable parts of a thrown value, which may come from our code, a wallet or the browser.
 *
 * @param {unknown} error
 * @returns {{name?: string, code?: unknown, detail?: string, status?: number, message: string}}
 */
export const told = (error) =>
  typeof error === 'object' && error !== null ? /** @type {Error} */ (error) : { message: String(error ?? '') };

/**
 * A page of this service, parsed as a document.
 *
 * @param {Response} answer
 */
export const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
