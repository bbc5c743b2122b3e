import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { RPC, RpcError } from './rpc.ts';

/** Paginates long lists. A cursor is a signed position in one list; forged ones are refused. */

const PAGE_SIZE = 100;

interface Page<T> {
  items: T[];
  nextCursor?: string;
}

export type Paginate = <T>(list: string, items: readonly T[], cursor: string | undefined) => Page<T>;

export function pagination(key: KeyObject): Paginate {
  const signed = (list: string, offset: number): string => {
    const mac = createHmac('sha256', key).update(`${list} ${offset}`).digest('base64url').slice(0, 22);
    return `${offset}.${mac}`;
  };
  const offsetOf = (list: string, cursor: string): number => {
    const offset = Number.parseInt(cursor, 10);
    const [given, ours] = [Buffer.from(cursor), Buffer.from(signed(list, offset))];
    if (given.length === ours.length && timingSafeEqual(given, ours)) return offset;
    throw new RpcError(RPC.invalid_params, 'Invalid cursor. Omit it to start from the first page.');
  };
  return (list, items, cursor) => {
    const offset = cursor === undefined ? 0 : offsetOf(list, cursor);
    const end = offset + PAGE_SIZE;
    const page = items.slice(offset, end);
    return end < items.length ? { items: page, nextCursor: signed(list, end) } : { items: page };
  };
}
