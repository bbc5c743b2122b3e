import type { Page } from 'playwright-core';

/** Replaces what differs between two runs of the same page: ids, keys, digests, times, ports. Runs in the page. */

const SCRIPT = `(() => {
  const zeros = (text) => text.replace(/[0-9A-Za-z]/g, '0');
  const rules = [
    [/\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?/g, '2026-01-01 00:00:00'],
    [/\\d{4}-\\d\\d-\\d\\d/g, '2026-01-01'],
    [/\\b\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?/g, '00:00:00'],
    [/[0-9a-f]{8}-[0-9a-f]{4}(?:-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?/g, zeros],
    [/(?:0x)?[0-9A-Za-z_-]{4,}…[0-9A-Za-z_-]{3,}/g, '000000…0000'],
    [/sha256:[0-9a-f]+/g, zeros],
    [/\\b(?=[0-9A-Za-z_-]*\\d)(?=[0-9A-Za-z_-]*[A-Za-z])[0-9A-Za-z_]{16,}\\b/g, zeros],
    [/\\b[0-9a-f]{12,}\\b/g, zeros],
    [/(127\\.0\\.0\\.1|localhost):\\d+/g, '$1:8080'],
    [/\\b[\\d.,]+ (?:ms|s|min|h)\\b(?: \\d+ s)?/g, '1.0 s'],
    [/\\bjust now\\b|\\b(?:in )?\\d+ (?:second|minute|hour)s?(?: ago)?/g, '1 minute ago'],
    [/\\b[\\d.,]+ (?:bytes|KiB|MiB|KB|MB)\\b/g, '1 KiB'],
  ];
  const still = (text) => rules.reduce((so, [pattern, to]) => so.replace(pattern, to), text);
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = still(walk.currentNode.data);
    if (text !== walk.currentNode.data) walk.currentNode.data = text;
  }
  for (const field of document.querySelectorAll('input:not([type=checkbox], [type=radio]), textarea')) field.value = still(field.value);
  // Other runs of the service add receipts to the same log.
  for (const line of document.querySelectorAll('.paper dd'))
    if (/^\\d+ of \\d+$/.test(line.textContent)) line.textContent = '1 of 1';
  for (const bar of document.querySelectorAll('.rope .fill, .beam rect:not(.track), .waterfall rect:not(.track)')) {
    bar.setAttribute('x', '0');
    bar.setAttribute('width', '300');
  }
  if (!location.pathname.endsWith('/style'))
    for (const drawing of document.querySelectorAll('svg.flag, .spark')) drawing.replaceChildren();
  document.activeElement?.blur();
})()`;

export async function hold(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.evaluate(SCRIPT);
}
