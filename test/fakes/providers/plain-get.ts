import { catalogProblem } from '#catalog/errors.ts';
import type { Get, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { defined } from '#core/defined.ts';

/** The `get` that adapters receive, without what syncs add: global fetch, one try, no pace. */
const plainGet: Get = async (url, options = {}) => {
  const headers: Record<string, string> = { accept: options.accept ?? 'application/json' };
  if (options.bearer !== undefined) headers.authorization = `Bearer ${options.bearer}`;
  if (options.validators?.etag !== undefined) headers['if-none-match'] = options.validators.etag;
  if (options.validators?.last_modified !== undefined) headers['if-modified-since'] = options.validators.last_modified;
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 304) {
    throw catalogProblem('registry.provider_failed', `${url} answered ${response.status}: ${text}`, {
      reason: 'unavailable',
      extensions: { upstream_status: response.status },
    });
  }
  const etag = response.headers.get('etag');
  const modified = response.headers.get('last-modified');
  const validators = {
    ...defined({ etag: etag ?? undefined, last_modified: modified ?? undefined }),
  };
  return { status: response.status, text, media_type: response.headers.get('content-type') ?? '', validators };
};

/** A request for a first full page, with what a test wants different. */
export const pageRequest = (base_url: string, changes: Partial<PageRequest> = {}): PageRequest => ({
  get: plainGet,
  base_url,
  key: null,
  mode: 'full',
  cursor: null,
  since: null,
  validators: {},
  ...changes,
});

/** All pages of a run, in order. */
export async function walk(provider: Provider, request: PageRequest) {
  const pages = [await provider.fetchPage(request)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    if (pages.length > 1_000) throw new Error('more than 1,000 pages');
    pages.push(await provider.fetchPage({ ...request, cursor: next }));
  }
  return pages;
}
