import { expect, test } from 'vitest';
import { openFile, openPaste } from './open.ts';
import { columnsToRemember } from './mapping.ts';
import { readPayouts } from './read.ts';
import { fixtureFiles } from './testing/fixture-files.ts';
import { toldRow } from './testing/told.ts';

const FIXTURES = fixtureFiles();

test('there are more than 200 files, and no two are the same', () => {
  const files = FIXTURES.map(({ bytes, text }) => Buffer.from(bytes ?? text).toString('base64'));
  expect(new Set(files).size).toBeGreaterThan(200);
});

test.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))('%s', (_name, fixture) => {
  const { bytes, text, fileName } = fixture;
  const file = bytes === null ? openPaste(text) : openFile(bytes, fileName);
  const { table, mapping, decided } = readPayouts(file);

  expect(columnsToRemember(mapping)).toEqual(fixture.columns);
  expect(decided.rows.map(({ number, cells }) => ({ number, decisions: toldRow(cells) }))).toEqual(
    fixture.rows.map(({ number, decisions }) => ({
      number,
      decisions: Object.fromEntries(
        Object.entries(decisions).filter(([, decision]) => decision !== 'empty'),
      ),
    })),
  );
  expect(table.left.map(({ row, why }) => [row, why])).toEqual(fixture.left);
  expect(table.said.map(({ code }) => code)).toEqual(fixture.said);
  if (file.format === 'text')
    expect([file.encoding, file.delimiter]).toEqual([fixture.encoding, fixture.delimiter]);
  else expect(fixture.delimiter).toBeNull();
});
