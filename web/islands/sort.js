/** Applies a chosen order at once. The button is shown only without scripts. */

/** @param {HTMLFormElement} form */
export function wake(form) {
  // Events of the form, because what is in it is replaced with the list.
  form.addEventListener('change', () => form.requestSubmit());
}
