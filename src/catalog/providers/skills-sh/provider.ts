import { pageWatermark } from '#catalog/sync/page-watermark.ts';
import type { Page, PageRequest, Provider } from '#catalog/sync/provider.ts';
import { readPage, shapeProblem } from '#catalog/sync/read-page.ts';
import { adaptApiSkill, adaptMirrorLine } from './adapt.ts';
import { ApiPage } from './wire.ts';

const BASE_URL = 'https://skills.sh';
/** Host of the mirror. A configured base URL replaces both hosts; their paths do not overlap. */
const MIRROR_URL = 'https://raw.githubusercontent.com';
const MIRROR_PATH = 'skill-one/skills-sh-mirror';
const PER_PAGE = 500;

/** With a key, reads the official API page by page; without one, the public mirror as one document. */
const fetchPage = (request: PageRequest): Promise<Page> =>
  request.key === null ? fetchMirror(request) : fetchApi(request, request.key);

/** `GET /api/v1/skills`: pages start at 0, and `hasMore` marks the end. */
async function fetchApi({ get, base_url, cursor }: PageRequest, key: string): Promise<Page> {
  const page = /^\d{1,9}$/.test(cursor ?? '') ? cursor : '0';
  const answer = await get(`${base_url}/api/v1/skills?page=${page}&per_page=${PER_PAGE}`, { bearer: key });
  const { data, pagination } = readPage('skills-sh', ApiPage, answer.text);
  return {
    records: data.map(adaptApiSkill),
    next: pagination.hasMore ? String(pagination.page + 1) : null,
    total: pagination.total ?? null,
    watermark: null,
  };
}

const TAG = /^[\w-][\w.-]{0,99}$/;

/** `latest` contains a tag, and the tag has `skills.jsonl`. Tags may be republished, so the file's ETag decides. */
async function fetchMirror({ get, base_url, validators }: PageRequest): Promise<Page> {
  const root = `${base_url === BASE_URL ? MIRROR_URL : base_url}/${MIRROR_PATH}`;
  const tag = (await get(`${root}/dist/latest`, { accept: 'text/plain' })).text.trim();
  if (!TAG.test(tag)) throw shapeProblem('skills-sh', 'does not contain a tag of the mirror');
  const answer = await get(`${root}/${tag}/skills.jsonl`, { accept: 'text/plain', validators });
  if (answer.status === 304) {
    return { records: [], next: null, total: null, watermark: null, validators, unchanged: true };
  }
  const lines = answer.text.split('\n').filter((line) => line.trim() !== '');
  const records = lines.map(adaptMirrorLine);
  if (records.length > 0 && !records.some((record) => record.kind === 'listing')) {
    throw shapeProblem('skills-sh', 'does not contain lines of skills');
  }
  return {
    records,
    next: null,
    total: lines.length,
    watermark: pageWatermark(records),
    validators: answer.validators,
  };
}

export const skillsSh: Provider = {
  id: 'skills-sh',
  title: 'skills.sh',
  base_url: BASE_URL,
  key: 'optional',
  incremental: false,
  // A tenth of the allowed 600 requests per minute.
  pace: { concurrency: 1, interval_ms: 1_000, timeout_ms: 60_000, max_bytes: 32_000_000 },
  fetchPage,
};
