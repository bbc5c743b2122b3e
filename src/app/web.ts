import { coreProblem } from '#core/errors.ts';
import type { InProcessInit } from '#core/http/in-process.ts';
import type { Pages } from '#core/http/pages.ts';
import type { RenderKept } from '#core/markdown/render-kept.ts';
import { Response as LoadedResponse } from '#core/outbound/undici.ts';
import { PROBLEM_STATUS, type Problem } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { MOST_PARTS, withTextFor } from '#core/text/json-text.ts';
import type { DiffKept } from '#core/text-diff/diff-kept.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import type { OpenApi, Site } from '../../web/server/page.ts';
import { passDoor, REFUSED } from '../../web/server/session.ts';
import type { Web } from '../../web/server/web.ts';
import { CONTRACT_VERSION, OPERATIONS } from './contract.ts';
import { readGuides } from './guides.ts';
import type { Parts } from './parts.ts';
import { ERRORS } from './problems.ts';

/** The web pages and their dependencies, loaded with the first page request. */

type Fetch = (path: string, init?: InProcessInit) => Promise<Response>;

export function openPages({ config, base_url, clock, models }: Parts, fetch: Fetch): Pages {
  const { public_url } = config.server;
  const open = async (): Promise<Web> => {
    const { openWeb } = await import('../../web/server/web.ts');
    const { visible } = await import('#core/markdown/escape.ts');
    return openWeb({
      public_url,
      visible,
      textWorkFor: (reader) => ({
        renderMarkdown: async (text) => (await rendering())(text, reader),
        lineDiff: async (from, to) => (await comparing())(from, to, reader),
      }),
      fetchFor:
        (address) =>
        (url, { method, headers, ...init }) => {
          const body = 'body' in init && typeof init.body === 'string' ? { body: init.body } : {};
          return inTurn(fetch(url.slice(base_url.length), { method, headers, address, ...body }));
        },
      site: {
        ...SERVICE,
        base_url,
        now: clock.now,
        turn: ownTurn,
        has_google: hasGoogle(config.auth.google),
        has_mail: config.mail.smtp_url !== null,
        has_model: models.missing() === null,
        has_probes: config.probes.probe === 'on',
        guides: once(readGuides),
        openapi: once(openapi),
        problem_codes: once(problemCodes),
        ranking,
      },
    });
  };
  const rendering = once(openRendering);
  const comparing = once(openComparing);
  const web = once(open);
  return {
    door: (request) => passDoor(request, public_url),
    answer: async (request) => {
      if (request.url === REFUSED) throw refused();
      return (await web()).answer(request);
    },
    problem: async (problem, request) => (await web()).problem({ errors: [], ...problem }, request),
  };
}

const LARGE_BYTES = 32 * 1_024;
/** What has too many parts to be parsed has at least so many characters. */
const LARGEST_BYTES = 2 * MOST_PARTS;
const VALUES_OF_RUNS = ['input', 'output'];

/**
 * A page parses what it receives: large answers that arrive together take turns of the event loop, and pages get values of runs
 * that would hold it for long as text.
 */
async function inTurn(asked: Promise<Response>): Promise<Response> {
  const response = await asked;
  const bytes = Number(response.headers.get('content-length'));
  if (bytes > LARGE_BYTES) await ownTurn();
  if (bytes <= LARGEST_BYTES || !response.headers.get('content-type')?.includes('json')) return response;
  const text = withTextFor(VALUES_OF_RUNS, await response.text());
  await ownTurn();
  const { status, headers } = response;
  return new LoadedResponse(text, { status, headers: [...headers] }) as unknown as Response;
}

const hasGoogle = ({ client_id, client_secret }: Parts['config']['auth']['google']): boolean =>
  client_id !== null && client_secret !== null;

const refused = (): Problem =>
  coreProblem('http.forbidden', 'This endpoint is reserved for the web pages. Use /api/… with a token instead.', {
    reason: 'origin',
  });

/** Loaded with the first page that needs it, because the parser takes 2 MB. */
const openRendering = async (): Promise<RenderKept> =>
  (await import('#core/markdown/render-kept.ts')).createRenderKept();

const openComparing = async (): Promise<DiffKept> => (await import('#core/text-diff/diff-kept.ts')).createDiffKept();

async function openapi(): Promise<OpenApi> {
  const { describeContract } = await import('#surfaces/docs/describe-contract.ts');
  const document = await describeContract({
    operations: OPERATIONS,
    contract_version: CONTRACT_VERSION,
    errors: ERRORS,
    public_url: null,
  });
  return document as unknown as OpenApi;
}

/** Built in several turns of the event loop, because it takes longer than a page may hold it. */
const ranking: Site['ranking'] = async (texts) => {
  const { toolSegmentBuilder } = await import('#catalog/search/index/tool-segment.ts');
  const { loadToolTables } = await import('#catalog/search/query/load-tables.ts');
  const { searchTools, toolIndexOf } = await import('#catalog/search/query/tool-search.ts');
  const builder = toolSegmentBuilder();
  for (const [at, { title, within, text }] of texts.entries()) {
    if (at % 20 === 0) await ownTurn();
    builder.add({ name: title, title: '', description: text, input_schema: null, server: within });
  }
  await ownTurn();
  const segment = builder.finish();
  await loadToolTables();
  await ownTurn();
  const index = toolIndexOf([{ segment, deleted: null }]);
  return (text, limit) => searchTools(index, { text, limit, offset: 0, isWanted: null }).hits.map(({ row }) => row);
};

const problemCodes = async () =>
  Object.entries(ERRORS).map(([code, { kind, title, reasons = {} }]) => ({
    code,
    status: PROBLEM_STATUS[kind],
    meaning: title,
    reasons: Object.keys(reasons),
  }));

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
