import type { LookupFunction } from 'node:net';
import type { buildConnector as Connectors } from 'undici';
import { checkAddress, type Guard } from './address.ts';
import { buildConnector } from './undici.ts';

/** Returns every address that a name resolves to. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** One forbidden answer refuses the whole name, because a resolver that mixes them is not trustworthy. */
export const guardedLookup =
  (guard: Guard, protocol: string, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const answer = resolve(hostname).then((addresses) => {
      for (const address of addresses) checkAddress(guard, protocol, address.address);
      const first = addresses[0];
      if (!first) throw Object.assign(new Error(`no address for ${hostname}`), { code: 'ENOTFOUND' });
      return { addresses, first };
    });
    answer.then(
      ({ addresses, first }) => (options.all ? callback(null, addresses) : callback(null, first.address, first.family)),
      (error) => callback(error, '', 0),
    );
  };

/** Checks the literal host, every DNS answer, and finally the address that the socket is connected to. */
export function guardedConnector(
  guard: Guard,
  resolve: Resolve,
  build: typeof buildConnector = buildConnector,
): Connectors.connector {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => [
      protocol,
      build({ lookup: guardedLookup(guard, protocol, resolve), allowH2: false, timeout: 10_000 } as object),
    ]),
  );
  return (options, callback) => {
    const connect = connectors.get(options.protocol);
    if (!connect) return callback(new Error(`no connector for ${options.protocol}`), null);
    connect(options, (...[error, socket]) => {
      if (error || !socket) return callback(error ?? new Error('no socket'), null);
      try {
        checkAddress(guard, options.protocol, socket.remoteAddress ?? '');
      } catch (refusal) {
        socket.destroy();
        return callback(refusal as Error, null);
      }
      callback(null, socket);
    });
  };
}
