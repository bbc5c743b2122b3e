import type { TestDatabase } from './databases.ts';
import { type CiIssuer, startCiIssuer } from './fakes/ci-issuer.ts';
import { type Person, publishingStand } from './publishing-stand.ts';

/** A published listing, its publisher Ana, and a CI service whose jobs may publish it. */

export const TRUSTED_NAME = 'ana-lang/words';
export const TRUSTED_WORKFLOW = { issuer: 'github', repository: 'ana/words', workflow: 'release.yml' };
const ORIGIN = { request_id: '0199b3c1-4f2a-7d10-8a44-2c9e6f1b7d99', address: '127.0.0.1' };

/** Its clock is that of the last stand. */
export async function startTrustedCi(): Promise<CiIssuer & { clock: { now: () => number } }> {
  const clock = { now: Date.now };
  return Object.assign(await startCiIssuer(() => clock.now()), { clock });
}

export async function trustStand(database: TestDatabase, ci: Awaited<ReturnType<typeof startTrustedCi>>) {
  const trusted_issuers = [{ name: 'github', kind: 'github', url: ci.url }] as const;
  const stand = publishingStand(database, { trusted_issuers });
  ci.clock.now = () => stand.clock.ms;
  const ana = await stand.newPerson();
  const id = await stand.published(ana, { name: TRUSTED_NAME });
  return {
    ...stand,
    ana,
    id,
    trust: (as: Person, body: object = TRUSTED_WORKFLOW) =>
      stand.ask(as, 'trustedPublishers.create', { params: { id }, body, origin: ORIGIN }),
    distrust: (as: Person, trusted_id: string) =>
      stand.ask(as, 'trustedPublishers.delete', { params: { id, trusted_id }, origin: ORIGIN }),
    exchange: (token: string, listing = TRUSTED_NAME) =>
      stand.ask(null, 'trustedPublishers.exchange', { body: { token, listing }, origin: ORIGIN }),
    publishFromCi: (token: string, order: object) => {
      const body = stand.orderOf({ name: TRUSTED_NAME, ...order });
      const headers = { authorization: `Bearer ${token}` };
      return stand.ask(null, 'trustedPublishers.publish', { body, headers, origin: ORIGIN });
    },
    token: (claims: Record<string, unknown> = {}) => ci.token(stand.deps.base_url, claims),
  };
}
