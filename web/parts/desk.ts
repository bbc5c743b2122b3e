import type { Purpose } from '../../sdk/src/index.ts';
import { type Html, html, type Value } from '../server/html.ts';
import type { View } from '../server/page.ts';
import { type IconName, icon } from './icon.ts';
import { type Said, saidBlock } from './said.ts';
import { signedForm } from './signed-form.ts';
import { count } from './words.ts';

/** The frame of the operators' pages: their areas above the title. */

const AREAS = [
  ['/desk', 'Overview', 'layout-dashboard'],
  ['/desk/reports', 'Reports', 'inbox'],
  ['/desk/featured', 'Featured', 'badge-check'],
  ['/desk/collections', 'Collections', 'layers'],
  ['/desk/providers', 'Providers', 'repeat'],
  ['/desk/users', 'Users', 'key-round'],
  ['/desk/health', 'Health', 'shield-check'],
  ['/desk/audit', 'Audit log', 'history'],
] as const satisfies readonly (readonly [string, string, IconName])[];

type Area = (typeof AREAS)[number][0];

interface Desk {
  title: string;
  area: Area;
  said: Said | null;
  /** Beside the title. */
  beside?: Value;
  content: Value;
}

export const desk = ({ title, area, said, beside, content }: Desk): View => ({
  title,
  unlisted: true,
  content: html`<div class="desk"><nav class="desk-areas" aria-label="Operator">${AREAS.map(([href, label, shape]) => html`<a href="${href}"${href === area && html` aria-current="true"`}>${icon(shape)}${label}</a>`)}</nav>
<header class="desk-head"><h1>${title}</h1>${beside}</header>
${saidBlock(said)}
${content}</div>`,
});

/** Links to the parts of an area, with how much is in each. */
export const segments = (
  label: string,
  links: readonly { href: string; words: string; many?: number; is_current: boolean }[],
): Html =>
  html`<nav class="segs" aria-label="${label}">${links.map(({ href, words, many = 0, is_current }) => html`<a href="${href}"${is_current && html` aria-current="page"`}>${words}${many > 0 && html` <span class="num">${count(many)}</span>`}</a>`)}</nav>`;

interface Confirmation {
  title: Value;
  /** What will happen. */
  text: Value;
  /** Below it, such as a list. */
  more?: Value;
  /** The reason, as it was written. */
  reason?: string;
  /** Who reads the reason. */
  read_by?: string;
  /** The action of the form that confirms. */
  name: string;
  button: string;
  is_severe?: boolean;
  fields: Record<string, string>;
  back: string;
  /** What a device or wallet signs, where the account of the operator has one. */
  signed?: { confirms: Purpose; states: Record<string, string> };
}

/** The last step before an action of an operator. */
export function confirmation({
  title,
  text,
  more,
  reason,
  read_by,
  name,
  button,
  is_severe = false,
  fields,
  back,
  signed,
}: Confirmation): Html {
  const look = is_severe ? 'danger' : '';
  const cancel = html`<a class="button quiet" href="${back}">Cancel</a>`;
  const sendForm =
    signed === undefined
      ? html`<form method="post"><input type="hidden" name="do" value="${name}">${hiddenFields(fields)}
<p class="ways"><button type="submit" class="button ${look}">${button}</button> ${cancel}</p></form>`
      : html`${signedForm({ name, button, look, ...signed, fields: hiddenFields(fields) })}<p>${cancel}</p>`;
  return html`<section class="block confirm" aria-labelledby="confirm"><header><h2 id="confirm">${title}</h2></header>
<div class="pad"><p>${text}</p>
${more}
${reason !== undefined && html`<p class="label">${read_by ?? 'Reason'}</p>${quoted(reason)}`}
${sendForm}</div></section>`;
}

export const hiddenFields = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(([key, value]) => html`<input type="hidden" name="${key}" value="${value}">`);

const MOST_QUOTED = 2_000;

/** Text of a user or a provider: shown as it was written, and nothing in it is a link. */
export const quoted = (text: string): Html =>
  html`<blockquote class="said-by" dir="auto">${text.length <= MOST_QUOTED ? text : `${text.slice(0, MOST_QUOTED).toWellFormed()}…`}</blockquote>`;

/** Forms send line breaks as CRLF. */
export const plainText = (text: string | null): string => (text ?? '').replaceAll('\r\n', '\n').trim();
