import type { Listing } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { capabilityPath, confirmedMark, isOwnSkill, nameOf } from './capabilities.ts';
import { readRef, tryPath } from './capability-ref.ts';
import { flag } from './flag.ts';
import { icon, kindTag } from './icon.ts';
import { levelRope } from './levels.ts';
import { cut } from './words.ts';

/** Capabilities that can be used at once, each with the one thing to do. Their text is untrusted. */

export const capabilityCards = (items: readonly Listing[]): Html =>
  html`<ol class="featured caps">${items.map(card)}</ol>`;

const card = (item: Listing): Html => html`<li>
<div class="named">${flag(item.id, 'm')}<h3><a href="${capabilityPath(item.id)}"><bdi>${nameOf(item, 60)}</bdi></a></h3>${confirmedMark(item)}</div>
<p class="label">${item.author !== '' && html`<bdi>${cut(item.author, 50)}</bdi> `}${kindTag(item.listing_type)}</p>
<p class="about" dir="auto">${cut(item.description, 160)}</p>
<div class="acts">${levelRope(item.verification.level)}${action(item)}</div>
</li>`;

/** Servers are called through a connection, everything else runs here. */
function action({ id, name, listing_type, sources }: Listing): Html | null {
  const place = sources.find(({ provider }) => provider !== 'capstan');
  if (listing_type === 'server')
    return place === undefined
      ? null
      : link(
          `/dashboard/connections?listing=${encodeURIComponent(`${place.provider}/${place.external_id}`)}`,
          'plug',
          'Connect',
          name,
        );
  const ref = readRef(isOwnSkill(id) ? id : `capability/${id}`);
  return ref === null ? null : link(tryPath(ref), 'play', 'Run', name);
}

const link = (href: string, shape: 'plug' | 'play', verb: string, name: string): Html =>
  html`<a class="button plain small above" href="${href}">${icon(shape)}${verb}<span class="hidden"> ${cut(name, 60)}</span></a>`;
