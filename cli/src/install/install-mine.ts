import { hostname } from 'node:os';
import { type Capstan, CapstanError, type Operations } from '../../../sdk/src/index.ts';
import type { Service } from '../command.ts';
import { usage } from '../failure.ts';
import { carryOut } from './carry-out.ts';
import type { Done, InstallAsked } from './done.ts';
import { writeText } from './files.ts';
import { planEntries } from './install-server.ts';

/** Writes the user's connections as one server into clients, with a token that can call nothing else. */

type Made = Operations['endpoints']['create']['answer'];
type Asked = Omit<InstallAsked, 'ref' | 'text'> & { connection: readonly string[] };

interface MineDone extends Done {
  /** Null in a dry run. */
  endpoint: string | null;
}

export async function installMine(service: Service, asked: Asked): Promise<MineDone> {
  const { capstan, world } = service;
  const made = await createNamed(capstan, endpointName(asked.client), choicesIn(asked.connection));
  const giveBack = () => capstan.endpoints.delete({ id: made.id });
  try {
    const { steps, changes } = await planEntries(world, made.installs.clients, asked.name ?? made.installs.name, asked);
    const planned = { steps, changes };
    const done = await carryOut(service, { ...asked, text: 'mine' }, planned, ({ file, after }) =>
      writeText(file, after),
    );
    if (asked.dryRun) await giveBack();
    const shown = steps.map((step) => ({ ...step, detail: step.detail.replaceAll(made.token, made.hint) }));
    return { ...done, steps: shown, endpoint: asked.dryRun ? null : made.id };
  } catch (error) {
    // Nothing was written: a token that nobody has would stay.
    await giveBack().catch(() => {});
    throw error;
  }
}

const endpointName = (clients: readonly string[]): string =>
  `${clients.length === 0 ? 'clients' : clients.join(', ')} on ${hostname()}`.slice(0, 70).trim();

const MOST_TRIES = 20;

/** Names are unique, and a client may be set up again. */
async function createNamed(capstan: Capstan, name: string, connections: ReturnType<typeof choicesIn>): Promise<Made> {
  for (let n = 1; ; n++)
    try {
      const body = { name: n === 1 ? name : `${name} ${n}` };
      return await capstan.endpoints.create({ body: connections === undefined ? body : { ...body, connections } });
    } catch (error) {
      if (!(error instanceof CapstanError) || error.code !== 'connections.conflict' || n >= MOST_TRIES) throw error;
    }
}

/** `id`, or `id=tool,tool`. Undefined for all connections. */
export function choicesIn(texts: readonly string[]): { id: string; tools?: string[] }[] | undefined {
  if (texts.length === 0) return undefined;
  return texts.map((text) => {
    const [, id = '', tools] = /^([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (id === '') throw usage(`Invalid connection: ${text}.`, 'Use <id> or <id>=<tool>,<tool>.');
    return tools === undefined ? { id } : { id, tools: tools.split(',').filter((tool) => tool !== '') };
  });
}
