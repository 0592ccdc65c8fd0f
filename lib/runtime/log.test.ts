import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog, errorFields } from './log.ts';
import type { LogFields } from './log.ts';
import { aroundSecret, secret } from '#lib/testing/secret.ts';

const NAMES = [
  'movement',
  'notice',
  'worker',
  'errorId',
  'state',
  'to',
  'step',
  'reason',
  'kind',
  'errorName',
  'errorCode',
  'ms',
  'count',
];
/** Fields that must not be logged. The tests pass them although the types forbid it. */
const STRANGERS = [
  'iban',
  'name',
  'body',
  'email',
  'err',
  'error',
  'password',
  'level',
  'msg',
  'amount',
];

function written(say: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  say(createLog({ write: (line) => void (text += line) }));
  return text;
}

/** An error as drivers, parsers and providers make it, with the secret in any part of it. */
const faulty = fc
  .tuple(
    secret,
    aroundSecret,
    fc.constantFrom('message', 'name', 'code', 'stack', 'cause', 'detail', 'meta'),
  )
  .map(([planted, around, place]) => {
    const error = new Error(place === 'message' ? around(planted.shown) : 'x');
    if (place !== 'message')
      Object.assign(error, {
        [place]:
          place === 'meta'
            ? { target: [around(planted.shown)] }
            : place === 'cause'
              ? new Error(around(planted.shown))
              : around(planted.shown),
      });
    return { error, core: planted.core };
  });

describe('the log', () => {
  test('writes no secret, in whatever field, message or error it was planted', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES, ...STRANGERS),
        secret,
        aroundSecret,
        faulty,
        (name, planted, around, fault) => {
          for (const value of [
            planted.shown,
            around(planted.shown),
            Number(planted.core),
            { deep: planted.shown },
            [planted.shown],
          ]) {
            // A number of up to nine digits may be written.
            if (typeof value === 'number' && Math.abs(value) < 1e9) continue;
            expect(
              written((log) => log.error('action failed', { [name]: value } as LogFields)),
            ).not.toContain(planted.core);
          }
          expect(written((log) => log.warn(around(planted.shown)))).not.toContain(planted.core);
          expect(
            written((log) => log.error('action failed', errorFields(fault.error))),
          ).not.toContain(fault.core);
          expect(
            written((log) => log.error('action failed', errorFields(planted.shown))),
          ).not.toContain(planted.core);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('says what it may say', () => {
    const line = written((log) =>
      log.info('movement', {
        movement: '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e',
        step: 'return_unconfirmed',
        state: 'SUBMITTING',
        to: 'UNKNOWN',
        ms: 12.6,
      }),
    );
    expect(JSON.parse(line)).toMatchObject({
      msg: 'movement',
      movement: '0b8f3c9e-7a61-4d0a-9a52-3f6f5a1c2d3e',
      step: 'return_unconfirmed',
      state: 'SUBMITTING',
      to: 'UNKNOWN',
      ms: 13,
    });
    const failed = Object.assign(new TypeError('secret words'), { code: '23505' });
    expect(JSON.parse(written((log) => log.error('x', errorFields(failed))))).toMatchObject({
      errorName: 'TypeError',
      errorCode: '23505',
    });
  });

  test('leaves out a field that nobody has allowed', () => {
    expect(
      written((log) => log.info('x', { email: 'ayse@demo.test', iban: 'short' } as LogFields)),
    ).not.toMatch(/ayse|short/);
  });
});

describe('a process of the product', () => {
  test('prints neither the words of an error nor a secret, whoever prints, also when it dies of it', () => {
    const program = `
      import { endOnFault, guardOutput } from '#lib/runtime/output.ts';
      guardOutput();
      endOnFault();
      const error = Object.assign(
        new Error('Key (iban)=(TR330006100519786457841326) of Şafak Ltd already exists'),
        { digest: '123456@E1' },
      );
      console.error(' ⨯', error);
      console.log('listening with TR330006100519786457841326');
      process.stderr.write(Buffer.from('4111 1111 1111 1111 and postgresql://dashboard:pa55word@127.0.0.1/x\\n'));
      throw error;`;
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=react-server', '--input-type=module', '-e', program],
      { encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'info' } },
    );
    const all = stdout + stderr;
    expect(status).toBe(1);
    expect(all).toContain('"errorId":"123456"');
    expect(all).toContain('listening with [hidden]');
    expect(all).toContain('a fault that nobody caught ends the process');
    for (const secretText of ['TR33', 'Şafak', '4111', 'pa55word'])
      expect(all).not.toContain(secretText);
  });
});
