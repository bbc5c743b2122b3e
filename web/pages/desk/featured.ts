import type { Answer, Input } from '../../../sdk/src/index.ts';
import { block, emptyState } from '../../parts/block.ts';
import { capabilityPath, nameOf } from '../../parts/capabilities.ts';
import { confirmation, desk, hiddenFields, plainText } from '../../parts/desk.ts';
import { listingIn } from '../../parts/desk-listing.ts';
import { flag } from '../../parts/flag.ts';
import { kindTag } from '../../parts/icon.ts';
import type { Said } from '../../parts/said.ts';
import { ago, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html } from '../../server/html.ts';
import type { FormVisit, OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/featured`: what operators feature, in its order, and what follows by proof. */
export const featured = deskPage({ show: shown, acts: { review, feature, unfeature } });

const PATH = '/desk/featured';

type Item = Answer<'marketplace.featured.list'>['items'][number];

async function shown({ capstan, site }: OwnVisit, said: Said | null, form: URLSearchParams | null): Promise<View> {
  const { items } = await capstan.featured.list();
  const chosen = items.filter(({ reason }) => reason.by === 'operator');
  const others = items.filter(({ reason }) => reason.by !== 'operator');
  const nowMs = site.now();
  const content = html`${block({
    id: 'chosen',
    title: 'Chosen by operators',
    content:
      chosen.length === 0
        ? emptyState({
            shape: 'badge-check',
            title: 'Nothing is chosen.',
            text: 'The listings that run here most are shown instead.',
          })
        : html`<ol class="reports">${chosen.map((item) => row(item, nowMs, form))}</ol>`,
  })}
${block({ id: 'new', title: 'Feature a listing', content: featureForm(form?.get('new') === '1' ? form : null) })}
${others.length > 0 && block({ id: 'others', title: 'Featured for their runs', content: html`<ul class="reports">${others.map((item) => html`<li class="fine">${named(item)} – <span dir="auto">${cut(item.reason.text, 200)}</span></li>`)}</ul>` })}`;
  return desk({ title: 'Featured', area: PATH, said, content });
}

const named = (item: Item): Html => html`<a href="${capabilityPath(item.id)}"><bdi>${nameOf(item)}</bdi></a>`;

const fields = (given: { reason: string; position: string; until: string }): Html =>
  html`<label>Reason <span class="label">public, under its name</span><input name="reason" required maxlength="500" value="${given.reason}"></label>
<div class="pair"><label>Position <span class="label">lower comes first</span><input name="position" type="number" min="0" max="10000" value="${given.position}"></label><label>Until <span class="label">leave empty for no end</span><input name="until" type="date" value="${given.until}"></label></div>`;

const given = (form: URLSearchParams | null) => ({
  reason: form?.get('reason') ?? '',
  position: form?.get('position') ?? '',
  until: form?.get('until') ?? '',
});

const featureForm = (
  form: URLSearchParams | null,
): Html => html`<form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ what: 'feature', new: '1' })}
<label>Listing <span class="label">its name, such as publisher/name, its id, or the address of its page</span><input name="id" required maxlength="300" value="${form?.get('id') ?? ''}" autocomplete="off" spellcheck="false"></label>
${fields(given(form))}<p class="ways"><button type="submit" class="button">Feature</button></p></form>`;

function row(item: Item, nowMs: number, form: URLSearchParams | null): Html {
  const { id, listing_type, reason } = item;
  const isOpen = form?.get('id') === id && form.get('new') !== '1';
  const now = { reason: reason.text, position: `${reason.position ?? ''}`, until: reason.until?.slice(0, 10) ?? '' };
  return html`<li><p>${flag(id, 's')} ${named(item)} ${kindTag(listing_type)} <span class="label">position ${reason.position}${reason.since !== null && html`, ${ago(reason.since, nowMs)}`}${reason.until !== null && html`, until ${reason.until.slice(0, 10)}`}</span></p><p class="fine" dir="auto">${cut(reason.text, 500)}</p>
<details${isOpen && html` open`}><summary>Change</summary><form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ what: 'feature', id })}${fields(isOpen ? given(form) : now)}<p class="ways"><button type="submit" class="button plain">Change</button></p></form></details>
<details><summary>Remove</summary><form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ what: 'unfeature', id })}<label>Reason <span class="label">for the audit log</span><input name="reason" required maxlength="500"></label><p class="ways"><button type="submit" class="button danger">Remove</button></p></form></details></li>`;
}

async function review({ capstan, form }: FormVisit): Promise<View> {
  const isOn = form.get('what') !== 'unfeature';
  const item = await capstan.listings.get({ id: listingIn(plainText(form.get('id'))) });
  const { reason, position, until } = given(form);
  const kept = isOn ? { position, until, new: form.get('new') ?? '' } : {};
  return desk({
    title: isOn ? 'Confirm featuring' : 'Confirm removal',
    area: PATH,
    said: null,
    content: confirmation({
      title: html`${isOn ? 'Feature' : 'Stop featuring'}: <bdi>${nameOf(item)}</bdi>`,
      text: isOn
        ? html`It is shown among the featured listings${position !== '' && ` at position ${position}`}${until !== '' && ` until ${until}`}.`
        : 'It is removed from the list, but may still be featured for its runs here.',
      reason: plainText(reason),
      read_by: isOn ? 'Public reason' : 'Reason, for the audit log',
      name: isOn ? 'feature' : 'unfeature',
      button: isOn ? 'Feature' : 'Remove',
      is_severe: !isOn,
      fields: { id: item.id, reason: plainText(reason), ...kept },
      back: PATH,
    }),
  });
}

type Body = Input<'marketplace.featured.add'>['body'];

async function feature({ capstan, form }: FormVisit) {
  const { reason, position, until } = given(form);
  const body: Body = { reason: plainText(reason) };
  if (position !== '') body.position = Number(position);
  // The day counts as a whole.
  if (until !== '') body.until = `${until}T23:59:59.000Z`;
  await capstan.featured.add({ id: form.get('id') ?? '', body });
  return { done: 'featured', to: PATH } as const;
}

async function unfeature({ capstan, form }: FormVisit) {
  await capstan.featured.remove({ id: form.get('id') ?? '', reason: plainText(form.get('reason')) });
  return { done: 'unfeatured', to: PATH } as const;
}
