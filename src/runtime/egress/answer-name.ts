import { DNS_CODE, DNS_TYPE, type DnsRequest, dnsAnswer, readDnsRequest } from './dns-message.ts';
import type { Grants } from './grants.ts';
import { canonicalName } from './host-name.ts';
import type { NameAddresses } from './name-addresses.ts';
import type { UseLedger } from './use-ledger.ts';

interface NameContext {
  grants: Grants;
  addresses: NameAddresses;
  ledger: UseLedger;
}

const LOOPBACK = '127.0.0.1';
const LOCALHOST = /^(?:.*\.)?localhost$/;
/** Reverse lookups do not show which host a program wants. */
const REVERSE = /\.(?:in-addr|ip6)\.arpa$/;

/**
 * The response to one DNS request, or null if there is none. A granted name has one IPv4 address and no other record; a
 * name that is not granted does not exist, so that clients fail at once and name the host.
 */
export function answerName(message: Buffer, context: NameContext): Buffer | null {
  const request = readDnsRequest(message);
  if (request === null) return null;
  if (request.question === null) return dnsAnswer(request, request.error);
  const name = canonicalName(request.question.name);
  if (name === null || REVERSE.test(name)) return dnsAnswer(request, DNS_CODE.NXDOMAIN);
  if (LOCALHOST.test(name)) return withAddress(request, LOOPBACK);
  if (!context.grants.has(name)) {
    context.ledger.refused(name, 0, 'not_granted');
    return dnsAnswer(request, DNS_CODE.NXDOMAIN);
  }
  const address = context.addresses.addressOf(name);
  if (address !== null) return withAddress(request, address);
  context.ledger.refused(name, 0, 'too_many');
  return dnsAnswer(request, DNS_CODE.SERVFAIL);
}

function withAddress(request: DnsRequest, address: string): Buffer {
  return dnsAnswer(request, DNS_CODE.NOERROR, request.question?.type === DNS_TYPE.A ? address : null);
}
