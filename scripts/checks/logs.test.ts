import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findSecrets } from './logs.ts';

const folder = mkdtempSync(join(tmpdir(), 'logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CANARIES = {
  texts: { 'a password': ['demo-Parola-1'], 'a key of ours': ['k'.repeat(43)] },
  codes: ['481516'],
};

test('a secret in a log is found and named, in whichever process it was written; no log at all is a fault too', () => {
  expect(findSecrets(folder, CANARIES)).toEqual(['web.log is not there: no log was looked at.']);
  writeFileSync(
    join(folder, 'web.log'),
    '{"time":"2026-11-21T12:51:41.481Z","msg":"movement","movement":"48151600-0000-4000-8000-000000481516","ms":12}\n',
  );
  writeFileSync(join(folder, 'worker.log'), '');
  writeFileSync(join(folder, 'sandbox.log'), 'demo-Parola-1');
  expect(findSecrets(folder, CANARIES)).toEqual([]);
  for (const [line, what] of [
    ['Key (iban)=(TR330006100519786457841326)', 'an IBAN'],
    ['tr33 0006 1005 1978 6457 8413 26', 'an IBAN'],
    ['eyJhbGciOiJkaXIifQ..x.y.z', 'a token'],
    ['Authorization: Bearer abcdefgh12', 'an authorization'],
    ['postgresql://dashboard:pa55@127.0.0.1/x', 'a database password'],
    ['{"errorName":"Error","errorCode":"MISSING_MESSAGE"}', 'the error of a missing text'],
    ['typed demo-Parola-1', 'a password'],
    [`key ${'k'.repeat(43)}`, 'a key of ours'],
    ['the code 481516 was wrong', 'a code of the sign-in'],
  ] as const) {
    writeFileSync(join(folder, 'worker.log'), `${line}\n`);
    expect(findSecrets(folder, CANARIES), line).toEqual([`worker.log holds ${what}.`]);
  }
});
