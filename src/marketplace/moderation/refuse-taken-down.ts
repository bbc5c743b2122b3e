import { quoted } from '#catalog/checks/violation.ts';
import type { Connection } from '#core/db/connection.ts';
import { marketplaceProblem } from '#marketplace/errors.ts';
import { standingOf } from './standing-of.ts';

/** Throws 410 `marketplace.gone` (`taken_down`) for a current capability with an active takedown. */
export async function refuseTakenDown(connection: Pick<Connection, 'query'>, id: string): Promise<void> {
  const takedown = (await standingOf(connection, [id])).get(id)?.takedown;
  if (takedown == null) return;
  const { kind, rule, reason, at } = takedown;
  const history = `/api/marketplace/listings/${id}/moderation`;
  throw marketplaceProblem(
    'marketplace.gone',
    `This capability was taken down (${kind}): ${quoted(reason)} History and appeals: ${history}.`,
    { reason: 'taken_down', extensions: { tombstone: { id, taken_down: { kind, rule, reason, at, history } } } },
  );
}
