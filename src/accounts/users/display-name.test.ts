import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compileSchema } from '#core/http/validate.ts';
import { anyText } from '#test/any-text.ts';
import { usersContract } from './contract.ts';
import { cleanDisplayName } from './display-name.ts';

test('a display name keeps its script and loses hidden and bidirectional characters', () => {
  assert.equal(cleanDisplayName('  Ada\t Lovelace\n'), 'Ada Lovelace');
  assert.equal(cleanDisplayName('Ada\u202Egnp.exe\u0000'), 'Adagnp.exe');
  assert.equal(cleanDisplayName('\u200Bali\u200Cce'), 'ali\u200Cce');
  assert.equal(cleanDisplayName('李小龍'), '李小龍');
  assert.equal(cleanDisplayName('e\u0301'), 'é');
  assert.equal(cleanDisplayName('\u200D \u202E'), '');
  assert.equal(cleanDisplayName('\uD800'), '');
  assert.equal([...cleanDisplayName('😀'.repeat(500))].length, 80);
});

test('any cleaned display name is empty or valid as user input', () => {
  const check = compileSchema(usersContract.update.body);
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), (text) => {
      const display_name = cleanDisplayName(text);
      if (display_name !== '') assert.deepEqual(check({ display_name }), [], JSON.stringify(display_name));
    }),
  );
});
