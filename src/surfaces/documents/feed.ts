import { itemPath } from '#catalog/items/item-path.ts';
import { SERVICE } from '#core/service.ts';
import { oneLine, shortened } from '#surfaces/interop/shown-text.ts';
import { xml } from '#surfaces/interop/xml.ts';

/** Atom (RFC 4287) and JSON Feed 1.1 of listings. */

export interface FeedEntry {
  provider_id: string;
  external_id: string;
  name: string;
  description: string;
  author: string;
  version: string;
  listing_type: string;
  tags: string[];
  published_at: string | null;
  updated_at: string;
}

export interface Feed {
  title: string;
  base_url: string;
  self: string;
  entries: readonly FeedEntry[];
}

/** Of a feed without entries. */
const NEVER = '1970-01-01T00:00:00.000Z';

export function atom({ title, base_url, self, entries }: Feed): string {
  const updated = entries.reduce((latest, it) => (it.updated_at > latest ? it.updated_at : latest), NEVER);
  const items = entries.map((it) => {
    const url = base_url + itemPath(it.provider_id, it.external_id);
    return xml`<entry>
<id>${url}</id>
<title>${titleOf(it)}</title>
<link rel="alternate" href="${url}"/>
<updated>${it.updated_at}</updated>
${it.published_at === null ? null : xml`<published>${it.published_at}</published>\n`}<author><name>${oneLine(it.author) || it.provider_id}</name></author>
<category term="${it.listing_type}"/>
<category term="${it.provider_id}"/>
<summary>${shortened(it.description, 500)}</summary>
</entry>
`;
  });
  return xml`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${self}</id>
<title>${title}</title>
<updated>${updated}</updated>
<link rel="self" href="${self}"/>
<link rel="alternate" href="${base_url}/"/>
<generator>${SERVICE.title}</generator>
${items}</feed>
`.html;
}

export const jsonFeed = ({ title, base_url, self, entries }: Feed): string =>
  JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: `${base_url}/`,
    feed_url: self,
    items: entries.map((it) => {
      const url = base_url + itemPath(it.provider_id, it.external_id);
      return {
        id: url,
        url,
        title: titleOf(it),
        content_text: shortened(it.description, 500),
        ...(it.published_at === null ? {} : { date_published: it.published_at }),
        date_modified: it.updated_at,
        authors: [{ name: oneLine(it.author) || it.provider_id }],
        tags: [it.listing_type, it.provider_id, ...it.tags.map(oneLine)],
      };
    }),
  });

const titleOf = ({ name, version }: FeedEntry): string => shortened(version === '' ? name : `${name} ${version}`, 200);
