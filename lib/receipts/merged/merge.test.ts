import { PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { PAGES_MAX, mergePdfs } from './merge.ts';
import type { MergeItem, MergeWords } from './merge.ts';

/** Receipts as one PDF: its pages, their order, and what it says of a receipt that is not in it. */

const WORDS: MergeWords = {
  title: 'Bu dosyada olmayan dekontlar',
  summary: '{ready} / {all}',
  problems: { encrypted: 'şifreli', broken: 'bozuk', too_long: 'çok uzun' },
};
/** Makes a document of pages of this width, by which a test recognises it. */
async function pages(width: number, count = 1): Promise<PDFDocument> {
  const pdf = await PDFDocument.create();
  for (let n = 0; n < count; n++) pdf.addPage([width, 300]).drawText(`${width}`, { size: 20 });
  return pdf;
}
const item = async (name: string, pdf: PDFDocument): Promise<MergeItem> => ({
  name,
  bytes: await pdf.save({ useObjectStreams: false }),
});
async function widths(bytes: Uint8Array): Promise<number[]> {
  return (await PDFDocument.load(bytes)).getPages().map((page) => page.getWidth());
}
const A4 = 595.28;

describe('merged receipts', () => {
  it('have the pages of every document, in the order given, and no page more', async () => {
    const merged = await mergePdfs(
      [
        await item('first', await pages(201, 2)),
        await item('second', await pages(202)),
        await item('third', await pages(203, 3)),
      ],
      WORDS,
    );
    expect(merged).toMatchObject({ ready: 3, missing: [] });
    expect(await widths(merged.bytes)).toEqual([201, 201, 202, 203, 203, 203]);
  });

  it('name on a last page what is encrypted, broken, cut off, too long or not there', async () => {
    const locked = await pages(204);
    locked.context.trailerInfo.Encrypt = locked.context.register(
      locked.context.obj({ Filter: 'Standard', V: 1, R: 2 }),
    );
    const whole = (await item('', await pages(205))).bytes!;
    const text = Buffer.from(whole).toString('latin1');
    const cut = Buffer.from(text.slice(0, text.lastIndexOf('>>\nstream\n') + 20), 'latin1');
    const merged = await mergePdfs(
      [
        await item('Birinci', await pages(206)),
        await item('Kilitli', locked),
        { name: 'Yarım', bytes: cut },
        { name: 'Çöp', bytes: Buffer.from('%PDF-1.7\nno document') },
        { name: 'Boş', bytes: Buffer.from('%PDF-1.7') },
        await item('Uzun', await pages(207, PAGES_MAX + 1)),
        { name: 'Bekleyen', bytes: null, reason: 'defter kaydı yok' },
        await item('Son', await pages(208)),
      ],
      WORDS,
    );
    expect(merged.missing).toEqual([
      { name: 'Kilitli', reason: 'şifreli' },
      { name: 'Yarım', reason: 'bozuk' },
      { name: 'Çöp', reason: 'bozuk' },
      { name: 'Boş', reason: 'bozuk' },
      { name: 'Uzun', reason: 'çok uzun' },
      { name: 'Bekleyen', reason: 'defter kaydı yok' },
    ]);
    expect(await widths(merged.bytes)).toEqual([206, 208, A4]);
  });

  it('name every missing one however many there are, with long names and foreign letters', async () => {
    const merged = await mergePdfs(
      Array.from({ length: 200 }, (_, n) => ({
        name: `Şirket ${n} ${'İ'.repeat(90)} ₺ 漢`,
        bytes: null,
        reason: 'bekleniyor',
      })),
      WORDS,
    );
    expect(merged.ready).toBe(0);
    expect((await widths(merged.bytes)).length).toBeGreaterThan(5);
  });

  it('start nothing: actions of pages and notes are gone', async () => {
    const armed = await pages(209);
    const [page] = armed.getPages();
    const script = { S: 'JavaScript', JS: PDFString.of('app.alert(1)') };
    page!.node.set(PDFName.of('AA'), armed.context.obj({ O: script }));
    page!.node.set(
      PDFName.of('Annots'),
      armed.context.obj([
        armed.context.register(
          armed.context.obj({
            Type: 'Annot',
            Subtype: 'Link',
            Rect: [0, 0, 100, 100],
            A: { S: 'URI', URI: PDFHexString.fromText('http://evil.test') },
            AA: { E: script },
            PA: { S: 'URI', URI: PDFHexString.fromText('http://evil.test') },
          }),
        ),
      ]),
    );
    armed.addJavaScript('open', 'app.alert(2)');
    const { bytes } = await mergePdfs([await item('Silahlı', armed)], WORDS);
    const pdf = await PDFDocument.load(bytes);
    const objects = pdf.context.enumerateIndirectObjects().map(([, one]) => one.toString());
    expect(objects.filter((one) => /JavaScript|URI|\/AA/.test(one))).toEqual([]);
    expect(pdf.getPageCount()).toBe(1);
  });
});
