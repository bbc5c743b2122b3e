import { type Capstan, CapstanError, type ItemDetail } from '../../sdk/src/index.ts';
import { encodedPath } from '../parts/encoded-path.ts';
import { fetchSection } from '../parts/fetch-commands.ts';
import { installSection } from '../parts/installs.ts';
import { baseOf, type Known, ownIdOf } from '../parts/known.ts';
import { filesTab, fileView, isShown, type ListedFile } from '../parts/listing-files.ts';
import { needsCount, needsTab } from '../parts/listing-needs.ts';
import { overviewTab } from '../parts/listing-overview.ts';
import type { ListingTab } from '../parts/listing-page.ts';
import { findingsCount, listedVersions, proofTab, securityTab } from '../parts/listing-tabs.ts';
import { toolsTab } from '../parts/listing-tools.ts';
import { notice } from '../parts/notice.ts';
import { filePath, versionsSection } from '../parts/published.ts';
import { documentView, fileAddress, mainDocument, mainFileOf, sourceOf, textOf } from '../parts/readme.ts';
import { hasInstall, mayTry } from '../parts/run-ability.ts';
import { sourcesSection } from '../parts/sources.ts';
import { cut } from '../parts/words.ts';
import { html, type Value } from '../server/html.ts';
import type { Visit } from '../server/page.ts';

/** The tabs of a listing. A tab that would be empty is left out; its content is made only when it is asked for. */
export function tabsOf(visit: Visit, known: Known): ListingTab[] {
  const { item, listing, proof } = known;
  const nowMs = visit.site.now();
  const members = listing?.members ?? [];
  const tools = item?.runnable.tool_count ?? item?.tools?.length ?? 0;
  return [
    mainTab(visit, known),
    ...(item?.tools != null && item.tools.length > 0 ? [tool(visit, known, tools)] : []),
    ...fileTabs(visit, known),
    ...versionTabs(visit, known),
    { id: 'needs', label: 'Needs', count: needsCount(known), content: () => needsTab(known) },
    ...(hasInstall(known) ? [{ id: 'install', label: 'Install', content: () => install(visit, known) }] : []),
    { id: 'security', label: 'Security', count: findingsCount(known), content: () => securityTab(known, nowMs) },
    {
      id: 'proof',
      label: 'Proof',
      count: proof?.versions.reduce((sum, { runs }) => sum + runs, 0),
      content: () => proofTab(known, nowMs),
    },
    ...(listing !== null && members.length > 0
      ? [{ id: 'sources', label: 'Sources', count: members.length, content: () => sourcesSection(listing) }]
      : []),
  ];
}

/** The text of its author where there is one, or else what is known. */
function mainTab({ capstan, site }: Visit, known: Known): ListingTab {
  const { item, version, skill } = known;
  const nowMs = site.now();
  const source = sourceOf(baseOf(known).repository);
  if (skill !== null)
    return {
      id: 'readme',
      label: 'SKILL.md',
      content: () =>
        documentView({ name: 'SKILL.md', text: skill.body }, site, { source, whole: skill.links.skill_md }),
    };
  const file = version === null ? undefined : mainFileOf(version.files);
  if (version !== null && file !== undefined)
    return {
      id: 'readme',
      label: file.path,
      content: async () => {
        const found = await mainDocument(capstan, version);
        return found === null
          ? overviewTab(known, nowMs)
          : documentView(found, site, { source, whole: fileAddress(version, found.name) });
      },
    };
  const text = item?.skill_md ?? item?.readme ?? null;
  if (text === null) return { id: 'overview', label: 'Overview', content: () => overviewTab(known, nowMs) };
  const name = item?.skill_md != null ? 'SKILL.md' : 'README.md';
  return {
    id: 'readme',
    label: name.replace('README.md', 'README'),
    content: () => documentView({ name, text }, site, { source, whole: item?.links.markdown ?? known.path }),
  };
}

const tool = ({ query }: Visit, known: Known, count: number): ListingTab => ({
  id: 'tools',
  label: 'Tools',
  count,
  content: () =>
    known.item !== null &&
    toolsTab({ item: known.item, path: `${known.path}?tab=tools`, query, can_try: mayTry(known) }),
});

function fileTabs(visit: Visit, { version, skill, path, item }: Known): ListingTab[] {
  const { capstan, query, site } = visit;
  if (version !== null) {
    const { files, listing_id, status } = version;
    const hrefOf = (file: string) => (status === 'yanked' ? null : filePath(listing_id, version.version, file));
    const content = () =>
      html`${filesTab({ files, total: files.length, hrefOf })}<p class="fine">Digest of version ${version.version}: <code>${version.digest}</code></p>`;
    return [{ id: 'files', label: 'Files', count: files.length, content }];
  }
  if (skill === null && item?.files != null && item.files.length > 0) {
    const { files } = item;
    const total = item.file_count ?? files.length;
    const hrefOf = (file: string) =>
      isShown(files, file) ? `${path}?tab=files&file=${encodeURIComponent(file)}` : null;
    const asked = files.find((file) => file.path === query.get('file'));
    const list = (): Value => filesTab({ files, total, hrefOf });
    const content = async () =>
      asked === undefined ? list() : html`${await providerFile(visit, item, asked.path)}${list()}`;
    return [{ id: 'files', label: 'Files', count: total, content }];
  }
  if (skill === null) return [];
  const { files } = skill;
  const asked = files.find((file) => file.path === query.get('file'));
  const hrefOf = (file: string) => `${path}?tab=files&file=${encodeURIComponent(file)}`;
  const list = (): Value => filesTab({ files: files as ListedFile[], total: files.length, hrefOf });
  return [
    {
      id: 'files',
      label: 'Files',
      count: files.length,
      content: async () =>
        asked === undefined ? list() : html`${await ownFile(capstan, skill, asked.path, site)}${list()}`,
    },
  ];
}

/** It is fetched from the provider when it is first opened, which may fail. */
async function providerFile({ capstan, site }: Visit, item: ItemDetail, path: string): Promise<Value> {
  const { provider_id: provider, external_id: id } = item;
  try {
    const text = String(await capstan.items.getFile({ provider, id, path }));
    const whole = `/api/marketplace/registry/file?${new URLSearchParams({ provider, id, path })}`;
    return fileView({ path, text, whole }, site);
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return notice({
      look: 'warn',
      shape: 'file-text',
      title: html`<code>${cut(path, 200)}</code>`,
      text: cut(error.message, 300),
    });
  }
}

async function ownFile(
  capstan: Capstan,
  skill: NonNullable<Known['skill']>,
  path: string,
  site: Visit['site'],
): Promise<Value> {
  const bytes: unknown = await capstan.skills.getFile({ name: skill.name, path });
  const text =
    bytes instanceof Uint8Array ? textOf(bytes) : typeof bytes === 'string' ? bytes : JSON.stringify(bytes, null, 2);
  const whole = `${skill.links.files}${encodedPath(path)}`;
  return fileView({ path, text, whole }, site);
}

function versionTabs({ site }: Visit, known: Known): ListingTab[] {
  const { item, listing, skill } = known;
  const own = ownIdOf(known);
  const nowMs = site.now();
  if (own !== null && listing?.versions !== undefined)
    return [
      {
        id: 'versions',
        label: 'Versions',
        count: listing.versions.length,
        content: () => versionsSection(own, listing, nowMs),
      },
    ];
  if (item === null || skill !== null) return [];
  if (item.version === '' && item.versions.length === 0 && item.tool_changes.length === 0) return [];
  const content = () => listedVersions(item, nowMs);
  return [{ id: 'versions', label: 'Versions', count: Math.max(item.versions.length, 1), content }];
}

function install({ site }: Visit, { item, version }: Known): Value {
  if (version !== null) return fetchSection(version, site.base_url);
  return item !== null && installSection(item);
}
