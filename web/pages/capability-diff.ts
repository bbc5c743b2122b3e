import type { Capstan, VersionDetail } from '../../sdk/src/index.ts';
import { capabilityPath } from '../parts/capabilities.ts';
import { hunksView } from '../parts/hunks.ts';
import { changedFiles, type FileChange, type Hunk } from '../parts/line-diff.ts';
import { compareForm, versionPath } from '../parts/published.ts';
import { textOf } from '../parts/readme.ts';
import { count, cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Site } from '../server/page.ts';

/** `/marketplace/{id}/diff?from=1.0.0&to=1.1.0`: what changed between two published versions, file by file and line by line. */
export const capabilityDiff: Page = {
  get: async ({ capstan, params: { id = '' }, query, site }) => {
    const listing = await capstan.listings.get({ id });
    const versions = (listing.versions ?? []).map(({ version }) => version).reverse();
    const to = query.get('to') || versions[0] || '';
    const from = query.get('from') || versions[versions.indexOf(to) + 1] || versions.at(-1) || '';
    const [old, fresh] = await Promise.all([
      capstan.listings.getVersion({ id, version: from }),
      capstan.listings.getVersion({ id, version: to }),
    ]);
    const changes = changedFiles(old.files, fresh.files);
    const shown = await shownChanges({ capstan, site, old, fresh }, changes);
    const content = html`<header class="head">
<p class="label"><a href="/marketplace">Browse</a> / <a href="${capabilityPath(id)}"><bdi>${cut(fresh.name, 120)}</bdi></a></p>
<h1>What changed</h1>
<p class="lead">From <a href="${versionPath(id, from)}">${from}</a> to <a href="${versionPath(id, to)}">${to}</a>: ${summary(changes)}.</p>
${versions.length > 1 && compareForm(id, versions, [from, to])}
</header>
${shown}`;
    return { title: `${cut(fresh.name, 80)}: ${from} to ${to}`, content, unlisted: true };
  },
};

function summary(changes: readonly FileChange[]): string {
  const counts = (['changed', 'added', 'removed'] as const)
    .map((change) => [change, changes.filter((fileChange) => fileChange.change === change).length] as const)
    .filter(([, many]) => many > 0);
  if (counts.length === 0) return 'the same files';
  return counts.map(([change, many]) => `${count(many)} ${many === 1 ? 'file' : 'files'} ${change}`).join(', ');
}

const MOST_FILES = 40;
const MOST_BYTES = 200_000;
/** Of all files together, in characters. */
const MOST_LINES = 4_000;

/** Files are compared one after the other, because each takes from what the page may still show. */
interface Compared {
  capstan: Capstan;
  site: Pick<Site, 'lineDiff'>;
  old: VersionDetail;
  fresh: VersionDetail;
}

async function shownChanges(compared: Compared, changes: readonly FileChange[]): Promise<Html[]> {
  const shown: Html[] = [];
  let room = MOST_LINES;
  for (const change of changes.slice(0, MOST_FILES)) {
    const hunks = room > 0 ? await hunksOf(compared, change) : 'Not shown: this page is full.';
    if (typeof hunks !== 'string') room -= hunks.reduce((sum, { lines }) => sum + lines.length, 0);
    shown.push(fileChange(change, hunks));
  }
  if (changes.length > MOST_FILES)
    shown.push(
      html`<p class="fine">And ${count(changes.length - MOST_FILES)} more ${changes.length - MOST_FILES === 1 ? 'file' : 'files'}.</p>`,
    );
  return shown;
}

/** The hunks, or why there are none to show. */
async function hunksOf(
  { capstan: { listings }, site, old, fresh }: Compared,
  { path, from, to }: FileChange,
): Promise<Hunk[] | string> {
  if ((from?.size ?? 0) > MOST_BYTES || (to?.size ?? 0) > MOST_BYTES) return 'Too large to compare line by line.';
  if (old.status === 'yanked' || fresh.status === 'yanked')
    return 'One of the versions was yanked, so its files are not shown.';
  const text = async (version: VersionDetail, file: object | null): Promise<string | null> =>
    file === null ? '' : textOf(await listings.getFile({ id: version.listing_id, version: version.version, path }));
  const [a, b] = await Promise.all([text(old, from), text(fresh, to)]);
  if (a === null || b === null) return 'Binary file – no preview.';
  return (await site.lineDiff(a, b)) ?? 'Too many differences to show line by line.';
}

const fileChange = (
  { path, change, from, to }: FileChange,
  hunks: Hunk[] | string,
): Html => html`<section class="change">
<h2><code>${path}</code> <span class="label">${change}${from !== null && to !== null && `, ${count(from.size)} to ${count(to.size)} bytes`}</span></h2>
${typeof hunks === 'string' ? html`<p class="fine">${hunks}</p>` : hunksView(hunks, `Changes in ${path}`)}
</section>`;
