import {
  type FakeFaults,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  json,
  plain,
  startFakeProvider,
} from './fake-server.ts';

/**
 * ClawHub's read API. `records` are elements of the packages list, newest change first; the skills list and the skills'
 * own answers are made out of them.
 */
interface ClawhubFakeOptions {
  records: unknown[];
  page_size: number;
  /** `rich` = as the service answers; `documented` = without topics and stats; `off` = no skills among the packages. */
  catalog?: 'rich' | 'documented' | 'off';
  /** Whether the experiment is switched on. */
  claws?: boolean;
  faults?: FakeFaults;
}

interface Item {
  [member: string]: unknown;
  name?: string;
  family?: string;
  ownerHandle?: string | null;
}

const itemOf = (record: unknown): Item => (typeof record === 'object' && record !== null ? (record as Item) : {});
const isSkill = (record: unknown): boolean => itemOf(record).family === 'skill';

/** One of the skills list: the same without an owner. */
function skillOf(record: unknown): unknown {
  const { name, family, ownerHandle, latestVersion, ...rest } = itemOf(record);
  const version = latestVersion ? { version: latestVersion, createdAt: 0, changelog: '', license: null } : null;
  return { slug: name, ...rest, latestVersion: version };
}

/** One of the packages list as the API's description has it. */
function documented(record: unknown): unknown {
  if (Object.keys(itemOf(record)).length === 0) return record;
  const { topics, stats, tags, ...rest } = itemOf(record);
  return rest;
}

function pageOf({ url }: FakeRequest, records: unknown[], pageSize: number, most: number): FakeReply {
  const size = Math.min(pageSize, most, Number(url.searchParams.get('limit') ?? most));
  const start = Number(url.searchParams.get('cursor')?.replace('from:', '') ?? 0);
  const end = start + size;
  return json({ items: records.slice(start, end), nextCursor: end < records.length ? `from:${end}` : null });
}

function detailOf({ url }: FakeRequest, records: unknown[]): FakeReply {
  const slug = decodeURIComponent(url.pathname.slice('/api/v1/skills/'.length));
  const owner = url.searchParams.get('ownerHandle');
  const found = records.filter(
    (record) =>
      isSkill(record) && itemOf(record).name === slug && (owner === null || itemOf(record).ownerHandle === owner),
  );
  if (found.length > 1) return plain(409, 'Several owners have this slug: add ownerHandle');
  if (found.length === 0) return plain(404, 'Skill not found');
  const handle = itemOf(found[0]).ownerHandle;
  const skill = itemOf(skillOf(found[0]));
  return json({ skill, latestVersion: skill.latestVersion, owner: handle ? { handle, displayName: handle } : null });
}

function packagesOf(request: FakeRequest, records: unknown[], options: ClawhubFakeOptions): FakeReply {
  const family = request.url.searchParams.get('family');
  const shown = options.catalog === 'documented' ? records.map(documented) : records;
  const refused = (family === 'claw' && !options.claws) || (family === 'skill' && options.catalog === 'off');
  if (refused) return plain(400, 'Invalid family query parameter');
  return pageOf(
    request,
    // Values that are not objects have no family: they are listed among the skills, where a sync starts.
    shown.filter((record) => (itemOf(record).family ?? 'skill') === family),
    options.page_size,
    100,
  );
}

const isPlugin = (record: unknown): boolean => !['skill', 'claw', undefined].includes(itemOf(record).family);

export const startClawhubFake = (options: ClawhubFakeOptions): Promise<FakeProvider<unknown[]>> =>
  startFakeProvider(options, (request, records) => {
    const path = request.url.pathname;
    if (path === '/api/v1/packages') return packagesOf(request, records, options);
    if (path === '/api/v1/plugins') return pageOf(request, records.filter(isPlugin), options.page_size, 100);
    if (path === '/api/v1/skills') {
      return pageOf(request, records.filter(isSkill).map(skillOf), options.page_size, 200);
    }
    return path.startsWith('/api/v1/skills/') ? detailOf(request, records) : plain(404, 'Not found');
  });
