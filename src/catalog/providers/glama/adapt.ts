import { externalId, MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import { install, installInput } from '#catalog/sync/install.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ConnectorRecord, type Environment, ServerRecord } from './wire.ts';

/** One element of `servers[]`. */
export const adaptServer = (raw: unknown): Adapted =>
  adaptRecord(ServerRecord, raw, fromServer, (it) => member(it, 'id'));

/** One element of `connectors[]`: a server at an address. Its id is kept apart from the servers'. */
export const adaptConnector = (raw: unknown): Adapted => adaptRecord(ConnectorRecord, raw, fromConnector, connectorId);

const connectorId = (raw: unknown): string | null => {
  const namespace = member(raw, 'namespace');
  const slug = member(raw, 'slug');
  return typeof namespace === 'string' && typeof slug === 'string'
    ? externalId(`connectors/${namespace}/${slug}`)
    : null;
};

const fromServer = (it: ServerRecord): Adapted => {
  const path = it.namespace && it.slug ? `${it.namespace}/${it.slug}` : it.id;
  return toListing('glama', {
    external_id: path,
    listing_type: 'server',
    execution_class: 'mcp',
    name: it.name,
    description: it.description,
    author: it.namespace,
    homepage: [it.repository?.url, it.url],
    repository: it.repository?.url,
    license: it.spdxLicense?.name,
    tags: it.attributes,
    install: environmentOf(it.environmentVariablesJsonSchema),
    // The short id was the address before namespace and slug were.
    aliases: [it.id],
    record: it,
  });
};

const fromConnector = (it: ConnectorRecord): Adapted => {
  const id = connectorId(it);
  if (id === null) return rejected(it, null, '/slug: namespace and slug make no usable id');
  const page = `https://glama.ai/mcp/connectors/${encodeURIComponent(it.namespace)}/${encodeURIComponent(it.slug)}`;
  const auth = it.connection?.authType;
  return toListing('glama', {
    external_id: id,
    listing_type: 'server',
    execution_class: 'mcp',
    name: it.displayName?.trim() || it.name?.trim() || it.slug,
    description: it.description,
    author: it.namespace,
    homepage: [it.repository?.url, it.documentationUrl, page],
    repository: it.repository?.url,
    tags: ['connector', ...(auth ? [`auth:${auth}`] : []), ...(it.deprecatedAt ? ['deprecated'] : [])],
    install: remoteOf(it),
    record: it,
  });
};

const remoteOf = ({ connection }: ConnectorRecord) => {
  const address = url(connection?.url);
  if (address === '') return null;
  const remote = {
    // They write `streamable_http`; the protocol and the other providers write a hyphen.
    transport: text(connection?.transport, MAX.name).replaceAll('_', '-'),
    url: address,
    headers: [],
    variables: [],
  };
  return { ...install([], [remote]), auth_type: text(connection?.authType, MAX.name) };
};

// The list says what a server wants to know, not how it is started.
const environmentOf = (schema: Environment | null | undefined) => {
  const required = new Set(schema?.required ?? []);
  const env = Object.entries(schema?.properties ?? {}).map(([name, it]) =>
    installInput(name, { description: it.description, default: it.default, required: required.has(name) }),
  );
  return env.length === 0 ? null : { packages: [], remotes: [], env };
};
