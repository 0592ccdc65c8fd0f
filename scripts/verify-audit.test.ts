import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/**
 * Tests the program that an outsider runs, on exports that are made here after docs/audit.md and
 * not by the product.
 */

type Proof = { entries: number; held: number; personal: { proved: number; erased: number } };
type Program = {
  Verification: new (given?: { checkpoints?: string[] }) => {
    line(bytes: Uint8Array): void;
    finish(): Proof;
  };
};
const { Verification } = (await import(
  new URL('verify-audit.mjs', import.meta.url).href
)) as Program;

const MERCHANT = '6b1c1d52-0000-4000-8000-00000000a0d1';
const sha = (...parts: (string | Buffer)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

type Row = {
  body: string;
  prev: string;
  hash: string;
  personal?: Record<string, { value: string; salt: string }>;
};

function rowAfter(before: { hash: string; seq: number }, text: string, withPersonal: boolean): Row {
  const salt = sha('salt', String(before.seq), text);
  const values = { name: 'Iğdır "Ş" 🙂', ip: '203.0.113.7' };
  const personal = Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      sha(Buffer.from(salt, 'hex'), `${field}=${value}`),
    ]),
  );
  const body = JSON.stringify({
    at: '2026-11-21T09:00:00.000001Z',
    seq: before.seq + 1,
    merchant: MERCHANT,
    actor: 'person:x',
    action: 'test.done',
    subject: 'test:1',
    detail: { text },
    personal,
  });
  return {
    body,
    prev: before.hash,
    hash: sha(Buffer.from(before.hash, 'hex'), body),
    ...(withPersonal
      ? {
          personal: Object.fromEntries(
            Object.entries(values).map(([field, value]) => [field, { value, salt }]),
          ),
        }
      : {}),
  };
}

function chainOf(texts: string[], withPersonal = false): Row[] {
  const rows: Row[] = [];
  for (const text of texts)
    rows.push(
      rowAfter({ hash: rows.at(-1)?.hash ?? sha(''), seq: rows.length }, text, withPersonal),
    );
  return rows;
}

function linesOf(rows: Row[], filter: object | null = null): string[] {
  const header = JSON.stringify({
    export: 'audit',
    version: 1,
    merchant: MERCHANT,
    entries: rows.length,
    head: { seq: rows.length, hash: rows.at(-1)!.hash },
    filter,
    personal: rows[0]!.personal !== undefined,
  });
  return framed([header, ...rows.map((row) => JSON.stringify(row))]);
}

/**
 * Adds an end line with the right digest to the lines, because a person who edits an export can
 * compute the digest too.
 */
function framed(lines: string[]): string[] {
  return [
    ...lines,
    JSON.stringify({
      end: 'audit',
      entries: lines.length - 1,
      digest: sha(lines.map((line) => `${line}\n`).join('')),
      key: 'k',
      signature: 's',
    }),
  ];
}

function verify(lines: (string | Uint8Array)[], checkpoints: string[] = []): Proof {
  const verification = new Verification({ checkpoints });
  for (const line of lines) verification.line(typeof line === 'string' ? Buffer.from(line) : line);
  return verification.finish();
}

const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), {
  minLength: 1,
  maxLength: 6,
});
const whole = chainOf(['a', 'b', 'c', 'd', 'e']);

describe('an export of the audit log', () => {
  it('that nobody changed is proved, whatever its entries say', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (entries, withPersonal) => {
        const rows = chainOf(entries, withPersonal);
        expect(verify(linesOf(rows))).toMatchObject({
          entries: rows.length,
          personal: withPersonal
            ? { proved: 2 * rows.length, erased: 0 }
            : { proved: 0, erased: 2 * rows.length },
        });
      }),
    );
  });

  it('with any single byte of any entry changed is found, though its final digest was recomputed', () => {
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (entries, withPersonal, which, where, difference) => {
          const rows = chainOf(entries, withPersonal);
          const lines = linesOf(rows)
            .slice(0, -1)
            .map((line) => Buffer.from(line));
          const line = lines[1 + (which % rows.length)]!;
          line[where % line.length]! ^= difference;
          const digest = lines
            .reduce((hash, one) => hash.update(one).update('\n'), createHash('sha256'))
            .digest('hex');
          const end = JSON.stringify({
            end: 'audit',
            entries: rows.length,
            digest,
            key: 'k',
            signature: 's',
          });
          expect(() => verify([...lines, end])).toThrow();
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('in which a byte was put in or taken out of an entry is found', () => {
    fc.assert(
      fc.property(
        texts,
        fc.nat(),
        fc.nat(),
        fc.option(fc.integer({ min: 0, max: 255 })),
        (entries, which, where, put) => {
          const rows = chainOf(entries);
          const lines = linesOf(rows)
            .slice(0, -1)
            .map((line) => Buffer.from(line));
          const at = 1 + (which % rows.length);
          const cut = where % lines[at]!.length;
          lines[at] = Buffer.concat([
            lines[at]!.subarray(0, cut),
            ...(put === null ? [] : [Buffer.of(put)]),
            lines[at]!.subarray(cut + (put === null ? 1 : 0)),
          ]);
          const digest = lines
            .reduce((hash, one) => hash.update(one).update('\n'), createHash('sha256'))
            .digest('hex');
          expect(() =>
            verify([
              ...lines,
              JSON.stringify({
                end: 'audit',
                entries: rows.length,
                digest,
                key: 'k',
                signature: 's',
              }),
            ]),
          ).toThrow();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const header = linesOf(whole)[0]!;
  const changed = (rows: Row[]): string[] =>
    framed([header, ...rows.map((row) => JSON.stringify(row))]);
  const forged = rowAfter({ seq: 2, hash: whole[1]!.hash }, 'forged', false);
  const cases: [what: string, lines: string[], says: RegExp][] = [
    [
      'an entry was edited',
      changed(whole.with(2, { ...whole[2]!, body: whole[2]!.body.replace('"c"', '"x"') })),
      /^entry 3: its content does not fit its hash/,
    ],
    [
      'an entry was edited and its hash computed anew',
      changed(whole.with(2, forged)),
      /^entry 4 does not follow entry 3/,
    ],
    ['an entry was deleted', changed(whole.toSpliced(2, 1)), /^entry 3 is missing/],
    [
      'two entries changed places',
      changed(whole.with(1, whole[2]!).with(2, whole[1]!)),
      /^entry 2 is missing/,
    ],
    [
      'an entry was put in',
      changed(whole.toSpliced(2, 0, forged)),
      /^entry 3 stands after entry 3/,
    ],
    ['the first entry was deleted', changed(whole.slice(1)), /^entry 1 is missing/],
    [
      'the last entries were deleted',
      changed(whole.slice(0, 3)),
      /^after entry 3 entries are missing/,
    ],
    ['the file was cut off', linesOf(whole).slice(0, 4), /^the file was cut off after entry 3/],
    [
      'the header says another head',
      [header.replace(/"seq":5/, '"seq":4'), ...linesOf(whole).slice(1)],
      /^entry 5 is not the head/,
    ],
    ['something was put after the end', [...linesOf(whole), 'x'], /after the end/],
    [
      'a line was written in another way, though it says the same',
      framed(
        linesOf(whole)
          .slice(0, -1)
          .with(3, JSON.stringify(whole[2]).replace('"prev":', '"prev": ')),
      ),
      /^entry 3: the line was changed/,
    ],
    [
      'an entry of another merchant was put in',
      changed(whole.with(0, { ...whole[0]!, body: whole[0]!.body.replace('a0d1', 'a0d2') })),
      /^entry 1/,
    ],
  ];
  it.each(cases)('says where when %s', (_what, lines, says) => {
    expect(() => verify(lines)).toThrow(says);
  });

  it('whose tail was cut, or that was made anew, is found by what an auditor kept and by nothing else', () => {
    const kept = JSON.stringify({
      checkpoint: 'audit',
      merchant: MERCHANT,
      day: '2026-11-20',
      at: '2026-11-20T00:00:10.000Z',
      entries: 4,
      head: whole[3]!.hash,
      key: 'k',
      signature: 's',
    });
    const earlier = linesOf(whole.slice(0, 4))[0]!;
    expect(verify(linesOf(whole), [kept, earlier])).toMatchObject({ held: 2 });
    const cut = linesOf(whole.slice(0, 3));
    const anew = linesOf(chainOf(['a', 'b', 'x', 'd', 'e']));
    expect([verify(cut).entries, verify(anew).entries]).toEqual([3, 5]);
    for (const one of [kept, earlier]) {
      expect(() => verify(cut, [one])).toThrow(
        /^entry 4 is missing: the checkpoint of .* counted 4 entries, the tail was cut off after 3/,
      );
      expect(() => verify(anew, [one])).toThrow(
        /^entry 4 is not the one that the checkpoint of .* saw/,
      );
    }
  });

  it('whose personal values were erased is proved like any other, and says how many are gone', () => {
    const rows = chainOf(['a', 'b'], true);
    const { name: _erased, ...rest } = rows[0]!.personal!;
    expect(verify(linesOf(rows.with(0, { ...rows[0]!, personal: rest })))).toMatchObject({
      entries: 2,
      personal: { proved: 3, erased: 1 },
    });
  });

  it('that was narrowed by a filter is proved entry by entry', () => {
    const some = [whole[1]!, whole[3]!];
    expect(verify(linesOf(some, { who: 'worker' }))).toMatchObject({ entries: 2 });
    expect(() => verify(linesOf(some.toReversed(), { who: 'worker' }))).toThrow(
      /^entry 2 stands after entry 4/,
    );
  });
});
