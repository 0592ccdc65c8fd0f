import { describe, expect, test } from 'vitest';
import * as config from './config.ts';
import { statusLine } from './status.ts';

const node = (n: number) => ({
  name: `db${n}`,
  port: 5_000 + n,
  restPort: 8_000 + n,
  data: `/cluster/db${n}`,
});
const patroni = () =>
  JSON.parse(
    config.patroniConfig({
      node: node(1),
      etcdPort: 2_379,
      programs: '/usr/lib/postgresql/15/bin',
      passwords: { superuser: 'one', replication: 'two' },
      passFile: '/cluster/db1.pass',
    }),
  );
const proxy = () =>
  config.proxyConfig({
    webPort: 80,
    databasePort: 81,
    statsPort: 82,
    webs: [
      { name: 'web1', port: 3_001 },
      { name: 'web2', port: 3_002 },
    ],
    nodes: [node(1), node(2), node(3)],
  });

describe("Patroni's configuration", () => {
  test('no commit is acknowledged before a standby has it, and only such a standby is promoted', () => {
    expect(patroni().bootstrap.dcs).toMatchObject({
      synchronous_mode: true,
      synchronous_mode_strict: true,
    });
  });

  test('gives the server the name that it has as a standby', () => {
    const { name, postgresql } = patroni();
    expect(postgresql.parameters['dashboard.standby_name']).toBe(name);
  });

  test('its times fit each other: the key outlives one loop with two tries', () => {
    const { ttl, loop_wait: loop, retry_timeout: retry } = patroni().bootstrap.dcs;
    expect(ttl).toBeGreaterThanOrEqual(loop + 2 * retry);
  });

  test('asks every connection for a password, and writes no statement to the log', () => {
    const { postgresql, bootstrap } = patroni();
    for (const line of postgresql.pg_hba) expect(line).toMatch(/ scram-sha-256$/);
    expect(bootstrap.dcs.postgresql.parameters.log_min_error_statement).toBe('panic');
  });
});

describe("HAProxy's configuration", () => {
  test('leads to the server whose Patroni calls it the primary, and cuts connections to others', () => {
    const section = proxy().split('listen primary')[1]!.split('listen stats')[0]!;
    expect(section).toContain('option httpchk GET /primary');
    expect(section).toContain('on-marked-down shutdown-sessions');
    for (const n of [1, 2, 3])
      expect(section).toContain(`server db${n} 127.0.0.1:${5_000 + n} check port ${8_000 + n}`);
  });

  test('leads to every web, and listens on this machine only', () => {
    expect(proxy()).toContain('server web1 127.0.0.1:3001 check cookie web1');
    expect(proxy()).toContain('server web2 127.0.0.1:3002 check cookie web2');
    expect(proxy()).toContain('cookie web insert indirect');
    for (const [, address] of proxy().matchAll(/bind (\S+)/g))
      expect(address).toMatch(/^127\.0\.0\.1:/);
  });
});

test('PgBouncer gives a connection for one transaction', () => {
  const text = config.poolerConfig({ port: 1, databasePort: 2, usersFile: '/users' });
  expect(text).toContain('pool_mode = transaction');
  expect(text).toContain('host=127.0.0.1 port=2');
});

test('the status line says who is the primary, who lags and what is away', () => {
  expect(
    statusLine({
      members: [
        { name: 'db1', role: 'replica', state: 'running', lag: 512 },
        { name: 'db2', role: 'leader', state: 'running', timeline: 3 },
        { name: 'db3', role: 'sync_standby', state: 'streaming', lag: 0 },
      ],
      processes: [
        { name: 'web', pid: 1, restarts: 2 },
        { name: 'worker', pid: undefined, restarts: 0 },
      ],
    }),
  ).toBe(
    'db1 asynchronous, 512 bytes behind · db2 primary, timeline 3 · db3 synchronous | ' +
      'away: worker | 2 restarts',
  );
});
