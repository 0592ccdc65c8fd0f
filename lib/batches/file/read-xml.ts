import 'server-only';
import sax from 'sax';
import { Refusal } from '#lib/access/refusal.ts';

/** Elements of one part: 10,000 rows of 100 columns have two million. */
const ELEMENTS_MAX = 4_000_000;

/** What a reader of one part of a workbook is given, element by element; names without prefix. */
export type XmlReader = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
};

/**
 * Reads well-formed XML in the order of the document. Only the five entities of XML are known: a
 * document type is refused, so that nothing can be defined in one.
 *
 * @throws Refusal `file_broken`, `file_unpacks_too_large`
 */
export function readXml(xml: string, reader: XmlReader): void {
  const parser = sax.parser(true, { position: false });
  parser.onerror = () => {
    throw new Refusal('file_broken');
  };
  parser.ondoctype = () => {
    throw new Refusal('file_broken');
  };
  let elements = 0;
  parser.onopentag = ({ name, attributes }) => {
    elements += 1;
    if (elements > ELEMENTS_MAX) throw new Refusal('file_unpacks_too_large');
    reader.open?.(local(name), attributes as Record<string, string>);
  };
  parser.ontext = (text) => reader.text?.(text);
  parser.oncdata = (text) => reader.text?.(text);
  parser.onclosetag = (name) => reader.close?.(local(name));
  parser.write(xml).close();
}

function local(name: string): string {
  const at = name.indexOf(':');
  return at < 0 ? name : name.slice(at + 1);
}

/** An attribute of the schema's type boolean. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}
