import { type Html, html } from '../server/html.ts';
import type { Operation, Parameter } from './openapi.ts';

/** A form that sends an operation and shows what comes back: by its script, as whoever is signed in. */
export function tryForm(operation: Operation, is_signed_in: boolean): Html {
  const { id, method, path, parameters, body } = operation;
  const fields = parameters.filter(({ in: place }) => place !== 'header');
  return html`<details class="try"><summary>Fill in and send</summary>
<form data-island="try" data-method="${method}" data-path="${path}"${body !== null && html` data-type="${body.media_type}"`}>
${fields.map((each) => field(id, each))}
${body !== null && html`<label class="wide">Body<textarea name="body" rows="8" spellcheck="false" data-in="body">${textOf(body.example)}</textarea></label>`}
<p class="fine">${note(operation, is_signed_in)}</p>
<p><button type="submit" class="button">Send ${method}</button></p>
<noscript><p class="fine">The form needs its script; the command above does the same.</p></noscript>
<output class="wide" aria-label="Answer"></output>
</form></details>`;
}

function note({ security, method }: Operation, isSignedIn: boolean): string {
  if (security.some((node) => Object.keys(node).length > 1))
    return 'It needs a signature of your wallet, which this form does not ask for: it shows how the service refuses.';
  if (security.length === 0) return 'Sent as anybody may.';
  if (!isSignedIn) return 'You are not signed in: it is sent without a token.';
  return method === 'GET' ? 'Sent with your session.' : 'Sent with your session: what it changes is changed.';
}

function field(id: string, { name, in: place, required, schema = {}, example }: Parameter): Html {
  const known = `${id}-${name}`;
  const value = place === 'path' && example !== undefined ? `${example}` : '';
  const must = required === true && html` required`;
  if (Array.isArray(schema.enum))
    return html`<label for="${known}">${name}<select id="${known}" name="${name}" data-in="${place}"${must}>
${required !== true && html`<option value=""></option>`}${schema.enum.map((item) => html`<option${`${item}` === value && html` selected`}>${`${item}`}</option>`)}</select></label>`;
  return html`<label for="${known}">${name}<input id="${known}" name="${name}" data-in="${place}" value="${value}" placeholder="${example === undefined ? '' : `${example}`}" autocomplete="off" spellcheck="false"${must}></label>`;
}

const textOf = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2);
