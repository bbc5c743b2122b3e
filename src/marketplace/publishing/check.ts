import type { Violation } from '#catalog/checks/violation.ts';
import { countOf } from '#catalog/checks/violation.ts';
import { compareVersions, isVersion, shownOf } from '#catalog/items/version.ts';
import type { PublishedVersionRow } from '#core/db/schema-publishing.ts';
import { defined } from '#core/defined.ts';
import { type Share, userShare } from '#core/fair-queue/share.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import { licenseFault } from '#core/text/license.ts';
import { claimText } from '#marketplace/claims/claim.ts';
import { readContents } from '#marketplace/listings/contents.ts';
import type { MarketplaceDeps } from '#marketplace/listings/deps.ts';
import { listingTakenDown } from '#marketplace/listings/listing-gone.ts';
import { findListingNamed, type ListingRow, listVersions } from '#marketplace/listings/listings.ts';
import { licenseMalformed, typeDiffers, versionExists, versionMalformed } from '#marketplace/listings/refusals.ts';
import { versionPath } from '#marketplace/listings/shapes.ts';
import { findPublisherOf } from '#marketplace/publishers/publishers.ts';
import { type ExaminedFiles, examineFiles, type PublishedFile } from './check-files.ts';
import type { publishingContract } from './contract.ts';
import { sourceReader } from './given-source.ts';
import { checkForm, splitName } from './names.ts';
import { refuseAlike } from './owned-names.ts';
import { verifyPublishedLock, withStoredLock } from './rig-lock-files.ts';
import { type Comparison, compareFiles, type Suggestion, suggestVersion } from './suggest-version.ts';

/** Everything that publishing would refuse, at once, and what it would suggest. */

type Answer = Handler<typeof publishingContract.check>;
type Body = Parameters<Answer>[0]['body'];

interface FieldProblem {
  /** Of the publishing request. */
  pointer: '/name' | '/version' | '/license' | '/files';
  code: string;
  reason: string | null;
  detail: string;
}

/** The last version that is still listed, to compare with. */
interface Previous extends Comparison {
  id: string;
  version: string;
  digest: string;
}

const MOST_FINDINGS = 200;

/** POST /api/marketplace/publishing/check */
export function checkListing(deps: MarketplaceDeps): Answer {
  const readSource = sourceReader({ fetch: deps.fetch, hosts: deps.repository_hosts });
  return async ({ body, caller: { user_id, is_operator } }) => {
    const share = userShare(user_id);
    const source = await readSource(body, share);
    const files = await withStoredLock(deps, user_id, source.files);
    const by = { user_id, is_operator };
    const checked = await checkedAnswer(deps, by, { ...body, files }, share);
    return json({
      ...checked,
      ...defined({ contents: source.folder === null ? undefined : source.files }),
      folder: source.folder,
    });
  };
}

interface By {
  user_id: string;
  is_operator: boolean;
}

async function checkedAnswer(
  deps: MarketplaceDeps,
  by: By,
  body: Body & { files: NonNullable<Body['files']> },
  share: Share,
) {
  const { db } = deps;
  const own = await findPublisherOf(db, by.user_id);
  const [, givenName = ''] = (body.name ?? '').split('/', 2);
  const { version: givenVersion = '', license: givenLicense = '' } = body;
  const wanted = { name: givenName, version: givenVersion, license: givenLicense, files: body.files };
  const examined = await examineFiles(wanted, share);
  const { written, findings, listing_type, execution_class, digest, description } = examined;
  const publisherName = body.publisher ?? own?.name ?? '';
  const name = body.name ?? (publisherName === '' || written.name === '' ? '' : `${publisherName}/${written.name}`);
  const license = givenLicense || written.license;
  const known =
    own === undefined || !name.startsWith(`${own.name}/`)
      ? undefined
      : await findListingNamed(db, own.id, name.slice(own.name.length + 1));
  const versions = known === undefined ? [] : await listVersions(db, [known.id]);
  const previous = previousOf(known, versions, examined);
  const suggestion = await suggested(deps, versions, previous, examined);
  const version = givenVersion || suggestion.version;
  const problems = await problemsOf(deps, by, { name, version, license, known, versions, examined });
  const { errors, warnings } = countOf(findings);
  const ready = errors === 0 && problems.length === 0;
  const [publisher = ''] = name.split('/');
  return {
    ready,
    publisher: own?.name ?? null,
    name,
    name_in_files: written.name,
    version,
    license,
    listing_type,
    execution_class,
    description,
    digest,
    files: examined.files,
    findings: { errors, warnings, items: findings.slice(0, MOST_FINDINGS) },
    problems,
    suggestion,
    previous:
      previous === null
        ? null
        : {
            ...previous,
            is_same: previous.digest === digest,
            links: { self: versionPath(previous.id, previous.version) },
          },
    claim_text: ready ? claimText(deps.base_url, { publisher, name, version, digest }) : null,
  };
}

function previousOf(
  known: ListingRow | undefined,
  versions: readonly PublishedVersionRow[],
  { files }: ExaminedFiles,
): Previous | null {
  const shown = shownOf(versions);
  if (known === undefined || shown === null) return null;
  const { version, digest } = shown;
  return { id: known.id, version, digest, ...compareFiles(JSON.parse(shown.files) as PublishedFile[], files) };
}

const SCHEMA = 'assets/input.schema.json';

async function suggested(
  { db }: MarketplaceDeps,
  versions: readonly PublishedVersionRow[],
  previous: Previous | null,
  { written, contents, execution_class }: ExaminedFiles,
): Promise<Suggestion> {
  const [highest = null] = versions.map(({ version }) => version).toSorted((a, b) => compareVersions(b, a));
  const shown = versions.find(({ version }) => version === previous?.version);
  const stored =
    shown === undefined ? [] : (JSON.parse(shown.files) as PublishedFile[]).filter(({ path }) => path === SCHEMA);
  const before =
    shown === undefined || stored.length === 0 ? undefined : (await readContents(db, shown, stored)).get(SCHEMA);
  return suggestVersion({
    written: written.version,
    highest,
    comparison: previous,
    inputs: { before: schemaIn(before), now: schemaIn(contents.get(SCHEMA)) },
    execution_class: { before: shown?.execution_class ?? execution_class, now: execution_class },
  });
}

/** The checks report a schema that is not JSON. */
function schemaIn(bytes: Uint8Array | undefined): unknown {
  try {
    return bytes === undefined ? null : JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}

interface Order {
  name: string;
  version: string;
  license: string;
  known: ListingRow | undefined;
  versions: readonly PublishedVersionRow[];
  examined: ExaminedFiles;
}

/** In the order of the fields: the first problem of each. */
async function problemsOf(
  deps: MarketplaceDeps,
  by: By,
  { name, version, license, known, versions, examined }: Order,
): Promise<FieldProblem[]> {
  const { digest, listing_type, findings } = examined;
  const found: FieldProblem[] = [];
  const attempt = async (pointer: FieldProblem['pointer'], check: () => unknown) => {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      found.push({ pointer, code: error.code, reason: error.reason ?? null, detail: detailOf(error) });
    }
  };
  await attempt('/name', async () => {
    const names = splitName(name);
    if (!by.is_operator) await refuseAlike(deps, deps.db, names, by.user_id);
    checkForm(names);
    if (known !== undefined && known.taken_down !== null) throw listingTakenDown(known);
  });
  await attempt('/version', () => {
    if (!isVersion(version)) throw versionMalformed();
    const same = versions.find((row) => row.version === version);
    if (same !== undefined) throw versionExists(name, version, same.digest, same.digest === digest);
  });
  await attempt('/license', () => {
    const fault = licenseFault(license);
    if (fault !== null) throw licenseMalformed(fault);
  });
  await attempt('/files', async () => {
    if (known !== undefined && known.listing_type !== listing_type)
      throw typeDiffers(name, known.listing_type, listing_type);
    if (!hasErrors(findings)) await verifyPublishedLock(deps, by.user_id, { name, version, checked: examined });
  });
  return found;
}

const hasErrors = (findings: readonly Violation[]): boolean => findings.some(({ severity }) => severity === 'error');

const MOST_DETAIL_CHARS = 600;

const detailOf = ({ message }: Problem): string =>
  message.length > MOST_DETAIL_CHARS ? `${message.slice(0, MOST_DETAIL_CHARS)}…` : message;
