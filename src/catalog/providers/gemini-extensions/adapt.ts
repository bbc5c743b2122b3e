import type { ExecutionClass } from '#catalog/items/kinds.ts';
import { url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { GeminiExtension } from './wire.ts';

/** Adapts an extension of the gallery as a harness. The gallery reports no downloads. */
export const adaptGeminiExtension = (raw: unknown): Adapted =>
  adaptRecord(GeminiExtension, raw, listingOf, (raw) => member(raw, 'fullName'));

function listingOf(extension: GeminiExtension): Adapted {
  const [owner, repo] = extension.fullName.split('/');
  const address = url(extension.url) || `https://github.com/${extension.fullName}`;
  return toListing('gemini-extensions', {
    external_id: extension.fullName,
    listing_type: 'harness',
    execution_class: executionClass(extension),
    name: extension.extensionName || repo,
    description: extension.extensionDescription || extension.repoDescription,
    version: extension.extensionVersion,
    author: owner,
    homepage: [address],
    repository: address,
    license: extension.licenseKey,
    stars: extension.stars,
    tags: [...parts(extension), extension.licenseKey],
    updated_at: extension.lastUpdated,
    facts: {
      icons: member(extension, 'avatarUrl'),
      versions: [{ version: extension.extensionVersion }],
    },
    install: { type: 'gemini-extension', source: address },
    record: extension,
  });
}

function executionClass(extension: GeminiExtension): ExecutionClass {
  if (extension.hasMCP) return 'mcp';
  return extension.hasHooks ? 'scripted' : 'prompt';
}

/** The flags as tags, so that lists can be filtered by them. */
const parts = (extension: GeminiExtension): string[] => [
  ...(extension.hasMCP ? ['mcp'] : []),
  ...(extension.hasContext ? ['context'] : []),
  ...(extension.hasHooks ? ['hooks'] : []),
  ...(extension.hasSkills ? ['skills'] : []),
  ...(extension.hasCustomCommands ? ['custom-commands'] : []),
];
