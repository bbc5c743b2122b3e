import { connect, isIP, type Socket } from 'node:net';
import { checkAddress, type Guard } from '#core/outbound/address.ts';
import type { Resolve } from '#core/outbound/connect.ts';
import type { RefusalReason } from './egress.ts';

/** Connects to a name: resolves it here, never with an address from the box, and checks the address at connect time. */
export interface Dialler {
  /** `plain` allows private addresses. Never rejects. */
  dial(name: string, port: number, options: { plain: boolean }): Promise<Dialled>;
}

type Dialled = { socket: Socket } | { refused: RefusalReason };

interface DialOptions {
  resolve: Resolve;
  guard: Guard;
  resolve_ms: number;
  connect_ms: number;
}

type Address = Awaited<ReturnType<Resolve>>[number];

/** Each look-up takes one of the four threads that the whole process has for them and for files. */
const LOOKUPS_AT_ONCE = 2;
const MAX_ADDRESSES = 8;

/** Connects to one of the addresses; null if none accepts. */
type Connect = (addresses: Address[], host: string, port: number, connectMs: number) => Promise<Socket | null>;

export function createDialler(options: DialOptions, connectTo: Connect = connectInTurn): Dialler {
  const { resolve, guard, resolve_ms, connect_ms } = options;
  const turns = createTurns(LOOKUPS_AT_ONCE);
  return {
    async dial(name, port, { plain }) {
      const found = await within(resolve_ms, () => turns(() => resolve(name)));
      const addresses = (found ?? []).slice(0, MAX_ADDRESSES);
      if (addresses.length === 0) return { refused: 'unresolvable' };
      const allowed = (address: string): boolean => plain || isAllowed(guard, address);
      // One forbidden address rejects the name, because a resolver that mixes them cannot be trusted.
      if (!addresses.every(({ address }) => isIP(address) !== 0 && allowed(address)))
        return { refused: 'private_address' };
      const socket = await connectTo(addresses, name, port, connect_ms);
      if (socket === null) return { refused: 'unreachable' };
      if (allowed(socket.remoteAddress ?? '')) return { socket };
      socket.destroy();
      return { refused: 'private_address' };
    },
  };
}

function isAllowed(guard: Guard, address: string): boolean {
  try {
    checkAddress(guard, 'https:', address);
    return true;
  } catch {
    return false;
  }
}

/** Tries the addresses as Node does for a name, without another look-up. */
function connectInTurn(addresses: Address[], host: string, port: number, connectMs: number): Promise<Socket | null> {
  return new Promise((settle) => {
    const socket = connect({
      host,
      port,
      lookup: (_host, _options, callback) => callback(null, addresses),
      autoSelectFamily: true,
      allowHalfOpen: true,
      noDelay: true,
    });
    const timer = setTimeout(() => socket.destroy(), connectMs * addresses.length);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timer);
      settle(null);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      settle(socket);
    });
  });
}

/** Null if it fails or times out. */
async function within<Result>(ms: number, act: () => Promise<Result>): Promise<Result | null> {
  const { promise: late, resolve: end } = Promise.withResolvers<null>();
  const timer = setTimeout(end, ms, null);
  try {
    return await Promise.race([act(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** At most `most` acts at once; the others wait. A gate has fewer connections than would make a long line. */
function createTurns(most: number): <Result>(act: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (act) => {
    if (running === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
