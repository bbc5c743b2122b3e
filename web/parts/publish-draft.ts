import type { Answer, Input } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import type { ReadForm, Upload } from '../server/read-form.ts';

import { type DraftFile, packFiles, unpackFiles } from './packed-files.ts';

/** What is being published, as the forms of the wizard carry it from step to step. Nothing is stored before it is published. */

export type Checked = Answer<'marketplace.publishing.check'>;
type CheckBody = NonNullable<Input<'marketplace.publishing.check'>['body']>;
export type Source = Pick<CheckBody, 'files' | 'archive' | 'url' | 'folder'>;

export interface Draft {
  files: readonly DraftFile[];
  publisher: string;
  version: string;
  license: string;
  tags: string;
  /** Path of the file that is shown. */
  open: string;
}

const MAINS = ['SKILL.md', 'HARNESS.md', 'harness.yaml', 'rig.yaml'];

/** The file that says what the whole is. */
export const mainOf = (files: readonly DraftFile[]): string =>
  MAINS.find((main) => files.some(({ path }) => path === main)) ?? files[0]?.path ?? 'SKILL.md';

export function draftIn({ form, uploads }: ReadForm): Draft {
  const given = (name: string): string => (form.get(name) ?? '').trim();
  const open = form.get('open') ?? '';
  const edited = form.get('text');
  const before = unpackFiles(form.get('files') ?? '');
  // The text area holds the file that was shown.
  const shown = before.find(({ path }) => path === open);
  const files =
    edited === null || shown === undefined
      ? before
      : withFile(before, { path: open, content: lineFeeds(edited, shown) });
  const folder = given('add_to').replace(/^\/+|\/+$/g, '');
  const added = uploads.filter(({ field }) => field === 'add');
  return {
    files: added.reduce<readonly DraftFile[]>(
      (all, { path, bytes }) => withFile(all, fileOf(folder === '' ? path : `${folder}/${path}`, bytes)),
      files,
    ),
    publisher: given('publisher'),
    version: given('version'),
    license: given('license'),
    tags: given('tags'),
    open,
  };
}

/** A browser sends a text area with CRLF; a file that had them keeps them. */
function lineFeeds(text: string, { content = '' }: DraftFile): string {
  const plain = text.replaceAll('\r\n', '\n');
  return content.includes('\r\n') ? plain.replaceAll('\n', '\r\n') : plain;
}

const withFile = (files: readonly DraftFile[], file: DraftFile): readonly DraftFile[] =>
  files.some(({ path }) => path === file.path)
    ? files.map((each) => (each.path === file.path ? file : each))
    : [...files, file];

export function fileOf(path: string, bytes: Uint8Array): DraftFile {
  const content = Buffer.from(bytes).toString('utf8');
  const isText = !content.includes('\0') && Buffer.from(content, 'utf8').equals(bytes);
  return isText ? { path, content } : { path, base64: Buffer.from(bytes).toString('base64') };
}

/** Of version control, editors and installers: nobody means to publish them. */
const LEFT_OUT = /(?:^|\/)(?:\.[^/]*|node_modules|__pycache__)(?:\/|$)/;

/** The files of a chosen folder, whose name comes first in each path. */
export function folderFiles(uploads: readonly Upload[]): DraftFile[] {
  const paths = uploads.map(({ path }) => path.split('/'));
  const top = paths[0]?.[0];
  const hasTop = paths.every(([first, ...rest]) => first === top && rest.length > 0);
  return uploads.flatMap(({ path, bytes }) => {
    const below = hasTop ? path.slice(path.indexOf('/') + 1) : path;
    return LEFT_OUT.test(below) ? [] : [fileOf(below, bytes)];
  });
}

/** The draft of files that were read, with what the check suggests. */
export function draftOf(files: readonly DraftFile[], { version, license, name }: Partial<Checked> = {}): Draft {
  return {
    files,
    version: version ?? '',
    license: license ?? '',
    publisher: name?.split('/')[0] ?? '',
    tags: '',
    open: mainOf(files),
  };
}

export function draftFields(
  { files, publisher, version, license, tags, open }: Draft,
  without: readonly string[] = [],
): Html[] {
  const all = { files: packFiles(files), publisher, version, license, tags, open };
  return Object.entries(all)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

export const tagsOf = ({ tags }: Pick<Draft, 'tags'>): string[] => [
  ...new Set(
    tags
      .split(/[,\n]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
