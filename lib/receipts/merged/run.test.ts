import { randomBytes } from 'node:crypto';
import { PDFDocument, PDFName } from 'pdf-lib';
import { expect, it, vi } from 'vitest';
import type { MergeItem, MergeWords } from './merge.ts';
import { mergeApart } from './run.ts';

/**
 * The process that merges receipts: it returns one file, and an error in it is reported as an
 * error.
 */

const WORDS: MergeWords = {
  title: 'Eksik',
  summary: '{ready} / {all}',
  problems: { encrypted: 'şifreli', broken: 'bozuk', too_long: 'uzun' },
};

async function page(width: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([width, 300]);
  return pdf.save();
}
async function* some(items: readonly MergeItem[]): AsyncGenerator<MergeItem> {
  yield* items;
}
const taken = async (pieces: AsyncGenerator<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(pieces));

it('receipts go to a process of their own and come back as one file, two requests one after another', async () => {
  const items: MergeItem[] = [
    { name: 'Bir', bytes: await page(301) },
    { name: 'Yok', bytes: null, reason: 'bekleniyor' },
    { name: 'İki', bytes: await page(302) },
    { name: 'Boş', bytes: new Uint8Array() },
  ];
  const [first, second] = await Promise.all([
    taken(mergeApart(some(items), WORDS)),
    taken(mergeApart(some(items.slice(0, 1)), WORDS)),
  ]);
  const widths = async (file: Buffer): Promise<number[]> =>
    (await PDFDocument.load(file)).getPages().map((one) => one.getWidth());
  expect(await widths(first)).toEqual([301, 302, 595.28]);
  expect(await widths(second)).toEqual([301]);
});

it('a selection that cannot be read to its end is no file, and the next one is made', async () => {
  async function* failing(): AsyncGenerator<MergeItem> {
    yield { name: 'Bir', bytes: await page(301) };
    throw new Error('the database is gone');
  }
  await expect(taken(mergeApart(failing(), WORDS))).rejects.toThrow('not merged');
  const file = await taken(mergeApart(some([{ name: 'Bir', bytes: await page(301) }]), WORDS));
  expect((await PDFDocument.load(file)).getPageCount()).toBe(1);
});

/** A page whose content is larger than what is taken ahead of a download. */
async function largePage(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const content = context.register(context.stream(randomBytes(12 * 1024 * 1024)));
  pdf.addPage([301, 300]).node.set(PDFName.of('Contents'), content);
  return pdf.save();
}

it('a download that stands still does not keep the next one waiting, small or large', async () => {
  const [one, other, large] = [await page(301), await page(302), await largePage()];
  const begin = (bytes: Uint8Array): AsyncGenerator<Uint8Array> =>
    mergeApart(some([{ name: 'Bir', bytes }]), WORDS);
  const small = begin(one);
  await small.next();
  expect((await taken(begin(other))).length).toBeGreaterThan(0);
  await small.return(undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const standing = begin(large);
    await standing.next();
    const next = taken(begin(other));
    vi.advanceTimersByTime(120_000);
    expect((await next).length).toBeGreaterThan(0);
    await expect(taken(standing), 'what was cut off is no file').rejects.toThrow('not merged');
  } finally {
    vi.useRealTimers();
  }
}, 60_000);

it('a process that does not start is a fault of its file alone', async () => {
  const program = process.execPath;
  process.execPath = '/nowhere/node';
  try {
    await expect(
      taken(mergeApart(some([{ name: 'Bir', bytes: null, reason: '' }]), WORDS)),
    ).rejects.toThrow();
  } finally {
    process.execPath = program;
  }
});
