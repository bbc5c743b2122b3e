import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';

// An import would read every member of the module and load unneeded code (see server.ts).
const { ServerResponse } = process.getBuiltinModule('node:http');

/** One year, as browsers recommend. Subdomains may belong to others, so they are not included. */
export const HSTS_HEADERS = { 'strict-transport-security': 'max-age=31536000' };
const HSTS = Object.entries(HSTS_HEADERS).flat();

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response of a service behind https: every response has HSTS, whatever code writes it. Added in `writeHead`, because a
 * header set before makes Node process all others again.
 */
export class SecureResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const given = typeof reason === 'object' ? reason : headers;
    const all = withHsts(given);
    return typeof reason === 'string' ? super.writeHead(status, reason, all) : super.writeHead(status, all);
  }
}

const withHsts = (headers: Headers = {}): Headers =>
  Array.isArray(headers) ? [...headers, ...HSTS] : { ...headers, ...HSTS_HEADERS };
