import { existsSync, mkdirSync, chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../scripts/postgres.ts';
import {
  answersOk,
  cloneInto,
  described,
  descendants,
  isAlive,
  killHard,
  run,
  throwawayFolder,
  until,
  type Run,
} from './dashboard.ts';

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

async function started(options: Parameters<typeof run>[0] = {}): Promise<Run> {
  return (await run(options)).ready();
}

/** Files and folders, recursively, that other users may enter, read or write. */
function openToOthers(folder: string): string[] {
  const below = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => !entry.isSocket() && !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  return below.filter((path) => {
    // PostgreSQL removes files meanwhile.
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o077) !== 0;
  });
}

async function query<T extends pg.QueryResultRow>(databaseUrl: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a start', () => {
  test('answers, prints its addresses and demo people, stops with code 0, and keeps data and secrets', async () => {
    const first = await started();
    expect(await answersOk(`http://127.0.0.1:${first.port}/login`)).toBe(true);
    for (const word of [
      `http://127.0.0.1:${first.port}`,
      'ayse@demo.test',
      'approver',
      'demo-Parola-1',
    ])
      expect(first.output()).toContain(word);
    const secrets = readFileSync(join(first.dataDir, 'secrets.json'), 'utf8');
    expect(openToOthers(first.dataDir), 'readable by other users').toEqual([]);
    await query(
      described(first.dataDir).databaseUrl,
      'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)',
    );
    const all = first.processes();
    first.interrupt();
    expect(await first.ended()).toBe(0);
    expect(all.filter(({ pid }) => isAlive(pid))).toEqual([]);

    const second = await started({ dataDir: first.dataDir });
    expect(second.output()).toContain('migrations  up to date');
    expect(await query(described(first.dataDir).databaseUrl, 'SELECT n FROM kept')).toEqual([
      { n: 7 },
    ]);
    expect(readFileSync(join(first.dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'is stopped by %s to npm alone, and nothing is left behind',
    async (signal) => {
      const running = await started({ npm: true });
      const all = running.processes();
      expect(all.map(({ command }) => command).join('\n')).toMatch(/lib\/worker\/main\.ts/);
      process.kill(running.child.pid!, signal);
      await running.ended();
      await until('all processes have ended', () => all.every(({ pid }) => !isAlive(pid)));
      const again = await started({ dataDir: running.dataDir });
      expect(again.output()).toContain('migrations  up to date');
    },
  );

  test('beside a running one says so and exits 1, and the running one goes on', async () => {
    const first = await started();
    const second = await run({ dataDir: first.dataDir });
    expect(await second.ended()).toBe(1);
    expect(second.output()).toContain('already running');
    expect(second.output()).toContain(`http://127.0.0.1:${first.port}`);
    expect(await answersOk(`http://127.0.0.1:${first.port}/login`)).toBe(true);
  });

  test('of two at the same moment one runs and the other says so', async () => {
    const dataDir = throwawayFolder();
    const both = await Promise.all([run({ dataDir }), run({ dataDir })]);
    const outcomes = await Promise.all(
      both.map((one) =>
        one.ready().then(
          () => 'runs',
          () => 'refused',
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['refused', 'runs']);
    expect(both[outcomes.indexOf('refused')]!.output()).toContain('already running');
  });

  test.each(['PORT', 'SANDBOX_PORT'])(
    'with a busy %s names the variable and begins nothing',
    async (variable) => {
      const server = createServer();
      const port = await new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
      );
      onTestFinished(() => void server.close());
      const refused = await run({ env: { [variable]: String(port) } });
      expect(await refused.ended()).toBe(1);
      expect(refused.output()).toMatch(new RegExp(`Port ${port} .* busy: set ${variable}\\b`));
      expect(existsSync(join(refused.dataDir, 'postgres'))).toBe(false);
    },
  );

  test.each([
    ['PORT', 'eighty', 'PORT is "eighty"'],
    ['SANDBOX', 'maybe', 'SANDBOX is "maybe"'],
    ['RESEND_QUIET_SECONDS', 'soon', 'RESEND_QUIET_SECONDS'],
  ])('with a bad %s stops with a line that names it', async (variable, value, words) => {
    const refused = await run({ env: { [variable]: value } });
    expect(await refused.ended()).toBe(1);
    expect(refused.output()).toContain(words);
    expect(refused.output()).not.toMatch(/^\s+at /m);
  });

  test('on the PostgreSQL that DATABASE_URL names begins none of its own', async () => {
    const elsewhere = await startPostgres({ dataDir: throwawayFolder(), durable: false });
    onTestFinished(() => elsewhere.stop());
    const running = await started({ env: { DATABASE_URL: elsewhere.url } });
    expect(existsSync(join(running.dataDir, 'postgres'))).toBe(false);
    expect(await query(elsewhere.url, 'SELECT 1 AS one FROM _prisma_migrations LIMIT 1')).toEqual([
      { one: 1 },
    ]);
    running.interrupt();
    expect(await running.ended()).toBe(0);
    expect(await query(elsewhere.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('after a kill -9', () => {
  test('of everything at once the next start recovers', async () => {
    const first = await started();
    await query(
      described(first.dataDir).databaseUrl,
      'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)',
    );
    for (const { pid } of first.processes()) killHard(pid);
    await first.ended();
    const second = await started({ dataDir: first.dataDir });
    expect(await query(described(first.dataDir).databaseUrl, 'SELECT n FROM kept')).toEqual([
      { n: 7 },
    ]);
    expect(await answersOk(`http://127.0.0.1:${second.port}/login`)).toBe(true);
  });

  test('of the supervisor alone all it had started ends, and the same ports serve the next start', async () => {
    const first = await started();
    const children = descendants(described(first.dataDir).pid);
    process.kill(described(first.dataDir).pid, 'SIGKILL');
    await until('the children have ended', () => children.every(({ pid }) => !isAlive(pid)));
    await started({ dataDir: first.dataDir, env: { PORT: String(first.port) } });
  });

  test('of supervisor and keeper the PostgreSQL left behind is stopped by the next start', async () => {
    const first = await started();
    const postgres = first
      .processes()
      .find(({ command }) => /bin\/postgres -D/.test(command) && !command.includes('keeper'))!;
    const keeper = first.processes().find(({ command }) => command.includes('postgres-keeper'))!;
    process.kill(keeper.pid, 'SIGKILL');
    process.kill(described(first.dataDir).pid, 'SIGKILL');
    await first.ended();
    await started({ dataDir: first.dataDir });
    expect(isAlive(postgres.pid)).toBe(false);
  });

  test('of worker, sandbox, web and PostgreSQL each is started again, and everything is well again', async () => {
    const running = await started();
    for (const [name, pattern] of [
      ['worker', /lib\/worker\/main\.ts/],
      ['sandbox', /sandbox\/main\.ts/],
      ['web', /\bserver\.ts\b/],
      ['PostgreSQL', /bin\/postgres -D/],
    ] as const) {
      const found = () =>
        running
          .processes()
          .find(({ command }) => pattern.test(command) && !command.includes('postgres-keeper'));
      const victim = found()!;
      process.kill(victim.pid, 'SIGKILL');
      await until(`the end of the ${name} is said`, () =>
        running.output().includes(`${name} ended`),
      );
      await until(`the ${name} runs again`, () => ![undefined, victim.pid].includes(found()?.pid));
      await until(`all is ready after the end of the ${name}`, () =>
        answersOk(`http://127.0.0.1:${running.port}/api/health/ready`),
      );
    }
  });
});

describe.skipIf(!isRoot)('whoever starts it', () => {
  test('root, in a clone that the database user cannot enter', async () => {
    const folder = throwawayFolder();
    chmodSync(folder, 0o700);
    const root = cloneInto(folder, 0);
    const running = await started({ root, dataDir: join(root, '.data') });
    const postgres = running
      .processes()
      .find(({ command }) => /bin\/postgres -D/.test(command) && !command.includes('keeper'))!;
    // The database runs neither as root nor as "nobody", a user that other services share.
    expect([0, NOBODY]).not.toContain(statSync(`/proc/${postgres.pid}`).uid);
    running.interrupt();
    expect(await running.ended()).toBe(0);
  });

  test('an ordinary user, in a clone of their own', async () => {
    const folder = throwawayFolder();
    chmodSync(folder, 0o755);
    const root = cloneInto(folder, NOBODY);
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o777 });
    const running = await started({
      root,
      dataDir: join(root, '.data'),
      uid: NOBODY,
      env: { HOME: home },
    });
    expect(
      running.processes().filter(({ pid }) => statSync(`/proc/${pid}`).uid !== NOBODY),
    ).toEqual([]);
    running.interrupt();
    expect(await running.ended()).toBe(0);
  });
});
