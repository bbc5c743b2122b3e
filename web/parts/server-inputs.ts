import type { ItemDetail } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';
import { cut } from './words.ts';

/**
 * The values that a server of a listing takes, as fields of a form. Secrets are stored once the connection exists, with a
 * signature: the form's island sends them, and without it they are asked for afterwards.
 */

type Choice = ItemDetail['servers'][number];
type ServerInput = Choice['inputs'][number];

/** Of a field in the form's body; inputs may have any name. */
const FIELD = 'value.';
const SECRET = 'secret.';

export const asksValues = ({ inputs }: Choice): boolean => inputs.some(({ secret }) => !secret);

export const valueInputs = ({ inputs }: Choice, form: URLSearchParams | null): Html =>
  html`${inputs.filter(({ secret }) => !secret).map((input, at) => row(input, at, form?.get(`${FIELD}${input.name}`) ?? input.default))}`;

export function secretInputs({ inputs }: Choice, can_sign: boolean): Html {
  const secrets = inputs.filter(({ secret }) => secret);
  return can_sign ? secretFields(secrets) : askedLater(secrets);
}

/** The island of the form shows and enables them. */
const secretFields = (secrets: readonly ServerInput[]): Html =>
  html`<fieldset class="secrets" hidden disabled>${secrets.map(secretRow)}
<p class="fine">Encrypted, sent only to this server, never shown again and kept out of logs. Your device or wallet confirms that you store them.</p></fieldset>
<noscript>${askedLater(secrets)}</noscript>`;

const askedLater = (secrets: readonly ServerInput[]): Html =>
  html`<p class="fine">Then you are asked for ${secrets.map(({ name }, at) => html`${at > 0 && ', '}<code>${cut(name, 80)}</code>`)}, which ${secrets.length === 1 ? 'is a secret' : 'are secrets'}.</p>`;

function secretRow({ name, description, required, in: place, hint }: ServerInput, at: number): Html {
  const id = `secret-${at}`;
  return html`<div class="field-row"><label for="${id}"><code>${cut(name, 80)}</code> <span class="label">${PLACES[place]}, ${required ? 'required' : 'optional'}</span></label>
<div class="secret"><input type="password" id="${id}" name="${SECRET}${name}" maxlength="8192" autocomplete="off" spellcheck="false"${required && html` required`} aria-describedby="${id}-about"><button type="button" class="button quiet small" data-show="${id}" aria-pressed="false">${icon('eye')}Show<span class="hidden"> ${cut(name, 80)}</span></button></div>
<p class="fine" id="${id}-about" dir="auto">${cut(description, 500)}${hint !== '' && html` For example <code>${cut(hint, 100)}</code>.`}</p></div>`;
}

/** Fields that are left empty are left out, so that the server's own default holds. */
export function serverValues(form: URLSearchParams): Record<string, string> {
  const given = [...form].filter(([name, value]) => name.startsWith(FIELD) && value.trim() !== '');
  return Object.fromEntries(given.map(([name, value]) => [name.slice(FIELD.length), value.replaceAll('\r\n', '\n')]));
}

function row(input: ServerInput, at: number, value: string): Html {
  const { name, description, required, in: place, hint } = input;
  const id = `value-${at}`;
  const about = description !== '' || hint !== '';
  const attributes = html`id="${id}" name="${FIELD}${name}"${required && html` required`}${about && html` aria-describedby="${id}-about"`}`;
  return html`<div class="field-row"><label for="${id}"><code>${cut(name, 80)}</code> <span class="label">${PLACES[place]}${!required && ', optional'}</span></label>
${control(input, attributes, value)}
${about && html`<p class="fine" id="${id}-about" dir="auto">${cut(description, 500)}${hint !== '' && html` For example <code>${cut(hint, 100)}</code>.`}</p>`}</div>`;
}

const PLACES: Record<ServerInput['in'], string> = {
  header: 'header',
  variable: 'variable',
  env: 'environment variable',
  argument: 'argument',
};

function control(input: ServerInput, attributes: Html, value: string): Html {
  const { format, choices, repeated, required, min, max } = input;
  const options = format === 'boolean' ? ['true', 'false'] : choices;
  if (options.length > 0 && !repeated)
    return html`<select ${attributes}>${(!required || value === '') && html`<option value="">${required ? 'Choose' : 'Not set'}</option>`}${options.map((option) => html`<option value="${option}"${option === value && html` selected`}>${cut(option, 100)}</option>`)}</select>`;
  if (repeated)
    return html`<textarea ${attributes} rows="3" spellcheck="false" placeholder="One per line">${'\n'}${value}</textarea>`;
  if (format === 'number')
    return html`<input type="number" step="any"${min !== undefined && html` min="${min}"`}${max !== undefined && html` max="${max}"`} ${attributes} value="${value}">`;
  return html`<input ${attributes} value="${value}" maxlength="1000" autocomplete="off" spellcheck="false">`;
}
