import { type Html, html } from '../server/html.ts';
import { block } from './block.ts';
import { icon } from './icon.ts';

/** The first step of publishing: where the files come from. */

const STARTS: Record<string, { main: string; words: string; text: string }> = {
  skill: {
    main: 'SKILL.md',
    words: 'Skill',
    text: `---
name: my-skill
description: What it does, and when to use it.
license: MIT
---

# My skill

1. The first step.
`,
  },
  harness: {
    main: 'HARNESS.md',
    words: 'Harness',
    text: `---
name: my-harness
description: What this agent does.
license: MIT
---

# My harness

How the agent works, in the second person.
`,
  },
  rig: {
    main: 'rig.yaml',
    words: 'Rig',
    text: `apiVersion: registry/v1
kind: Rig
metadata:
  name: my-rig
  version: "1.0.0"
  description: What it does.
  license: MIT
spec:
  skills:
    - { ref: skill/json-diff, digest: "" }
`,
  },
};

const kindOf = (kind: string | null): string => (kind !== null && Object.hasOwn(STARTS, kind) ? kind : 'skill');

/** The name of the file that a text becomes. */
export const mainFile = (kind: string | null): string => (STARTS[kindOf(kind)] as { main: string }).main;

interface Start {
  kind: string | null;
  /** After an error: what was typed. */
  form: URLSearchParams | null;
  /** Names of the rigs of the reader. */
  rigs: readonly string[];
}

export function startStep({ kind: asked, form, rigs }: Start): Html {
  const kind = kindOf(form?.get('kind') ?? asked);
  const { main, text } = STARTS[kind] as (typeof STARTS)[string];
  const value = (name: string): string => form?.get(name) ?? '';
  return html`<div class="sources">
${block({
  id: 'folder-title',
  title: 'A folder',
  shape: 'folder',
  content: html`<form method="post" enctype="multipart/form-data" class="stack"><p class="fine">With a SKILL.md, HARNESS.md or rig.yaml. At most 200 files and 1 MiB.</p>
<label>Folder on this computer <input type="file" name="folder" webkitdirectory multiple required></label>
<div><button type="submit" name="do" value="read-folder" class="button">Check the folder</button></div></form>`,
})}
${block({
  id: 'archive-title',
  title: 'An archive',
  shape: 'package',
  content: html`<form method="post" enctype="multipart/form-data" class="stack"><p class="fine">A .zip or .tar.gz of at most 700 KB.</p>
<label>Archive on this computer <input type="file" name="archive" accept=".zip,.tgz,.gz,application/zip,application/gzip" required></label>
${folderField(value('folder_in'))}
<div><button type="submit" name="do" value="read-archive" class="button">Check the archive</button></div></form>`,
})}
${block({
  id: 'git-title',
  title: 'A Git repository',
  shape: 'git-compare',
  content: html`<form method="post" class="stack"><p class="fine">Public, on GitHub, GitLab, Codeberg or Bitbucket. Or the address of an archive.</p>
<label>Address <input name="url" type="url" required maxlength="2000" value="${value('url')}" placeholder="https://github.com/you/skills/tree/main/my-skill" spellcheck="false" autocomplete="off"></label>
${folderField(value('folder_in'))}
<div><button type="submit" name="do" value="read-git" class="button">Check the repository</button></div></form>`,
})}
${
  rigs.length > 0 &&
  block({
    id: 'rig-title',
    title: 'One of your rigs',
    shape: 'sailboat',
    content: html`<form method="post" class="stack"><label>Rig <select name="rig">${rigs.map((name) => html`<option>${name}</option>`)}</select></label>
<div><button type="submit" name="do" value="read-rig" class="button">Check the rig</button></div></form>`,
  })
}
${block({
  id: 'text-title',
  title: 'Write it here',
  shape: 'file-text',
  beside: html`<nav class="segs" aria-label="Kind">${Object.entries(STARTS).map(([name, { words }]) => html`<a href="/publish?kind=${name}"${name === kind && html` aria-current="true"`}>${words}</a>`)}</nav>`,
  content: html`<form method="post" class="stack"><input type="hidden" name="kind" value="${kind}">
<label><code>${main}</code><textarea name="text" rows="14" required spellcheck="false" class="code">${'\n'}${value('text') || text}</textarea></label>
<div><button type="submit" name="do" value="read-text" class="button">Check the text</button></div></form>`,
})}
</div>
<p class="fine">${icon('terminal')} At the terminal: <code>capstan publish ./my-skill your-name/my-skill</code>. <a href="/docs/publishing">How publishing works</a>, <a href="/dashboard/publishing">your listings</a></p>`;
}

const folderField = (value: string): Html =>
  html`<label>Folder in it <span class="label">only if it has several to publish</span><input name="folder_in" maxlength="500" value="${value}" spellcheck="false" autocomplete="off"></label>`;
