import { member } from '#catalog/sync/adapt-record.ts';
import type { PageRequest } from '#catalog/sync/provider.ts';
import { readPage } from '#catalog/sync/read-page.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';
import { ListPage } from './wire.ts';

/** ClawHub's endpoints, and helpers for its lists. */

async function list({ get, base_url }: PageRequest, path: string, after: string | null): Promise<ListPage> {
  const cursor = after === null ? '' : `&cursor=${encodeURIComponent(after)}`;
  return readPage('clawhub', ListPage, (await get(`${base_url}${path}${cursor}`)).text);
}

/** All lists have a page limit of 100 or 200 and are sorted by change time, newest first. */
export const listCatalog = (request: PageRequest, family: 'skill' | 'claw', after: string | null) =>
  list(request, `/api/v1/packages?family=${family}&limit=100&sort=updated`, after);

export const listPlugins = (request: PageRequest, after: string | null) =>
  list(request, '/api/v1/plugins?limit=100&sort=updated', after);

export const listSkills = (request: PageRequest, after: string | null) =>
  list(request, '/api/v1/skills?limit=200&sort=updated&nonSuspiciousOnly=true', after);

/** The skill's detail as JSON, or why there is none. */
export async function skillDetail(
  { get, base_url }: Pick<PageRequest, 'get' | 'base_url'>,
  slug: string,
  owner: string | null,
): Promise<{ detail: unknown } | { refused: string; status: number | null }> {
  const query = owner === null ? '' : `?ownerHandle=${encodeURIComponent(owner)}`;
  try {
    const { text } = await get(`${base_url}/api/v1/skills/${encodeURIComponent(slug)}${query}`);
    return { detail: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { refused: 'its detail is not JSON', status: null };
    if (!isRefusal(error)) throw error;
    const status = upstreamStatus(error);
    return { refused: `its detail answered HTTP ${status}`, status };
  }
}

/** Whether the status concerns the requested item, not us or the service. 409 means that several owners have the slug. */
const isRefusal = (error: unknown): boolean => [400, 404, 409, 410].includes(upstreamStatus(error) ?? 0);

/** The result, or null if the requested item does not exist. */
export async function orAbsent<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

export function updatedAt(item: unknown): number | null {
  const at = member(item, 'updatedAt');
  return typeof at === 'number' && Number.isFinite(at) ? at : null;
}

/** Change time of the last item that has one, which is the oldest; Infinity if none has. */
export const lastUpdate = (items: readonly unknown[]): number =>
  items.map(updatedAt).findLast((at) => at !== null) ?? Number.POSITIVE_INFINITY;
