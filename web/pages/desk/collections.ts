import { type Answer, CapstanError, type Input } from '../../../sdk/src/index.ts';
import { block, emptyState } from '../../parts/block.ts';
import { confirmation, desk, hiddenFields, plainText } from '../../parts/desk.ts';
import { listingIn } from '../../parts/desk-listing.ts';
import type { Said } from '../../parts/said.ts';
import { ago, count, cut } from '../../parts/words.ts';
import { deskPage } from '../../server/desk-page.ts';
import { type Html, html, type Value } from '../../server/html.ts';
import type { FormVisit, OwnVisit } from '../../server/own-page.ts';
import type { View } from '../../server/page.ts';

/** `/desk/collections` and `/desk/collections/{slug}`: collections, and one of them with its list. */
export const collections = deskPage({ show: shown, acts: { review, save, remove } });

const PATH = '/desk/collections';

type Collection = Answer<'marketplace.collections.get'>;

async function shown(visit: OwnVisit, said: Said | null, form: URLSearchParams | null): Promise<View> {
  const { capstan, params, site } = visit;
  if (params.slug !== undefined) return oneShown(visit, said, form);
  const { items } = await capstan.collections.list();
  const content = html`${
    items.length === 0
      ? emptyState({
          shape: 'layers',
          title: 'No collections yet.',
          text: 'A collection is shown once it has a listing.',
        })
      : html`<ol class="audit">${items.map(({ slug, title, count: many, position, updated_at }) => html`<li><span class="label">position ${position}</span><div><p><a href="${PATH}/${slug}"><bdi>${cut(title, 80)}</bdi></a> <span class="label">${count(many)} ${many === 1 ? 'listing' : 'listings'}, changed ${ago(updated_at, site.now())}</span></p></div></li>`)}</ol>`
  }
${block({ id: 'new', title: 'New collection', content: collectionForm(null, form) })}`;
  return desk({ title: 'Collections', area: PATH, said, content });
}

async function oneShown(
  { capstan, params, site }: OwnVisit,
  said: Said | null,
  form: URLSearchParams | null,
): Promise<View> {
  const found = await capstan.collections.get({ slug: params.slug ?? '' });
  const { slug, title, revision, updated_at } = found;
  const content = html`<p class="fine"><a href="${PATH}">Collections</a> / <code>${slug}</code>, changed ${ago(updated_at, site.now())}. <a href="/collections/${slug}">View the public page</a></p>
${block({ id: 'edit', title: 'Change', content: collectionForm(found, form) })}
${block({ id: 'remove', title: 'Remove', content: html`<form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ what: 'remove', slug, revision })}${reasonField('')}<p class="ways"><button type="submit" class="button danger">Remove the collection</button></p></form>` })}`;
  return desk({ title, area: PATH, said, content });
}

const reasonField = (value: string): Html =>
  html`<label>Reason <span class="label">for the audit log</span><input name="reason" required maxlength="500" value="${value}"></label>`;

/** The list is text, one listing a line: it is reordered by moving lines, also without scripts. */
function collectionForm(found: Collection | null, form: URLSearchParams | null): Value {
  const was = (name: string, value: string): string => form?.get(name) ?? value;
  const lines = found?.items.map(({ id }) => id).join('\n') ?? '';
  return html`<form method="post" class="asks"><input type="hidden" name="do" value="review">${hiddenFields({ what: 'save', revision: found?.revision ?? '' })}
${found === null ? html`<label>Name in addresses <span class="label">lowercase words, joined by hyphens</span><input name="slug" required maxlength="80" pattern="[a-z0-9]+(-[a-z0-9]+)*" value="${was('slug', '')}" autocomplete="off" spellcheck="false"></label>` : hiddenFields({ slug: found.slug })}
<div class="pair"><label>Title <input name="title" required maxlength="80" value="${was('title', found?.title ?? '')}"></label><label>Position <span class="label">lower comes first</span><input name="position" type="number" min="0" max="10000" value="${was('position', `${found?.position ?? ''}`)}"></label></div>
<label>Sentence <input name="description" maxlength="300" value="${was('description', found?.description ?? '')}"></label>
<label>Listings <span class="label">one per line, in order: ids, names or page addresses</span><textarea name="listings" rows="8" spellcheck="false">${'\n'}${was('listings', lines)}</textarea></label>
${found !== null && found.items.length > 0 && html`<ol class="fine">${found.items.map(({ id, name }) => html`<li><bdi>${cut(name, 80)}</bdi> <code>${cut(id, 80)}</code></li>`)}</ol>`}
${found !== null && html`<p class="fine">Listings that are flagged, taken down or no longer available are left out. Saving removes them from the collection.</p>`}
${reasonField(was('reason', ''))}
<p class="ways"><button type="submit" class="button">${found === null ? 'Create' : 'Save'}</button></p></form>`;
}

type Save = Input<'marketplace.collections.save'>;

/** What the form asks for. The service checks it. */
function orderIn(form: URLSearchParams): Save {
  const of = (name: string): string => plainText(form.get(name));
  const lines = of('listings').split('\n');
  const body: Save['body'] = {
    title: of('title'),
    description: of('description'),
    listings: [...new Set(lines.map(listingIn).filter((line) => line !== ''))],
    revision: of('revision'),
    reason: of('reason'),
  };
  if (of('position') !== '') body.position = Number(of('position'));
  return { slug: of('slug'), body };
}

async function review({ capstan, form, path }: FormVisit): Promise<View> {
  if (form.get('what') === 'remove') return removal(form, path);
  const { slug, body } = orderIn(form);
  const names = await Promise.all(body.listings.slice(0, 100).map((id) => nameOf(capstan, id)));
  const { title, description, position, reason, revision } = body;
  const isNew = revision === '';
  return desk({
    title: 'Confirm the collection',
    area: PATH,
    said: null,
    content: confirmation({
      title: html`${isNew ? 'Create' : 'Save'}: <bdi>${cut(title, 80)}</bdi>`,
      text: html`It will be public at <code>/collections/${slug}</code>, in this order:`,
      more: html`<ol>${names.map((name) => html`<li>${name === null ? html`<strong>not found</strong>` : html`<bdi>${cut(name, 80)}</bdi>`}</li>`)}</ol>`,
      reason,
      read_by: 'Reason, for the audit log',
      name: 'save',
      button: isNew ? 'Create' : 'Save',
      fields: {
        slug,
        title,
        description,
        position: `${position ?? ''}`,
        listings: body.listings.join('\n'),
        revision,
        reason,
      },
      back: path,
    }),
  });
}

/** Null if there is no such listing. */
async function nameOf(capstan: OwnVisit['capstan'], id: string): Promise<string | null> {
  try {
    return (await capstan.listings.get({ id })).name;
  } catch (error) {
    if (error instanceof CapstanError && error.status >= 400 && error.status < 500) return null;
    throw error;
  }
}

function removal(form: URLSearchParams, path: string): View {
  const slug = form.get('slug') ?? '';
  const reason = plainText(form.get('reason'));
  return desk({
    title: 'Confirm removal',
    area: PATH,
    said: null,
    content: confirmation({
      title: html`Remove: <code>${cut(slug, 80)}</code>`,
      text: 'The collection and its page are gone. Its listings stay.',
      reason,
      read_by: 'Reason, for the audit log',
      name: 'remove',
      button: 'Remove the collection',
      is_severe: true,
      fields: { slug, revision: form.get('revision') ?? '', reason },
      back: path,
    }),
  });
}

async function save({ capstan, form }: FormVisit) {
  const order = orderIn(form);
  await capstan.collections.save(order);
  return { done: 'collection_saved', to: `${PATH}/${order.slug}` } as const;
}

async function remove({ capstan, form }: FormVisit) {
  const of = (name: string): string => plainText(form.get(name));
  await capstan.collections.remove({ slug: of('slug'), revision: of('revision'), reason: of('reason') });
  return { done: 'collection_removed', to: PATH } as const;
}
