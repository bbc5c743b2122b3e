import type { Clock } from '../src/platform/clock.ts';
import { type Account, accountsOf } from './accounts.ts';
import { openWorld } from './world.ts';

/** The real app with people who publish. */

export const skillMd = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Count the words of a text. Use it before a text goes where length matters.\n---\n\n# ${name}\n\nSplit the text at white space and count.${more}\n`;

/** A skill that runs: it answers how many words there are. */
export const skillFiles = (name: string, more = '') => [
  { path: 'SKILL.md', content: skillMd(name, more) },
  {
    path: 'scripts/run.mjs',
    content:
      "import { readFileSync } from 'node:fs';\nconst { text } = JSON.parse(readFileSync(0, 'utf8'));\nconsole.log(text.split(/\\s+/).length);\n",
  },
];

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the tests are about
export type AnyBody = any;

export interface Answer {
  status: number;
  body: AnyBody;
  headers: Headers;
}

export async function openPublishing(
  env: Record<string, string> = {},
  role: 'quiet' | 'serve' = 'quiet',
  clock?: Clock,
) {
  const world = await openWorld(env, role, clock);
  await world.catalog.ready;
  const accounts = await accountsOf(world, clock);
  const ask = async (as: Account | null, method: string, path: string, body?: unknown, more = {}): Promise<Answer> => {
    const bearer = as === null ? {} : { authorization: `Bearer ${as.token}` };
    const answer = await world.fetch(path, {
      method,
      headers: { ...bearer, 'content-type': 'application/json', ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const is_json = (answer.headers.get('content-type') ?? '').includes('json');
    return { status: answer.status, body: is_json ? JSON.parse(text) : text, headers: answer.headers };
  };
  const orderOf = ({ name, ...more }: { name: string } & Record<string, unknown>) => ({
    ...{ name, version: '1.0.0', license: 'MIT', files: skillFiles(name.slice(name.indexOf('/') + 1)) },
    ...more,
  });
  return {
    world,
    ask,
    orderOf,
    signUp: accounts.signUp,
    publish: (as: Account, order: { name: string } & Record<string, unknown>, headers = {}) =>
      ask(as, 'POST', '/api/marketplace/listings', orderOf(order), headers),
    close: () => world.close(),
  };
}
