import type { Availability } from '#catalog/items/availability.ts';
import type { Level } from '#catalog/items/verification.ts';
import type { CapabilityDocument } from '#catalog/search/index/document.ts';
import type { DocumentTool } from '#catalog/search/index/tool-text.ts';
import type { Listing } from '#marketplace/listings/shapes.ts';
import { verification } from './verification.ts';

/** The fields of a made-up document. */
interface DocumentFields {
  name?: string;
  description?: string;
  author?: string;
  listing_type?: 'skill' | 'server';
  tags?: string[];
  downloads?: number;
  providers?: string[];
  level?: Level;
  contents?: string[];
  tools?: DocumentTool[];
  license?: string;
  availability?: Availability;
  is_confirmed?: boolean;
  updated_at?: string | null;
}

/** The `number`th document of the marketplace's index. Omitted fields are empty. */
export function documentFrom(number: number, fields: DocumentFields = {}): CapabilityDocument<Listing> {
  const { name = `thing-${number}`, description = '', author = 'ana', listing_type = 'skill', tags = [] } = fields;
  const { contents = [], tools = [] } = fields;
  const { license = '', availability = 'untried', is_confirmed = false, updated_at = null } = fields;
  const { downloads = 0, providers = ['smithery'], level = 'listed' } = fields;
  const at = '2026-04-14T06:00:00.000Z';
  const external_id = `${author}/${number}`;
  const places = providers.map((provider) => ({ provider: provider as 'smithery', external_id }));
  return {
    wire: {
      id: `0199a3c4-7d1e-7000-8000-${String(number).padStart(12, '0')}`,
      name,
      description,
      author,
      version: '',
      license,
      listing_type,
      execution_class: 'prompt',
      tags,
      downloads,
      stars: 0,
      sources: places.map((place) => ({ ...place, version: '', homepage: '', updated_at })),
      conflicts: [],
      availability,
      publisher: is_confirmed ? { id: 'p', name: author, by: 'published' } : null,
      verification: verification({ level, verified: level === 'reproduced' || level === 'used' }),
      hot_score: null,
      featured: false,
      flagged: false,
      created_at: at,
      updated_at: at,
    },
    searched: { name, other_names: [], tags, author, description, contents, places },
    used: places.map(({ provider }) => ({ provider, downloads, stars: 0 })),
    tools,
  };
}
