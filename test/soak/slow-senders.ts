import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- slow-senders [connections]`: clients that send a byte a second, of a head or of a body, or nothing at all.
 * Each is cut off in its time, with a 408 where it began a request; everybody else is answered meanwhile.
 */
const [connections = 300] = process.argv.slice(2).map(Number);
/** A head has 10 s and a request 30 s; both are looked at every 5 s. */
const LATEST_S = { head: 16, body: 36, silence: 16 };
const ANSWERED_MS = 500;

const SENT = {
  head: 'GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ',
  body: 'POST /api/agents/core-agent/chat HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9000\r\n\r\n{',
  silence: '',
};
type Kind = keyof typeof SENT;

const service = capstand(['serve'], { DATA_DIR: await freshDir() });
const url = await service.url();
const { port } = new URL(url);

interface Ended {
  kind: Kind;
  after_s: number;
  said: string;
}

function sendSlowly(kind: Kind): Promise<Ended> {
  const started = performance.now();
  const socket: Socket = connect(Number(port), '127.0.0.1');
  let said = '';
  socket.on('data', (chunk) => (said += chunk));
  socket.on('error', () => {});
  socket.on('connect', () => socket.write(SENT[kind]));
  const drip = kind === 'silence' ? undefined : setInterval(() => socket.write('a'), 1_000);
  return new Promise((resolve) =>
    socket.once('close', () => {
      clearInterval(drip);
      resolve({ kind, after_s: (performance.now() - started) / 1_000, said: said.split('\r\n')[0] ?? '' });
    }),
  );
}

const kinds = Object.keys(SENT) as Kind[];
const slow = Array.from({ length: connections }, (_, at) => sendSlowly(kinds[at % kinds.length] as Kind));
const others: number[] = [];
let isOver = false;
const asking = (async () => {
  while (!isOver) {
    const before = performance.now();
    const { status } = await fetch(`${url}/healthz`);
    others.push(status === 200 ? performance.now() - before : Number.POSITIVE_INFINITY);
    await sleep(20);
  }
})();
const ended = await Promise.all(slow);
isOver = true;
await asking;
const oversized = await fetch(`${url}/api/agents/core-agent/chat`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: `"${'x'.repeat(9_000_000)}"`,
}).then(
  ({ status }) => status,
  () => 'cut off',
);
service.child.kill('SIGTERM');
await service.ended;

others.sort((a, b) => a - b);
let holds = oversized === 413 || oversized === 'cut off';
for (const kind of kinds) {
  const of = ended.filter((entry) => entry.kind === kind);
  const latestS = Math.max(...of.map((entry) => entry.after_s));
  const said = [...new Set(of.map((entry) => entry.said))];
  console.log(`${kind}: ${of.length} cut off, the last after ${latestS.toFixed(1)} s, told ${JSON.stringify(said)}`);
  holds &&= latestS <= LATEST_S[kind];
}
const mostMs = others.at(-1) ?? Number.POSITIVE_INFINITY;
const p99Ms = others[Math.floor(others.length * 0.99)] ?? Number.POSITIVE_INFINITY;
console.log(
  `others: ${others.length} answers, p99 ${p99Ms.toFixed(0)} ms, most ${mostMs.toFixed(0)} ms; oversized: ${oversized}`,
);
holds &&= p99Ms <= ANSWERED_MS;
console.log(holds ? 'holds' : 'does not hold');
process.exit(holds ? 0 : 1);
