import type { AuthDeps } from '#accounts/auth/deps.ts';
import { NOTICE_LIFE_MS } from '#accounts/email/email-tokens.ts';
import { listIdentities } from '#accounts/users/identities.ts';

/** Tells every address of the account about a new device key, so that its owner notices one that is not theirs. */
export async function noticeDevice(
  { database: { db }, mail_queue, clock }: Pick<AuthDeps, 'database' | 'mail_queue' | 'clock'>,
  user_id: string,
  message: { about: 'device_added' | 'device_recovered' } | { about: 'device_waiting'; usable_from: string | null },
): Promise<void> {
  const { email, google } = await listIdentities(db, user_id);
  const addresses = new Set([email?.email, google?.email].filter((address) => address !== undefined));
  for (const address of addresses) await mail_queue.post({ ...message, email: address }, clock.now() + NOTICE_LIFE_MS);
}
