import type { Item } from '../item.ts';

/** A valid listing for tests, the same for the same number. */
export const exampleItem = (number: number, changes: Partial<Item> = {}): Item => {
  const provider_id = changes.provider_id ?? 'smithery';
  return {
    name: `tool-${number}`,
    description: 'Reads and writes things.',
    version: '1.0.0',
    author: 'ana',
    homepage: '',
    downloads: number,
    stars: 0,
    tags: [],
    source: provider_id,
    listing_type: 'server',
    external_id: `ana/tool-${number}`,
    provider_id,
    external_updated_at: null,
    execution_class: 'mcp',
    ...changes,
  };
};
