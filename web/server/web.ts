import { CapstanError, createCapstan, type Fetch } from '../../sdk/src/index.ts';
import { type Encoding, openAssets } from './assets.ts';
import { pageFinder } from './find-page.ts';
import { framed } from './frame.ts';
import type { Answer, Download, Page, Site, View, Visit } from './page.ts';
import { PAGES } from './pages.ts';
import { PAGE_HEADERS, policyOf } from './policy.ts';
import { NO_PATH, noPage, type ProblemFacts, problemView } from './problem-view.ts';
import { readForm } from './read-form.ts';
import { createRemember } from './remember.ts';
import {
  dropToken,
  type Headers,
  isFromOurPage,
  keepDevice,
  keepReturn,
  keepToken,
  readDevice,
  readReturn,
  readToken,
} from './session.ts';
import { readTheme } from './theme.ts';
import { readUser, renew, type User } from './visitor.ts';

/** Serves the pages: turns a request into a complete response. Pages use the API only through the SDK. */

interface WebOptions {
  site: Omit<Site, keyof TextWork | 'remember' | 'visible'>;
  /** Text rendering for this reader, possibly anonymous, at this network address. */
  textWorkFor(reader: { user_id: string | null; address: string }): TextWork;
  /** The public address of the service; null if only this host can reach it. */
  public_url: string | null;
  /** Calls the API in process on behalf of this network address. */
  fetchFor(address: string): Fetch;
  /** Makes hidden and reordering characters visible. Applied to each finished page, so that none is forgotten. */
  visible(text: string): string;
}

type TextWork = Pick<Site, 'renderMarkdown' | 'lineDiff'>;

interface PageRequest {
  method: 'GET' | 'HEAD' | 'POST';
  /** Path with the query. */
  url: string;
  headers: Headers;
  body: string;
  address: string;
}

interface PageReply {
  status: number;
  media_type: string;
  body: string | Uint8Array;
  cache_control: string;
  headers: Record<string, string>;
  cookies?: readonly string[];
  pack?: (encoding: Encoding) => Promise<Uint8Array>;
}

export interface Web {
  /** Null if no page matches the path. */
  answer(request: PageRequest): Promise<PageReply | null>;
  /** An error as a page. */
  problem(facts: ProblemFacts, request: PageRequest): Promise<PageReply>;
}

export function openWeb(options: WebOptions): Web {
  const { public_url } = options;
  const site = { ...options.site, remember: createRemember(options.site.now), visible: options.visible };
  const assets = openAssets();
  const find = pageFinder(PAGES);
  const present = (view: View, { url, headers }: PageRequest, user: User | null): PageReply => ({
    status: view.status ?? 200,
    media_type: 'text/html; charset=utf-8',
    body: options.visible(framed({ view, site, here: url, theme: readTheme(headers), user, assets })),
    cache_control: user === null ? 'private, no-cache' : 'private, no-store',
    headers: { ...PAGE_HEADERS, 'content-security-policy': policyOf(view.content.html), ...markdownLink(view) },
    cookies: view.cookies ?? [],
  });
  const visitOf = async (request: PageRequest): Promise<Reader> => {
    const token = readToken(request.headers, public_url);
    const session = sessionOf(request.headers, public_url);
    // No retries: in-process calls are reliable, and readers see errors at once. The browser computes the proof of work.
    const fetch = options.fetchFor(request.address);
    const capstan = createCapstan({ base_url: site.base_url, fetch, token, retries: 0, prove: false });
    if (token === null) return { capstan, user: null, session, cookies: [] };
    const renewed = await renew(capstan, options.site.now());
    const user = await readUser(capstan);
    if (user !== null) return { capstan, user, session, cookies: renewed === null ? [] : session.keep(renewed) };
    capstan.setToken(null);
    return { capstan, user, session, cookies: session.drop() };
  };
  /** Names the reader in the header, unless the service has trouble or the reader sends too much. */
  const withReader = async (view: View, request: PageRequest, status: number): Promise<PageReply> => {
    if (status >= 500 || status === 429) return present(view, request, null);
    try {
      const { user, cookies } = await visitOf(request);
      return present(cookies.length === 0 ? view : { ...view, cookies }, request, user);
    } catch (error) {
      // The page of an error must not fail because the reader cannot be looked up.
      if (error instanceof CapstanError) return present(view, request, null);
      throw error;
    }
  };
  return {
    answer: async (request) => {
      const [path = '/'] = request.url.split('?', 1);
      const found = assets.find(path);
      if (found !== null) return assetReply(found);
      const place = find(path);
      if (place === null) return null;
      const { cookies, ...reader } = await visitOf(request);
      const query = new URL(request.url, 'http://x').searchParams;
      const textWork = options.textWorkFor({ user_id: reader.user?.id ?? null, address: request.address });
      const answerAt = async (path: string, { page, params }: NonNullable<ReturnType<typeof find>>) => {
        const visit = { ...reader, path, query, params, headers: request.headers, site: { ...site, ...textWork } };
        return answerOf(await page(), visit, request, public_url);
      };
      const answered = await answerAt(path, place);
      if (answered === null) return null;
      const answer = withCookies(answered, cookies);
      if ('file_name' in answer) return download(answer);
      if (!('content' in answer)) return away(answer);
      // A client that asks for Markdown or JSON is redirected to that version.
      const form = formOf(answer, request.headers);
      if (form !== undefined) return away({ location: form });
      // A form that was sent is carried out only where it was sent.
      if (request.method === 'POST') return present(answer, request, reader.user);
      const named = await namedForm(path, answer, async (bare) => {
        const other = find(bare);
        return other === null ? null : answerAt(bare, other);
      });
      if (named !== undefined) return away({ location: named });
      return present(answer, request, reader.user);
    },
    problem: async (facts, request) => {
      // The API's error about unknown paths does not help readers of pages.
      const view =
        facts.code === NO_PATH.code ? noPage(request.url, facts.request_id) : problemView(facts, request.url);
      return withReader(view, request, facts.status);
    },
  };
}

/** Of a page that does not exist, or whose name is not valid. */
const MISSING: readonly number[] = [400, 404];

/** `/skills/tides.md` is the Markdown of `/skills/tides`, and `.json` its JSON, unless a page has that path itself. */
async function namedForm(
  path: string,
  { status = 200 }: View,
  answerAt: (path: string) => Promise<Answer | null>,
): Promise<string | undefined> {
  const [, bare, suffix] = /^(.+)\.(md|json)$/.exec(path) ?? [];
  if (bare === undefined || !MISSING.includes(status)) return undefined;
  const whole = await answerAt(bare);
  if (whole === null || !('content' in whole)) return undefined;
  return suffix === 'md' ? whole.markdown : whole.json;
}

/** The version of the page that the client asks for instead of HTML. */
function formOf({ markdown, json }: View, { accept }: Headers): string | undefined {
  const asked = `${accept}`;
  if (asked.includes('text/html')) return undefined;
  return asked.includes('text/markdown') ? markdown : asked.includes('application/json') ? json : undefined;
}

type Reader = Pick<Visit, 'capstan' | 'user' | 'session'> & { cookies: string[] };

const sessionOf = (headers: Headers, publicUrl: string | null): Visit['session'] => ({
  keep: ({ access_token, expires_in, device_token }) => [
    ...keepToken(access_token, expires_in, headers, publicUrl),
    ...keepDevice(device_token, headers, publicUrl),
  ],
  device: () => {
    const device_token = readDevice(headers, publicUrl);
    return device_token === null ? { remember_device: true } : { device_token, remember_device: true };
  },
  drop: () => dropToken(headers, publicUrl),
  keepReturn: (path) => keepReturn(path, headers, publicUrl),
  readReturn: () => readReturn(headers, publicUrl),
});

async function answerOf(
  page: Page,
  visit: Visit,
  request: PageRequest,
  publicUrl: string | null,
): Promise<Answer | null> {
  try {
    if (request.method !== 'POST') return await page.get(visit);
    if (page.post === undefined) return problemView(NO_FORM, request.url);
    if (!isFromOurPage(request.headers, publicUrl)) return problemView(OTHER_ORIGIN, request.url);
    return await page.post({ ...visit, ...readForm(request.headers, request.body) });
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    return problemView(error, request.url);
  }
}

const NO_FORM: ProblemFacts = {
  status: 405,
  code: 'http.method_not_allowed',
  request_id: null,
  errors: [],
  detail: 'This page accepts no form submissions.',
};

const OTHER_ORIGIN: ProblemFacts = {
  status: 403,
  code: 'http.forbidden',
  reason: 'origin',
  request_id: null,
  errors: [],
  detail: 'The form was not sent by a page of this service. Open the page here and send it again.',
};

const withCookies = (answer: Answer, cookies: readonly string[]): Answer =>
  cookies.length === 0 ? answer : { ...answer, cookies: [...cookies, ...(answer.cookies ?? [])] };

function markdownLink({ markdown }: View): Record<string, string> {
  const described = '</llms.txt>; rel="describedby"; type="text/plain"';
  return {
    link: markdown === undefined ? described : `<${markdown}>; rel="alternate"; type="text/markdown", ${described}`,
  };
}

const away = ({ location, status = 303, cookies = [] }: Extract<Answer, { location: string }>): PageReply => ({
  status,
  media_type: 'text/plain; charset=utf-8',
  body: '',
  cache_control: 'no-store',
  headers: { location },
  cookies,
});

const download = ({
  file_name,
  media_type,
  body,
  is_image = false,
  is_public = false,
  cookies = [],
}: Download): PageReply => ({
  status: 200,
  media_type,
  body,
  cookies,
  cache_control: is_public ? 'public, max-age=86400' : 'private, no-store',
  headers: {
    ...PAGE_HEADERS,
    'content-security-policy': SANDBOX,
    'cross-origin-resource-policy': is_public ? 'cross-origin' : 'same-origin',
    'content-disposition': `${is_image ? 'inline' : 'attachment'}; filename="${file_name.replace(/[^\w.-]/g, '-')}"`,
  },
});

/** Files are untrusted: even a file that a browser renders after all runs nothing and loads nothing. */
const SANDBOX = "default-src 'none'; sandbox";

/** An SVG icon that is opened directly is a document and gets the strictest policy. */
const NOTHING = "default-src 'none'";
/** A worker has the policy of its file, not of the page: it may only connect to this service. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'";

const assetReply = ({ asset, is_current }: NonNullable<ReturnType<ReturnType<typeof openAssets>['find']>>) => ({
  status: 200,
  media_type: asset.media_type,
  body: asset.body,
  cache_control: is_current ? 'public, max-age=31536000, immutable' : 'no-cache',
  headers: { 'content-security-policy': asset.media_type.startsWith('text/javascript') ? SCRIPT_POLICY : NOTHING },
  pack: asset.pack,
});
