import type { Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import {
  LIST_ORDER,
  offersNone,
  READ_ORDER,
  type RequestFrom,
  requireFewItems,
  requireText,
  tracedRequest,
} from '#connections/connections/traced-request.ts';

/** Resources of a connection's server, for operations and model tools. */

export async function seenResources(deps: ConnectionsDeps, of: Owned, from: RequestFrom) {
  const request = { method: 'resources/list', target: '', ...LIST_ORDER, ...from } as const;
  const { value, about } = await tracedRequest(deps, of, request, ({ listResources }) => listResources());
  const { resources, templates } = value;
  requireFewItems(Math.max(resources.length, templates.length), 'resources');
  return {
    items: resources.map(({ uri, name, title = '', description = '', mimeType = null, size = null }) => ({
      uri,
      name,
      title,
      description,
      media_type: mimeType,
      size,
    })),
    total_count: resources.length,
    templates: templates.map(({ uriTemplate, name, title = '', description = '', mimeType = null }) => ({
      uri_template: uriTemplate,
      name,
      title,
      description,
      media_type: mimeType,
    })),
    ...about,
  };
}

/** Throws `connections.not_found` (`resource`) if the server offers no resources at all. */
export async function readResource(deps: ConnectionsDeps, of: Owned, uri: string, from: RequestFrom) {
  requireText('/uri', uri);
  const request = { method: 'resources/read', target: uri, given: { uri }, ...READ_ORDER, ...from } as const;
  const { value, about, connection } = await tracedRequest(deps, of, request, (session, traceparent) =>
    session.readResource({ uri, traceparent }),
  );
  if (value === null) throw offersNone(connection, 'resource');
  const contents = value.contents.map((content) => ({
    uri: content.uri,
    media_type: content.mimeType ?? null,
    text: 'text' in content ? content.text : null,
    blob: 'blob' in content ? content.blob : null,
  }));
  return { connection, answer: { contents, ...about } };
}
