import type { Values } from '#core/config/config.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { CapabilityDocument } from '../index/document.ts';
import type { SEARCH_SETTINGS } from './settings.ts';

export type SearchModelConfig = Values<typeof SEARCH_SETTINGS>;

/** Raise it with every change of `embeddedText`. */
const TEXTS = 1;

/** Names what makes vectors comparable: the model and what it is given. Null without a model. */
export function spaceOf({ embeddings }: SearchModelConfig): string | null {
  const { url, model, dimensions, document_prefix } = embeddings;
  if (url === null) return null;
  return sha256(JSON.stringify([TEXTS, model, dimensions, document_prefix])).slice(0, 16);
}

/** About 500 tokens, which every model accepts. */
const MOST_CHARS = 2_000;

/** What the model is given of a capability: what its page shows to everyone. */
export function embeddedText({ searched, wire }: CapabilityDocument): string {
  const { name, description, tags } = searched;
  const lines = [`${name} (${wire.listing_type})`, description, tags.join(', ')].filter((line) => line !== '');
  return lines.join('\n').slice(0, MOST_CHARS).toWellFormed();
}
