import { externalId, MAX, text, url } from '#catalog/sync/adapt-fields.ts';
import { toListing } from '#catalog/sync/adapt-listing.ts';
import { adaptRecord, member, rejected } from '#catalog/sync/adapt-record.ts';
import { install, installInput } from '#catalog/sync/install.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { ConnectorRecord, type Environment, ServerRecord } from './wire.ts';

/** Adapts an element of `servers[]`. */
export const adaptServer = (raw: unknown): Adapted =>
  adaptRecord(ServerRecord, raw, fromServer, (raw) => member(raw, 'id'));

/** Adapts an element of `connectors[]`, a remote server. Its id has a prefix, so it differs from servers' ids. */
export const adaptConnector = (raw: unknown): Adapted => adaptRecord(ConnectorRecord, raw, fromConnector, connectorId);

export const CONNECTORS_PREFIX = 'connectors/';

function connectorId(raw: unknown): string | null {
  const namespace = member(raw, 'namespace');
  const slug = member(raw, 'slug');
  return typeof namespace === 'string' && typeof slug === 'string'
    ? externalId(`${CONNECTORS_PREFIX}${namespace}/${slug}`)
    : null;
}

function fromServer(server: ServerRecord): Adapted {
  const path = server.namespace && server.slug ? `${server.namespace}/${server.slug}` : server.id;
  return toListing('glama', {
    external_id: path,
    listing_type: 'server',
    execution_class: 'mcp',
    name: server.name,
    description: server.description,
    author: server.namespace,
    homepage: [server.repository?.url, server.url],
    repository: server.repository?.url,
    license: server.spdxLicense?.name,
    tags: server.attributes,
    install: environmentOf(server.environmentVariablesJsonSchema),
    facts: {
      title: server.name,
      icons: member(server, 'iconUrl'),
      tools: member(server, 'tools'),
    },
    // The short id was the address before there were namespace and slug.
    aliases: [server.id],
    record: server,
  });
}

function fromConnector(connector: ConnectorRecord): Adapted {
  const id = connectorId(connector);
  if (id === null) return rejected(connector, null, '/slug: namespace and slug are not a valid id');
  const page = `https://glama.ai/mcp/connectors/${encodeURIComponent(connector.namespace)}/${encodeURIComponent(connector.slug)}`;
  const auth = connector.connection?.authType;
  return toListing('glama', {
    external_id: id,
    listing_type: 'server',
    execution_class: 'mcp',
    name: connector.displayName?.trim() || connector.name?.trim() || connector.slug,
    description: connector.description,
    author: connector.namespace,
    homepage: [connector.repository?.url, connector.documentationUrl, page],
    repository: connector.repository?.url,
    tags: ['connector', ...(auth ? [`auth:${auth}`] : []), ...(connector.deprecatedAt ? ['deprecated'] : [])],
    install: remoteOf(connector),
    facts: {
      title: connector.displayName?.trim() || connector.name,
      icons: member(connector, 'iconUrl'),
      tools: member(connector, 'tools'),
      status: connector.deprecatedAt ? { status: 'deprecated', changed_at: connector.deprecatedAt } : undefined,
    },
    record: connector,
  });
}

function remoteOf({ connection }: ConnectorRecord) {
  const address = url(connection?.url);
  if (address === '') return null;
  const remote = {
    // Glama writes `streamable_http`; the protocol and other providers use a hyphen.
    transport: text(connection?.transport, MAX.name).replaceAll('_', '-'),
    url: address,
    headers: [],
    variables: [],
  };
  return { ...install([], [remote]), auth_type: text(connection?.authType, MAX.name) };
}

/** The required variables of a server. Glama does not say how to start it. */
export function environmentOf(schema: Environment | null | undefined) {
  const required = new Set(schema?.required ?? []);
  const env = Object.entries(schema?.properties ?? {}).map(([name, property]) =>
    installInput(name, { description: property.description, default: property.default, required: required.has(name) }),
  );
  return env.length === 0 ? null : { packages: [], remotes: [], env };
}
