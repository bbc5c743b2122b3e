import { type Clock, isoTime } from '#core/clock/clock.ts';
import { coreProblem } from '#core/errors.ts';
import type { Handler } from '#core/http/operation.ts';
import type { documentsContract } from './contract.ts';

const PATH = '/.well-known/security.txt';

interface SecurityDeps {
  base_url: string;
  /** A mailto: or https: URL; null if the operator has set none. */
  security_contact: string | null;
  clock: Clock;
}

/** GET /.well-known/security.txt (RFC 9116) */
export const getSecurityTxt =
  ({ base_url, security_contact, clock }: SecurityDeps): Handler<typeof documentsContract.getSecurityTxt> =>
  () => {
    if (security_contact === null) throw coreProblem('http.not_found', 'This service has no security contact.');
    const lines = [
      `Contact: ${security_contact}`,
      `Expires: ${expiry(clock.now())}`,
      'Preferred-Languages: en',
      `Canonical: ${base_url}${PATH}`,
    ];
    return {
      media_type: 'text/plain; charset=utf-8',
      body: `${lines.join('\n')}\n`,
      cache_control: 'public, max-age=86400',
    };
  };

/** RFC 9116 recommends less than a year. It changes once a month, so that caches can revalidate. */
function expiry(nowMs: number): string {
  const now = new Date(nowMs);
  return isoTime(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 6, 1));
}
