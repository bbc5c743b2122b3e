import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/**
 * Requests to one server that the operator configured, where a fetch is not enough: long answers that are read piece by piece, and
 * WebSockets. The egress guard does not apply, as in operator-fetch.ts.
 */
interface OperatorRequests {
  /** Begins a request; the caller ends it and listens for its events. */
  begin(path: string, options: RequestOptions): ClientRequest;
  close(): void;
}

/** `ca` is the certificate of the only authority that is trusted; without it those of Node are. */
export function openOperatorRequests(url: string, ca: string | undefined): OperatorRequests {
  const base = new URL(url);
  const isSecure = base.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  return {
    begin: (path, options) => {
      const all = Object.assign({ agent, ca }, options);
      return isSecure ? httpsRequest(new URL(path, base), all) : httpRequest(new URL(path, base), all);
    },
    close: () => agent.destroy(),
  };
}
