import { CapstanError } from '../../sdk/src/index.ts';
import type { DraftFile } from '../parts/packed-files.ts';
import { checkStep } from '../parts/publish-check.ts';
import { describeStep } from '../parts/publish-describe.ts';
import {
  type Checked,
  type Draft,
  draftIn,
  draftOf,
  fileOf,
  folderFiles,
  mainOf,
  type Source,
  tagsOf,
} from '../parts/publish-draft.ts';
import { fixOf, namedFix } from '../parts/publish-fixes.ts';
import { publishedStep, signStep } from '../parts/publish-sign.ts';
import { mainFile, startStep } from '../parts/publish-start.ts';
import { stepsBar } from '../parts/publish-steps.ts';
import { type Said, saidBlock } from '../parts/said.ts';
import { signInPath } from '../parts/sign-in-first.ts';
import { cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { OwnVisit } from '../server/own-page.ts';
import type { Page, View } from '../server/page.ts';
import type { ReadForm } from '../server/read-form.ts';

/** `/publish`: four steps from files to a listing. The forms carry the files, so that nothing is stored before it is published. */

export const publish: Page = {
  get: async (visit) => {
    const { user, query } = visit;
    if (user === null) return introduction();
    const own = { ...visit, user };
    const from = query.get('from') ?? '';
    return from === '' ? startView(own, query.get('kind'), null, null) : listedView(own, from);
  },
  post: async (visit) => {
    const { user, form } = visit;
    if (user === null) return { location: signInPath('/publish') };
    const own = { ...visit, user };
    const act = form.get('do') ?? '';
    try {
      return await stepOf(own, act);
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      const view = await afterError(own, act, error);
      return { ...view, status: error.status };
    }
  },
};

type PublishVisit = OwnVisit & ReadForm;

function introduction(): View {
  return {
    title: 'Publish',
    description: 'Publish a skill, a harness or a rig: checked before it is public, signed, and runnable by anyone.',
    content: html`<header class="head"><h1>Publish</h1>
<p class="lead">Share a skill, a harness or a rig. It is checked before it is public. Anyone can run it and see what it did.</p></header>
<ol class="prose"><li>Choose a folder, an archive, a Git repository or a text.</li><li>See every finding at its line, with its fix.</li><li>Name it, and look at its page.</li><li>Sign it and publish.</li></ol>
<p class="ways"><a class="button" href="${signInPath('/publish')}" rel="nofollow">Sign in to publish</a> <a href="/docs/publishing">How publishing works</a></p>`,
  };
}

async function stepOf(visit: PublishVisit, act: string): Promise<View> {
  if (act.startsWith('read-')) return readView(visit, act);
  const draft = draftIn(visit);
  switch (act) {
    case 'describe':
      return describeView(visit, draft, false);
    case 'sign':
      return signView(visit, draft);
    case 'publish':
    case 'publish-signed':
      return publishedView(visit, draft, act === 'publish-signed');
    default:
      return checkView(visit, changed(draft, act));
  }
}

/** After the button of a finding or a file. */
function changed(draft: Draft, act: string): Draft {
  const fix = namedFix(act);
  const apply = fix === null ? null : fixOf(draft.files, fix);
  if (apply !== null && fix !== null) {
    const files = apply.apply(draft.files);
    return { ...draft, files, open: files.some(({ path }) => path === fix.path) ? fix.path : mainOf(files) };
  }
  if (act.startsWith('drop ')) {
    const files = draft.files.filter(({ path }) => path !== act.slice('drop '.length));
    return files.length === 0 ? draft : { ...draft, files, open: mainOf(files) };
  }
  return act.startsWith('open ') ? { ...draft, open: act.slice('open '.length) } : draft;
}

const MOST_LISTED_FILES = 200;

/** Begins with the files of the version that is listed. */
async function listedView({ capstan, site }: OwnVisit, id: string): Promise<View> {
  const { version } = await capstan.listings.get({ id });
  const { files, tags, license } = await capstan.listings.getVersion({ id, version });
  const read: DraftFile[] = [];
  for (const { path } of files.slice(0, MOST_LISTED_FILES))
    read.push(fileOf(path, await capstan.listings.getFile({ id, version, path })));
  const checked = await capstan.publishing.check({ body: { files: read } });
  return checkShown({ site }, { ...draftOf(read, checked), license, tags: tags.join(', ') }, checked);
}

async function readView(visit: PublishVisit, act: string): Promise<View> {
  const source = await sourceOf(visit, act);
  const checked = await visit.capstan.publishing.check({ body: source });
  const files = checked.contents ?? source.files ?? [];
  return checkShown(visit, draftOf(files, checked), checked);
}

async function sourceOf({ form, uploads, capstan }: PublishVisit, act: string): Promise<Source> {
  const folder = (form.get('folder_in') ?? '').trim();
  const inFolder = folder === '' ? {} : { folder };
  switch (act) {
    case 'read-git':
      return { url: (form.get('url') ?? '').trim(), ...inFolder };
    case 'read-archive': {
      const bytes = uploads.find(({ field }) => field === 'archive')?.bytes ?? new Uint8Array();
      return { archive: Buffer.from(bytes).toString('base64'), ...inFolder };
    }
    case 'read-rig': {
      const { yaml, lock } = await capstan.rigs.get({ id: form.get('rig') ?? '' });
      const locked: DraftFile[] = lock === null ? [] : [{ path: 'rig.lock', content: lock.content }];
      return { files: [{ path: 'rig.yaml', content: yaml }, ...locked] };
    }
    case 'read-folder':
      return { files: folderFiles(uploads.filter(({ field }) => field === 'folder')) };
    default:
      return {
        files: [{ path: mainFile(form.get('kind')), content: (form.get('text') ?? '').replaceAll('\r\n', '\n') }],
      };
  }
}

/** The fields are checked from the step on that asks for them. */
const checkOf = ({ capstan }: PublishVisit, { files }: Draft): Promise<Checked> =>
  capstan.publishing.check({ body: { files: [...files] } });

function checkOfAll({ capstan }: PublishVisit, { publisher, version, license, files }: Draft): Promise<Checked> {
  const given = Object.entries({ publisher, version, license }).filter(([, value]) => value !== '');
  return capstan.publishing.check({ body: { files: [...files], ...Object.fromEntries(given) } });
}

const checkView = async (visit: PublishVisit, draft: Draft): Promise<View> =>
  checkShown(visit, draft, await checkOf(visit, draft));

const checkShown = ({ site }: Pick<OwnVisit, 'site'>, draft: Draft, checked: Checked): View =>
  view(titleOf(checked, draft), 1, checkStep(site, draft, checked));

async function describeView(visit: PublishVisit, draft: Draft, asked: boolean): Promise<View> {
  const checked = await checkOfAll(visit, draft);
  if (checked.findings.errors > 0) return checkShown(visit, draft, checked);
  return view(titleOf(checked, draft), 2, await describeStep(visit, draft, checked, asked));
}

async function signView(visit: PublishVisit, draft: Draft): Promise<View> {
  const checked = await checkOfAll(visit, draft);
  if (checked.findings.errors > 0) return checkShown(visit, draft, checked);
  if (!checked.ready) return view(titleOf(checked, draft), 2, await describeStep(visit, draft, checked, true));
  return signShown(visit, { ...draft, version: checked.version, license: checked.license }, checked, null);
}

async function signShown(visit: PublishVisit, draft: Draft, checked: Checked, said: Said | null): Promise<View> {
  const { items } = await visit.capstan.signIns.list();
  const isByWallet = items.some(({ current, wallet }) => current && wallet !== null);
  return view(titleOf(checked, draft), 3, signStep(draft, checked, isByWallet), said);
}

/** The script of a signed form adds the signature to `publish`. */
async function publishedView(visit: PublishVisit, draft: Draft, is_signed: boolean): Promise<View> {
  const { form, capstan } = visit;
  const { name, version, license } = await checkOfAll(visit, draft);
  const of = (field: string): string => form.get(`text.${field}`) ?? '';
  const claim = {
    wallet_type: of('wallet_type'),
    wallet_address: of('wallet_address'),
    signature: of('signature'),
  };
  const tags = tagsOf(draft);
  const made = await capstan.publishing.publish({
    body: {
      name,
      version,
      license,
      files: [...draft.files],
      ...(tags.length === 0 ? {} : { tags }),
      ...(claim.signature === '' && !is_signed ? {} : { claim }),
    },
  });
  return view(`${cut(name, 80)} is published`, 4, publishedStep(made));
}

/** Every step is shown again with what was typed and what is wrong. */
async function afterError(visit: PublishVisit, act: string, error: CapstanError): Promise<View> {
  const said = { failed: error };
  if (act.startsWith('read-')) return startView(visit, null, visit.form, said);
  const draft = draftIn(visit);
  try {
    if (act.startsWith('publish')) return await signShown(visit, draft, await checkOfAll(visit, draft), said);
  } catch (again) {
    if (!(again instanceof CapstanError)) throw again;
  }
  return startView(visit, null, null, said);
}

async function startView(
  visit: OwnVisit,
  kind: string | null,
  form: URLSearchParams | null,
  said: Said | null,
): Promise<View> {
  const { items } = await visit.capstan.rigs.list({ limit: 100 });
  const rigs = items.filter(({ lock_digest }) => lock_digest !== null).map(({ name }) => name);
  return view('Publish', 0, startStep({ kind, form, rigs }), said);
}

const titleOf = ({ name, name_in_files }: Checked, draft: Draft): string =>
  `Publish ${cut(name || name_in_files || mainOf(draft.files), 80)}`;

const view = (title: string, at: number, content: Html, said: Said | null = null): View => ({
  title,
  unlisted: true,
  content: html`<div class="titled publish-head"><h1><bdi>${title}</bdi></h1></div>
${stepsBar(at)}
${saidBlock(said)}
${content}`,
});
