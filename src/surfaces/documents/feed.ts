import { itemPath } from '#catalog/items/item-path.ts';
import { defined } from '#core/defined.ts';
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

interface Feed {
  title: string;
  base_url: string;
  self: string;
  entries: readonly FeedEntry[];
}

/** For a feed without entries. */
const NEVER = '1970-01-01T00:00:00.000Z';

export function atom({ title, base_url, self, entries }: Feed): string {
  const updated = entries.reduce(
    (latest, feedEntry) => (feedEntry.updated_at > latest ? feedEntry.updated_at : latest),
    NEVER,
  );
  const items = entries.map((feedEntry) => {
    const url = base_url + itemPath(feedEntry.provider_id, feedEntry.external_id);
    return xml`<entry>
<id>${url}</id>
<title>${titleOf(feedEntry)}</title>
<link rel="alternate" href="${url}"/>
<updated>${feedEntry.updated_at}</updated>
${feedEntry.published_at === null ? null : xml`<published>${feedEntry.published_at}</published>\n`}<author><name>${oneLine(feedEntry.author) || feedEntry.provider_id}</name></author>
<category term="${feedEntry.listing_type}"/>
<category term="${feedEntry.provider_id}"/>
<summary>${shortened(feedEntry.description, 500)}</summary>
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
    items: entries.map((feedEntry) => {
      const url = base_url + itemPath(feedEntry.provider_id, feedEntry.external_id);
      return {
        id: url,
        url,
        title: titleOf(feedEntry),
        content_text: shortened(feedEntry.description, 500),
        ...defined({ date_published: feedEntry.published_at ?? undefined }),
        date_modified: feedEntry.updated_at,
        authors: [{ name: oneLine(feedEntry.author) || feedEntry.provider_id }],
        tags: [feedEntry.listing_type, feedEntry.provider_id, ...feedEntry.tags.map(oneLine)],
      };
    }),
  });

const titleOf = ({ name, version }: FeedEntry): string => shortened(version === '' ? name : `${name} ${version}`, 200);
