/**
 * Turkish has two pairs of i: I/ı and İ/i. Keyboards differ, so search folds them all together,
 * while sorting keeps them apart as the alphabet does (… h ı i j …).
 */

const collator = new Intl.Collator('tr', { numeric: true });

/**
 * The form in which texts are compared when searching: "ISIK", "ışık", "Işık", "IŞIK" and "isik"
 * become the same. Diacritics are removed, runs of white space become one space. Fold both sides of
 * a comparison.
 */
export function foldForSearch(text: string): string {
  const known = latest.get(text) ?? earlier.get(text);
  if (known !== undefined) return known;
  const folded = fold(text);
  if (text.length > KEPT_LENGTH_MAX) return folded;
  if (latest.size >= KEPT_MAX) [earlier, latest] = [latest, new Map()];
  latest.set(text, folded);
  return folded;
}

/**
 * The texts that were folded last. The rules compare each payment of a file with many others, so that
 * without these the same names and descriptions are folded hundreds of times. When `latest` is full it
 * becomes `earlier`, and what was there is forgotten.
 */
let latest = new Map<string, string>();
let earlier: ReadonlyMap<string, string> = new Map();
const KEPT_MAX = 10_000;
const KEPT_LENGTH_MAX = 200;

/** The capitals that are folded: every letter that is left of them has no marks. */
const CAPITALS =
  'ABCDEFGHIJKLMNOPQRSTUVWXYZÆÐØÞĐĦŁŊŒŦƏẞ' +
  'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ' +
  'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐҒҚҠҢҮҰҲҶҺӘӨ' +
  'ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ';
const ANY_CAPITAL = new RegExp(`[${CAPITALS}]`, 'g');

/** The same as the database's function of that name, which folds the names that are stored. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(ANY_CAPITAL, (capital) => capital.toLowerCase())
    .replaceAll('ı', 'i')
    .replace(/[\s\u200b-\u200f\u2060]+/g, ' ')
    .trim();
}

/** Order of the Turkish alphabet; digits in names by value ("Kasa 2" before "Kasa 10"). */
export function compareTurkish(a: string, b: string): number {
  return collator.compare(a, b);
}
