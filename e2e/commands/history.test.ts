import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { midnightIsFar } from '#lib/testing/midnight.ts';
import { described, killHard, run, throwawayFolder, until } from './dashboard.ts';

async function query<T extends pg.QueryResultRow>(dataDir: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: described(dataDir).databaseUrl });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

/** What a person sees of a history, without ids and times; its last hour may begin yesterday. */
const SEEN = `
  SELECT kind, name, amount_minor::text, m.state, returned,
      CASE WHEN m.created_at > clock_timestamp() - interval '3 hours' THEN 0
        ELSE (clock_timestamp() AT TIME ZONE 'Europe/Istanbul')::date
          - (m.created_at AT TIME ZONE 'Europe/Istanbul')::date END AS days
    FROM movements m
    ORDER BY m.created_at`;

describe("a new demo's history", () => {
  let first: unknown[] = [];
  // Two histories are compared that are written minutes apart.
  beforeAll(() => midnightIsFar(10 * 60_000), 30 * 60_000);

  test('has everything a page lists, in the past, with an audit chain that verifies', async () => {
    const running = await (await run({ args: [] })).ready();
    const { dataDir } = running;
    expect(running.output()).toMatch(/history +ninety days/);
    const [counts] = await query(
      dataDir,
      `SELECT
        (SELECT count(*)::int FROM movements WHERE kind = 'payout') AS payouts,
        (SELECT count(*)::int FROM movements WHERE state = 'REJECTED') AS rejected,
        (SELECT count(*)::int FROM movements WHERE state = 'MANUAL_REVIEW') AS manual,
        (SELECT count(*)::int FROM movements WHERE returned = 'CONFIRMED') AS returned,
        (SELECT count(*)::int FROM movements WHERE state = 'AWAITING_APPROVAL') AS waiting,
        (SELECT count(*)::int FROM evidence WHERE kind = 'sent_back') AS sent_back,
        (SELECT count(DISTINCT movement_id)::int FROM approvals) AS approved,
        (SELECT jsonb_array_length(rules) FROM policy_versions) AS rules,
        (SELECT count(*)::int FROM recipients) AS recipients,
        (SELECT count(*)::int FROM card_payments WHERE state = 'held') AS held,
        (SELECT count(*)::int FROM recurring_plans) AS plans,
        (SELECT count(*)::int FROM card_customers) AS customers,
        (SELECT count(*)::int FROM card_payments WHERE link IS NOT NULL) AS links,
        (SELECT count(*)::int FROM failed_top_ups) AS failed_top_ups,
        (SELECT count(*)::int FROM closed_days) AS closed_days`,
    );
    expect(counts).toEqual({
      payouts: 67,
      rejected: 2,
      manual: 1,
      returned: 2,
      waiting: 3,
      sent_back: 1,
      // Four first payments of ₺20.000 or more, and the one of ₺38.640.
      approved: 5,
      rules: 4,
      recipients: 24,
      held: 8,
      plans: 1,
      customers: 3,
      links: 3,
      failed_top_ups: 2,
      closed_days: 5,
    });
    await until('the worker has verified the chain', async () => {
      const [check] = await query<{ entries: string; broken_seq: string | null }>(
        dataDir,
        'SELECT entries::text, broken_seq::text FROM audit_checks',
      );
      return check !== undefined && Number(check.entries) > 400 && check.broken_seq === null;
    });
    const late = await query(
      dataDir,
      `SELECT seq FROM audit_entries a WHERE at < (SELECT max(at) FROM audit_entries b
        WHERE b.subject = a.subject AND b.seq < a.seq)`,
    );
    expect(late, 'entries that are older than the one before about the same').toEqual([]);
    first = await query(dataDir, SEEN);
  });

  test('is written anew, the same, after a kill -9 while it was written; a later start adds none', async () => {
    const dataDir = throwawayFolder();
    const killed = await run({ dataDir, args: [] });
    const unfinished = join(dataDir, 'history.unfinished');
    await until('the history is begun', () => existsSync(unfinished), 60_000);
    await until('it has sent something', () => existsSync(join(dataDir, 'sends')), 60_000);
    for (const { pid } of killed.processes()) killHard(pid);
    await killed.ended();
    expect(existsSync(unfinished)).toBe(true);

    const second = await (await run({ dataDir, args: [] })).ready();
    expect(existsSync(unfinished)).toBe(false);
    expect(await query(dataDir, SEEN)).toEqual(first);
    second.interrupt();
    await second.ended();

    const third = await (await run({ dataDir, args: [] })).ready();
    expect(third.output()).not.toContain('history ');
    const { length } = await query(dataDir, SEEN);
    expect(length).toBe(first.length);
  });
});
