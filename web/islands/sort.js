import { find } from './find.js';

/** Applies a chosen order at once, so that the button is not needed. */

/** @param {HTMLFormElement} form */
export function wake(form) {
  find(form, 'button', HTMLButtonElement).hidden = true;
  // Events of the form, because what is in it is replaced with the list.
  form.addEventListener('change', () => form.requestSubmit());
}
