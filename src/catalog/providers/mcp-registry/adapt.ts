import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member } from '#catalog/sync/adapt-record.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { defined } from '#core/defined.ts';
import { installOf } from './installs.ts';
import { OFFICIAL, ServerRecord } from './wire.ts';

/** Adapts an element of `servers[]`. */
export const adaptServer = (raw: unknown): Adapted => adaptRecord(ServerRecord, raw, fromServer, nameOf);

/** The registry's own metadata in a record of any shape. */
export const officialMeta = (raw: unknown): unknown => member(member(raw, '_meta'), OFFICIAL);

const nameOf = (raw: unknown): unknown => member(member(raw, 'server'), 'name');

function fromServer(record: ServerRecord): Adapted {
  const { server } = record;
  const official = record._meta?.[OFFICIAL];
  const packages = server.packages ?? [];
  const remotes = server.remotes ?? [];
  const listing = toListing('mcp-registry', {
    external_id: server.name,
    listing_type: 'server',
    execution_class: 'mcp',
    name: server.title?.trim() || server.name,
    description: server.description,
    version: server.version,
    author: server.name.includes('/') ? server.name.split('/')[0] : '',
    homepage: [server.websiteUrl, server.repository?.url, ...remotes.map((remote) => remote.url)],
    repository: server.repository?.url,
    tags: [
      ...packages.map((pkg) => pkg.registryType),
      ...packages.map((pkg) => pkg.transport?.type),
      ...remotes.map((remote) => remote.type),
      ...(official?.status === 'deprecated' ? ['deprecated'] : []),
    ],
    updated_at: official?.updatedAt,
    install: installOf(packages, remotes),
    facts: {
      title: server.title,
      schema: member(server, '$schema'),
      icons: member(server, 'icons'),
      repository: {
        source: member(server.repository, 'source'),
        id: member(server.repository, 'id'),
        subfolder: member(server.repository, 'subfolder'),
      },
      meta: member(server, '_meta'),
      status: {
        status: official?.status,
        message: member(official, 'statusMessage'),
        changed_at: member(official, 'statusChangedAt'),
      },
      published_at: member(official, 'publishedAt'),
      versions: [{ version: server.version, published_at: member(official, 'publishedAt') }],
    },
    record: server,
    judged: official ?? {},
  });
  if (listing.kind !== 'listing' || official?.status !== 'deleted') return listing;
  const { external_id, facts } = listing.listing;
  return { kind: 'deleted', external_id, ...defined({ status: facts?.status }) };
}
