import type { Case } from './case.ts';
import type { HeldService } from './service.ts';

/** Tasks whose input or output has very many members of different names, as a run may take and leave them. */

/** A body may have 10,000 fields. */
const MOST_INPUT = 9_900;
const MOST_OUTPUT = 49_000;
/** Outputs of earlier releases could have any number. */
const MOST_EARLIER = 400_000;
/** Characters of a member of the input. */
const EACH = 48;

const members = (count: number, characters: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`name_${at}`, 'x'.repeat(Math.max(0, characters - 17))]),
  );

export async function runCases({ url, account, world }: HeldService, scale = 1): Promise<Case[]> {
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' };
  const page = { accept: 'text/html', cookie: `__Host-capstan-token=${account.token}; capstan-token=${account.token}` };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const made = (await response.json()) as { id: string; token: string };
    if (response.status !== 201) throw new Error(`${path}: ${JSON.stringify(made).slice(0, 500)}`);
    return made;
  };
  const order = (before: unknown) => ({ capability: { kind: 'skill', ref: 'json-diff' }, input: { before, after: 1 } });
  const task = async (values: { input?: object; output?: object }): Promise<string> => {
    const { id } = await post('/api/agents/tasks', order(1));
    const stored = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
    const ended = { status: 'completed', finished_at: '2026-11-20T12:00:00.000Z', ...stored };
    await world.database.db.updateTable('tasks').set(ended).where('id', '=', id).execute();
    return id;
  };
  const prepared = async (most: number, make: (size: number) => Promise<string>) => {
    const paths = new Map<number, string>();
    for (const size of [Math.ceil(most / 8), most]) paths.set(size, await make(size));
    return (size: number) => ({ method: 'GET', target: paths.get(size) as string, headers: page });
  };
  const [inputs, outputs] = [Math.floor(MOST_INPUT * scale), Math.floor(MOST_OUTPUT * scale)];
  const ofInput = await prepared(
    inputs,
    async (size) => `/runs/${await task({ input: { before: members(size, EACH), after: 1 } })}`,
  );
  const ofOutput = await prepared(outputs, async (size) => {
    const id = await task({ output: members(size, 0) });
    return `/r/${(await post(`/api/agents/tasks/${id}/shares`, { input: true })).token}`;
  });
  const earlier = Math.floor(MOST_EARLIER * scale);
  const ofEarlier = await prepared(
    earlier,
    async (size) => `/runs/${await task({ output: members(size, 0) })}/download/output`,
  );
  return [
    { name: 'a download of an output with many members', expects: 200, most: earlier, request: ofEarlier },
    {
      name: 'a task whose input has many members',
      expects: 201,
      most: inputs,
      request: (size) => ({
        method: 'POST',
        target: '/api/agents/tasks',
        headers,
        body: JSON.stringify(order(members(size, EACH))),
      }),
    },
    { name: 'six pages of such a run at once', expects: 200, at_once: 6, most: inputs, request: ofInput },
    { name: 'a shared run whose output has many members', expects: 200, most: outputs, request: ofOutput },
    { name: 'six of them at once', expects: 200, at_once: 6, most: outputs, request: ofOutput },
  ];
}
