/**
 * The address of a server without what does not make it another one: scheme, query, the transport's own last part.
 * A host alone is never identity: gateways serve thousands. Pure.
 */
export function remoteKey(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address.toLowerCase();
  const path = url.pathname
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/(?:mcp|sse|http|message|messages|stream|streamable-http)$/i, '')
    .replace(/(?<!\/)\/+$/, '');
  return `${url.host.toLowerCase().replace(/^www\./, '')}${path}`;
}
