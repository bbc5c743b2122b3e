import { type Handler, json } from '#core/http/operation.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { mcpContract } from './contract.ts';
import { UNCHANGING } from './list-tools.ts';

export function listResources({ resources }: Offer): Handler<typeof mcpContract.listResources> {
  const items = resources.map(({ uri_template, name, title, description, media_type }) => ({
    uri_template,
    name,
    title,
    description,
    media_type,
    auth: 'none',
  }));
  return () => json({ items, total_count: items.length }, UNCHANGING);
}
