import type { Harness } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { packFiles } from './packed-files.ts';

/** Begins to publish the files of a harness: they go to the steps of publishing, which check them first. */
export const publishForm = ({ files, version }: Pick<Harness, 'files' | 'version'>): Html =>
  html`<form method="post" action="/publish" enctype="multipart/form-data"><input type="hidden" name="files" value="${packFiles(files.map(bare))}"><input type="hidden" name="open" value="HARNESS.md">
<button type="submit" name="do" value="check" class="button plain">Publish version ${version}</button></form>`;

/** The files in the format of the publish request, without size and digest. */
const bare = ({ path, content, base64 }: Harness['files'][number]) =>
  content === undefined ? { path, base64: base64 ?? '' } : { path, content };
