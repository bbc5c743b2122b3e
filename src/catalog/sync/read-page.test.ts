import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '#core/json-schema/type.ts';
import { readPage } from './read-page.ts';

const Envelope = Type.Object({ items: Type.Array(Type.Unknown()) });

test('a page of the documented form is read, and unknown members are ignored', () => {
  assert.deepEqual(readPage('docker', Envelope, '{"items":[1,"two",null],"more":1}').items, [1, 'two', null]);
});

test('502: names the provider whose response is invalid, and the error', () => {
  const cases: [body: string, said: RegExp][] = [
    ['<html>', /docker is not JSON but looks like HTML/],
    ['{"items":[', /docker is not JSON\b/],
    ['{"items":{}}', /at \/items: must be array/],
    ['null', /at \/: must be object/],
  ];
  for (const [body, message] of cases)
    assert.throws(() => readPage('docker', Envelope, body), { status: 502, code: 'registry.provider_failed', message });
});
