import { defined } from '#core/defined.ts';
import { startPostgres } from '../postgres.ts';
import { runCampaign } from './campaign.ts';

/**
 * `npm run fuzz [-- count seed from postgres]`: hostile requests at the real app, with its worker, on SQLite or on
 * PostgreSQL; exits with 1 if a response violates the contract. Responses from 500 on are listed by problem and operation: of the
 * contract are 503 `auth.google_unavailable`, since this app has no Google client (about four requests in a thousand), and
 * `llm.…` or `sandbox_…` where a turn or a check is unavailable now.
 */
const [count = 100_000, seed = Date.now() % 1_000_000, from = 0] = process.argv.slice(2, 5).map(Number);
const postgres = process.argv[5] === 'postgres' ? await startPostgres() : null;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const MOST_GROWTH_MB = 250;

const began = performance.now();
const { findings, by_status, refused, slowest, grown_mb } = await runCampaign({
  count,
  seed,
  from,
  tell: say,
  role: 'serve',
  ...defined({ database_url: postgres === null ? undefined : postgres.url }),
});
await postgres?.stop();
for (const { number, complaints, request, answer } of findings) {
  const { body } = request;
  say(`\n#${number} of seed ${seed}: ${complaints.join('; ').slice(0, 3_000)}`);
  say(`  ${JSON.stringify({ ...request, body: body === null ? null : body.toString().slice(0, 1_500) })}\n  ${answer}`);
}
say(`\nseed ${seed}, ${count} requests from ${from} in ${Math.round((performance.now() - began) / 1_000)} s`);
say(`answers by status: ${JSON.stringify(by_status)}`);
for (const [what, times] of Object.entries(refused).toSorted(([, a], [, b]) => b - a)) say(`  ${times} × ${what}`);
say(`slowest: #${slowest.number} ${slowest.what} ${slowest.took_ms} ms; memory grew by ${grown_mb} MB`);
say(`${findings.length} findings`);
process.exit(findings.length === 0 && grown_mb < MOST_GROWTH_MB ? 0 : 1);
