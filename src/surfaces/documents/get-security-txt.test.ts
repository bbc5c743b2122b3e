import assert from 'node:assert/strict';
import { test } from 'node:test';
import { input, text } from '#test/handler-input.ts';
import { getSecurityTxt } from './get-security-txt.ts';
import { DOCUMENTS_SETTINGS } from './settings.ts';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const base_url = 'https://capstan.example.com';
const clock = { now: () => NOW };

test('200: a contact, an expiry within a year and the canonical address', async () => {
  const deps = { base_url, security_contact: 'mailto:security@example.com', clock };
  const { body, media_type, cache_control } = await text(getSecurityTxt(deps)(input({})));
  assert.deepEqual([media_type, cache_control], ['text/plain; charset=utf-8', 'public, max-age=86400']);
  const fields = new Map(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  assert.equal(fields.get('Contact'), 'mailto:security@example.com');
  assert.equal(fields.get('Canonical'), `${base_url}/.well-known/security.txt`);
  const days = (Date.parse(fields.get('Expires') as string) - NOW) / 86_400_000;
  assert.ok(days > 100 && days < 365, `${days}`);
});

test('404: the operator has set no contact', () => {
  assert.throws(() => getSecurityTxt({ base_url, security_contact: null, clock })(input({})), {
    code: 'http.not_found',
  });
});

test('the setting is a mailto: or https: URL on one line', () => {
  const { parse } = DOCUMENTS_SETTINGS.security_contact;
  assert.equal(parse(''), null);
  assert.equal(parse('https://example.com/security'), 'https://example.com/security');
  for (const text of ['security@example.com', 'http://example.com', 'javascript:alert(1)'])
    assert.throws(() => parse(text), /must be a mailto: or https: URL/, text);
  assert.doesNotMatch(parse('mailto:a@example.com\nContact: mailto:b@example.com') as string, /\n/);
});
