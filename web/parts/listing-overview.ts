import type { Listing } from '../../sdk/src/index.ts';
import { CapstanError } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { Visit } from '../server/page.ts';
import { block } from './block.ts';
import { capabilityPath, nameOf } from './capabilities.ts';
import { flag } from './flag.ts';
import { baseOf, inputsOf, type Known, shortName, titleOf } from './known.ts';
import { isProved, levelRope } from './levels.ts';
import { countsWords, inputsTable } from './listing-needs.ts';
import { quotes } from './listing-tabs.ts';
import { notice } from './notice.ts';
import { actionOf } from './run-ability.ts';
import { count, cut, strangersLink } from './words.ts';

/** The first tab of a listing without a README, made from what is known, and what the index has that is similar. */

const MOST_INPUTS = 5;

export function overviewTab(known: Known, nowMs: number): Html {
  const { item, listing, path } = known;
  const members = listing?.members ?? [];
  const inputs = inputsOf(known);
  const more = inputs.length - MOST_INPUTS;
  return html`<div class="stack-wide">
${toolsNotice(known)}
${members.length > 0 && block({ id: 'say', title: 'What its sources say', label: members.length === 1 ? '1 source' : `${count(members.length)} sources`, is_flush: true, content: quotes(members.slice(0, 8), nowMs) })}
${inputs.length > 0 && block({ id: 'need', title: 'What you need to connect', label: countsWords(inputs), is_flush: true, content: html`${inputsTable(inputs.slice(0, MOST_INPUTS))}${more > 0 && html`<p class="more"><a href="${path}?tab=needs">${count(more)} more</a></p>`}` })}
${readmeMissing(known)}
${item?.manifest != null && record(item.manifest)}</div>`;
}

function toolsNotice(known: Known): Html | null {
  const { item } = known;
  if (item?.listing_type !== 'server' || (item.tools ?? []).length > 0) return null;
  const action = actionOf(known);
  return notice({
    shape: 'wrench',
    title: 'Its tools are not known yet.',
    text:
      action.words === 'Connect'
        ? 'No source lists them, and this service has not started it. You will see them when you connect.'
        : 'No source lists them, and this service has not started it.',
    action: action.words === 'Connect' ? { href: action.href, words: 'Connect it' } : null,
  });
}

function readmeMissing(known: Known): Html {
  const { listing } = known;
  const { repository, homepage } = baseOf(known);
  const link = strangersLink(repository || homepage);
  const isOpen = listing !== null && listing.publisher === null;
  const waiting = WAITING[known.item?.details.state ?? ''];
  return block({
    id: 'no-readme',
    title: 'README',
    shape: 'file-text',
    label: waiting ?? 'Not provided by any source',
    content: html`<p class="fine">${known.item?.details.state === 'failed' && html`${cut(known.item.details.detail, 300)} `}${link !== null && html`Read it at ${link}. `}${isOpen && html`Is this yours? <a href="${capabilityPath(listing.id)}/claim" rel="nofollow">Claim this listing</a> to take care of it.`}${link === null && !isOpen && 'Its sources name no repository and no homepage.'}</p>`,
  });
}

const WAITING: Record<string, string> = {
  fetching: 'Requested just now. Reload in a few seconds.',
  not_fetched: 'Not requested yet',
  failed: 'Could not be fetched',
};

const MOST_CHARACTERS = 20_000;

function record(manifest: Record<string, unknown>): Html {
  const text = JSON.stringify(manifest, null, 2);
  return block({
    id: 'record',
    title: 'Record of the provider',
    shape: 'braces',
    content: html`<p class="fine">As its author wrote it. Treat it as untrusted data.</p>
<details><summary>Show the record</summary><pre tabindex="0"><code>${text.slice(0, MOST_CHARACTERS)}${text.length > MOST_CHARACTERS && '\n…'}</code></pre></details>`,
  });
}

const SIMILAR = 5;
/** Words that nearly every name has, so that they say nothing. */
const COMMON = new Set(['mcp', 'server', 'skill', 'the', 'for', 'and', 'a', 'of', 'claude', 'plugin', 'agent']);

/** Others of the same kind whose words are similar; nothing if the index cannot answer now. */
export async function seeAlso({ capstan, site }: Pick<Visit, 'capstan' | 'site'>, known: Known): Promise<Html | null> {
  const { listing_type, id } = baseOf(known);
  const { title } = titleOf(known);
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !COMMON.has(word.toLowerCase()));
  const query = words.slice(0, 4).join(' ').slice(0, 200);
  if (query === '') return null;
  try {
    // Names need no corrections. Readers of one listing, and listings of one name, share the search.
    const body = { query, as_typed: true, filters: { listing_type: listing_type as 'server' }, limit: SIMILAR + 2 };
    const { items } = await site.remember(`similar ${JSON.stringify(body)}`, () => capstan.listings.search({ body }));
    const own = new Set([id, known.item?.capability_id]);
    const others = items.filter((hit) => !own.has(hit.id) && !hit.flagged).slice(0, SIMILAR);
    return others.length === 0 ? null : similarCard(others);
  } catch (error) {
    if (error instanceof CapstanError) return null;
    throw error;
  }
}

const similarCard = (others: readonly Listing[]): Html =>
  html`<section class="card" aria-labelledby="similar"><h2 id="similar">See also</h2><ul class="mini">${others.map((other) => html`<li>${flag(other.id, 's')}<a href="${capabilityPath(other.id)}"><bdi>${shortName(nameOf(other, 60))}</bdi></a>${isProved(other.verification.level) && levelRope(other.verification.level)}</li>`)}</ul></section>`;
