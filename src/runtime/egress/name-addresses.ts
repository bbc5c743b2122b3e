/** One loopback address for each name, so that the address of a connection identifies the name that the client wanted. */
export interface NameAddresses {
  /** Null if the limit of names is reached. */
  addressOf(name: string): string | null;
  /** Null for an address that no name has. */
  nameAt(address: string): string | null;
}

/** 127.64.0.0/10: programs that listen on loopback use 127.0.0.1. The last byte is never 0 or 255. */
const FIRST_OCTET = 127;
const SECOND_OCTET = 64;
const PER_BLOCK = 254;

/** `reserved` names have their address from the start; `limit` is for the others. */
export function nameAddresses(reserved: readonly string[], limit: number): NameAddresses {
  const addresses = new Map<string, string>();
  const names = new Map<string, string>();
  const add = (name: string): string => {
    const index = addresses.size;
    const block = Math.floor(index / PER_BLOCK);
    const address = [FIRST_OCTET, SECOND_OCTET + (block >> 8), block & 255, 1 + (index % PER_BLOCK)].join('.');
    addresses.set(name, address);
    names.set(address, name);
    return address;
  };
  for (const name of new Set(reserved)) add(name);
  const most = addresses.size + limit;
  return {
    addressOf: (name) => addresses.get(name) ?? (addresses.size < most ? add(name) : null),
    nameAt: (address) => names.get(address) ?? null,
  };
}
