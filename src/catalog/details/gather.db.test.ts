import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { factsIn } from '#catalog/items/facts.ts';
import { isProblem } from '#core/problem/problem.ts';
import { eachDatabase } from '#test/databases.ts';
import { bomb, type DetailsStand, detailsStand } from '#test/details-stand.ts';
import { saveAll } from '#test/linking.ts';
import { listing } from '#test/listings.ts';

const DAY_MS = 86_400_000;
const ROPE = { provider_id: 'clawhub', external_id: 'ann/rope' } as const;
const TIDES = { provider_id: 'glama', external_id: 'ann/tides' } as const;
const MIT = 'MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this';

const server = { listing_type: 'server', execution_class: 'mcp' } as const;
const rope = (version: string) => listing('clawhub', 'ann/rope', { version });
const tides = (more: object = {}) =>
  listing('glama', 'ann/tides', { ...server, version: '', repository: 'https://github.com/ann/tides', ...more });

function serveRope({ host }: DetailsStand, files: unknown, owner = 'ann'): void {
  host.routes.set('/api/v1/skills/rope', { skill: { slug: 'rope' }, owner: { handle: owner } });
  host.routes.set('/api/v1/skills/rope/versions/1.0.0', { version: { version: '1.0.0', files } });
  host.routes.set('/api/v1/skills/rope/file', '---\nname: rope\n---\nTie knots.');
}

eachDatabase('details of listings', (open) => {
  test('ClawHub: files, SKILL.md and the class, once for each version', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [rope('1.0.0')]);
    const scripts = Array.from({ length: 700 }, (_, n) => ({ path: `scripts/${n}.py`, size: n }));
    serveRope(stand, [{ path: 'SKILL.md', size: 31, sha256: 'a'.repeat(64) }, { path: '../x.sh' }, 7, ...scripts]);
    const { row, found } = await stand.ask(ROPE);
    assert.equal(row.execution_class, 'scripted');
    assert.equal(found.skill_md, '---\nname: rope\n---\nTie knots.');
    assert.deepEqual([found.file_count, found.files?.length, found.details.state], [703, 500, 'complete']);
    assert.deepEqual(found.files?.[0], { path: 'SKILL.md', size: 31, sha256: 'a'.repeat(64), script: false });
    assert.ok(!found.files?.some(({ path }) => path.includes('..')));
    const asked = stand.host.log.length;
    stand.clock.ms += 400 * DAY_MS;
    await saveAll(database, [{ ...rope('1.0.0'), downloads: 5 }]);
    await stand.ask(ROPE);
    assert.equal(await stand.round('clawhub'), 3_600_000);
    assert.equal(stand.host.log.length, asked, 'nothing is requested while the record is the same');
    await saveAll(database, [rope('2.0.0')]);
    stand.host.routes.set('/api/v1/skills/rope/versions/2.0.0', { version: { files: [{ path: 'SKILL.md' }] } });
    const later = await stand.ask(ROPE);
    assert.deepEqual([later.row.execution_class, later.found.file_count], ['prompt', 1]);
  });

  test('ClawHub: a file is fetched when it is first opened, checked by its digest, and dropped with its version', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [rope('1.0.0')]);
    const script = 'print("bowline")\n';
    const digest = createHash('sha256').update(script).digest('hex');
    serveRope(stand, [
      { path: 'SKILL.md', size: 31 },
      { path: 'scripts/tie.py', size: 17, sha256: digest },
      { path: 'scripts/other.py', size: 17, sha256: 'f'.repeat(64) },
      { path: 'data.bin', size: 3 },
      { path: 'huge.txt', size: 262_145 },
    ]);
    const { row } = await stand.ask(ROPE);
    const texts: Record<string, string> = { 'scripts/tie.py': script, 'scripts/other.py': script, 'data.bin': '\0x' };
    stand.host.routes.set('/api/v1/skills/rope/file', (request, response) => {
      const path = new URL(request.url ?? '', 'http://host').searchParams.get('path') ?? '';
      response.writeHead(200, { 'content-type': 'text/plain' }).end(texts[path]);
    });
    stand.host.log.length = 0;
    const read = (path: string) => stand.details.file(row, path);
    const [one, two] = await Promise.all([read('scripts/tie.py'), read('scripts/tie.py')]);
    assert.deepEqual([Buffer.from(one.bytes).toString(), one.digest, two.digest], [script, digest, digest]);
    await read('scripts/tie.py');
    assert.deepEqual(stand.host.log, ['200 /api/v1/skills/rope/file'], 'once');
    const refused: Record<string, string> = {
      'scripts/other.py': 'not_text',
      'data.bin': 'not_text',
      'huge.txt': 'too_large',
      '../SKILL.md': 'path',
      '\0': 'path',
    };
    for (const [path, reason] of Object.entries(refused))
      await assert.rejects(read(path), (error) => isProblem(error, 'registry.file_not_found', reason), path);
    assert.equal((await stand.details.read(row)).details.state, 'complete', 'a file does not change the details');
    await saveAll(database, [rope('2.0.0')]);
    stand.host.routes.set('/api/v1/skills/rope/versions/2.0.0', { version: { files: [{ path: 'SKILL.md' }] } });
    await stand.ask(ROPE);
    const kept = await database.db.selectFrom('listing_documents').select('kind').execute();
    assert.deepEqual(kept.map(({ kind }) => kind).sort(), ['skill']);
  });

  test("ClawHub: another owner's skill is not shown", async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [rope('1.0.0')]);
    serveRope(stand, [{ path: 'SKILL.md' }], 'mallory');
    const { found } = await stand.ask(ROPE);
    assert.deepEqual([found.details.state, found.skill_md, found.files], ['failed', '', null]);
    assert.match(found.details.detail, /another owner/);
    assert.equal(await stand.round('clawhub'), 3_600_000, 'the round goes past it');
  });

  test('ClawHub: a skill that is not found is not requested again before its record changes', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [rope('1.0.0')]);
    await stand.round('clawhub');
    assert.deepEqual(stand.host.log, ['404 /api/v1/skills/rope']);
    stand.clock.ms += 2 * 86_400_000;
    assert.equal(await stand.round('clawhub'), 3_600_000);
    assert.equal(stand.host.log.length, 1);
    await saveAll(database, [rope('2.0.0')]);
    await stand.round('clawhub');
    assert.equal(stand.host.log.length, 2);
  });

  test('Glama: tools, license and environment, and the README of the repository', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [tides()]);
    const tools = [{ name: 'tide', description: 'High water.', inputSchema: { type: 'object' } }];
    stand.host.routes.set('/v1/servers/ann/tides', {
      id: 'x1',
      tools,
      environmentVariablesJsonSchema: { properties: { KEY: { description: 'Of Tides.' } }, required: ['KEY'] },
    });
    stand.host.routes.set('/raw/ann/tides/HEAD/readme.md', '# Tides');
    stand.host.routes.set('/raw/ann/tides/HEAD/LICENSE', MIT);
    const { row, found } = await stand.ask(TIDES);
    assert.deepEqual([row.license, found.readme, found.details.state], ['MIT', '# Tides', 'complete']);
    assert.match(row.install ?? '', /"KEY"/);
    assert.deepEqual(
      factsIn(row.facts).tools?.map(({ name }) => name),
      ['tide'],
    );
    assert.equal(found.readme_url, `${stand.host.url}/raw/ann/tides/HEAD/readme.md`);
    await saveAll(database, [{ ...tides(), downloads: 9 }]);
    assert.equal((await stand.row(TIDES)).license, 'MIT', 'a sync keeps it');
    stand.host.log.length = 0;
    await stand.ask(TIDES);
    assert.deepEqual(stand.host.log, []);
    stand.clock.ms += 31 * DAY_MS;
    const again = await stand.ask(TIDES);
    assert.deepEqual(stand.host.log, ['304 /v1/servers/ann/tides', '304 /raw/ann/tides/HEAD/readme.md']);
    assert.deepEqual([again.found.readme, again.row.license], ['# Tides', 'MIT']);
  });

  test('MCP Registry: earlier versions with their dates and status', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const key = { provider_id: 'mcp-registry', external_id: 'ann/tides' } as const;
    const version = (name: string, month: number, more: object = {}) => ({
      server: { name: 'ann/tides', version: name, description: `d ${name}` },
      _meta: {
        'io.modelcontextprotocol.registry/official': {
          status: 'active',
          publishedAt: `2026-0${month}-01T00:00:00Z`,
          isLatest: false,
          ...more,
        },
      },
    });
    await saveAll(database, [listing('mcp-registry', 'ann/tides', { ...server, version: '3.0.0' })]);
    stand.host.routes.set('/v0.1/servers/ann/tides/versions', {
      servers: [
        version('1.0.0', 1, { status: 'deprecated', statusMessage: 'Leaks.' }),
        version('3.0.0', 3, { isLatest: true }),
        version('2.0.0', 2),
        { ...version('9.0.0', 4), server: { name: 'mallory/tides', version: '9.0.0' } },
        'none',
      ],
    });
    const { row } = await stand.ask(key);
    const versions = factsIn(row.facts).versions ?? [];
    assert.deepEqual(
      versions.map(({ version, published_at }) => [version, published_at?.slice(0, 7)]),
      [
        ['3.0.0', '2026-03'],
        ['2.0.0', '2026-02'],
        ['1.0.0', '2026-01'],
      ],
    );
    assert.deepEqual(versions[2]?.status, { status: 'deprecated', message: 'Leaks.' });
  });

  test('a skill in a repository: SKILL.md in the background, and its files when it is opened', async () => {
    const database = await open();
    const files = new Map([
      ['SKILL.md', Buffer.from('Tie knots, all of them.')],
      ['scripts/tie.sh', Buffer.from('true')],
    ]);
    let archives = 0;
    const skillFiles = () => async () => {
      archives += 1;
      return files;
    };
    const stand = await detailsStand(database, { skillFiles });
    const key = { provider_id: 'skills-sh', external_id: 'ann/knots/rope' } as const;
    await saveAll(database, [
      listing('skills-sh', key.external_id, { repository: 'https://github.com/ann/knots', license: 'MIT' }),
    ]);
    stand.host.routes.set('/raw/ann/knots/HEAD/rope/SKILL.md', 'Tie knots.');
    assert.equal(await stand.round('skills-sh'), 3_600_000);
    const before = await stand.details.read(await stand.row(key));
    assert.deepEqual([before.skill_md, before.files, archives], ['Tie knots.', null, 0]);
    const { row, found } = await stand.ask(key);
    assert.deepEqual([found.skill_md, found.file_count, archives], ['Tie knots, all of them.', 2, 1]);
    assert.equal(row.execution_class, 'scripted');
    await stand.ask(key);
    const script = await stand.details.file(row, 'scripts/tie.sh');
    assert.deepEqual([Buffer.from(script.bytes).toString(), archives], ['true', 1], 'the archive had all of them');
    await database.db.deleteFrom('listing_documents').where('kind', 'like', 'file:%').execute();
    stand.clock.ms += 1_000;
    assert.deepEqual([(await stand.details.file(row, 'scripts/tie.sh')).digest, archives], [script.digest, 2]);
  });

  test('hostile documents end with a reason, and nothing of them is stored', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const hostile: [string, Parameters<DetailsStand['host']['routes']['set']>[1], RegExp][] = [
      ['ten-mb', 'x'.repeat(10_000_000), /larger|bytes|MiB/],
      [
        'bomb',
        (_request, response) =>
          response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(bomb(50_000_000)),
        /larger|bytes|MiB/,
      ],
      [
        'endless',
        (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/plain' });
          const write = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            if (!response.destroyed) response.once('drain', write);
          };
          write();
        },
        /larger|bytes|MiB/,
      ],
      [
        'image',
        (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('PNG'),
        /not plain text/,
      ],
      ['binary', 'a\0b', /binary/],
      [
        'private',
        (_request, response) => response.writeHead(302, { location: 'https://10.0.0.1/README.md' }).end(),
        /not a public internet address/,
      ],
      [
        'short',
        (_request, response) =>
          response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '999' }).end('short', () => {
            response.destroy();
          }),
        /closed before/,
      ],
    ];
    await saveAll(
      database,
      hostile.map(([name]) =>
        tides({ external_id: name, repository: `https://github.com/ann/${name}`, license: 'MIT' }),
      ),
    );
    for (const [name, answer, reason] of hostile) {
      stand.host.routes.set(`/raw/ann/${name}/HEAD/README.md`, answer);
      const { found } = await stand.ask({ provider_id: 'glama', external_id: name });
      assert.equal(found.details.state, 'failed', name);
      assert.match(found.details.detail, reason, name);
      assert.equal(found.readme, '', name);
    }
    assert.deepEqual(await database.db.selectFrom('listing_documents').selectAll().execute(), []);
  });

  test('addresses inside a network, and file lists of a million names, are refused', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const inside = 'https://192.168.0.7/README.md';
    await saveAll(database, [
      listing('docker', 'inside', { ...server, facts: { readme: { url: inside } } }),
      rope('1.0.0'),
    ]);
    const { found } = await stand.ask({ provider_id: 'docker', external_id: 'inside' });
    assert.match(found.details.detail, /not a public internet address/);
    serveRope(
      stand,
      Array.from({ length: 1_000_000 }, (_, n) => ({ path: `f${n}` })),
    );
    const many = await stand.ask(ROPE);
    assert.deepEqual([many.found.details.state, many.found.files], ['failed', null]);
  });

  test('a failing host that one record names does not pause the round for others', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const readme = (name: string, downloads: number) =>
      listing('docker', name, { ...server, downloads, facts: { readme: { url: `${stand.host.url}/${name}.md` } } });
    await saveAll(database, [readme('failing', 9), readme('tides', 1)]);
    stand.host.routes.set('/failing.md', (_request, response) => response.writeHead(500).end());
    stand.host.routes.set('/tides.md', '# Tides');
    assert.equal(await stand.round('docker'), 3_600_000, 'the round goes past it');
    assert.deepEqual(stand.host.log, ['500 /failing.md', '200 /tides.md']);
    const { details, readme: none } = await stand.details.read(
      await stand.row({ provider_id: 'docker', external_id: 'failing' }),
    );
    assert.deepEqual([details.state, none], ['failed', '']);
  });

  test('the tools that a record of Docker names are not requested as from Docker', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    const tools = (name: string, downloads: number) =>
      listing('docker', name, { ...server, downloads, manifest: { toolsUrl: `${stand.host.url}/${name}.json` } });
    await saveAll(database, [tools('failing', 9), tools('tides', 1)]);
    stand.host.routes.set('/failing.json', (_request, response) => response.writeHead(500).end());
    stand.host.routes.set('/tides.json', [{ name: 'tide', description: 'High water.' }]);
    assert.equal(await stand.round('docker'), 3_600_000, 'the round goes past it');
    assert.deepEqual(stand.host.log, ['500 /failing.json', '200 /tides.json']);
    const { facts } = await stand.row({ provider_id: 'docker', external_id: 'tides' });
    assert.equal(factsIn(facts).tools?.[0]?.name, 'tide');
    const { details } = await stand.details.read(await stand.row({ provider_id: 'docker', external_id: 'failing' }));
    assert.equal(details.state, 'failed');
    assert.match(details.detail, /^The host of the document answered HTTP 500/);
  });

  test('bytes that are not UTF-8 are replaced', async () => {
    const database = await open();
    const stand = await detailsStand(database);
    await saveAll(database, [tides({ license: 'MIT' })]);
    stand.host.routes.set('/raw/ann/tides/HEAD/README.md', (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/markdown' }).end(Buffer.from([0x41, 0xff, 0x42])),
    );
    assert.equal((await stand.ask(TIDES)).found.readme, 'A\u{fffd}B');
  });
});
