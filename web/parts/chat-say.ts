import { type Html, html, type Value } from '../server/html.ts';

/** A button that sends a message, with and without scripts: the island of the chat sends it as if it had been typed. */
export const sayForm = (message: string, label: Value, look = 'plain small'): Html =>
  html`<form method="post" class="say"><input type="hidden" name="do" value="say"><input type="hidden" name="message" value="${message}"><button type="submit" class="button ${look}">${label}</button></form>`;
