import { startMcpFake } from '../fakes/mcp-server.ts';
import { until } from '../until.ts';
import type { Case } from './case.ts';
import { toolCall } from './cases.ts';
import type { HeldService } from './service.ts';
import { filled, HOSTILE } from './texts.ts';

/** Hostile text where the service reads files, shows them, and hears servers: behind a head that lets it come that far. */

const SKILL_HEAD = '---\nname: held\ndescription: Does what it says. Use it where that is wanted.\n---\n\n# Held\n\n';
const HARNESS_HEAD = '---\nname: held\ndescription: Does what it says. Use it where that is wanted.\n---\n\n# Held\n\n';
const RIG_HEAD = 'apiVersion: registry/v1\nkind: Rig\nmetadata:\n  name: held\n  version: 1.0.0\n  description: ';
const MOST = 950_000;
/** Of one text in JSON: what has to be escaped takes two characters. */
const within = (piece: string): number => Math.floor((MOST * piece.length) / (JSON.stringify(piece).length - 2));

type Authorization = Record<string, string>;

/** Public tools that analyse text. */
export function fileCases(texts: readonly string[] = Object.keys(HOSTILE)): Case[] {
  const files: [tool: string, path: string, head: string][] = [
    ['skill_validate', 'SKILL.md', SKILL_HEAD],
    ['harness_validate', 'HARNESS.md', HARNESS_HEAD],
    ['rig_verify', 'rig.yaml', RIG_HEAD],
  ];
  return files.flatMap(([tool, path, head]) =>
    texts.map((what) => {
      const piece = HOSTILE[what] as string;
      const input = (size: number) => {
        const content = head + filled(piece, size);
        return tool === 'rig_verify' ? { yaml: content } : { files: [{ path, content }], directory: 'held' };
      };
      return {
        name: `the tool ${tool}: ${path} of ${what}`,
        most: within(piece),
        request: (size) => toolCall(tool, input(size)),
      };
    }),
  );
}

/** Scripts and further files of a skill. */
export function scriptCases(texts: readonly string[] = Object.keys(HOSTILE)): Case[] {
  return ['scripts/run.sh', 'scripts/run.py', 'scripts/run.mjs', 'references/more.md', 'assets/checks.json'].flatMap(
    (path) =>
      texts.map((what) => {
        const piece = HOSTILE[what] as string;
        return {
          name: `the tool skill_validate: ${path} of ${what}`,
          most: within(piece),
          request: (size) =>
            toolCall('skill_validate', {
              files: [
                { path: 'SKILL.md', content: SKILL_HEAD },
                { path, content: filled(piece, size) },
              ],
            }),
        };
      }),
  );
}

const published = (name: string, content: string, dry_run: boolean) =>
  JSON.stringify({ name, version: '1.0.0', license: 'MIT', files: [{ path: 'SKILL.md', content }], dry_run });

export function publishCases(authorization: Authorization, texts: readonly string[] = Object.keys(HOSTILE)): Case[] {
  return texts.map((what) => {
    const piece = HOSTILE[what] as string;
    return {
      name: `a dry run of publishing SKILL.md of ${what}`,
      most: within(piece),
      request: (size) => ({
        method: 'POST',
        target: '/api/marketplace/listings',
        headers: { ...authorization, 'content-type': 'application/json' },
        body: published('held-publisher/held', SKILL_HEAD + filled(piece, size), true),
      }),
    };
  });
}

let made = 0;

/** What a page of the largest file takes whose text is shown. Published once for each size. */
export async function pageCases(
  { url }: Pick<HeldService, 'url'>,
  authorization: Authorization,
  texts: readonly string[] = ['images', 'links', 'emphasis', 'backticks', 'brackets', 'tags', 'quotes'],
  most = 198_000,
): Promise<Case[]> {
  const cases: Case[] = [];
  for (const what of texts) {
    const ids = new Map<number, string>();
    for (const size of [Math.ceil(most / 8), most]) {
      const own = `${what}-${size}-${++made}`;
      const name = `held-publisher/${own}`;
      const content = SKILL_HEAD.replace('name: held', `name: ${own}`) + filled(HOSTILE[what] as string, size);
      // A service that has just started may still build the index.
      const response = await until('a service with an index', async () => {
        const answer = await fetch(`${url}/api/marketplace/listings`, {
          method: 'POST',
          headers: { ...authorization, 'content-type': 'application/json' },
          body: published(name, content, false),
        });
        return answer.status === 503 ? null : answer;
      });
      const body = (await response.json()) as { id?: string };
      // What cannot be published is shown to nobody.
      if (response.status === 422) break;
      if (body.id === undefined) throw new Error(`${name} was not published: ${JSON.stringify(body).slice(0, 500)}`);
      ids.set(size, body.id);
    }
    if (ids.size < 2) continue;
    cases.push({
      name: `the page of a listing whose SKILL.md is of ${what}`,
      expects: 200,
      most,
      request: (size) => ({ method: 'GET', target: `/marketplace/${ids.get(size)}`, headers: { accept: 'text/html' } }),
    });
  }
  return cases;
}

/** A server that describes its tools, and answers, with hostile text of the size that is asked for. */
export async function serverCases(
  { url }: Pick<HeldService, 'url'>,
  authorization: Authorization,
  texts: readonly string[] = Object.keys(HOSTILE),
): Promise<{ cases: Case[]; close(): Promise<void> }> {
  const fake = await startMcpFake([
    {
      name: 'say',
      description: 'Says what it is told to, as often as it is told to.',
      inputSchema: { type: 'object', properties: { piece: { type: 'string' }, size: { type: 'integer' } } },
      call: ({ piece, size }) => ({
        content: [{ type: 'text', text: filled(`${piece}`, Number(size)) }],
        structuredContent: { text: filled(`${piece}`, Number(size)) },
      }),
    },
  ]);
  const headers = { ...authorization, 'content-type': 'application/json' };
  const made = await fetch(`${url}/api/sessions/connections`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ url: fake.url, name: 'held' }),
  });
  const connection = (await made.json()) as { id?: string };
  if (connection.id === undefined) throw new Error(`no connection: ${JSON.stringify(connection)}`);
  const told = texts.map((what): Case => {
    const piece = HOSTILE[what] as string;
    return {
      name: `a result of a server's tool of ${what}`,
      expects: 200,
      most: 400_000,
      request: (size) => ({
        method: 'POST',
        target: `/api/sessions/connections/${connection.id}/tools/call`,
        headers,
        body: JSON.stringify({ tool: 'say', arguments: { piece, size } }),
      }),
    };
  });
  const described = texts.map((what): Case => {
    const piece = HOSTILE[what] as string;
    return {
      name: `a server's tools described in ${what}`,
      expects: 200,
      most: 100_000,
      request: (size) => {
        (fake.tools[0] as { description?: string }).description = filled(piece, size);
        return {
          method: 'POST',
          target: `/api/sessions/connections/${connection.id}/tools/list?refresh=true`,
          headers: authorization,
        };
      },
    };
  });
  return { cases: [...told, ...described], close: () => fake.close() };
}
