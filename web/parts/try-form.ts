import { type Html, html } from '../server/html.ts';
import type { Operation, Parameter } from './openapi.ts';

/** A form that sends an operation as the signed-in user and shows the response. It needs scripts. */
export function tryForm(operation: Operation, is_signed_in: boolean): Html {
  const { id, method, path, parameters, body } = operation;
  const fields = parameters.filter(({ in: place }) => place !== 'header');
  return html`<details class="try"><summary>Try it</summary>
<form data-island="try" data-method="${method}" data-path="${path}"${body !== null && html` data-type="${body.media_type}"`}>
${fields.map((each) => field(id, each))}
${body !== null && html`<label class="wide">Body<textarea name="body" rows="8" spellcheck="false" data-in="body">${textOf(body.example)}</textarea></label>`}
<p class="fine">${note(operation, is_signed_in)}</p>
<p><button type="submit" class="button">Send ${method}</button></p>
<noscript><p class="fine">This form needs JavaScript. You can use the command above instead.</p></noscript>
<output class="wide" aria-label="Response"></output>
</form></details>`;
}

function note({ security, method }: Operation, isSignedIn: boolean): string {
  if (security.some((node) => Object.keys(node).length > 1))
    return 'This operation needs a wallet signature, which this form cannot provide. Sending it shows the error.';
  if (security.length === 0) return 'Sent without a token.';
  if (!isSignedIn) return 'You are not signed in, so the request is sent without a token.';
  return method === 'GET' ? 'Sent with your session.' : 'Sent with your session. Changes are real.';
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
