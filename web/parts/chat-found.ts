import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { stateOf } from './capabilities.ts';
import { pagePath, type Ref } from './capability-ref.ts';
import { sayForm } from './chat-say.ts';
import { flag } from './flag.ts';
import { kindTag } from './icon.ts';
import { runStateMark } from './state.ts';
import { cut } from './words.ts';

/** What a turn found, as cards that open its page or use it in the conversation. Names and texts are untrusted. */

type Turn = Operations['conversations']['get']['answer']['items'][number];
export type Found = NonNullable<Turn['steps'][number]['found']>[number];

const MOST_CARDS = 10;
/** A shorter name is a word that answers have for other reasons. */
const SHORTEST_NAME = 4;

/** The finds that the answer names, in its order, without those in `but`. */
export function namedFinds(message: string, steps: Turn['steps'], but: ReadonlySet<string>): Found[] {
  const finds = new Map(steps.flatMap(({ found = [] }) => found).map((found) => [keyOf(found), found]));
  return [...finds.values()]
    .map((found) => ({ found, at: placeOf(message, found) }))
    .filter(({ found, at }) => at >= 0 && !but.has(keyOf(found)))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, MOST_CARDS)
    .map(({ found }) => found);
}

export const keyOf = ({ kind, ref }: { kind: string; ref: string }): string => `${kind}/${ref}`;

/** Where a text names it as a whole: by its reference, else by its name; -1 if it does not. */
function placeOf(message: string, { ref, name }: Found): number {
  const byRef = wholeAt(message, ref);
  return byRef >= 0 || name.length < SHORTEST_NAME ? byRef : wholeAt(message, name);
}

/** Places that are looked at: a text can repeat a part of a longer name very often. */
const MOST_PLACES = 50;

function wholeAt(text: string, part: string): number {
  if (part === '') return -1;
  let at = text.indexOf(part);
  for (let tried = 0; at >= 0 && tried < MOST_PLACES; tried++) {
    const [before, after] = [text.charAt(at - 1), text.slice(at + part.length, at + part.length + 2)];
    if (!/[\p{L}\p{N}/-]/u.test(before) && !/^(?:[\p{L}\p{N}/-]|\.[\p{L}\p{N}])/u.test(after)) return at;
    at = text.indexOf(part, at + 1);
  }
  return -1;
}

/** Numbered, because a message can choose one by its number. */
export const foundCards = (finds: readonly Found[]): Html | false =>
  finds.length > 0 && html`<ol class="block finds" aria-label="Found">${finds.map(card)}</ol>`;

function card(found: Found): Html {
  const { ref, name, description, listing_type, availability } = found;
  const path = pageOf(found);
  const words = html`<bdi>${cut(name, 120) || ref}</bdi>`;
  const state = availability === null ? null : stateOf({ availability });
  return html`<li>${flag(ref, 'm')}<div><h3>${path === null ? words : html`<a href="${path}">${words}</a>`}</h3>
${description !== '' && html`<p class="fine" dir="auto">${cut(description, 160)}</p>`}
<p class="facts">${listing_type !== null && kindTag(listing_type)}${state !== null && runStateMark(state)}</p></div>
${found.kind !== 'task' && isPlain(ref) && availability !== 'install' && sayForm(`run ${ref}`, html`Use this<span class="hidden">: <bdi>${cut(name, 80)}</bdi></span>`)}</li>`;
}

/** Links of finds in the steps, where the answer names them not. */
export function findsLine(finds: readonly Found[]): Html {
  return html`<ul class="found-line">${finds.map((found) => {
    const path = pageOf(found);
    const words = html`<bdi>${cut(found.name, 80) || found.ref}</bdi>`;
    return html`<li>${path === null ? words : html`<a href="${path}">${words}</a>`}</li>`;
  })}</ul>`;
}

/** A published listing is also named by its publisher and name, which has no page by that name. */
const pageOf = (found: Found): string | null =>
  found.kind === 'task' ? `/runs/${encodeURIComponent(found.ref)}` : pagePath(found as Ref);

/** Whether a message can name it by the reference alone. */
const isPlain = (ref: string): boolean => /^[\w@:/+-](?:[\w@.:/+-]{0,198}[\w@/+-])?$/.test(ref);
