import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { verifyChain } from './chain.ts';
import type { auditContract } from './contract.ts';

/** GET /api/operator/audit/verification */
export const verifyAudit =
  ({ db }: { db: Kysely<Schema> }): Handler<typeof auditContract.verify> =>
  async ({ query: { head: given } }) => {
    const [seq = '', hash = ''] = given?.split(':') ?? [];
    const { head, faults, ...counts } = await verifyChain(
      db,
      given === undefined ? undefined : { seq: Number(seq), hash },
    );
    return json({ intact: faults.length === 0, ...counts, faults, head: `${head.seq}:${head.hash}` });
  };
