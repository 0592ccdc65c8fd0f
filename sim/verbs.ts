import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Evidence } from '#lib/movements/state.ts';

/**
 * What the product lets people do, read from its source: which exported function records which
 * evidence of a person. The desk plays these verbs and no others; a step without such a verb would
 * test an endpoint that the product lacks.
 */

export type PersonEvidence = Extract<Evidence, { source: 'person' }>['kind'];
/**
 * `verbs`: the exported functions of a file that records evidence of a person. `writes`: the kinds
 * of that evidence.
 */
type Writer = { file: string; verbs: string[]; writes: string[] };

const ROOT = dirname(import.meta.dirname);
const SOURCE = /(?<!\.test|\.d)\.ts$/;
const WRITES = /record\([^;]*source: 'person', kind: (?<kind>'[a-z_]+'|[A-Z_]+\[)/g;
const VERB = /^export async function (?<verb>\w+)/gm;

export const WRITERS: readonly Writer[] = filesBelow('lib')
  .map(writerOf)
  .filter(({ writes }) => writes.length > 0);

export function isWritten(verb: string | null, kind: string): boolean {
  return WRITERS.some(
    ({ verbs, writes }) => verb !== null && verbs.includes(verb) && writes.includes(kind),
  );
}

/**
 * The kinds of evidence that a file records. It names them where it records them, or in a table of
 * its own or of a file that it imports from the same folder.
 */
function writerOf(file: string): Writer {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const kinds = [...text.matchAll(WRITES)].flatMap(({ groups }) => {
    const named = groups!['kind']!;
    return named.startsWith("'") ? [named.slice(1, -1)] : tableOf(file, text, named.slice(0, -1));
  });
  return {
    file,
    verbs: [...text.matchAll(VERB)].map(({ groups }) => groups!['verb']!),
    writes: [...new Set(kinds)],
  };
}

function tableOf(file: string, text: string, name: string): string[] {
  const imported = new RegExp(`\\b${name}\\b[^;]*from '\\./(?<beside>[a-z-]+\\.ts)'`).exec(text)
    ?.groups?.['beside'];
  const source =
    imported === undefined ? text : readFileSync(join(ROOT, dirname(file), imported), 'utf8');
  const table = new RegExp(`const ${name}\\b[^=]*= \\{(?<body>[^}]*)\\}`).exec(source)?.groups?.[
    'body'
  ];
  if (table === undefined)
    throw new Error(`${file} writes what people say by ${name}, which is not found`);
  return [...table.matchAll(/'([a-z_]+)'/g)].map((match) => match[1]!);
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return entry.name === 'generated' || entry.name === 'testing' ? [] : filesBelow(path);
    return SOURCE.test(path) ? [path] : [];
  });
}
