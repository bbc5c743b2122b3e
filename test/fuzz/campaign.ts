import { Agent } from 'node:http';
import { a2aRequest } from './a2a-requests.ts';
import { diceOf } from './dice.ts';
import { judge } from './judge.ts';
import { mcpRequest } from './mcp-requests.ts';
import { type FuzzRequest, restRequest } from './rest-requests.ts';
import { type Answered, send } from './send.ts';
import { type FuzzStand, openFuzzStand, type StandOptions } from './stand.ts';

/** Many requests at the real app, several at a time, each made by its number and the seed alone. */

interface CampaignOptions extends StandOptions {
  count: number;
  seed: number;
  /** The number of the first. */
  from?: number;
  /** Told now and then how far it is. */
  tell?(line: string): void;
}

interface Finding {
  number: number;
  complaints: string[];
  request: FuzzRequest;
  answer: string;
}

interface Outcome {
  findings: Finding[];
  by_status: Record<string, number>;
  /** Answers from 500 on, which are no findings where the contract has them: how many of each problem, and where. */
  refused: Record<string, number>;
  slowest: { number: number; took_ms: number; what: string };
  grown_mb: number;
}

const AT_ONCE = 8;
const MOST_FINDINGS = 20;
const EVERY = 5_000;
/** Caches and compiled code are there after these. */
const SETTLED = 0.3;

function requestOf(seed: number, number: number, { offered }: Pick<FuzzStand, 'offered'>): FuzzRequest {
  const dice = diceOf(Math.imul(seed, 0x9e3779b1) ^ number);
  if (dice.once(12)) return a2aRequest(dice);
  return dice.once(2) ? restRequest(dice) : mcpRequest(offered, dice);
}

export async function runCampaign({
  count,
  seed,
  from = 0,
  tell = () => {},
  ...on
}: CampaignOptions): Promise<Outcome> {
  await using stand = await openFuzzStand(on);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const given = whatWasGiven(stand);
  const outcome: Outcome = {
    findings: [],
    by_status: {},
    refused: {},
    slowest: { number: 0, took_ms: 0, what: '' },
    grown_mb: 0,
  };
  let [next, settledBytes] = [from, 0];
  const act = async (number: number): Promise<void> => {
    const made = requestOf(seed, number, stand);
    const request = { ...given.fill(made), headers: { 'x-request-id': `fuzz-${number}`, ...given.fill(made).headers } };
    const proof = await stand.credentials(made.credential);
    const answered = await send(stand.url, agent, { ...request, headers: { ...request.headers, ...proof } }).catch(
      (error: Error) => error,
    );
    if (isNoRequest(request, answered)) return;
    const complaints = answered instanceof Error ? [`${answered.message}`] : judge(request, answered);
    complaints.push(...stand.bugs.splice(0).map((line) => `logged: ${line}`));
    const answer = answered instanceof Error ? '' : `${answered.status} ${answered.body.toString().slice(0, 600)}`;
    if (complaints.length > 0) outcome.findings.push({ number, complaints, request, answer });
    if (answered instanceof Error) return;
    tally(outcome, number, request, answered);
    given.keep(answered);
    if (answered.status === 401 && !['none', 'bad'].includes(made.credential)) await given.renew();
  };
  const walk = async (): Promise<void> => {
    while (next < from + count && outcome.findings.length < MOST_FINDINGS) {
      const number = next++;
      await act(number);
      if (number - from === Math.floor(count * SETTLED)) settledBytes = process.memoryUsage.rss();
      if ((number + 1) % EVERY === 0)
        tell(`${number + 1 - from} sent, ${outcome.findings.length} findings, ${memory()}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
  outcome.grown_mb = Math.round((process.memoryUsage.rss() - settledBytes) / 1_048_576);
  agent.destroy();
  return outcome;
}

/** Bytes that could not be read as a request are answered as any are, with a body: nobody knows what they asked for. */
const isNoRequest = ({ method }: FuzzRequest, answered: Answered | Error): boolean =>
  method === 'HEAD' && answered instanceof Error && 'code' in answered && answered.code === 'HPE_CLOSED_CONNECTION';

const memory = (): string => `${Math.round(process.memoryUsage.rss() / 1_048_576)} MB resident`;

function tally(outcome: Outcome, number: number, { method, target }: FuzzRequest, answered: Answered): void {
  const { status, took_ms, body } = answered;
  outcome.by_status[status] = (outcome.by_status[status] ?? 0) + 1;
  if (status >= 500) {
    const [, code = 'no code'] = /"code":\s*"([\w.]+)"/.exec(body.toString()) ?? [];
    const what = `${status} ${code} ${method} ${target.split('?')[0]?.split('/').slice(0, 4).join('/').slice(0, 80)}`;
    outcome.refused[what] = (outcome.refused[what] ?? 0) + 1;
  }
  if (took_ms > outcome.slowest.took_ms)
    outcome.slowest = { number, took_ms: Math.round(took_ms), what: `${method} ${target.slice(0, 80)}` };
}

const HELD = 64;

/** Ids and cursors of earlier answers, put where a request has a place for one. */
function whatWasGiven(stand: FuzzStand) {
  const known: string[] = [];
  let [at, session] = [0, 'none'];
  let renewing: Promise<void> | undefined;
  const fillText = (text: string): string =>
    text.replace(/~(known\.(\d+)|me|session)~/g, (_, what: string, n: string) =>
      what === 'me' ? stand.user_id() : what === 'session' ? session : (known[Number(n)] ?? NOBODY),
    );
  return {
    fill: ({ target, headers, body, ...more }: FuzzRequest): FuzzRequest => ({
      ...more,
      target: fillText(target),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fillText(value)])),
      body: typeof body === 'string' && body.length < 100_000 ? fillText(body) : body,
    }),
    keep: ({ headers, body }: Answered): void => {
      const begun = headers['mcp-session-id'];
      if (typeof begun === 'string') session = begun;
      for (const [, value] of body.toString().slice(0, 20_000).matchAll(IDS)) known[at++ % HELD] = value as string;
    },
    renew: (): Promise<void> => {
      renewing ??= stand.renew().finally(() => {
        renewing = undefined;
      });
      return renewing;
    },
  };
}

const NOBODY = '019a8c1e-7f00-7000-8000-3b1f6f4f9a10';
const IDS = /"(?:id|\w*_id|nextCursor|next_cursor|code|state|uri|name)":"([\w.:/-]{1,200})"/g;
