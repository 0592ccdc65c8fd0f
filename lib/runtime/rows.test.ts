import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rowTypes } from '#prisma/rows.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ROWS = join(ROOT, 'lib/generated/rows.ts');
const SCHEMA = readFileSync(join(ROOT, 'prisma/schema.prisma'), 'utf8');
/**
 * A file that reads `disabled_at` of people, and no column of another table that is changed here.
 */
const READER = join(ROOT, 'lib/people/list.ts');

/** Parsed source files: those that no test changes are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** The compiler's errors about `file` when the row types are those of `schema`. */
function complaintsAbout(file: string, schema: string): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) =>
    ts.sys.readFile(path),
  );
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const host = ts.createCompilerHost({ ...options, incremental: false });
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, version) => {
    if (path === ROWS) return ts.createSourceFile(path, rowTypes(schema), version);
    if (!parsed.has(path)) parsed.set(path, read(path, version));
    return parsed.get(path);
  };
  const program = ts.createProgram([file], { ...options, incremental: false }, host);
  return program
    .getSemanticDiagnostics(program.getSourceFile(file))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the row types', () => {
  it('stop the compile of a query when a column that it lists is renamed or may become null', () => {
    expect(complaintsAbout(READER, SCHEMA)).toEqual([]);
    const renamed = SCHEMA.replace('@map("disabled_at")', '@map("left_at")');
    expect(renamed).not.toBe(SCHEMA);
    expect(complaintsAbout(READER, renamed).join('\n')).toContain('disabled_at');
    const nullable = SCHEMA.replace(/(model Person \{.*?\n {2}name +String)/s, '$1?');
    expect(nullable).not.toBe(SCHEMA);
    expect(complaintsAbout(READER, nullable).join('\n')).toContain('null');
  }, 60_000);
});
