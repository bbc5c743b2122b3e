import { judge, type Verdict } from '../hold/case.ts';
import { casesOf, type OfferedTool, toolCases } from '../hold/cases.ts';
import { manyToolsCases } from '../hold/many-tools-cases.ts';
import { floodVerdicts, namedCases } from '../hold/rows.ts';
import { startHeld } from '../hold/service.ts';
import { fileCases, pageCases, publishCases, scriptCases, serverCases } from '../hold/text-cases.ts';

/**
 * `npm run soak -- hold [texts] [name]`: the standing guard of the event loop. Every operation and tool, with and without an
 * account, and every input for untrusted text, with its worst cases: none may hold the loop for more than 50 ms of
 * processor time, nor cost more than n log n; and floods may not stay in memory. `texts`: how many hostile texts each place
 * gets, by turns; `name`: only cases whose names hold it. Ends with 1 where something does not hold.
 */
const [texts, name = ''] = [Number(process.argv[2] ?? 2), process.argv[3]];
const MOST_MS = 9.5 * 60_000;
const SHOWN = 10;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
function shown({ name: what, held, sizes, status, fault }: Verdict): string {
  const grown = sizes.map(({ size, held_ms }) => `${size}: ${held_ms.toFixed(0)} ms`).join(', ');
  const figures = `${held.worst_ms.toFixed(0)} ms held, ${held.total_ms.toFixed(0)} ms in all, ${held.rss_mb.toFixed(0)} MB`;
  return `${fault === null ? 'holds' : 'FAILS'}  ${figures}  ${status}  ${what}${grown === '' ? '' : ` (${grown})`}${fault === null ? '' : `: ${fault}`}`;
}

const began = performance.now();
await using service = await startHeld();
const authorization = { authorization: `Bearer ${service.account.token}` };
const { items: tools } = (await (await fetch(`${service.url}/mcp/tools`)).json()) as { items: OfferedTool[] };
const server = await serverCases(service, authorization);
const manyTools = await manyToolsCases(service, authorization);
const cases = [
  ...(await namedCases(service)),
  ...fileCases(),
  ...scriptCases(),
  ...publishCases(authorization),
  ...(await pageCases(service, authorization)),
  ...server.cases,
  ...manyTools.cases,
  ...toolCases(tools, authorization, texts),
  ...toolCases(tools, {}, texts),
  ...casesOf(authorization, service.account.user.id, texts),
].filter((tried) => tried.name.includes(name));
const verdicts: Verdict[] = [];
let leftOut = 0;
for (const tried of cases) {
  if (performance.now() - began > MOST_MS) leftOut += 1;
  else verdicts.push(await judge(service, tried));
  const last = verdicts.at(-1);
  if (last?.name === tried.name && last.fault !== null) say(shown(last));
}
const floods = name === '' ? await floodVerdicts(service) : [];
for (const flood of floods) say(shown(flood));
verdicts.push(...floods);
await Promise.all([server.close(), manyTools.close()]);

const worst = verdicts.toSorted((a, b) => b.held.worst_ms - a.held.worst_ms).slice(0, SHOWN);
say('\nthe worst:');
for (const verdict of worst) say(shown(verdict));
const failed = verdicts.filter(({ fault }) => fault !== null);
const minutes = ((performance.now() - began) / 60_000).toFixed(1);
say(`\n${verdicts.length} cases in ${minutes} min, ${failed.length} do not hold, ${leftOut} were left out for time`);
process.exitCode = failed.length === 0 && leftOut === 0 ? 0 : 1;
