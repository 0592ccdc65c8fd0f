/**
 * The row types of schema.prisma as TypeScript: for each table, its columns as the driver returns
 * them (lib/runtime/db.ts). `ensureGenerated` writes them beside Prisma's client. As every column
 * is one line `name Type attributes`, no parser is needed; a database test compares the result with
 * the migrated database.
 */

const TYPES: Record<string, string> = {
  String: 'string',
  Int: 'number',
  BigInt: 'bigint',
  Boolean: 'boolean',
  DateTime: 'Date',
  Bytes: 'Uint8Array',
  Json: 'unknown',
  /** A type without a counterpart in Prisma, as PostgreSQL prints it. */
  Unsupported: 'string',
};
/** The driver returns a date as an instant in this process's time zone: select a date as text. */
const DAY = 'unknown';
const MODEL = /^model \w+ \{\n(.*?)^\}/gms;
const FIELD = /^ {2}(\w+)\s+(\w+)(?:\(.*?\))?(\?|\[\])?(.*)$/gm;

export type SchemaColumn = { name: string; type: string; nullable: boolean };

/** The columns of each table, in the schema's order. */
export function schemaColumns(schema: string): Map<string, SchemaColumn[]> {
  return new Map(
    Array.from(schema.matchAll(MODEL), ([, body = '']) => [
      /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '',
      Array.from(body.matchAll(FIELD)).flatMap(([, field = '', type = '', many, rest = '']) => {
        const scalar = rest.includes('@db.Date') ? DAY : TYPES[type];
        // Any other type is a relation, which is no column.
        if (scalar === undefined) return [];
        return {
          name: /@map\("(\w+)"\)/.exec(rest)?.[1] ?? field,
          type: many === '[]' ? `${scalar}[]` : scalar,
          nullable: many === '?',
        };
      }),
    ]),
  );
}

/** The source of a module that exports `Rows`, the type of every table's row. */
export function rowTypes(schema: string): string {
  const tables = Array.from(schemaColumns(schema), ([table, columns]) => {
    const lines = columns.map(
      ({ name, type, nullable }) => `    ${name}: ${type}${nullable ? ' | null' : ''};\n`,
    );
    return `  ${table}: {\n${lines.join('')}  };\n`;
  });
  return `/** Generated from prisma/schema.prisma by prisma/rows.ts. */\nexport type Rows = {\n${tables.join('')}};\n`;
}
