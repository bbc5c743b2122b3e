import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownMembers } from './known-members.ts';
import { Type } from './type.ts';

const Port = Type.Object({
  port: Type.Integer(),
  hosts: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
});

test('knownMembers() removes unknown members at every depth', () => {
  const value = { port: 1, more: 2, hosts: [{ name: 'a', ttl: 1 }, { name: 'b' }], __proto__: { port: 9 } };
  assert.deepEqual(knownMembers(Port, value), { port: 1, hosts: [{ name: 'a' }, { name: 'b' }] });
  assert.deepEqual(knownMembers(Type.Record(Type.String(), Port), { a: { port: 1, b: 2 } }), { a: { port: 1 } });
});

test('knownMembers() uses the first variant of a union that matches without unknown members', () => {
  const Either = Type.Union([Type.Object({ name: Type.String() }), Port]);
  assert.deepEqual(knownMembers(Either, { port: 1, name: 2 }), { port: 1 });
  assert.deepEqual(knownMembers(Either, { port: 'x' }), { port: 'x' });
});

test('knownMembers() returns values that do not match unchanged, and does not modify its input', () => {
  for (const value of [null, 1, 'text', undefined]) assert.equal(knownMembers(Port, value), value);
  const given = Object.freeze({ port: 1, more: 2 });
  knownMembers(Port, given);
  assert.deepEqual(given, { port: 1, more: 2 });
});
