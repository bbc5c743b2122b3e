import { takeRequest } from '#accounts/quotas/quota.ts';
import { type DatabaseConfig, openDatabase } from '#core/db/open.ts';
import { isProblem } from '#core/problem/problem.ts';

/** A process that says it is ready, waits for the word, then takes many requests of one user's quota at once. */

const order = JSON.parse(process.argv[2] ?? '') as {
  database: DatabaseConfig;
  user_id: string;
  takes: number;
  now_ms: number;
};
const { db, close } = await openDatabase(order.database);
async function takeOne(): Promise<boolean> {
  try {
    await takeRequest(db, { user_id: order.user_id, tier: 'free' }, order.now_ms);
    return true;
  } catch (error) {
    if (isProblem(error, 'users.quota_exceeded', 'quota_exceeded')) return false;
    throw error;
  }
}
process.send?.('ready');
await new Promise((resolve) => process.once('message', resolve));
const outcomes = await Promise.all(Array.from({ length: order.takes }, takeOne));
process.send?.({ taken: outcomes.filter(Boolean).length, refused: outcomes.filter((outcome) => !outcome).length });
await close();
process.disconnect?.();
