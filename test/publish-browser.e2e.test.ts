import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isTooWide, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { openPagesStand } from './pages-stand.ts';

/** Publishing in Chromium: a folder that needs mending, in both themes and on a phone, with checks while typing. */

const SKILL_MD = `---
name: release-notes
description: Write release notes from merged pull requests.
license: Apache-2.0
metadata:
  capstan-execution-class: scripted
---

# Release notes

Follow [the style guide](references/style.md).
`;

test('a folder is chosen, mended, checked while typing, described and published', { skip: SKIP }, async () => {
  await using stand = await openPagesStand();
  const { url } = await stand.world.listen();
  const folder = await mkdtemp(join(tmpdir(), 'capstan-publish-'));
  await mkdir(join(folder, 'scripts'));
  await writeFile(join(folder, 'SKILL.md'), SKILL_MD);
  await writeFile(join(folder, 'scripts', 'notes.sh'), 'echo notes\n');
  await using browser = await openBrowser();
  for (const [at, [scheme, width]] of (
    [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const
  ).entries()) {
    const { token } = stand.account;
    const { page, errors, strangers } = await openPage(browser, `${url}/publish`, { width, scheme, token });
    const looksGood = async (where: string) => {
      assert.deepEqual(await violationsOf(page), [], `${where} ${scheme} ${width}`);
      assert.equal(await isTooWide(page), false, `${where} ${width}`);
    };
    await looksGood('start');
    await page.getByLabel('Folder on this computer').setInputFiles(folder);
    await page.getByRole('button', { name: 'Check the folder' }).click();
    await page.getByText('2 to fix').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Continue' }).isDisabled(), true);
    await looksGood('findings');
    await page.getByRole('button', { name: 'Use scripts/notes.sh' }).click();
    await page.getByText('1 to fix').waitFor();
    const text = page.getByLabel('Text of SKILL.md');
    await text.fill(
      (await text.inputValue()).replace('[the style guide](references/style.md)', `the guide, take ${at}`),
    );
    await page.getByText('Nothing to fix.').waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'text', 'the focus stays');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'The page that people will see' }).waitFor();
    await looksGood('describe');
    if (at === 0) await page.getByLabel('Your publisher name').fill('tide-house');
    else await page.getByRole('heading', { name: /^What changed since/ }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Nothing is public yet.').waitFor();
    await looksGood('publish');
    await page.getByRole('button', { name: `Publish 1.0.${at}` }).click();
    await page.getByText(`Version 1.0.${at} of tide-house/release-notes is public.`).first().waitFor();
    await looksGood('published');
    assert.deepEqual([errors, strangers], [[], []]);
    await page.context().close();
  }
  await rm(folder, { recursive: true });
});
