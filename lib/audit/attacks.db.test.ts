import { execFile, execFileSync } from 'node:child_process';
import { createHash, createHmac, generateKeyPairSync, hkdfSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Export from './export.ts';
import type { BrokenChain } from './check-chain.ts';
import type * as List from './list.ts';
import { readAuditQuery } from './filter.ts';

/**
 * Attacks on the audit log with the rights of the database owner, and on an export by an
 * outsider. Three checks have to detect them: the worker's watch, the page, and the verifier, which
 * has only the export and what an auditor kept.
 */

const ENTRIES = 40;
const folder = mkdtempSync(join(tmpdir(), 'audit-'));
const anchor = join(folder, 'audit', 'checkpoints.jsonl');
let merchant: TestMerchant;
let web: Process;
let exports: typeof Export;
let list: typeof List;
let watchAs: (path: string) => (day?: string) => Promise<BrokenChain | null>;
let workers: Process;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  [exports, list] = [await import('./export.ts'), await import('./list.ts')];
  workers = await openProcess('dashboard_worker');
  const { chainWatch } = await import('#lib/send-control/watch-audit.ts');
  watchAs = (path) => chainWatch(merchant.merchantId, path);
  for (let n = 1; n <= ENTRIES; n++) await append(n);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([web.db.disconnect(), workers.db.disconnect(), merchant.close()]);
});

const append = (n: number) =>
  web.db.inTransaction(merchant.merchantId, (tx) =>
    web.audit.audit(
      tx,
      merchant.person(n % 2 === 0 ? 'clerk' : 'approver'),
      'test.done',
      `test:${n}`,
      { n },
      n % 5 === 0 ? { note: `not ${n} "ş"` } : {},
    ),
  );
const query = <T extends object>(text: string, values: unknown[] = []) =>
  merchant.owner.query<T>(text, values).then(({ rows }) => rows);
const mine = () => `merchant_id = '${merchant.merchantId}'`;

/** Runs statements with all guards of the two tables disabled, as the owner of the tables can. */
async function tamper(...statements: string[]): Promise<void> {
  const tables = ['audit_entries', 'audit_checkpoints'];
  await query(
    `BEGIN; ${tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`).join('')}
      ${statements.join('; ')};
      ${tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER;`).join('')} COMMIT`,
  );
}

/** Rebuilds the chain from entry `from` on so that every hash fits, the head included. */
async function rebuild(from: number): Promise<void> {
  const rows = await query<{ seq: string; body: string; prev_hash: Buffer }>(
    `SELECT seq, body, prev_hash FROM audit_entries WHERE ${mine()} AND seq >= ${from} ORDER BY seq`,
  );
  let before = rows[0]!.prev_hash.toString('hex');
  const statements = rows.map(({ seq, body }) => {
    const hash = createHash('sha256').update(before, 'hex').update(body).digest('hex');
    const statement = `UPDATE audit_entries SET prev_hash = '\\x${before}', hash = '\\x${hash}'
      WHERE ${mine()} AND seq = ${seq}`;
    before = hash;
    return statement;
  });
  await tamper(...statements, `UPDATE audit_heads SET hash = '\\x${before}' WHERE ${mine()}`);
}

async function exported(asked: Partial<Export.ExportAsked> = {}): Promise<string> {
  await query(`DELETE FROM rate_limits WHERE ${mine()}`);
  const { pieces } = await exports.openExport(merchant.person('auditor'), {
    format: 'ndjson',
    filter: null,
    personal: false,
    ...asked,
  });
  return (await Array.fromAsync(pieces)).join('');
}

/** The verifier's output. It runs as an auditor would run it, in a folder of its own. */
async function verify(text: string, ...args: string[]): Promise<string> {
  const file = join(folder, 'export.ndjson');
  writeFileSync(file, text);
  try {
    return (
      await promisify(execFile)(
        process.execPath,
        [join(process.cwd(), 'scripts/verify-audit.mjs'), file, ...args],
        { cwd: folder },
      )
    ).stdout.trim();
  } catch (error) {
    return `${(error as { code: number }).code} ${(error as { stderr: string }).stderr.trim()}`;
  }
}

const onPage = async () =>
  (await list.listAudit(merchant.person('auditor'), readAuditQuery({}))).check;

describe('a trail that nobody touched', () => {
  it('is proved by the watch, the page and an offline program; its signed head is stored outside', async () => {
    expect(await watchAs(anchor)('2026-11-20')).toBeNull();
    const [line] = readFileSync(anchor, 'utf8').trimEnd().split('\n');
    expect(JSON.parse(line!)).toMatchObject({
      checkpoint: 'audit',
      merchant: merchant.merchantId,
      day: '2026-11-20',
      entries: ENTRIES,
    });
    expect(await query(`SELECT line FROM audit_checkpoints WHERE ${mine()}`)).toEqual([{ line }]);
    expect(await onPage()).toMatchObject({
      broken: [],
      lastCheck: { entries: String(ENTRIES), broken: [] },
      checkpoint: { day: '2026-11-20', entries: ENTRIES, stands: true },
    });
    const text = await exported({ personal: true });
    expect(await verify(text, '--checkpoints', anchor, '--key-file', keyFile())).toMatch(
      /^OK: 41 entries, the chain is whole from 1 to 41, head [0-9a-f]{64}\. 9\d personal values proved, 0 erased; 1 checkpoint met, signatures checked\.$/,
    );
    expect(await verify(await exported())).toMatch(
      /^OK: 42 entries.* 9\d personal values not in this file; 0 checkpoints met, signatures not checked/,
    );
  });

  it('has one checkpoint a day, also with two workers, and the file gets what a crash kept from it', async () => {
    await Promise.all([watchAs(anchor)('2026-11-21'), watchAs(anchor)('2026-11-21')]);
    await append(ENTRIES + 1);
    expect(await watchAs(anchor)('2026-11-21')).toBeNull();
    const stored = (
      await query<{ line: string }>(
        `SELECT line FROM audit_checkpoints WHERE ${mine()} ORDER BY day`,
      )
    ).map(({ line }) => line);
    expect(stored.map((line) => JSON.parse(line).day)).toEqual(['2026-11-20', '2026-11-21']);
    writeFileSync(anchor, `${stored[0]}\n${stored[1]!.slice(0, 20)}`);
    expect(await watchAs(anchor)('2026-11-21')).toBeNull();
    expect(readFileSync(anchor, 'utf8').trimEnd().split('\n')).toEqual([
      stored[0],
      stored[1]!.slice(0, 20),
      stored[1],
    ]);
    expect(
      await watchAs(anchor)('2026-11-21'),
      'a line that was cut off claims nothing',
    ).toBeNull();
  });
});

/** Runs the watch, which begins with a full check, as on every new day. */
const watched = () => watchAs(anchor)('2026-11-21');

const which = { kind: 'all', cause: 'audit' } as const;
const edit = (from: string, to: string, seq: number) =>
  tamper(
    `UPDATE audit_entries SET body = replace(body, '${from}', '${to}') WHERE ${mine()} AND seq = ${seq}`,
  );
const off = async () =>
  (
    await query<{ off: boolean; reason: string }>(
      `SELECT off, reason FROM send_switches WHERE ${mine()} AND cause = 'audit'`,
    )
  )[0];
const release = async () => {
  await web.release.requestResume(merchant.person('approver'), which, 'looked at it');
  await web.release.confirmResume(merchant.person('owner'), which);
};

describe('somebody with the rights of the database owner', () => {
  let saved: { seq: string; body: string; prev_hash: Buffer; hash: Buffer; at: Date }[];
  let kept: { seq: string; field: string; value: string; salt: Buffer }[];
  let head: { seq: string; hash: Buffer };
  let before: string;
  beforeEach(async () => {
    before = await exported();
    saved = await query(
      `SELECT seq, body, prev_hash, hash, at::text FROM audit_entries WHERE ${mine()} ORDER BY seq`,
    );
    kept = await query(`SELECT seq, field, value, salt FROM audit_personal WHERE ${mine()}`);
    [head] = (await query(`SELECT seq, hash FROM audit_heads WHERE ${mine()}`)) as [typeof head];
  });
  afterEach(async () => {
    await tamper(
      `DELETE FROM audit_entries WHERE ${mine()}`,
      `DELETE FROM audit_personal WHERE ${mine()}`,
    );
    for (const { seq, field, value, salt } of kept)
      await query('INSERT INTO audit_personal VALUES ($1, $2, $3, $4, $5)', [
        merchant.merchantId,
        seq,
        field,
        value,
        salt,
      ]);
    for (const { seq, body, prev_hash, hash, at } of saved)
      await query(
        `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at)
          VALUES ($1, $2, $3, $4, $5, $6)`,
        [merchant.merchantId, seq, body, prev_hash, hash, at],
      );
    await query(`UPDATE audit_heads SET seq = $2, hash = $3 WHERE merchant_id = $1`, [
      merchant.merchantId,
      head.seq,
      head.hash,
    ]);
    if ((await watched()) !== null) throw new Error('what was tampered with was not put right');
  });

  it('who edits an entry is found at that entry', async () => {
    await tamper(
      `UPDATE audit_entries SET body = replace(body, '"n": 7', '"n": 8') WHERE ${mine()} AND seq = 7`,
    );
    expect(await watched()).toEqual({ seq: '7', why: 'content' });
    expect((await onPage()).lastCheck).toMatchObject({ broken: [{ seq: '7', why: 'content' }] });
    expect(await verify(await exported())).toBe(
      '1 BAD: entry 7: its content does not fit its hash',
    );
  });

  it('who edits an entry and makes its own hash fit is found at the next', async () => {
    const { body, prev_hash } = saved[6]!;
    const other = body.replace('test.done', 'test.gone');
    await tamper(
      `UPDATE audit_entries SET body = '${other.replaceAll("'", "''")}',
        hash = '\\x${createHash('sha256').update(prev_hash).update(other).digest('hex')}'
        WHERE ${mine()} AND seq = 7`,
    );
    expect(await watched()).toEqual({ seq: '8', why: 'order' });
    expect(await verify(await exported())).toBe(
      '1 BAD: entry 8 does not follow entry 7: it was written after another one',
    );
  });

  it('who deletes an entry is found where it is missing', async () => {
    await tamper(`DELETE FROM audit_entries WHERE ${mine()} AND seq = 20`);
    expect(await watched()).toEqual({ seq: '21', why: 'order' });
    expect(await verify(await exported())).toBe(
      '1 BAD: entry 20 is missing: entry 21 follows entry 19',
    );
  });

  it('who lets two entries change places is found at the first of them', async () => {
    await tamper(
      `UPDATE audit_entries SET seq = -1 WHERE ${mine()} AND seq = 10`,
      `UPDATE audit_entries SET seq = 10 WHERE ${mine()} AND seq = 11`,
      `UPDATE audit_entries SET seq = 11 WHERE ${mine()} AND seq = -1`,
    );
    expect(await watched()).toEqual({ seq: '10', why: 'order' });
    expect(await verify(await exported())).toMatch(
      /^1 BAD: entry 10 is missing: entry 11 follows entry 9/,
    );
  });

  it('who puts an entry in is found at it', async () => {
    const { body, prev_hash, hash } = saved.at(-1)!;
    const seq = saved.length + 1;
    await tamper(
      `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash)
        VALUES ('${merchant.merchantId}', ${seq}, '${body.replaceAll("'", "''")}',
        '\\x${prev_hash.toString('hex')}', '\\x${hash.toString('hex')}')`,
      `UPDATE audit_heads SET seq = ${seq} WHERE ${mine()}`,
    );
    expect(await watched()).toEqual({ seq: String(seq), why: 'order' });
    expect(await verify(await exported())).toMatch(
      new RegExp(`^1 BAD: entry ${seq - 1} stands after entry ${seq - 1}`),
    );
  });

  it('who changes a kept personal value is found at its entry', async () => {
    await query(
      `UPDATE audit_personal SET value = 'somebody else' WHERE ${mine()} AND seq = 12 AND field = 'name'`,
    );
    expect(await watched()).toEqual({ seq: '12', why: 'personal' });
    expect(await verify(await exported({ personal: true }))).toBe(
      '1 BAD: entry 12: the personal value "name" is not the one it was written with',
    );
  });

  it('who cuts the tail off leaves the head pointing at nothing', async () => {
    await tamper(`DELETE FROM audit_entries WHERE ${mine()} AND seq > 30`);
    expect(await watched()).toEqual({ seq: '31', why: 'tail' });
    expect((await onPage()).head).toMatchObject({ holds: false });
  });

  it('who cuts the tail off and turns the head back is found by a checkpoint and by nothing else', async () => {
    await tamper(
      `DELETE FROM audit_entries WHERE ${mine()} AND seq > 30`,
      `UPDATE audit_heads SET seq = 30, hash = '\\x${saved[29]!.hash.toString('hex')}' WHERE ${mine()}`,
    );
    expect(await onPage()).toMatchObject({
      head: { holds: true },
      broken: [],
      checkpoint: { stands: false },
    });
    expect(await watched()).toEqual({ seq: String(ENTRIES), why: 'checkpoint' });
    const text = await exported();
    // By now the trail has at least one more entry (this export), and perhaps a second one (sending
    // was stopped).
    expect(await verify(text)).toMatch(/^OK: 3[12] entries/);
    expect(await verify(text, '--checkpoints', anchor)).toMatch(
      /^1 BAD: entry 3[23] is missing: the checkpoint of 2026-11-20 counted 40 entries, the tail was cut off after 3[12]$/,
    );
  });

  it('is found by the copies outside the database after a rewrite of the chain and its checkpoints', async () => {
    const stored = await query<{ day: string; line: string }>(
      `SELECT day, line FROM audit_checkpoints WHERE ${mine()}`,
    );
    await tamper(
      `UPDATE audit_entries SET body = replace(body, '"n": 7', '"n": 8') WHERE ${mine()} AND seq = 7`,
    );
    await rebuild(7);
    expect(await onPage(), 'the table still has the checkpoint').toMatchObject({
      broken: [],
      head: { holds: true },
      checkpoint: { stands: false },
    });
    await tamper(`DELETE FROM audit_checkpoints WHERE ${mine()}`);
    expect(await onPage(), 'with the table alone nothing is to be seen').toMatchObject({
      broken: [],
      head: { holds: true },
      checkpoint: null,
    });
    expect(await watched()).toEqual({ seq: String(ENTRIES), why: 'checkpoint' });
    const text = await exported();
    expect(await verify(text)).toMatch(/^OK: /);
    expect(await verify(text, '--checkpoints', anchor)).toMatch(
      /^1 BAD: entry 40 is not the one that the checkpoint of 2026-11-20 saw: the chain was made anew at it or before it$/,
    );
    const earlier = join(folder, 'earlier.ndjson');
    writeFileSync(earlier, before);
    expect(
      await verify(text, '--checkpoints', earlier),
      'an earlier export serves as well',
    ).toMatch(/^1 BAD: entry \d+ is not the one that the checkpoint of/);
    for (const { day, line } of stored)
      await query('INSERT INTO audit_checkpoints VALUES ($1, $2, $3)', [
        merchant.merchantId,
        day,
        line,
      ]);
  });

  it('who writes a checkpoint that fits the chain made anew cannot sign it', async () => {
    const [stored] = await query<{ line: string }>(
      `SELECT line FROM audit_checkpoints WHERE ${mine()} AND day = '2026-11-20'`,
    );
    const forged = JSON.stringify({
      ...JSON.parse(stored!.line),
      entries: 41,
      head: saved[40]!.hash.toString('hex'),
    });
    await tamper(
      `UPDATE audit_checkpoints SET line = '${forged}' WHERE ${mine()} AND day = '2026-11-20'`,
    );
    expect(await watched()).toEqual({ seq: '0', why: 'checkpoint' });
    const file = join(folder, 'forged.jsonl');
    writeFileSync(file, `${forged}\n`);
    expect(await verify(before, '--checkpoints', file, '--key-file', keyFile())).toMatch(
      /^1 BAD: the checkpoint of 2026-11-20 was not signed by the installation/,
    );
    const { signature: _signature, key: _key, ...unsigned } = JSON.parse(forged);
    for (const bare of [unsigned, { ...unsigned, key: 'k' }]) {
      writeFileSync(file, `${JSON.stringify(bare)}\n`);
      expect(await verify(before, '--checkpoints', file)).toMatch(/^OK.*not checked \(no key\)/);
      expect(
        await verify(before, '--checkpoints', file, '--key-file', keyFile()),
        'without any signature',
      ).toMatch(/^1 BAD: the checkpoint of 2026-11-20 was not signed by the installation/);
    }
    await tamper(
      `UPDATE audit_checkpoints SET line = '${stored!.line}' WHERE ${mine()} AND day = '2026-11-20'`,
    );
  });

  it('who signs a fitting checkpoint with a key of their own proves nothing on the page', async () => {
    const [stored] = await query<{ line: string }>(
      `SELECT line FROM audit_checkpoints WHERE ${mine()} AND day = '2026-11-21'`,
    );
    const { signature: _signature, ...fields } = JSON.parse(stored!.line);
    const pair = generateKeyPairSync('ed25519');
    const unsigned = {
      ...fields,
      key: Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex'),
    };
    const signature = sign(null, Buffer.from(JSON.stringify(unsigned)), pair.privateKey);
    const line = JSON.stringify({ ...unsigned, signature: signature.toString('hex') });
    await tamper(
      `UPDATE audit_checkpoints SET line = '${line}' WHERE ${mine()} AND day = '2026-11-21'`,
    );
    expect((await onPage()).checkpoint).toMatchObject({ day: '2026-11-21', stands: null });
    await tamper(
      `UPDATE audit_checkpoints SET line = '${stored!.line}' WHERE ${mine()} AND day = '2026-11-21'`,
    );
    expect((await onPage()).checkpoint).toMatchObject({ day: '2026-11-21', stands: true });
  });
});

describe('when the chain is found broken', () => {
  it('sending stops until two people have looked, and what they have seen does not stop it again', async () => {
    if ((await off())?.off === true) await release();
    await edit('"n": 9', '"n": 8', 9);
    await watched();
    expect(await off()).toEqual({ off: true, reason: '9 (content)' });
    expect(
      (
        await query(
          `SELECT 1 FROM audit_entries WHERE ${mine()} AND action = 'sending.stopped' AND actor = 'worker'`,
        )
      ).length,
    ).toBeGreaterThan(0);
    await release();
    await watched();
    expect(await off(), 'the same break again').toMatchObject({ off: false });
    await edit('"n": 5', '"n": 4', 5);
    await watched();
    expect(await off(), 'another break').toEqual({ off: true, reason: '5 (content)' });
    await edit('"n": 4', '"n": 5', 5);
    await edit('"n": 8', '"n": 9', 9);
    expect(await watched()).toBeNull();
    expect(await off(), 'it goes on when people say so').toMatchObject({ off: true });
    await release();
  });
});

describe('after two people have accepted a break of the chain', () => {
  let saved: { seq: string; body: string; prev_hash: Buffer; hash: Buffer; at: string }[];
  let head: { seq: string; hash: Buffer };
  beforeEach(async () => {
    if ((await off())?.off === true) await release();
    await edit('"n": 9', '"n": 8', 9);
    await watched();
    await release();
    await watched();
    if ((await off())?.off !== false) throw new Error('sending was not released');
    saved = await query(
      `SELECT seq, body, prev_hash, hash, at::text FROM audit_entries WHERE ${mine()} AND seq > 30`,
    );
    [head] = (await query(`SELECT seq, hash FROM audit_heads WHERE ${mine()}`)) as [typeof head];
  });
  afterEach(async () => {
    await tamper(`DELETE FROM audit_entries WHERE ${mine()} AND seq > 30`);
    for (const { seq, body, prev_hash, hash, at } of saved)
      await query(
        `INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at)
          VALUES ($1, $2, $3, $4, $5, $6)`,
        [merchant.merchantId, seq, body, prev_hash, hash, at],
      );
    await query('UPDATE audit_heads SET seq = $2, hash = $3 WHERE merchant_id = $1', [
      merchant.merchantId,
      head.seq,
      head.hash,
    ]);
    await edit('"n": 8', '"n": 9', 9);
    await edit('"n": 21', '"n": 20', 20);
    if ((await watched()) !== null) throw new Error('what was tampered with was not put right');
    if ((await off())?.off === true) await release();
  });

  it('an edit of a later entry stops sending again, and the page lists both', async () => {
    await edit('"n": 20', '"n": 21', 20);
    await watched();
    expect(await off()).toEqual({ off: true, reason: '20 (content)' });
    expect((await onPage()).lastCheck?.broken).toEqual([
      { seq: '9', why: 'content' },
      { seq: '20', why: 'content' },
    ]);
  });

  it('a worker that had checked the chain before leaves it accepted', async () => {
    await edit('"n": 8', '"n": 9', 9);
    const other = watchAs(anchor);
    expect(await other('2026-11-21')).toBeNull();
    await edit('"n": 9', '"n": 8', 9);
    await watched();
    await release();
    expect(await other('2026-11-21')).toEqual({ seq: '9', why: 'content' });
    await watched();
    expect((await off())?.off).toBe(false);
  });

  it('a tail that is cut off with the head turned back stops sending again', async () => {
    await tamper(
      `DELETE FROM audit_entries WHERE ${mine()} AND seq > 30`,
      `UPDATE audit_heads SET seq = 30, hash =
        (SELECT hash FROM audit_entries WHERE ${mine()} AND seq = 30) WHERE ${mine()}`,
    );
    await watched();
    expect(await off()).toEqual({ off: true, reason: `${ENTRIES} (checkpoint)` });
  });

  it('a tail that is cut off alone stops sending again', async () => {
    await tamper(`DELETE FROM audit_entries WHERE ${mine()} AND seq = ${head.seq}`);
    await watched();
    expect(await off()).toEqual({ off: true, reason: `${head.seq} (tail)` });
  });

  it('a check by the former version, which knows the first break alone, hides no other one', async () => {
    await edit('"n": 20', '"n": 21', 20);
    await query(`UPDATE audit_checks SET breaks = NULL WHERE ${mine()}`);
    await watched();
    expect(await off()).toEqual({ off: true, reason: '20 (content)' });
  });
});

describe('somebody with the export in their hands', () => {
  it('is found by the signature or an earlier checkpoint after removing an entry and its traces', async () => {
    const lines = (await exported()).trimEnd().split('\n');
    const [header, rows] = [JSON.parse(lines[0]!), lines.slice(1, -2)];
    const last = JSON.parse(rows.at(-1)!);
    const made = [
      JSON.stringify({
        ...header,
        entries: rows.length,
        head: { seq: rows.length, hash: last.hash },
      }),
      ...rows,
    ];
    const digest = createHash('sha256')
      .update(made.map((line) => `${line}\n`).join(''))
      .digest('hex');
    const end = JSON.parse(lines.at(-1)!);
    const text = [...made, JSON.stringify({ ...end, entries: rows.length, digest })].join('\n');
    expect(await verify(text)).toMatch(/^OK/);
    expect(await verify(text, '--key-file', keyFile())).toMatch(
      /^1 BAD: the signature in the last line is not of the installation/,
    );
  });

  it('who changes only the file is found without any key, also in a part of the trail', async () => {
    const text = await exported({
      filter: { who: null, action: 'test.done', subject: null, from: null, to: null },
    });
    expect(await verify(text)).toMatch(/^OK: \d+ selected entries/);
    expect(await verify(text.replace('"action":"test.done"', '"action":"audit"'))).toMatch(
      /^1 BAD: the digest in the last line/,
    );
  });

  it('can sign nothing with the public key: another key is not the installation’s', async () => {
    const text = await exported();
    const other = join(folder, 'other-key');
    writeFileSync(
      other,
      execFileSync(process.execPath, ['scripts/verify-audit.mjs', '--print-key'], {
        env: { ...process.env, DATA_KEY: 'somebody else’s' },
      }),
    );
    expect(await verify(text, '--key-file', other)).toMatch(
      /^1 BAD: the signature in the last line is not of the installation/,
    );
    expect(
      await verify(text, '--key-file', other, '--key-file', keyFile()),
      'a key that was replaced is given beside the new one',
    ).toMatch(/^OK.*signatures checked\.$/);
  });

  it('learns that only the installation can check an older checkpoint signed with a secret', async () => {
    const { readCheckpoint } = await import('./checkpoint.ts');
    const secret = Buffer.from(
      hkdfSync('sha256', process.env['DATA_KEY']!, 'dashboard', 'audit-checkpoint', 32),
    );
    const [{ line } = { line: '' }] = await query<{ line: string }>(
      `SELECT line FROM audit_checkpoints WHERE ${mine()} AND day = '2026-11-20'`,
    );
    const {
      signature: _signature,
      key: _key,
      ...fields
    } = JSON.parse(line) as Record<string, unknown>;
    const unsigned = {
      ...fields,
      key: createHash('sha256').update(secret).digest('hex').slice(0, 8),
    };
    const older = JSON.stringify({
      ...unsigned,
      mac: createHmac('sha256', secret).update(JSON.stringify(unsigned)).digest('hex'),
    });
    expect(readCheckpoint(older)).toMatchObject({
      kind: 'signed',
      checkpoint: { entries: ENTRIES },
    });
    expect(readCheckpoint(older.replace('"entries":40', '"entries":39'))).toEqual({
      kind: 'forged',
    });
    const file = join(folder, 'older.jsonl');
    writeFileSync(file, `${older}\n`);
    expect(await verify(await exported(), '--checkpoints', file, '--key-file', keyFile())).toMatch(
      /^OK.*1 checkpoint met, signatures checked, but for 1 of an older form, which only the installation can check\.$/,
    );
  });

  it('is told what is missing when the program cannot check', async () => {
    expect(await verify('')).toBe('1 BAD: the file is empty');
    expect(await verify(await exported(), '--checkpoints', join(folder, 'nowhere'))).toMatch(
      /^2 .*ENOENT/,
    );
    expect(
      await verify(
        (await exported()).replace(/"signature":"[0-9a-f]+"/, '"mac":"00"'),
        '--key-file',
        keyFile(),
      ),
    ).toMatch(/^2 this export was signed in an older form/);
  });
});

/** The key file as an operator hands it out: the program itself prints it from DATA_KEY. */
function keyFile(): string {
  const file = join(folder, 'key');
  writeFileSync(file, execFileSync(process.execPath, ['scripts/verify-audit.mjs', '--print-key']));
  return file;
}
