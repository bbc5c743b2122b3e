import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { GeminiExtension } from './wire.ts';

/** One extension of the gallery as a harness. The gallery reports no downloads. */
export const adaptGeminiExtension = (raw: unknown): Adapted =>
  adaptRecord(GeminiExtension, raw, listingOf, (it) => member(it, 'fullName'));

const listingOf = (it: GeminiExtension): Adapted => {
  const [owner, repo] = it.fullName.split('/');
  const address = url(it.url) || `https://github.com/${it.fullName}`;
  return toListing('gemini-extensions', {
    external_id: it.fullName,
    listing_type: 'harness',
    execution_class: executionClass(it),
    name: it.extensionName || repo,
    description: it.extensionDescription || it.repoDescription,
    version: it.extensionVersion,
    author: owner,
    homepage: [address],
    repository: address,
    license: it.licenseKey,
    stars: it.stars,
    tags: [...parts(it), it.licenseKey],
    updated_at: it.lastUpdated,
    install: { type: 'gemini-extension', source: address },
    record: it,
  });
};

const executionClass = (it: GeminiExtension): ExecutionClass => {
  if (it.hasMCP) return 'mcp';
  return it.hasHooks ? 'scripted' : 'prompt';
};

/** The flags in words, since a tag is what people filter by. */
const parts = (it: GeminiExtension): string[] => [
  ...(it.hasMCP ? ['mcp'] : []),
  ...(it.hasContext ? ['context'] : []),
  ...(it.hasHooks ? ['hooks'] : []),
  ...(it.hasSkills ? ['skills'] : []),
  ...(it.hasCustomCommands ? ['custom-commands'] : []),
];
