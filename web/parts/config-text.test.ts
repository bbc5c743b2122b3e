import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { configText } from './config-text.ts';

const value = { command: 'npx', args: ['-y', '@a/b'], env: { 'A"B': '<A>' } };

test('JSON and YAML contain the same values', () => {
  const expected = { mcpServers: { tides: value } };
  assert.deepEqual(JSON.parse(configText({ format: 'json', key: 'mcpServers', value }, 'tides')), expected);
  assert.deepEqual(parse(configText({ format: 'yaml', key: 'mcpServers', value }, 'tides')), expected);
});

test('TOML has a table for each object', () => {
  assert.equal(
    configText({ format: 'toml', key: 'mcp_servers', value }, 'tides'),
    '[mcp_servers.tides]\ncommand = "npx"\nargs = ["-y","@a/b"]\n\n[mcp_servers.tides.env]\n"A\\"B" = "<A>"',
  );
});
