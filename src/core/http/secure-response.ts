import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';

// An import would read every member of the module, and so load what is not needed (see server.ts).
const { ServerResponse } = process.getBuiltinModule('node:http');

/** A year, as browsers ask for. Subdomains may be anybody's, so they are left out. */
export const HSTS_HEADERS = { 'strict-transport-security': 'max-age=31536000' };
const HSTS = Object.entries(HSTS_HEADERS).flat();

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response of a service that is reached over https: every answer says so, whoever writes it. Added where the head is written,
 * because a header that is set before makes Node look at each of the others again.
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
